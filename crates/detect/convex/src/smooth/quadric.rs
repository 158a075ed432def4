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
        let (squares_a, squares_b) = (self.radii_a * self.radii_a, self.radii_b * self.radii_b);
        // D² of both, B's turned.
        let still = DMat3::from_diagonal(squares_a);
        let turned = self.turn * DMat3::from_diagonal(squares_b) * back;
        for _ in 0..12 {
            let squared = v.length_squared();
            let length = squared.sqrt();
            let n = v * length.recip();
            let (p, inverse_p) = seen(self.radii_a, n);
            let (local, inverse_q) = seen(self.radii_b, back * n);
            let q = self.turn * local;
            let step = self.shift - p - q - v;
            if step.length_squared() <= 1e-30 * squared {
                return Some(v);
            }
            // |v| + H, where |Dn|'' = (D² − ppᵀ)/|Dn|.
            let (k, l) = (inverse_p * length.recip(), inverse_q * length.recip());
            let column = |i: usize| {
                let mut column = (still.col(i) - p * p[i]) * k + (turned.col(i) - q * q[i]) * l;
                column[i] += 1.0;
                column
            };
            let next = v + solve(DMat3::from_cols(column(0), column(1), column(2)), step)?;
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

/// The farthest point D²n/|Dn| along n, and 1/|Dn|; zeros where Dn is zero.
#[inline]
fn seen(radii: DVec3, n: DVec3) -> (DVec3, f64) {
    let scaled = radii * n;
    let squared = scaled.length_squared();
    if squared == 0.0 {
        return (DVec3::ZERO, 0.0);
    }
    let inverse = squared.sqrt().recip();
    (radii * scaled * inverse, inverse)
}

/// x with m·x = y for a symmetric positive definite m.
#[inline]
fn solve(m: DMat3, y: DVec3) -> Option<DVec3> {
    let (yz, zx, xy) = (m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    let determinant = m.x_axis.dot(yz);
    (determinant > 0.0).then(|| DVec3::new(yz.dot(y), zx.dot(y), xy.dot(y)) / determinant)
}
