//! Bodies made from formulas: for the demo, the tests and the benchmarks, so that all speak of the same shapes.

mod loft;
mod parts;

pub use loft::{Ends, loft, ring};
pub use parts::{bulb, cover, gear, housing, reflector, threaded_nut, threaded_rod};

use crate::{FaceSet, FaceSetError};
use kontakt_math::DVec3;
use std::f64::consts::TAU;

/// A geodesic ball of radius 1 whose surface swings by up to `bump` (0 = round, below 1): 20·`frequency`² triangles.
pub fn bumpy_ball(frequency: u32, bump: f64) -> Result<FaceSet, FaceSetError> {
    displaced_ball(frequency, |direction| direction * (1.0 + bump * ripple(direction)))
}

/// A closed, twisted figure with `knobs` limbs and dents over a wrinkled skin, not star-shaped, as scanned figures are:
/// 20·`frequency`² triangles, about 2 to 4 across. The same `seed` gives the same figure at every frequency.
pub fn knobbly(frequency: u32, knobs: u32, seed: u64) -> Result<FaceSet, FaceSetError> {
    let mut random = Scramble(seed);
    // Direction, height (one in four a dent), sharpness.
    let knobs: Vec<(DVec3, f64, f64)> = (0..knobs)
        .map(|k| {
            let along = DVec3::new(random.swing(), random.swing(), random.swing()).normalize_or(DVec3::X);
            let height = if k % 4 == 3 { -0.35 } else { 0.75 + 0.45 * random.swing() };
            (along, height, 28.0 + 16.0 * random.swing())
        })
        .collect();
    displaced_ball(frequency, |direction| {
        let limbs: f64 = knobs
            .iter()
            .map(|(along, height, sharp)| height * (sharp * (along.dot(direction) - 1.0)).exp())
            .sum();
        let wrinkle = 0.012
            * (41.0 * direction.x + 3.0 * (17.0 * direction.y).sin()).sin()
            * (37.0 * direction.z).cos();
        let p = direction * (0.8 + limbs.max(-0.5) + 0.1 * ripple(direction) + wrinkle);
        // Twisting about z and bending in x keep the surface free of self-intersections: both maps are one to one.
        let (sin, cos) = (0.9 * p.z).sin_cos();
        DVec3::new(cos * p.x - sin * p.y + 0.35 * p.z * p.z, sin * p.x + cos * p.y, p.z)
    })
}

/// The geodesic ball with each unit direction moved to where `place` says.
fn displaced_ball(frequency: u32, place: impl Fn(DVec3) -> DVec3) -> Result<FaceSet, FaceSetError> {
    let n = frequency.max(1);
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    // Corners shared by neighbouring icosahedron faces are found again by their exact weights, not by rounding.
    let mut known = std::collections::BTreeMap::new();
    for corners in ICOSAHEDRON_FACES {
        let mut id = |i: u32, j: u32| {
            let mut key = [(corners[0], n - i - j), (corners[1], i), (corners[2], j)];
            key.sort_unstable_by_key(|&(corner, weight)| (weight == 0, corner));
            let key = key.map(|(corner, weight)| if weight == 0 { (0, 0) } else { (corner, weight) });
            *known.entry(key).or_insert_with(|| {
                let sum: DVec3 = key.iter().map(|&(c, w)| icosahedron_corner(c) * f64::from(w)).sum();
                points.push(place(sum.normalize()));
                points.len() as u32 - 1
            })
        };
        for i in 0..n {
            for j in 0..n - i {
                triangles.push([id(i, j), id(i + 1, j), id(i, j + 1)]);
                if i + j + 2 <= n {
                    triangles.push([id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]);
                }
            }
        }
    }
    FaceSet::from_triangles(points, triangles)
}

/// Numbers that look random and are the same everywhere (splitmix64).
struct Scramble(u64);

impl Scramble {
    /// In [−1, 1).
    fn swing(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }
}

/// A hilly sheet over the unit square, open at its rim: 2·`cells`² triangles.
pub fn terrain(cells: u32, height: f64) -> Result<FaceSet, FaceSetError> {
    let n = cells.max(1);
    let at = |i: u32| f64::from(i) / f64::from(n);
    let hill = |x: f64, y: f64| (7.0 * x).sin() * (5.0 * y).cos() + 0.3 * (31.0 * x + 17.0 * y).sin();
    let points = (0..=n)
        .flat_map(|i| (0..=n).map(move |j| (at(i), at(j))))
        .map(|(x, y)| DVec3::new(x, y, height * hill(x, y)))
        .collect();
    let id = |i: u32, j: u32| i * (n + 1) + j;
    let cell = |i: u32, j: u32| {
        [[id(i, j), id(i + 1, j), id(i + 1, j + 1)], [id(i, j), id(i + 1, j + 1), id(i, j + 1)]]
    };
    FaceSet::from_triangles(points, (0..n).flat_map(|i| (0..n).flat_map(move |j| cell(i, j))).collect())
}

