//! A body with its hierarchy, as saved.

use super::bulk::bytes_of;
use super::error::StoreError;
use super::facts::Facts;
use crate::Packed;
use kontakt_shapes::FaceSet;

/// What is saved of a body.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its surface.
    pub faces: &'a FaceSet,
    /// The hierarchy of these faces.
    pub tree: &'a Packed,
    /// How it was built.
    pub facts: &'a Facts,
}

/// A body read from a saved hierarchy: the tree has been checked to be one over exactly these faces, save that its boxes
/// enclose them, for which the checksum stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub(super) name: String,
    pub(super) faces: FaceSet,
    pub(super) tree: Packed,
    pub(super) facts: Facts,
}

impl Stored {
    /// The body's name as saved.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The body's surface.
    pub fn faces(&self) -> &FaceSet {
        &self.faces
    }

    /// The hierarchy.
    pub fn tree(&self) -> &Packed {
        &self.tree
    }

    /// How it was built.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Name, surface, hierarchy and facts.
    pub fn into_parts(self) -> (String, FaceSet, Packed, Facts) {
        (self.name, self.faces, self.tree, self.facts)
    }

    /// The same, to be saved again.
    pub fn entry(&self) -> Entry<'_> {
        Entry { name: &self.name, faces: &self.faces, tree: &self.tree, facts: &self.facts }
    }

    /// Whether it was saved with exactly this mesh, bit for bit.
    pub fn belongs_to(&self, faces: &FaceSet) -> Result<(), StoreError> {
        let same = self.faces.triangles() == faces.triangles()
            && bytes_of(self.faces.vertices()) == bytes_of(faces.vertices());
        if same { Ok(()) } else { Err(StoreError::OtherMesh) }
    }
}
