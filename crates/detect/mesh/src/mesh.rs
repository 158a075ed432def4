//! A body ready for queries: its faces and their hierarchy.

use kontakt_hierarchy::Packed;
use kontakt_math::Pose;
use kontakt_shapes::FaceSet;

/// Faces and their packed hierarchy. Built once, shared by all queries.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) faces: FaceSet,
    pub(crate) tree: Packed,
}

impl Mesh {
    /// The faces, in the body's frame.
    pub fn faces(&self) -> &FaceSet {
        &self.faces
    }

    /// The hierarchy.
    pub fn tree(&self) -> &Packed {
        &self.tree
    }
}

/// A mesh at a place in the world.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The body.
    pub mesh: &'a Mesh,
    /// World from body.
    pub pose: Pose,
}
