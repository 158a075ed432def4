//! The faces a hierarchy stands on: vertices and index triples, borrowed.

use kontakt_math::DVec3;
use kontakt_shapes::FaceSet;

/// Triangles of a body. Coordinates are finite and indices valid, because they come from a [`FaceSet`].
#[derive(Clone, Copy, Debug)]
pub struct Faces<'a> {
    /// Positions in the body's frame.
    pub vertices: &'a [DVec3],
    /// Three vertices each; a triangle's id is its place here.
    pub triangles: &'a [[u32; 3]],
}

impl<'a> Faces<'a> {
    /// The triangles of a face set.
    pub fn of(faces: &'a FaceSet) -> Faces<'a> {
        Faces { vertices: faces.vertices(), triangles: faces.triangles() }
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }
}
