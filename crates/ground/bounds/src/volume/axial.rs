//! Certified coordinates along and around an axis: what cylinder and cone share.
//!
//! u = 2⁻⁵³; an axis is a vector `a` with |a| = 1 to within 4u, its exact direction is â = a/|a|.

use crate::bound::FitError;
pub(crate) use crate::outward::length;
use crate::search::unit;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Pose};

/// Covers the errors of all underflowing products of one expression here.
const UNDERFLOW: f64 = f64::from_bits(32);

/// Bounds of a vector's coordinate along an axis (signed) and of its distance from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxialBounds {
    pub axial_low: f64,
    pub axial_high: f64,
    pub radial_low: f64,
    pub radial_high: f64,
}

/// A disc (or, with radius 0, a point) that has to be enclosed; `pad` bounds the error of its centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub centre: DVec3,
    pub axis: DVec3,
    pub radius: f64,
    pub pad: f64,
}

impl Disc {
    /// A point, exactly.
    pub(crate) fn point(centre: DVec3) -> Disc {
        Disc { centre, axis: DVec3::Z, radius: 0.0, pad: 0.0 }
    }

    /// The disc at `centre + along · axis`.
    ///
    /// The pad: each component of the sum has a relative error of at most 2u in the product (axis not exactly unit, within
    /// 4u, included: 6u) and u in the sum, so 8u(|centre| + |along|) bounds the displacement.
    pub(crate) fn along(centre: DVec3, axis: DVec3, along: f64, radius: f64) -> Disc {
        let pad = 8.0 * f64::EPSILON * (length_up(centre) + along.abs());
        Disc { centre: centre + axis * along, axis, radius, pad }
    }

    /// Points of the rim for a search (not certified).
    pub(crate) fn samples(&self) -> impl Iterator<Item = DVec3> {
        let (x, y) = self.axis.any_orthonormal_pair();
        let count = if self.radius > 0.0 { 12 } else { 1 };
        let disc = *self;
        (0..count).map(move |i| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(count)).sin_cos();
            disc.centre + (x * cos + y * sin) * disc.radius
        })
    }

    /// Bounds of the coordinates of all points of the disc with respect to the axis through `origin`.
    ///
    /// Proof: a point of the disc is centre + y + e with |y| ≤ radius, y ⟂ its axis n, |e| ≤ pad. Its coordinate along â
    /// differs from the centre's by at most |y·â| + pad ≤ radius·|n × â| + pad, its distance from the axis by |y| + pad.
    pub(crate) fn bounds(&self, origin: DVec3, axis: DVec3) -> AxialBounds {
        let mut bounds = axial_bounds(self.centre, origin, axis);
        if self.radius == 0.0 && self.pad == 0.0 {
            return bounds;
        }
        let tilt = axial_bounds(self.axis, DVec3::ZERO, axis).radial_high;
        let along = (self.radius * tilt + self.pad) * (1.0 + 8.0 * f64::EPSILON);
        bounds.axial_low = (bounds.axial_low - along).next_down();
        bounds.axial_high = (bounds.axial_high + along).next_up();
        bounds.radial_high = ((bounds.radial_high + self.radius).next_up() + self.pad).next_up();
        bounds
    }
}

/// Bounds of the coordinates of `point − origin` along and around `axis`.
///
/// Proof. w = fl(point − origin) has componentwise relative error u. With S = Σ|wᵢaᵢ| the computed dot product differs from
/// the exact one by at most (3u + u)S to first order, dividing by |a| changes it by 4uS: 8uS together, 12uS are taken.
/// Each component of the computed cross product differs by at most 3u of M = the same expression with absolute values;
/// its length adds 4u relative, |a| another 4u: ρ is within 8u|w × a| + 3u|M| of the computed, 12u and 8u are taken.
/// Underflowing products add a few 2⁻¹⁰⁷⁴. Overflow gives infinities or NaN, turned into [−∞, ∞] and [0, ∞].
pub(crate) fn axial_bounds(point: DVec3, origin: DVec3, axis: DVec3) -> AxialBounds {
    let w = point - origin;
    let along = w.dot(axis);
    let along_error = 6.0 * f64::EPSILON * w.abs().dot(axis.abs()) + UNDERFLOW;
    let around = length(w.cross(axis));
    let (p, q) = (w.abs(), axis.abs());
    let absolute = DVec3::new(p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x);
    let around_error = f64::EPSILON * (6.0 * around + 4.0 * length(absolute)) + UNDERFLOW;
    let or = |value: f64, otherwise: f64| if value.is_nan() { otherwise } else { value };
    AxialBounds {
        axial_low: or((along - along_error).next_down(), f64::NEG_INFINITY),
        axial_high: or((along + along_error).next_up(), f64::INFINITY),
        radial_low: or((around - around_error).next_down(), 0.0).max(0.0),
        radial_high: or((around + around_error).next_up(), f64::INFINITY),
    }
}

/// Unit vector across the axis, towards `direction`; `None` when the direction is along the axis, to rounding.
///
/// Near the axis the difference below is mostly rounding and not perpendicular, so it is made so a second time.
pub(crate) fn outward(direction: DVec3, axis: DVec3) -> Option<DVec3> {
    let direction = unit(direction)?;
    let across = direction - axis * direction.dot(axis);
    if length(across) <= 8.0 * f64::EPSILON {
        return None;
    }
    let across = unit(across)?;
    unit(across - axis * across.dot(axis))
}

/// A bound of how far rounding moves a point c + w, |c| ≤ `radius`, |w| ≤ `extent`, when c goes by `Pose::apply` and w is
/// given in axes that go by `Pose::rotate`; 0 only for the origin alone.
///
/// Proof: rotating by a quaternion q with |q|² = 1 ± 12u by v(w²−b²) + 2b(v·b) + 2w(b×v) costs at most 5u, 10u and 5u for
/// the terms, 8u for their sum and 12u for |q|², of |v|; adding the translation u(|v| + |t|). 64u(|v| + |t|) covers it.
/// A unit axis is off by 64u and, made unit again, by twice that: 256u·|w| in all. Some twenty products may underflow, with
/// errors of 2⁻¹⁰⁷⁵ each, and so may those of this bound.
pub(crate) fn pose_error(pose: &Pose, radius: f64, extent: f64) -> f64 {
    let size = radius + length_up(pose.translation());
    if size == 0.0 && extent == 0.0 {
        return 0.0;
    }
    32.0 * f64::EPSILON * size + 128.0 * f64::EPSILON * extent + UNDERFLOW
}

/// A unit axis from any direction, or what is wrong with it.
pub(crate) fn checked_axis(volume: &str, axis: DVec3) -> Result<DVec3, FitError> {
    unit(axis)
        .ok_or_else(|| FitError::Parameter { what: format!("{volume} axis {axis} is not finite or zero") })
}

/// The value, or an error that names it, when it is negative or not finite.
pub(crate) fn checked_size(volume: &str, name: &str, value: f64) -> Result<f64, FitError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(FitError::Parameter { what: format!("{volume} {name} {value} is negative or not finite") })
    }
}

/// The vector, or an error that names it, when it is not finite.
pub(crate) fn checked_point(volume: &str, name: &str, value: DVec3) -> Result<DVec3, FitError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(FitError::Parameter { what: format!("{volume} {name} {value} is not finite") })
    }
}
