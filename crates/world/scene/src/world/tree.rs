//! The scene tree: groups within groups, bodies at its leaves, each with a place in its parent and one in the world.

use super::node::{NodeId, WorldError};
use kontakt_math::Pose;
use std::collections::HashMap;

/// What hangs where.
#[derive(Debug)]
struct Node {
    /// How many nodes were here before.
    generation: u32,
    is_there: bool,
    name: String,
    parent: Option<u32>,
    children: Vec<u32>,
    /// The parent's frame from its own.
    local: Pose,
    /// Where it really is: motions are proven for these doubles, places in parents follow them.
    world: Pose,
    /// The body that hangs here; groups have none.
    body: Option<u32>,
}

/// Groups and bodies.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    by_name: HashMap<String, u32>,
}

impl Tree {
    /// Hangs a node below a group, or into the world.
    pub(super) fn add(
        &mut self,
        name: &str,
        parent: Option<NodeId>,
        local: Pose,
        body: Option<u32>,
    ) -> Result<NodeId, WorldError> {
        if self.by_name.contains_key(name) {
            return Err(WorldError::NameTaken { name: name.to_owned() });
        }
        let parent = parent.map(|parent| self.group(parent)).transpose()?;
        let world = parent.map_or(local, |parent| self.node(parent).world.then_from(&local));
        if !is_finite(&world) {
            return Err(WorldError::OutOfRange { name: name.to_owned() });
        }
        let slot = self.free.pop().unwrap_or(self.nodes.len() as u32);
        let generation = self.nodes.get(slot as usize).map_or(0, |old| old.generation);
        let (is_there, children) = (true, Vec::new());
        let node = Node { generation, is_there, name: name.to_owned(), parent, children, local, world, body };
        match self.nodes.get_mut(slot as usize) {
            Some(old) => *old = node,
            None => self.nodes.push(node),
        }
        if let Some(parent) = parent {
            self.node_mut(parent).children.push(slot);
        }
        self.by_name.insert(name.to_owned(), slot);
        Ok(self.id(slot))
    }

    /// Takes a node out with all below it; the bodies among them.
    pub(super) fn remove(&mut self, id: NodeId) -> Result<Vec<u32>, WorldError> {
        let slot = self.slot(id)?;
        let below = self.below(slot);
        if let Some(parent) = self.node(slot).parent {
            self.node_mut(parent).children.retain(|&child| child != slot);
        }
        let mut bodies = Vec::new();
        for slot in below {
            let node = self.node_mut(slot);
            node.is_there = false;
            node.generation = node.generation.wrapping_add(1);
            node.children.clear();
            bodies.extend(node.body.take());
            let name = std::mem::take(&mut node.name);
            self.by_name.remove(&name);
            self.free.push(slot);
        }
        Ok(bodies)
    }

    /// Puts a node elsewhere in its parent; all below it follow. The bodies that have another place now.
    pub(super) fn place(&mut self, id: NodeId, local: Pose) -> Result<Vec<u32>, WorldError> {
        let slot = self.slot(id)?;
        let parent = self.node(slot).parent;
        let world = parent.map_or(local, |parent| self.node(parent).world.then_from(&local));
        let places = self.places_below(slot, world)?;
        self.node_mut(slot).local = local;
        Ok(self.settle(&places))
    }

    /// Puts a node at a place in the world.
    pub(super) fn place_in_world(&mut self, id: NodeId, world: Pose) -> Result<Vec<u32>, WorldError> {
        let slot = self.slot(id)?;
        let places = self.places_below(slot, world)?;
        self.set_local_from_world(slot, world);
        Ok(self.settle(&places))
    }

    /// Hangs a node below another group, or into the world; it stays where it is.
    pub(super) fn attach(&mut self, id: NodeId, parent: Option<NodeId>) -> Result<(), WorldError> {
        let slot = self.slot(id)?;
        let parent = parent.map(|parent| self.group(parent)).transpose()?;
        if let Some(parent) = parent
            && self.above(parent).any(|above| above == slot)
        {
            let [name, parent] = [slot, parent].map(|slot| self.node(slot).name.clone());
            return Err(WorldError::Cycle { name, parent });
        }
        if let Some(old) = self.node(slot).parent {
            self.node_mut(old).children.retain(|&child| child != slot);
        }
        if let Some(parent) = parent {
            self.node_mut(parent).children.push(slot);
        }
        self.node_mut(slot).parent = parent;
        self.set_local_from_world(slot, self.node(slot).world);
        Ok(())
    }

