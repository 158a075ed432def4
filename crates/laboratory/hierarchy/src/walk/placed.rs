//! A tree at a place in the world, its volumes moved there when they are first needed.

use crate::Tree;
use crate::measure::Grades;
use kontakt_bounds::Bound;
use kontakt_math::Pose;

/// A tree, what is known of its nodes, and where it stands. Reused over many poses without new memory.
///
/// Volumes are compared in world coordinates: both bodies' volumes are enclosed there by [`Bound::transformed`], which is
/// certified for the pose as given. (The relative pose of two bodies is a rounded one; a test in one body's frame would
/// need a margin for it.) For a body at rest in the world's frame the stored volumes are used as they are.
#[derive(Clone, Debug)]
pub struct PlacedTree<'a, B> {
    /// The tree in the body's frame.
    pub tree: &'a Tree<B>,
    /// What is known of its nodes.
    pub grades: &'a Grades,
    pose: Pose,
    images: Vec<Option<B>>,
    /// Nodes with an image, so that a new pose clears only those.
    touched: Vec<u32>,
}

impl<'a, B: Bound> PlacedTree<'a, B> {
    /// At rest in the world's frame.
    pub fn new(tree: &'a Tree<B>, grades: &'a Grades) -> PlacedTree<'a, B> {
        PlacedTree { tree, grades, pose: Pose::IDENTITY, images: Vec::new(), touched: Vec::new() }
    }

    /// The same at a pose: world from body.
    #[must_use]
    pub fn at(mut self, pose: Pose) -> PlacedTree<'a, B> {
        self.move_to(pose);
        self
    }

    /// Puts the body somewhere else: world from body.
    pub fn move_to(&mut self, pose: Pose) {
        for id in self.touched.drain(..) {
            self.images[id as usize] = None;
        }
        self.pose = pose;
    }

    /// World from body.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Makes sure that [`image`](PlacedTree::image) has what it needs.
    pub(super) fn prepare(&mut self, id: u32) {
        if self.pose == Pose::IDENTITY {
            return;
        }
        if self.images.is_empty() {
            self.images.resize_with(self.tree.nodes.len(), || None);
        }
        let image = &mut self.images[id as usize];
        if image.is_none() {
            *image = Some(self.tree.node(id).volume.transformed(&self.pose));
            self.touched.push(id);
        }
    }

    /// **Encloses** the faces below the node, in world coordinates, once prepared. Before that: the volume in the body's
    /// frame.
    pub(super) fn image(&self, id: u32) -> &B {
        self.images.get(id as usize).and_then(Option::as_ref).unwrap_or(&self.tree.node(id).volume)
    }
}

/// `false` is a proof that no face below the first node meets one below the second.
pub(super) fn may_overlap<B: Bound>(
    a: &mut PlacedTree<B>,
    b: &mut PlacedTree<B>,
    pair: super::NodePair,
) -> bool {
    a.prepare(pair.a);
    b.prepare(pair.b);
    a.image(pair.a).may_overlap(b.image(pair.b))
}

/// **Never more** than the distance of any face below the first node from any below the second.
pub(super) fn gap_below<B: Bound>(
    a: &mut PlacedTree<B>,
    b: &mut PlacedTree<B>,
    pair: super::NodePair,
) -> f64 {
    a.prepare(pair.a);
    b.prepare(pair.b);
    a.image(pair.a).gap_below(b.image(pair.b))
}
