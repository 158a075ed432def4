//! Which way round each face has its corners, seen from outside of the solid.

use crate::face::Between;
use crate::mesh::Mesh;
use crate::space::{Directions, Space, Spot, along, exact};
use kontakt_answers::Side;
use kontakt_math::{DVec3, Pose, Sign};

/// Per face whether its corners must be taken the other way round for its normal to point out of the solid; `None` where that
/// differs from place to place on one face, or faces lie on each other.
///
/// Faces on both sides of an edge that has no others turn alike about the solid, so one look per set of faces joined by
/// such edges is enough.
pub(super) fn turns(mesh: &Mesh) -> Option<&[bool]> {
    mesh.solid().turns.get_or_init(|| find(mesh)).as_deref()
}

/// The corners of a face, counter-clockwise seen from outside.
pub(super) fn corners(mesh: &Mesh, turns: &[bool], face: u32) -> [u32; 3] {
    let [a, b, c] = mesh.faces().triangles()[face as usize];
    if turns[face as usize] { [a, c, b] } else { [a, b, c] }
}

/// The unit normal of a face out of the solid, rounded; of a face without area any direction.
pub(crate) fn outward_normal(mesh: &Mesh, face: u32) -> DVec3 {
    let [p, q, r] = mesh.faces().triangle_points(face as usize);
    let turned = turns(mesh).map_or(mesh.solid().outward < 0.0, |turns| turns[face as usize]);
    let normal = (q - p).cross(r - p).normalize_or(DVec3::X);
    if turned { -normal } else { normal }
}

fn find(mesh: &Mesh) -> Option<Vec<bool>> {
    let triangles = mesh.faces().triangles();
    let neighbours = Neighbours::new(mesh);
    let needles = mesh.solid().needles(mesh);
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    for start in 0..triangles.len() as u32 {
        if turned[start as usize].is_some() || needles.binary_search(&start).is_ok() {
            continue;
        }
        turned[start as usize] = Some(is_inward(mesh, start)?);
        let mut open = vec![start];
        while let Some(face) = open.pop() {
            for &(_, other, same) in neighbours.of(face) {
                let expected = turned[face as usize].map(|turn| turn != same);
                match turned[other as usize] {
                    None => {
                        turned[other as usize] = expected;
                        open.push(other);
                    }
                    known if known != expected => return None,
                    Some(_) => {}
                }
            }
        }
    }
    Some(turned.into_iter().map(|turn| turn.unwrap_or(false)).collect())
}

/// Whether the solid is on the side a face's normal points to; `None` where it is on both or on none.
fn is_inward(mesh: &Mesh, face: u32) -> Option<bool> {
    let space = Space::new(Between::new(Pose::IDENTITY, Pose::IDENTITY), mesh, mesh);
    let [a, b, c] = space.corners(Side::A, face);
    let [p, q, r] = [&a, &b, &c].map(|spot| space.exact(spot));
    let sum = |k: usize| &(&p[k] + &q[k]) + &r[k];
    let middle = Spot::made([sum(0), sum(1), sum(2), exact(3.0)]);
    let mut directions = Directions::new();
    loop {
        let direction = directions.next();
        let Some(parity) = along(&space, Side::A, &middle, direction) else { continue };
        if parity.covering % 2 == 0 {
            return None;
        }
        match space.line_side(direction, &a, &b, &c) {
            Sign::Zero => {}
            side => return Some(parity.odd == (side == Sign::Positive)),
        }
    }
}

/// Faces that share an edge with exactly one other.
struct Neighbours {
    /// (face, other face, whether both run along the edge the same way), sorted.
    list: Vec<(u32, u32, bool)>,
}

impl Neighbours {
    fn new(mesh: &Mesh) -> Neighbours {
        let triangles = mesh.faces().triangles();
        let mut sides: Vec<(u32, u32, u32, bool)> = Vec::with_capacity(3 * triangles.len());
        for (face, triangle) in triangles.iter().enumerate() {
            let places = triangle.map(|v| mesh.solid().place(v));
            for k in 0..3 {
                let (p, q) = (places[k], places[(k + 1) % 3]);
                sides.push((p.min(q), p.max(q), face as u32, p < q));
            }
        }
        sides.sort_unstable();
        let mut list = Vec::with_capacity(sides.len());
        for edge in sides.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1)) {
            if let [s, t] = edge {
                list.push((s.2, t.2, s.3 == t.3));
                list.push((t.2, s.2, s.3 == t.3));
            }
        }
        list.sort_unstable();
        Neighbours { list }
    }

    fn of(&self, face: u32) -> &[(u32, u32, bool)] {
        let start = self.list.partition_point(|entry| entry.0 < face);
        let end = self.list.partition_point(|entry| entry.0 <= face);
        &self.list[start..end]
    }
}
