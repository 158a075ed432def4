//! A world of groups and bodies that is kept from step to step.

mod ask;
mod cache;
mod course;
mod desk;
mod filter;
mod member;
mod node;
mod pursuit;
mod report;
mod settle;
mod step;
mod tree;

pub use filter::Layers;
pub use node::{NodeId, WorldError};
pub use report::{
    GroupReport, Mode, PairReport, PairVerdict, Response, StepBudget, StepCounts, StepError, StepOptions,
    StepReport,
};

use cache::PairCache;
use course::Course;
use desk::Desk;
use filter::Filter;
use kontakt_bounds::Aabb;
use kontakt_broad::{BoxId, BroadPhase};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_pair::Body;
use member::Member;
use step::MovedGroup;
use tree::Tree;

/// A box that meets every other.
const EVERYWHERE: Aabb = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
/// A motion may start so far from where its body is, as a part of the numbers in its pose: roundings of the caller's.
const START: f64 = 1e-9;

/// Groups and bodies, kept from step to step: a tree in which groups move rigidly with all that hangs below them, filters that say which
/// pairs are looked at, and what is known of near pairs.
///
/// ```
/// use kontakt_convex::Shape;
/// use kontakt_math::{DQuat, DVec3, Motion, Pose};
/// use kontakt_scene::{StepOptions, World};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let at = |x: f64| Pose::new(DQuat::IDENTITY, DVec3::X * x);
/// let mut world = World::new();
/// let cart = world.add_group("cart", None, at(0.0)?)?;
/// world.add_body("chassis", Some(cart), Shape::cuboid(DVec3::ONE)?.into(), at(0.0)?)?;
/// world.add_body("load", Some(cart), Shape::sphere(0.5)?.into(), at(1.5)?)?;
/// let wall = world.add_body("wall", None, Shape::cuboid(DVec3::new(0.1, 5.0, 5.0))?.into(), at(10.0)?)?;
/// world.set_motion(cart, &Motion::slerp(at(0.0)?, at(20.0)?, DVec3::ZERO)?)?;
/// let report = world.step(&StepOptions::default())?;
/// // The load, 2.0 ahead of the cart's origin, meets the wall, which begins at 9.9.
/// assert_eq!(report.groups[0].first_met.map(|[_, other]| other), Some(wall));
/// assert!((world.pose(cart)?.translation().x - 7.9).abs() < 1e-4);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct World {
    tree: Tree,
    members: Vec<Option<Member>>,
    free: Vec<u32>,
    broad: BroadPhase,
    /// Bodies by the ids of their boxes.
    by_box: Vec<u32>,
    filter: Filter,
    cache: PairCache,
    /// Motions of the step to come.
    moves: Vec<MovedGroup>,
    /// Bodies added or put elsewhere since the last step.
    changed: Vec<u32>,
    /// Bodies whose boxes are those of their last motion.
    swept: Vec<u32>,
    /// Places of the bodies in the order of their names; stale while empty.
    ranks: Vec<u32>,
    /// Memory of steps; none during one.
    desk: Option<Box<Desk>>,
}

impl World {
    /// An empty world.
    pub fn new() -> World {
        World::default()
    }

    /// Adds a group below another, or into the world.
    pub fn add_group(
        &mut self,
        name: &str,
        parent: Option<NodeId>,
        parent_from_group: Pose,
    ) -> Result<NodeId, WorldError> {
        self.tree.add(name, parent, parent_from_group, None)
    }

