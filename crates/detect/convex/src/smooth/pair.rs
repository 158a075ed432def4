//! Two cores in A's frame, seen along one direction: the nearest pair of points, and how that changes with the direction.

use super::body::{ALONE, Bend, Body, Spot};
use crate::Core;
use kontakt_math::{Between, DMat3, DVec3, U};

/// Two cores in A's frame. For a unit vector n, `f(n) = n·t − h_A(n) − h_B(−Rᵀn)` is the width of the gap across n
/// (negative where they overlap); the signed separation is its maximum.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub(super) a: Body<'a>,
    pub(super) b: Body<'a>,
    turn: DMat3,
    shift: DVec3,
    /// **Never less** than the error of a computed f(n), and of a pair of points as a vector b − a.
    pub(super) noise: f64,
    /// **Never less** than the distance of any point of A from any of B.
    pub(super) size: f64,
}

/// What is seen along n: the points a of A farthest along n and b of B farthest against it, in A's frame, and w = b − a.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) a: Spot,
    /// In B's frame.
    pub(super) b: Spot,
    pub(super) b_in_a: DVec3,
    pub(super) w: DVec3,
}

/// Second derivative of −f on the tangent plane of a unit direction: that of A and that of B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bends {
    pub(super) a: Bend,
    pub(super) b: Bend,
}

/// A symmetric matrix on the tangent plane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    pub(super) xx: f64,
    pub(super) xy: f64,
    pub(super) yy: f64,
}

impl Plane {
    /// Smaller and larger eigenvalue.
    #[inline]
    pub(super) fn eigenvalues(&self) -> (f64, f64) {
        let (mean, half) = (0.5 * (self.xx + self.yy), 0.5 * (self.xx - self.yy));
        let spread = (half * half + self.xy * self.xy).sqrt();
        (mean - spread, mean + spread)
    }

    /// With a multiple of the identity added.
    #[inline]
    pub(super) fn plus(&self, s: f64) -> Plane {
        Plane { xx: self.xx + s, xy: self.xy, yy: self.yy + s }
    }

    /// x with self·x = (p, q); not finite where singular.
    #[inline]
    pub(super) fn solve(&self, p: f64, q: f64) -> (f64, f64) {
        let determinant = self.xx * self.yy - self.xy * self.xy;
        ((self.yy * p - self.xy * q) / determinant, (self.xx * q - self.xy * p) / determinant)
    }

    /// xᵀ·self·y
    #[inline]
    pub(super) fn form(&self, x: (f64, f64), y: (f64, f64)) -> f64 {
        x.0 * (self.xx * y.0 + self.xy * y.1) + x.1 * (self.xy * y.0 + self.yy * y.1)
    }
}

impl Bends {
    /// The sum.
    #[inline]
    pub(super) fn total(&self) -> Plane {
        Plane { xx: self.a.xx + self.b.xx, xy: self.a.xy + self.b.xy, yy: self.a.yy + self.b.yy }
    }

    /// What of it a quadratic minorant of −f keeps for all steps no longer than r (see [`Bend::kept`]), less its rounding.
    #[inline]
    pub(super) fn kept(&self, r: f64) -> Plane {
        let (s, t) = (self.a.kept(r), self.b.kept(r));
        let plane = Plane {
            xx: s * self.a.xx + t * self.b.xx,
            xy: s * self.a.xy + t * self.b.xy,
            yy: s * self.a.yy + t * self.b.yy,
        };
        plane.plus(-64.0 * U * (plane.xx + plane.yy))
    }
}

/// Two unit vectors that make a right-handed frame with n (Duff et al. 2017).
#[inline]
pub(super) fn tangents(n: DVec3) -> (DVec3, DVec3) {
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (DVec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), DVec3::new(b, sign + n.y * n.y * a, -n.y))
}

