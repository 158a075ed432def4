//! The directions of the cylinders on a body, for ways that parts like it go.
//!
//! The facets of a cylinder are strips that meet along lines parallel to its axis, each bent a little against the next. So edges with a
//! small bend vote for their direction, with their length times the bend: what a cylinder of height h collects all round is 2π·h, in
//! however many facets it is cut; a sphere's votes scatter. The normals on both sides of these edges must go all the way round, too: those
//! of fillets, chamfers and threads do not. This is a guess about shape, which nothing that is proven rests on.

use kontakt_math::DVec3;
use kontakt_shapes::FaceSet;
use kontakt_shapes::half_edge::HalfEdges;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Edges bent by less are flat, by more they are edges.
const BENDS: [f64; 2] = [1e-3, 0.9];
/// Votes within this angle (radians, about 1°) are for one direction.
const ALIKE: f64 = 0.02;
/// Directions given at most.
const MOST: usize = 3;
/// A direction with less than this share of the votes of the first is none: rings of a wheel have their own, all round it.
const SHARE: f64 = 0.3;
/// Normals must go round a cylinder, but for a slot in it.
const ROUND: f64 = 0.9;

/// An edge's vote.
#[derive(Clone, Copy)]
struct Vote {
    direction: DVec3,
    length: f64,
    bend: f64,
    /// Of the faces on either side.
    normals: [DVec3; 2],
}

impl Vote {
    fn weight(&self) -> f64 {
        self.length * self.bend
    }
}

/// Unit directions of the cylinders of a body, the one with most surface bent round it first. Each is given one of its two ways.
pub(crate) fn cylinder_axes(faces: &FaceSet) -> Vec<DVec3> {
    let votes = votes(faces);
    let mut found: Vec<(f64, DVec3)> =
        candidates(&votes).into_iter().filter_map(|way| axis(&votes, way)).collect();
    found.sort_by(|x, y| y.0.total_cmp(&x.0));
    let most = found.first().map_or(0.0, |(weight, _)| *weight);
    let mut axes: Vec<DVec3> = Vec::new();
    for (weight, axis) in found {
        if weight >= SHARE * most
            && axes.len() < MOST
            && !axes.iter().any(|known| parallel(*known, axis, ALIKE))
        {
            axes.push(axis);
        }
    }
    axes
}

/// Whether two unit directions are the same up to their sign, within an angle.
pub(crate) fn parallel(a: DVec3, b: DVec3, angle: f64) -> bool {
    a.cross(b).length() <= angle
}

fn votes(faces: &FaceSet) -> Vec<Vote> {
    let edges = HalfEdges::new(faces);
    let point = |vertex: u32| faces.vertices()[vertex as usize];
    let vote = |h: usize| {
        let twin = edges.twin(h).filter(|twin| *twin > h)?;
        let along = point(edges.target(h)) - point(edges.origin(h));
        let (one, other) = (normal(faces, edges.face(h))?, normal(faces, edges.face(twin))?);
        let bend = one.angle_between(other);
        let direction = along.try_normalize()?;
        // One of the two ways, so that both count as one.
        let turned = direction.to_array().into_iter().find(|x| x.abs() > ALIKE).is_some_and(|x| x < 0.0);
        let direction = if turned { -direction } else { direction };
        (BENDS[0]..BENDS[1]).contains(&bend).then_some(Vote {
            direction,
            length: along.length(),
            bend,
            normals: [one, other],
        })
    };
    (0..edges.len()).filter_map(vote).collect()
}

/// Unit normal of a face, which is planar.
fn normal(faces: &FaceSet, face: usize) -> Option<DVec3> {
    let area = |triangle: usize| {
        let [a, b, c] = faces.triangle_points(triangle);
        (b - a).cross(c - a)
    };
    faces.triangles_of_face(face).map(area).sum::<DVec3>().try_normalize()
}

/// The directions that most votes are near to: cells of directions with the greatest sums.
fn candidates(votes: &[Vote]) -> Vec<DVec3> {
    const CELLS: usize = 16;
    let mut cells: BTreeMap<[i32; 3], (f64, DVec3)> = BTreeMap::new();
    for vote in votes {
        let cell = (vote.direction / ALIKE).round().to_array().map(|x| x as i32);
        let (sum, heaviest) = cells.entry(cell).or_insert((0.0, DVec3::ZERO));
        *sum += vote.weight();
        *heaviest += vote.direction * vote.weight();
    }
    let mut cells: Vec<(f64, DVec3)> = cells.into_values().collect();
    cells.sort_by(|x, y| y.0.total_cmp(&x.0));
    cells.into_iter().take(CELLS).filter_map(|(_, sum)| sum.try_normalize()).collect()
}