    /// Adds a body below a group, or into the world.
    pub fn add_body(
        &mut self,
        name: &str,
        parent: Option<NodeId>,
        body: Body,
        parent_from_body: Pose,
    ) -> Result<NodeId, WorldError> {
        let place = self.free.last().copied().unwrap_or(self.members.len() as u32);
        let node = self.tree.add(name, parent, parent_from_body, Some(place))?;
        let Ok(box_id) = self.broad.insert(EVERYWHERE) else {
            self.tree.remove(node)?;
            return Err(WorldError::TooMany);
        };
        let member = Member::new(body, node.slot, self.tree.world(node.slot), box_id);
        self.put_box(box_id, member.around);
        self.by_box.resize(self.by_box.len().max(box_id.index() + 1), u32::MAX);
        self.by_box[box_id.index()] = place;
        if self.free.pop().is_some() {
            self.members[place as usize] = Some(member);
        } else {
            self.members.push(Some(member));
        }
        self.changed.push(place);
        self.ranks.clear();
        Ok(node)
    }

    /// Takes a group or body out, with all that hangs below it.
    pub fn remove(&mut self, node: NodeId) -> Result<(), WorldError> {
        let slots = self.tree.below(self.tree.slot(node)?);
        for body in self.tree.remove(node)? {
            if let Some(member) = self.members[body as usize].take() {
                // Its id was given out by this set and not taken back before.
                let _ = self.broad.remove(member.box_id);
                self.free.push(body);
            }
        }
        self.moves.retain(|group| !slots.contains(&group.slot));
        self.filter.forget(&slots);
        self.ranks.clear();
        Ok(())
    }

    /// Puts a group or body elsewhere in its parent, at once; all below it follow.
    pub fn place(&mut self, node: NodeId, parent_from_node: Pose) -> Result<(), WorldError> {
        let bodies = self.tree.place(node, parent_from_node)?;
        self.put(bodies);
        Ok(())
    }

    /// Puts a group or body elsewhere in the world, at once; all below it follow.
    pub fn place_in_world(&mut self, node: NodeId, world_from_node: Pose) -> Result<(), WorldError> {
        let bodies = self.tree.place_in_world(node, world_from_node)?;
        self.put(bodies);
        Ok(())
    }

    /// Hangs a group or body below another group, or into the world. It stays where it is.
    pub fn attach(&mut self, node: NodeId, parent: Option<NodeId>) -> Result<(), WorldError> {
        let slot = self.tree.slot(node)?;
        if let Some(parent) = parent {
            let above: Vec<u32> = self.tree.above(self.tree.slot(parent)?).collect();
            let below = self.tree.below(slot);
            let carrier = self.moves.iter().find(|group| above.contains(&group.slot));
            let own = self.moves.iter().find(|group| below.contains(&group.slot));
            if let (Some(carrier), Some(own)) = (carrier, own) {
                let [name, other] = [own.slot, carrier.slot].map(|slot| self.tree.name(slot).to_owned());
                return Err(WorldError::MovedTwice { name, other });
            }
        }
        self.tree.attach(node, parent)
    }

    /// The motion of a group or body in the step to come, over the times 0 to 1, in the world; it starts where the node is. Everything
    /// below follows rigidly. A second motion of the same node replaces the first.
    pub fn set_motion(&mut self, node: NodeId, motion: &Motion) -> Result<(), WorldError> {
        let slot = self.tree.slot(node)?;
        let name = self.tree.name(slot);
        let course = Course::of(motion, name)?;
        if !is_near(&course.start(), &self.tree.world(slot)) {
            return Err(WorldError::StartsElsewhere { name: name.to_owned() });
        }
        let kin = |other: u32| {
            other != slot
                && (self.tree.above(slot).any(|at| at == other)
                    || self.tree.above(other).any(|at| at == slot))
        };
        if let Some(other) = self.moves.iter().find(|group| kin(group.slot)) {
            let other = self.tree.name(other.slot).to_owned();
            return Err(WorldError::MovedTwice { name: name.to_owned(), other });
        }
        self.moves.retain(|group| group.slot != slot);
        self.moves.push(MovedGroup { slot, course });
        Ok(())
    }