impl<'a> Pair<'a> {
    /// None where a core has no support map.
    ///
    /// The noise: for every point b of B the computed image errs by `error_within(reach)`; the points themselves by their
    /// blur; turning the direction into B's frame by 6u·reach of B; the difference and the dot product by 6u of the
    /// size; a direction not quite unit by 2u of the size.
    ///
    /// `scale` (a power of two) is what the cores' lengths have been multiplied with.
    pub(super) fn new(a: &'a Core, b: &'a Core, between: &Between, scale: f64) -> Option<Pair<'a>> {
        let (a, b) = (Body::of(a)?, Body::of(b)?);
        let (reach_a, reach_b) = (a.reach(), b.reach());
        let shift = between.shift() * scale;
        let size = (reach_a + reach_b + shift.abs().element_sum()) * (1.0 + 8.0 * U);
        let noise = between.error_within(reach_b / scale) * scale
            + a.blur(reach_a)
            + b.blur(reach_b)
            + 6.0 * U * reach_b
            + 8.0 * U * size
            + f64::MIN_POSITIVE;
        Some(Pair { a, b, turn: between.turn(), shift, noise: noise * (1.0 + 8.0 * U), size })
    }

    /// The same with B moved by a vector (of no more than the size).
    pub(super) fn moved(&self, by: DVec3) -> Pair<'a> {
        Pair { shift: self.shift + by, size: 2.0 * self.size, noise: 2.0 * self.noise, ..self.clone() }
    }

    /// Whether f is smooth in all directions.
    pub(super) fn is_smooth(&self) -> bool {
        self.a.is_smooth() && self.b.is_smooth()
    }

    /// A from B.
    pub(super) fn turn(&self) -> DMat3 {
        self.turn
    }

    /// From A's origin to B's.
    pub(super) fn shift(&self) -> DVec3 {
        self.shift
    }

    #[inline]
    fn to_b(&self, v: DVec3) -> DVec3 {
        // Products with the columns: the transpose of the turn.
        DVec3::new(self.turn.x_axis.dot(v), self.turn.y_axis.dot(v), self.turn.z_axis.dot(v))
    }

    /// The direction against n, in B's frame.
    pub(super) fn against_in_b(&self, n: DVec3) -> DVec3 {
        -self.to_b(n)
    }

    /// A direction of B in A's frame.
    pub(super) fn in_a(&self, v: DVec3) -> DVec3 {
        self.turn * v
    }

    /// A point of B's frame in A's.
    #[inline]
    pub(super) fn b_in_a(&self, point: DVec3) -> DVec3 {
        self.turn * point + self.shift
    }

    /// A point of A's frame in B's.
    pub(super) fn to_frame_of_b(&self, point: DVec3) -> DVec3 {
        self.to_b(point - self.shift)
    }

    fn view(&self, a: Spot, b: Spot) -> View {
        let b_in_a = self.b_in_a(b.point);
        View { a, b, b_in_a, w: b_in_a - a.point }
    }

    /// The farthest points across n (unit).
    #[inline]
    pub(super) fn look(&self, n: DVec3) -> View {
        self.view(self.a.look(n), self.b.look(-self.to_b(n)))
    }

    /// The same within one piece of each; points that stand alone keep their place.
    #[inline]
    pub(super) fn look_again(&self, old: &View, n: DVec3) -> View {
        let a = self.a.look_at(old.a.piece, n).map_or(old.a, |point| Spot { point, ..old.a });
        let d = -self.to_b(n);
        let b = self.b.look_at(old.b.piece, d).map_or(old.b, |point| Spot { point, ..old.b });
        self.view(a, b)
    }

    /// How f curves at n.
    #[inline]
    pub(super) fn bends(&self, view: &View, n: DVec3, e: DVec3, f: DVec3) -> Bends {
        let a = if view.a.piece == ALONE { Bend::NONE } else { self.a.bend(view.a, n, e, f) };
        let b = if view.b.piece == ALONE {
            Bend::NONE
        } else {
            self.b.bend(view.b, -self.to_b(n), self.to_b(e), self.to_b(f))
        };
        Bends { a, b }
    }
}