/// The mean direction of all votes near to one, with their sum, where their faces go round it.
fn axis(votes: &[Vote], near: DVec3) -> Option<(f64, DVec3)> {
    let (mut weight, mut sum) = (0.0_f64, DVec3::ZERO);
    let mut turned = Turned::about(near);
    for vote in votes.iter().filter(|vote| parallel(vote.direction, near, ALIKE)) {
        let same_way = if vote.direction.dot(near) < 0.0 { -vote.direction } else { vote.direction };
        weight += vote.weight();
        sum += same_way * vote.weight();
        turned.pass(vote.normals);
    }
    let axis = sum.try_normalize()?;
    (turned.share() >= ROUND).then_some((weight, axis))
}

/// Which directions across an axis the normals of faces pass over, from one face to the next.
struct Turned {
    across: [DVec3; 2],
    seen: [bool; Turned::PARTS],
}

impl Turned {
    const PARTS: usize = 72;

    fn about(axis: DVec3) -> Turned {
        let (u, v) = axis.any_orthonormal_pair();
        Turned { across: [u, v], seen: [false; Turned::PARTS] }
    }

    /// Marks the arc between two normals.
    fn pass(&mut self, normals: [DVec3; 2]) {
        let parts = Turned::PARTS as f64;
        let [u, v] = self.across;
        let [from, to] = normals.map(|normal| normal.dot(v).atan2(normal.dot(u)) / TAU * parts);
        // The shorter way round, in steps of at most one part.
        let way = (to - from + 1.5 * parts).rem_euclid(parts) - 0.5 * parts;
        let steps = way.abs().ceil() as u32;
        for step in 0..=steps {
            let at = from + way * f64::from(step) / f64::from(steps.max(1));
            let part = at.rem_euclid(parts) as usize;
            self.seen[part.min(Turned::PARTS - 1)] = true;
        }
    }

    fn share(&self) -> f64 {
        self.seen.iter().filter(|&&seen| seen).count() as f64 / Turned::PARTS as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::DQuat;
    use kontakt_shapes::make;

    /// A bar of `sides` sides along z.
    fn bar(sides: u32, radius: f64, height: f64, turn: DQuat) -> FaceSet {
        let rim = |k: u32, z: f64| {
            let angle = std::f64::consts::TAU * f64::from(k % sides) / f64::from(sides);
            turn * DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
        };
        let vertices: Vec<DVec3> = (0..sides).flat_map(|k| [rim(k, 0.0), rim(k, height)]).collect();
        let mut triangles = Vec::new();
        for k in 0..sides {
            let (a, b) = (2 * k, 2 * ((k + 1) % sides));
            triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
            if k > 0 {
                triangles.extend([[0, b, a], [1, a + 1, b + 1]]);
            }
        }
        triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        FaceSet::from_triangles(vertices, triangles).unwrap()
    }

    #[test]
    fn a_bar_has_its_axis_at_any_fineness_and_turn() {
        let askew = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 0.7);
        for sides in [8, 24, 200] {
            for turn in [DQuat::IDENTITY, askew] {
                let axes = cylinder_axes(&bar(sides, 1.5, 4.0, turn));
                assert_eq!(axes.len(), 1, "{sides}: {axes:?}");
                assert!(parallel(axes[0], turn * DVec3::Z, 1e-9), "{sides}: {axes:?}");
            }
        }
    }

    #[test]
    fn a_nut_has_that_of_its_bore_and_a_ball_or_a_box_has_none() {
        let axes = cylinder_axes(&make::hex_nut(2.0, 1.0, 1.0, 48).unwrap());
        assert_eq!(axes.len(), 1, "{axes:?}");
        assert!(parallel(axes[0], DVec3::Z, 1e-12), "{axes:?}");
        assert!(cylinder_axes(&make::bumpy_ball(12, 0.0).unwrap()).is_empty());
        assert!(cylinder_axes(&bar(4, 1.0, 1.0, DQuat::IDENTITY)).is_empty());
    }
}