    /// The layers of a body, or of all bodies below a group.
    pub fn set_layers(&mut self, node: NodeId, layers: Layers) -> Result<(), WorldError> {
        let slots = self.tree.below(self.tree.slot(node)?);
        for body in slots.into_iter().filter_map(|slot| self.tree.body(slot)).collect::<Vec<_>>() {
            if let Some(member) = self.member_mut(body) {
                member.layers = layers;
            }
        }
        Ok(())
    }

    /// Whether pairs of a body of `a` and one of `b` are left aside from now on; of groups, of all that hang below them at the time of a
    /// step.
    pub fn set_ignored(&mut self, a: NodeId, b: NodeId, ignored: bool) -> Result<(), WorldError> {
        let pair = [self.tree.slot(a)?, self.tree.slot(b)?];
        self.filter.ignore(pair, ignored);
        Ok(())
    }

    /// The group or body of a name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.tree.find(name)
    }

    /// The name of a group or body; empty where there is none.
    pub fn name(&self, node: NodeId) -> &str {
        self.tree.slot(node).map_or("", |slot| self.tree.name(slot))
    }

    /// Where a group or body is in the world.
    pub fn pose(&self, node: NodeId) -> Result<Pose, WorldError> {
        Ok(self.tree.world(self.tree.slot(node)?))
    }

    /// Where a group or body is in its parent.
    pub fn local_pose(&self, node: NodeId) -> Result<Pose, WorldError> {
        Ok(self.tree.local(self.tree.slot(node)?))
    }

    /// The body of a node; none of a group.
    pub fn body(&self, node: NodeId) -> Option<&Body> {
        let slot = self.tree.slot(node).ok()?;
        self.member(self.tree.body(slot)?).map(|member| &member.body)
    }

    /// All bodies, by name.
    pub fn bodies(&self) -> Vec<NodeId> {
        let mut all: Vec<NodeId> =
            self.members.iter().flatten().map(|member| self.tree.id(member.slot)).collect();
        all.sort_by(|x, y| self.name(*x).cmp(self.name(*y)));
        all
    }

    fn put(&mut self, bodies: Vec<u32>) {
        for body in bodies {
            let Some(member) = self.member(body) else { continue };
            let (around, id) = (member.box_at(self.tree.world(member.slot)), member.box_id);
            self.put_box(id, around);
            if let Some(member) = self.member_mut(body) {
                member.around = around;
                member.changed = true;
            }
            self.changed.push(body);
        }
    }

    /// A box that the broad phase refuses, NaN among it, meets everything: no pair is lost.
    fn put_box(&mut self, id: BoxId, around: Aabb) {
        if self.broad.move_to(id, around).is_err() {
            let _ = self.broad.move_to(id, EVERYWHERE);
        }
    }

    /// Orders the bodies by name.
    fn rank(&mut self) {
        if self.ranks.len() == self.members.len() {
            return;
        }
        let mut order: Vec<u32> = (0..self.members.len() as u32).collect();
        let name = |body: u32| self.member(body).map(|member| self.tree.name(member.slot));
        order.sort_by(|&x, &y| name(x).cmp(&name(y)));
        self.ranks = vec![0; order.len()];
        for (rank, body) in order.into_iter().enumerate() {
            self.ranks[body as usize] = rank as u32;
        }
    }

    fn member(&self, body: u32) -> Option<&Member> {
        self.members.get(body as usize)?.as_ref()
    }

    fn member_mut(&mut self, body: u32) -> Option<&mut Member> {
        self.members.get_mut(body as usize)?.as_mut()
    }
}

/// Whether two poses are the same but for roundings.
fn is_near(a: &Pose, b: &Pose) -> bool {
    let size = a.translation().abs().max_element().max(b.translation().abs().max_element()).max(1.0);
    // Of a quaternion and its opposite both mean the same.
    let [p, q] = [a.rotation(), b.rotation()];
    let turned = (p - q).length().min((p + q).length());
    (a.translation() - b.translation()).abs().max_element() <= START * size && turned <= START
}
