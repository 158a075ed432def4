//! Which triangles of the plane are inside of the borders.

use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::collections::HashMap;

/// A point of the triangulation: its number among the face's corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planar {
    pub(super) place: Point2<f64>,
    pub(super) corner: usize,
}

impl HasPosition for Planar {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.place
    }
}

pub(super) type Plane = ConstrainedDelaunayTriangulation<Planar>;

/// How often borders run along a side: a seam is run along twice, once each way, and both its sides are inside.
#[derive(Debug, Default)]
pub(super) struct Sides(HashMap<(usize, usize), u32>);

impl Sides {
    pub(super) fn count(&mut self, a: FixedVertexHandle, b: FixedVertexHandle) {
        *self.0.entry(key(a, b)).or_default() += 1;
    }

    /// Whether a side lies between inside and outside.
    fn parts(&self, a: FixedVertexHandle, b: FixedVertexHandle) -> bool {
        self.0.get(&key(a, b)).is_some_and(|times| times % 2 == 1)
    }

    /// Cuts a side in two.
    pub(super) fn cut(&mut self, a: FixedVertexHandle, middle: FixedVertexHandle, b: FixedVertexHandle) {
        if let Some(times) = self.0.remove(&key(a, b)) {
            self.0.insert(key(a, middle), times);
            self.0.insert(key(middle, b), times);
        }
    }

    pub(super) fn is_border(&self, a: FixedVertexHandle, b: FixedVertexHandle) -> bool {
        self.0.contains_key(&key(a, b))
    }
}

fn key(a: FixedVertexHandle, b: FixedVertexHandle) -> (usize, usize) {
    let (a, b) = (a.index(), b.index());
    (a.min(b), a.max(b))
}

/// The triangles inside: reached from outside across an odd number of border sides.
pub(super) fn inside(plane: &Plane, sides: &Sides) -> Vec<[FixedVertexHandle; 3]> {
    // Told per face of the plane, the outer one included: whether it is inside, once that is known.
    let mut told: Vec<Option<bool>> = vec![None; plane.num_all_faces()];
    let mut open = vec![plane.outer_face().fix().index()];
    told[open[0]] = Some(false);
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); plane.num_all_faces()];
    for edge in plane.undirected_edges() {
        let edge = edge.as_directed();
        let parts = sides.parts(edge.from().fix(), edge.to().fix());
        let (left, right) = (edge.face().fix().index(), edge.rev().face().fix().index());
        neighbours[left].push((right, parts));
        neighbours[right].push((left, parts));
    }
    while let Some(face) = open.pop() {
        let is_inside = told[face] == Some(true);
        for &(next, parts) in &neighbours[face] {
            if told[next].is_none() {
                told[next] = Some(is_inside != parts);
                open.push(next);
            }
        }
    }
    plane
        .inner_faces()
        .filter(|face| told[face.fix().index()] == Some(true))
        .map(|face| face.vertices().map(|vertex| vertex.fix()))
        .collect()
}
