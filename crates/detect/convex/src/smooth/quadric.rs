//! Two ellipsoids: Newton's method for their distance in three coordinates, and bounds of the gap for eight cells at
//! once.

mod eight;

pub(super) use eight::{Cells8, LANES};

use super::body::Body;
use super::pair::Pair;
use kontakt_math::{DMat3, DVec3};

/// Two ellipsoids (a radius may be zero; a point has three such), B turned and moved into A's frame.
#[derive(Clone, Debug)]
pub(super) struct Quadric {
    radii_a: DVec3,
    radii_b: DVec3,
    turn: DMat3,
    shift: DVec3,
    /// Covers all rounding of a bound: 1e-12 of the size.
    slack: f64,
}

impl Quadric {
    /// None unless both cores are ellipsoids or the origin.
    pub(super) fn new(pair: &Pair) -> Option<Quadric> {
        let radii = |body: &Body| match body {
            Body::Ellipsoid(radii) => Some(*radii),
            Body::Points([point]) if *point == DVec3::ZERO => Some(DVec3::ZERO),
            _ => None,
        };
        Some(Quadric {
            radii_a: radii(&pair.a)?,
            radii_b: radii(&pair.b)?,
            turn: pair.turn(),
            shift: pair.shift(),
            slack: 1e-12 * pair.size,
        })
    }

    /// A direction from A to B near that of the shortest line; none where they overlap or steps do not shrink.
    ///
    /// The nearest point of the difference to the origin is the minimum of φ(v) = ½|v|² − f(v), which is convex; Newton's
    /// step with H the second derivative of −f at v/|v| is v ← v + |v|·(|v| + H)⁻¹(w − v), w being what is seen along v.
    pub(super) fn newton(&self, start: DVec3) -> Option<DVec3> {
        let mut v = start;
        let back = self.turn.transpose();
        for _ in 0..12 {
            let squared = v.length_squared();
            let length = squared.sqrt();
            let n = v * length.recip();
            let (point_a, curve_a) = seen(self.radii_a, n, length);
            let (local, curve_b) = seen(self.radii_b, back * n, length);
            let w = self.shift - point_a - self.turn * local;
            let step = w - v;
            if step.length_squared() <= 1e-30 * squared {
                return Some(w);
            }
            let turned = self.turn * curve_b * back;
            let next = v + solve(curve_a + turned, step)?;
            // Past the origin: they overlap, or the start was poor.
            if next.dot(n) <= 0.0 {
                return None;
            }
            let near = (next - v).length_squared() <= 1e-18 * squared;
            v = next;
            if near {
                return Some(v);
            }
        }
        None
    }
}

/// The farthest point along n, and the second derivative of the support function divided by `scale`, plus half of 1.
#[inline]
fn seen(radii: DVec3, n: DVec3, scale: f64) -> (DVec3, DMat3) {
    let scaled = radii * n;
    let norm = scaled.length();
    if norm == 0.0 {
        return (DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(0.5)));
    }
    let inverse = norm.recip();
    let p = radii * scaled * inverse;
    let k = inverse / scale;
    let diagonal = (radii * radii - p * p) * k + 0.5;
    let (xy, xz, yz) = (-k * p.x * p.y, -k * p.x * p.z, -k * p.y * p.z);
    let columns =
        [DVec3::new(diagonal.x, xy, xz), DVec3::new(xy, diagonal.y, yz), DVec3::new(xz, yz, diagonal.z)];
    (p, DMat3::from_cols(columns[0], columns[1], columns[2]))
}

/// x with m·x = y for a symmetric positive definite m.
#[inline]
fn solve(m: DMat3, y: DVec3) -> Option<DVec3> {
    let (yz, zx, xy) = (m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    let determinant = m.x_axis.dot(yz);
    (determinant > 0.0).then(|| DVec3::new(yz.dot(y), zx.dot(y), xy.dot(y)) / determinant)
}
