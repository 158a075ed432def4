//! What a core shows in a direction: corners of a face, ends of an edge, or a corner.

use crate::{Core, Polytope};
use kontakt_answers::Feature;
use kontakt_math::DVec3;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

/// A corner in the core's frame, or wherever it was moved, with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) point: DVec3,
    pub(crate) id: u32,
}

/// Corners in order around, with the number of the face they belong to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facet {
    pub(crate) corners: Vec<Corner>,
    pub(crate) face: u32,
}

impl Facet {
    /// What the facet is as a whole.
    pub(crate) fn name(&self) -> Option<Feature> {
        match self.corners[..] {
            [] => None,
            [only] => Some(Feature::Vertex(only.id)),
            [one, other] => Some(Feature::edge(one.id, other.id)),
            _ => Some(Feature::Face(self.face)),
        }
    }
}

/// Corners that sample a rim. They lie on it; what lies between them is described by its chords.
const RIM: u32 = 8;

/// The unit vectors to the corners of a rim: exact on the axes.
const RIM_DIRECTIONS: [[f64; 2]; RIM as usize] = [
    [1.0, 0.0],
    [FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [0.0, 1.0],
    [-FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [-1.0, 0.0],
    [-FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
    [0.0, -1.0],
    [FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
];

/// What the core shows along `direction` (a unit vector in its frame): of the face that is best turned to it, the corners
/// that are lower than the topmost by no more than `within`. None for cores that show one point only (ellipsoids, users' sets) and
/// for half-spaces.
///
/// Names: of a hull the numbers of its points and faces, of a box corners by bits (x 1, y 2, z 4 on the positive side) and faces −x,
/// +x, −y, +y, −z, +z. Of a cylinder the corners 0–7 and 8–15 sample the lower and upper rim from x on counter-clockwise, 16
/// and 17 are where the direction meets the rims; of a cone 0 is the apex, 1–8 sample the rim, 9 is where
/// the direction meets it. Faces there: lower, upper, side; base, side.
///
/// It is put where an old one was; false where there is none.
pub(crate) fn facet(core: &Core, direction: DVec3, within: f64, found: &mut Facet) -> bool {
    found.corners.clear();
    found.face = 0;
    let mut best = Best { direction, within, rank: 0, turned: f64::NEG_INFINITY, found };
    match core {
        Core::Point => best.offer(0, 1.0, 3, [Corner { point: DVec3::ZERO, id: 0 }].into_iter()),
        Core::Segment(ends) => best.offer(0, 1.0, 3, numbered(ends)),
        Core::Triangle(corners) => best.offer(0, 1.0, 3, numbered(corners)),
        Core::Box(half) => offer_box(&mut best, *half),
        Core::Hull(hull) => offer_hull(&mut best, hull),
        Core::Cylinder { half_length, radius } => offer_cylinder(&mut best, *half_length, *radius),
        Core::Cone { half_length, radius } => offer_cone(&mut best, *half_length, *radius),
        Core::Ellipsoid(_) | Core::HalfSpace { .. } | Core::Union(_) | Core::User(_) => {}
    }
    best.rank > 0
}

fn numbered(points: &[DVec3]) -> impl Iterator<Item = Corner> + Clone {
    points.iter().enumerate().map(|(id, &point)| Corner { point, id: id as u32 })
}

/// The best facet so far. More corners near the top beat fewer, up to three: an edge beats a corner, a face an edge; among
/// equals the one that is turned more to the direction.
struct Best<'f> {
    direction: DVec3,
    within: f64,
    rank: usize,
    turned: f64,
    found: &'f mut Facet,
}

impl Best<'_> {
    fn top(&self, corners: impl Iterator<Item = Corner>) -> f64 {
        corners.map(|corner| self.direction.dot(corner.point)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Offers a face; `whole` corners or more count as a whole face.
    fn offer(&mut self, face: u32, turned: f64, whole: usize, corners: impl Iterator<Item = Corner> + Clone) {
        let lowest = self.top(corners.clone()) - self.within;
        let direction = self.direction;
        let near = corners.filter(|corner| direction.dot(corner.point) >= lowest);
        let count = near.clone().count();
        let rank = if count >= whole { 3 } else { count };
        if rank > self.rank || (rank == self.rank && turned > self.turned) {
            (self.rank, self.turned, self.found.face) = (rank, turned, face);
            self.found.corners.clear();
            self.found.corners.extend(near);
        }
    }
}

/// One of the three faces that the direction can see; of a direction along a face the positive side.
fn offer_box(best: &mut Best, half: DVec3) {
    let d = best.direction;
    // How much lower than the topmost corner those are that differ from it along one axis.
    let drop = 2.0 * d.abs() * half;
    let near = |axis: usize| {
        let [p, q] = [drop[(axis + 1) % 3], drop[(axis + 2) % 3]];
        let count = 1 + [p, q, p + q].into_iter().filter(|drop| *drop <= best.within).count();
        (count.min(3), d[axis].abs())
    };
    let ranks = [near(0), near(1), near(2)];
    let better = |p: usize, q: usize| if ranks[p] > ranks[q] { p } else { q };
    let axis = better(2, better(1, 0));
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let positive = d[axis] >= 0.0;
    let corner = |signs: [bool; 2]| {
        let mut at = half;
        let mut id = 0;
        for (axis, plus) in [(axis, positive), (next, signs[0]), (last, signs[1])] {
            at[axis] = if plus { half[axis] } else { -half[axis] };
            id |= u32::from(plus) << axis;
        }
        Corner { point: at, id }
    };
    let around = [[false, false], [true, false], [true, true], [false, true]];
    let face = 2 * axis as u32 + u32::from(positive);
    best.offer(face, d[axis].abs(), 3, around.into_iter().map(corner));
}

/// Faces of a hull that contain a topmost vertex.
fn offer_hull(best: &mut Best, polytope: &Polytope) {
    let corner =
        |vertex: u32| Corner { point: polytope.vertices()[vertex as usize], id: polytope.source(vertex) };
    let all = (0..polytope.vertices().len() as u32).map(corner);
    if polytope.face_count() == 0 {
        return best.offer(0, 1.0, 3, all);
    }
    let size = polytope.vertices().iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let topmost = best.top(all) - 16.0 * f64::EPSILON * size;
    for number in 0..polytope.face_count() {
        let corners = polytope.face(number).map(corner);
        if best.top(corners.clone()) >= topmost {
            let turned = normal_of(&corners, size).dot(best.direction);
            best.offer(number, turned, 3, corners);
        }
    }
}

/// Unit normal of a polygon by the areas of its projections; zero when it has none. Lengths are taken in units of `size`, lest
/// squares of areas leave the range of doubles.
fn normal_of(corners: &(impl Iterator<Item = Corner> + Clone), size: f64) -> DVec3 {
    let Some(first) = corners.clone().next() else { return DVec3::ZERO };
    let rest = corners.clone().skip(1).map(|corner| (corner.point - first.point) / size);
    let next = rest.clone().skip(1);
    let sum: DVec3 = rest.zip(next).map(|(p, q)| p.cross(q)).sum();
    sum.normalize_or_zero()
}

/// Where the direction meets a rim, as a unit vector of the plane; along x for a direction along the axis.
fn azimuth(direction: DVec3) -> [f64; 2] {
    let across = DVec3::new(direction.x, direction.y, 0.0).normalize_or_zero();
    if across == DVec3::ZERO { [1.0, 0.0] } else { [across.x, across.y] }
}

/// The corners of a rim at height z. Where none of them is topmost the point that is comes between its neighbours.
fn rim(
    direction: DVec3,
    radius: f64,
    z: f64,
    first_id: u32,
    top_id: u32,
) -> impl Iterator<Item = Corner> + Clone {
    let place = |[x, y]: [f64; 2], id: u32| Corner { point: DVec3::new(radius * x, radius * y, z), id };
    let corners: [Corner; RIM as usize] =
        std::array::from_fn(|k| place(RIM_DIRECTIONS[k], first_id + k as u32));
    let [x, y] = azimuth(direction);
    let top = place([x, y], top_id);
    let height = |corner: &Corner| direction.dot(corner.point);
    let slack = 16.0 * f64::EPSILON * radius;
    let stands_out = corners.iter().all(|corner| height(corner) + slack < height(&top));
    let sector = (y.atan2(x) / FRAC_PI_4).rem_euclid(f64::from(RIM)).floor() as usize % RIM as usize;
    let after = move |k: usize| (stands_out && k == sector).then_some(top);
    corners
        .into_iter()
        .enumerate()
        .flat_map(move |(k, corner)| [Some(corner), after(k)].into_iter().flatten())
}

fn offer_cylinder(best: &mut Best, half_length: f64, radius: f64) {
    let d = best.direction;
    let upper = d.z >= 0.0;
    let (z, first_id, top_id) =
        if upper { (half_length, RIM, 2 * RIM + 1) } else { (-half_length, 0, 2 * RIM) };
    best.offer(u32::from(upper), d.z.abs(), 3, rim(d, radius, z, first_id, top_id));
    let [x, y] = azimuth(d);
    let end = |z: f64, id: u32| Corner { point: DVec3::new(radius * x, radius * y, z), id };
    let line = [end(-half_length, 2 * RIM), end(half_length, 2 * RIM + 1)];
    best.offer(2, d.x.hypot(d.y), 2, line.into_iter());
}

fn offer_cone(best: &mut Best, half_length: f64, radius: f64) {
    let d = best.direction;
    if d.z < 0.0 {
        best.offer(0, -d.z, 3, rim(d, radius, -half_length, 1, RIM + 1));
    }
    let [x, y] = azimuth(d);
    let apex = Corner { point: DVec3::Z * half_length, id: 0 };
    let foot = Corner { point: DVec3::new(radius * x, radius * y, -half_length), id: RIM + 1 };
    // Perpendicular to the line from the apex to its foot.
    let outward = DVec3::new(2.0 * half_length * x, 2.0 * half_length * y, radius).normalize_or_zero();
    best.offer(1, d.dot(outward), 2, [apex, foot].into_iter());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn ids(shape: &Shape, direction: DVec3, within: f64) -> Vec<u32> {
        let mut found = Facet::default();
        assert!(facet(shape.core(), direction.normalize(), within, &mut found));
        found.corners.iter().map(|c| c.id).collect()
    }

    #[test]
    fn a_box_shows_face_edge_or_corner() {
        let cube = Shape::cuboid(DVec3::ONE).unwrap();
        assert_eq!(ids(&cube, DVec3::Z, 0.0), [4, 5, 7, 6]);
        assert_eq!(ids(&cube, DVec3::new(1.0, 0.0, 1.0), 1e-9).len(), 2);
        assert_eq!(ids(&cube, DVec3::ONE, 1e-9), [7]);
        // Tilted a little: within its own height difference the whole face, else less.
        let tilted = DVec3::new(0.01, 0.0, 1.0);
        assert_eq!(ids(&cube, tilted, 0.03).len(), 4);
        assert_eq!(ids(&cube, tilted, 0.01), [5, 7]);
    }

    #[test]
    fn round_bodies_show_discs_lines_and_points() {
        let can = Shape::cylinder(2.0, 1.0).unwrap();
        assert_eq!(ids(&can, DVec3::Z, 0.0), (8..16).collect::<Vec<_>>());
        assert_eq!(ids(&can, DVec3::new(0.6, 0.8, 0.0), 0.0), [16, 17]);
        assert_eq!(ids(&can, DVec3::new(0.6, 0.7, -1.0), 1e-6), [16]);
        let cone = Shape::cone(1.0, 1.0).unwrap();
        assert_eq!(ids(&cone, DVec3::Z, 0.0), [0]);
        assert_eq!(ids(&cone, DVec3::NEG_Z, 0.0).len(), 8);
        assert_eq!(ids(&cone, DVec3::new(2.0, 0.0, 1.0), 1e-12), [0, 9]);
    }

    #[test]
    fn a_hull_names_its_points() {
        let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |i: u32| DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4));
        let mut cube: Vec<DVec3> = (0..8).map(corner).collect();
        cube.insert(4, DVec3::ZERO);
        let hull = Shape::hull(&cube).unwrap();
        let mut top = ids(&hull, DVec3::Z, 1e-9);
        top.sort_unstable();
        assert_eq!(top, [5, 6, 7, 8]);
    }
}
