//! Where a body begins in its file.

use kontakt_answers::Feature;
use kontakt_rigid_ccd::path::PathReport;
use kontakt_shapes::FaceSet;

/// How many vertices, faces and triangles the bodies before it have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Vertices before it.
    pub vertices: usize,
    /// Faces of the file before it.
    pub faces: usize,
    /// Triangles before it.
    pub triangles: usize,
}

impl Before {
    /// Where the body after one with these faces begins.
    #[must_use]
    pub fn after(self, faces: &FaceSet) -> Before {
        Before {
            vertices: self.vertices + faces.vertices().len(),
            faces: self.faces + faces.source_count(),
            triangles: self.triangles + faces.triangles().len(),
        }
    }

    /// A feature of the body, counted through the whole file.
    pub fn count_on(self, feature: Feature) -> Feature {
        let (vertices, faces) = (self.vertices as u32, self.faces as u32);
        match feature {
            Feature::Vertex(vertex) => Feature::Vertex(vertices + vertex),
            Feature::Edge(from, to) => Feature::Edge(vertices + from, vertices + to),
            Feature::Face(face) => Feature::Face(faces + face),
        }
    }

    /// Counts the features of a path through whole files, not through one of their bodies: `before` is of the movers, then of the others.
    pub fn count_path(before: &[Before], movers: usize, report: &mut PathReport) {
        let through = |feature: &mut Option<Feature>, body: usize| {
            if let (Some(feature), Some(before)) = (feature.as_mut(), before.get(body)) {
                *feature = before.count_on(*feature);
            }
        };
        for finding in report.segments.iter_mut().flat_map(|segment| &mut segment.findings) {
            if let Some(contact) = &mut finding.contact {
                through(&mut contact.feature_a, finding.mover);
                through(&mut contact.feature_b, movers + finding.body);
            }
        }
    }

    /// How much later than another place this one is, which must not come after it.
    #[must_use]
    pub fn since(self, earlier: Before) -> Before {
        Before {
            vertices: self.vertices.saturating_sub(earlier.vertices),
            faces: self.faces.saturating_sub(earlier.faces),
            triangles: self.triangles.saturating_sub(earlier.triangles),
        }
    }

    /// Where each of the bodies of a file begins.
    pub fn each<'a>(bodies: impl Iterator<Item = &'a FaceSet>) -> Vec<Before> {
        let mut next = Before::default();
        let begin = |faces| {
            let here = next;
            next = here.after(faces);
            here
        };
        bodies.map(begin).collect()
    }
}