/// A closed tube of radius about `thickness` along a trefoil knot that fits into the ball of radius 1, with ripples of up to
/// `bump` of the thickness: 2·`along`·`around` triangles, each count at least 3. Far from convex, unlike the ball.
pub fn bumpy_knot(along: u32, around: u32, thickness: f64, bump: f64) -> Result<FaceSet, FaceSetError> {
    let (n, m) = (along.max(3), around.max(3));
    let reach = (1.0 - thickness * (1.0 + bump)) / 3.0;
    let curve = |s: f64| {
        let (sin, cos) = (2.0 * s).sin_cos();
        DVec3::new((2.0 + (3.0 * s).cos()) * cos, (2.0 + (3.0 * s).cos()) * sin, (3.0 * s).sin()) * reach
    };
    let points = (0..n)
        .flat_map(|i| (0..m).map(move |j| (i, j)))
        .map(|(i, j)| {
            let (s, angle) = (f64::from(i) / f64::from(n) * TAU, f64::from(j) / f64::from(m) * TAU);
            let tangent = (curve(s + 1e-4) - curve(s - 1e-4)).normalize();
            let side = tangent.cross(DVec3::Z).normalize();
            let swell = 1.0 + bump * ripple(DVec3::new((4.0 * s).cos(), (9.0 * s).sin(), angle.sin()));
            curve(s) + (side * angle.cos() + side.cross(tangent) * angle.sin()) * (thickness * swell)
        })
        .collect();
    let id = |i: u32, j: u32| (i % n) * m + j % m;
    let cell = |i: u32, j: u32| {
        [[id(i, j), id(i + 1, j), id(i + 1, j + 1)], [id(i, j), id(i + 1, j + 1), id(i, j + 1)]]
    };
    FaceSet::from_triangles(points, (0..n).flat_map(|i| (0..m).flat_map(move |j| cell(i, j))).collect())
}

/// A hexagonal nut: `width` across its corners, `height` along z, with a round bore of `segments` (rounded up to a
/// multiple of 6) sides.
pub fn hex_nut(width: f64, height: f64, bore: f64, segments: u32) -> Result<FaceSet, FaceSetError> {
    let per_side = segments.div_ceil(6).max(1);
    let n = 6 * per_side;
    let corner = |k: u32| f64::from(k) / 6.0 * TAU;
    let outer = |k: u32| {
        let (from, to) = (corner(k / per_side), corner(k / per_side + 1));
        let s = f64::from(k % per_side) / f64::from(per_side);
        let at = |angle: f64| DVec3::new(angle.cos(), angle.sin(), 0.0) * (width / 2.0);
        at(from).lerp(at(to), s)
    };
    let inner = |k: u32| {
        let angle = f64::from(k) / f64::from(n) * TAU;
        DVec3::new(angle.cos(), angle.sin(), 0.0) * (bore / 2.0)
    };
    let lift = DVec3::new(0.0, 0.0, height / 2.0);
    // Ring order: outer bottom, outer top, inner bottom, inner top.
    let points = (0..n)
        .map(|k| outer(k) - lift)
        .chain((0..n).map(|k| outer(k) + lift))
        .chain((0..n).map(|k| inner(k) - lift))
        .chain((0..n).map(|k| inner(k) + lift))
        .collect();
    let quad = |a: u32, b: u32, k: u32| {
        let next = (k + 1) % n;
        [[a * n + k, a * n + next, b * n + next], [a * n + k, b * n + next, b * n + k]]
    };
    // Outer wall, top, bore, bottom; each pair of rings is walked so that normals point outward.
    let rings = [(0, 1), (1, 3), (3, 2), (2, 0)];
    FaceSet::from_triangles(
        points,
        rings.into_iter().flat_map(|(a, b)| (0..n).flat_map(move |k| quad(a, b, k))).collect(),
    )
}

/// Smooth, without symmetry, within ±1.
fn ripple(d: DVec3) -> f64 {
    0.5 * (5.0 * d.x + 1.0).sin() * (4.0 * d.y).cos()
        + 0.3 * (7.0 * d.z + 2.0 * d.x).sin()
        + 0.2 * (11.0 * d.y).sin()
}

const ICOSAHEDRON_FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

fn icosahedron_corner(index: u32) -> DVec3 {
    let phi = f64::midpoint(1.0, 5.0_f64.sqrt());
    let sign = |bit: u32| if index & bit == 0 { -1.0 } else { 1.0 };
    match index / 4 {
        0 => DVec3::new(sign(1), if index & 2 == 0 { phi } else { -phi }, 0.0),
        1 => DVec3::new(0.0, sign(1), if index & 2 == 0 { phi } else { -phi }),
        _ => DVec3::new(if index & 2 == 0 { phi } else { -phi }, 0.0, sign(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MassProperties, Topology};

    #[test]
    fn balls_and_nuts_are_closed_and_turned_outward() {
        let ball = bumpy_ball(12, 0.0).unwrap();
        let nut = hex_nut(2.0, 1.0, 1.0, 24).unwrap();
        assert_eq!(ball.triangles().len(), 20 * 12 * 12);
        let figure = knobbly(12, 24, 7).unwrap();
        for (faces, euler) in [(&ball, 2), (&figure, 2), (&nut, 0)] {
            let topology = Topology::of(faces);
            assert!(topology.closed && topology.oriented, "{topology:?}");
            assert_eq!(topology.euler_characteristic, euler);
        }
        let volume = MassProperties::of(&ball).volume;
        assert!((0.98..1.0).contains(&(volume / (4.0 / 3.0 * std::f64::consts::PI))), "{volume}");
        assert!(MassProperties::of(&nut).volume > 0.0);
        assert!(MassProperties::of(&figure).volume > 0.0);
    }

    #[test]
    fn knots_are_closed_and_turned_outward() {
        let knot = bumpy_knot(300, 24, 0.1, 0.2).unwrap();
        assert_eq!(knot.triangles().len(), 2 * 300 * 24);
        let topology = Topology::of(&knot);
        assert!(topology.closed && topology.oriented, "{topology:?}");
        assert_eq!(topology.euler_characteristic, 0);
        assert!(MassProperties::of(&knot).volume > 0.0);
        assert!(knot.vertices().iter().all(|v| v.length() <= 1.0));
    }

    #[test]
    fn terrain_is_open() {
        let sheet = terrain(8, 0.1).unwrap();
        assert_eq!(sheet.triangles().len(), 128);
        assert_eq!(Topology::of(&sheet).edges.boundary, 32);
    }
}
