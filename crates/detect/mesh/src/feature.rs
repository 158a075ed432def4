//! Which vertex, edge or face of a body a point of one of its triangles is on.

use crate::mesh::Mesh;
use kontakt_answers::Feature;
use kontakt_math::DVec3;

/// A point nearer to a side or corner than this part of the triangle's size is on it: what is computed of common and nearest points is
/// off by less.
const ON: f64 = 1e-9;

impl Mesh {
    /// What of the body a point of a triangle is on, **to rounding**, in the names of the file: a corner, an edge that two faces of the
    /// file meet in or that has one alone, or a face.
    pub(crate) fn feature_at(&self, triangle: u32, point: DVec3) -> Feature {
        let corners = self.faces.triangle_points(triangle as usize);
        let ids = self.faces.triangles()[triangle as usize];
        let size = (0..3).fold(0.0, |size: f64, k| size.max(corners[k].distance(corners[(k + 1) % 3])));
        let near = ON * size;
        if let Some(k) = (0..3).find(|&k| corners[k].distance(point) <= near) {
            return Feature::Vertex(ids[k]);
        }
        let on_side = |&k: &usize| distance_to_line(point, corners[k], corners[(k + 1) % 3]) <= near;
        let side = (0..3).filter(on_side).find(|&k| self.is_edge(triangle, [ids[k], ids[(k + 1) % 3]]));
        match side {
            Some(k) => Feature::edge(ids[k], ids[(k + 1) % 3]),
            None => self.face_of(triangle),
        }
    }

    /// What of the body a feature of one of its triangles is; `of_triangle` has the numbers 0, 1, 2 for corners.
    pub(crate) fn feature_of(&self, triangle: u32, of_triangle: Option<Feature>) -> Feature {
        let ids = self.faces.triangles()[triangle as usize];
        let id = |k: u32| ids[k as usize % 3];
        match of_triangle {
            Some(Feature::Vertex(k)) => Feature::Vertex(id(k)),
            Some(Feature::Edge(i, k)) if self.is_edge(triangle, [id(i), id(k)]) => {
                Feature::edge(id(i), id(k))
            }
            _ => self.face_of(triangle),
        }
    }

    /// The face of the file that a triangle is part of.
    pub(crate) fn face_of(&self, triangle: u32) -> Feature {
        Feature::Face(self.faces.source_of_triangle(triangle as usize) as u32)
    }

    /// Whether a side of a triangle is a side of its face of the file, no cut through it.
    pub(crate) fn is_edge(&self, triangle: u32, side: [u32; 2]) -> bool {
        if self.faces.is_plain_triangles() {
            return true;
        }
        let source = |triangle: u32| self.faces.source_of_triangle(triangle as usize);
        self.triangles_at(side).all(|other| other == triangle || source(other) != source(triangle))
    }

    /// The triangles at both of two vertices, or at others in their places.
    pub(crate) fn triangles_at(&self, [p, q]: [u32; 2]) -> impl Iterator<Item = u32> + '_ {
        let solid = self.solid();
        let there = solid.place(q);
        let corners = move |triangle: u32| self.faces.triangles()[triangle as usize].map(|v| solid.place(v));
        let around = solid.around(self).of(solid.place(p));
        around.iter().copied().filter(move |&triangle| corners(triangle).contains(&there))
    }
}

/// How far a point is from the line through two others, or from where both are.
fn distance_to_line(x: DVec3, p: DVec3, q: DVec3) -> f64 {
    let along = (q - p).normalize_or_zero();
    let arm = x - p;
    (arm - along * arm.dot(along)).length()
}
