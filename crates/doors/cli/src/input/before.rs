//! Where a body begins in its file.

use kontakt::answers::Feature;
use kontakt::shapes::FaceSet;

/// How many vertices, faces and triangles the bodies before it have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Before {
    pub(crate) vertices: usize,
    pub(crate) faces: usize,
    pub(crate) triangles: usize,
}

impl Before {
    /// Where the body after one with these faces begins.
    pub(crate) fn after(self, faces: &FaceSet) -> Before {
        Before {
            vertices: self.vertices + faces.vertices().len(),
            faces: self.faces + faces.source_count(),
            triangles: self.triangles + faces.triangles().len(),
        }
    }

    /// A feature of the body, counted through the whole file.
    pub(crate) fn count_on(self, feature: Feature) -> Feature {
        let (vertices, faces) = (self.vertices as u32, self.faces as u32);
        match feature {
            Feature::Vertex(vertex) => Feature::Vertex(vertices + vertex),
            Feature::Edge(from, to) => Feature::Edge(vertices + from, vertices + to),
            Feature::Face(face) => Feature::Face(faces + face),
        }
    }

    /// How much later than another place this one is, which must not come after it.
    pub(crate) fn since(self, earlier: Before) -> Before {
        Before {
            vertices: self.vertices.saturating_sub(earlier.vertices),
            faces: self.faces.saturating_sub(earlier.faces),
            triangles: self.triangles.saturating_sub(earlier.triangles),
        }
    }

    /// Where each of the bodies of a file begins.
    pub(crate) fn each<'a>(bodies: impl Iterator<Item = &'a FaceSet>) -> Vec<Before> {
        let mut next = Before::default();
        let begin = |faces| {
            let here = next;
            next = here.after(faces);
            here
        };
        bodies.map(begin).collect()
    }
}