    /// Where a node and all below it are when it is at a pose: where they really are if that is the node's own, else rounded step by step
    /// from there, always in the same way.
    pub(super) fn places_below(&self, slot: u32, world: Pose) -> Result<Vec<(u32, Pose)>, WorldError> {
        let mut places = Vec::new();
        self.put_places_below(slot, world, &mut places)?;
        Ok(places)
    }

    /// The same into a list that is kept.
    pub(super) fn put_places_below(
        &self,
        slot: u32,
        world: Pose,
        places: &mut Vec<(u32, Pose)>,
    ) -> Result<(), WorldError> {
        let stays = world == self.node(slot).world;
        places.clear();
        places.push((slot, world));
        let mut at = 0;
        while at < places.len() {
            let (slot, world) = places[at];
            if !stays && !is_finite(&world) {
                return Err(WorldError::OutOfRange { name: self.name(slot).to_owned() });
            }
            let place = |child: &Node| if stays { child.world } else { world.then_from(&child.local) };
            let children = self.node(slot).children.iter();
            places.extend(children.map(|&child| (child, place(self.node(child)))));
            at += 1;
        }
        Ok(())
    }

    /// Puts a node and all below it where a motion has brought them.
    pub(super) fn bring(&mut self, slot: u32, places: &[(u32, Pose)]) {
        for &(slot, world) in places {
            self.node_mut(slot).world = world;
        }
        self.set_local_from_world(slot, self.node(slot).world);
    }

    fn set_local_from_world(&mut self, slot: u32, world: Pose) {
        let parent = self.node(slot).parent;
        self.node_mut(slot).local =
            parent.map_or(world, |parent| self.node(parent).world.inverse().then_from(&world));
    }

    /// New places in the world; the bodies among them.
    fn settle(&mut self, places: &[(u32, Pose)]) -> Vec<u32> {
        let mut bodies = Vec::new();
        for &(slot, world) in places {
            let node = self.node_mut(slot);
            node.world = world;
            bodies.extend(node.body);
        }
        bodies
    }

    /// A node and all below it, parents first.
    pub(super) fn below(&self, slot: u32) -> Vec<u32> {
        let mut all = vec![slot];
        let mut at = 0;
        while at < all.len() {
            all.extend_from_slice(&self.node(all[at]).children);
            at += 1;
        }
        all
    }

    /// A node and all above it.
    pub(super) fn above(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(slot), |&slot| self.node(slot).parent)
    }

    /// The place of a node that is there.
    pub(super) fn slot(&self, id: NodeId) -> Result<u32, WorldError> {
        let node = self.nodes.get(id.index()).filter(|node| node.is_there);
        node.filter(|node| node.generation == id.generation).map(|_| id.slot).ok_or(WorldError::Unknown)
    }

    fn group(&self, id: NodeId) -> Result<u32, WorldError> {
        let slot = self.slot(id)?;
        let node = self.node(slot);
        if node.body.is_some() { Err(WorldError::NotAGroup { name: node.name.clone() }) } else { Ok(slot) }
    }

    pub(super) fn id(&self, slot: u32) -> NodeId {
        NodeId { slot, generation: self.node(slot).generation }
    }

    pub(super) fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).map(|&slot| self.id(slot))
    }

    pub(super) fn name(&self, slot: u32) -> &str {
        &self.node(slot).name
    }

    pub(super) fn world(&self, slot: u32) -> Pose {
        self.node(slot).world
    }

    pub(super) fn local(&self, slot: u32) -> Pose {
        self.node(slot).local
    }

    /// The body that hangs at a place; none at a group's.
    pub(super) fn body(&self, slot: u32) -> Option<u32> {
        self.node(slot).body
    }

    fn node(&self, slot: u32) -> &Node {
        &self.nodes[slot as usize]
    }

    fn node_mut(&mut self, slot: u32) -> &mut Node {
        &mut self.nodes[slot as usize]
    }
}

/// Whether a pose is within the doubles.
pub(super) fn is_finite(pose: &Pose) -> bool {
    pose.translation().is_finite() && pose.rotation().is_finite()
}
