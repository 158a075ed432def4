//! Quadratic bounds of the gap around a direction.

use super::pair::{Pair, Plane, View};
use kontakt_math::DVec3;

/// A quadratic that the gap nowhere exceeds: at a unit vector n + δ with |δ| ≤ r, x the part of δ across n,
/// f ≤ gap + slope·x − ½xᵀ(curve)x. By the bound of [`cap`](super::cap): curve = H + f, with f/(1 − r²/4) where f < 0.
#[derive(Clone, Copy)]
pub(super) struct Model {
    pub(super) gap: f64,
    pub(super) slope: (f64, f64),
    pub(super) curve: Plane,
}

impl Model {
    #[inline]
    pub(super) fn new(pair: &Pair, view: &View, n: DVec3, (e, f): (DVec3, DVec3), r: f64) -> Model {
        let gap = view.w.dot(n);
        let fall = if gap < 0.0 { gap / (1.0 - 0.25 * r * r) } else { 0.0 };
        let curve = pair.bends(view, n, e, f).kept(r).plus(fall);
        Model { gap, slope: (view.w.dot(e), view.w.dot(f)), curve }
    }

    /// **Never less** than its maximum over |x| ≤ r (noise of the slope included), and where about that is.
    ///
    /// Proof: for every ν ≥ 0 with curve + ν positive definite, slope·x − ½xᵀ(curve)x ≤ slope·x − ½xᵀ(curve + ν)x + ½νr²
    /// ≤ ½slopeᵀ(curve + ν)⁻¹slope + ½νr². The condition of curve + ν is below 1e9, so its solution is good to 1e-6.
    /// Best is the ν for which x = (curve + ν)⁻¹slope is r long, if any.
    #[inline]
    pub(super) fn highest(&self, noise: f64, r: f64) -> (f64, (f64, f64)) {
        let slope = self.slope;
        let squared = slope.0 * slope.0 + slope.1 * slope.1;
        let (low, high) = self.curve.eigenvalues();
        let least = 1e-9 * (high.abs() + squared.sqrt()) + noise;
        // Squares of the slope's parts along the two eigenvectors.
        let along = self.curve.form(slope, slope);
        let steep = ((along - low * squared) / (high - low + f64::MIN_POSITIVE)).clamp(0.0, squared);
        let flat = squared - steep;
        // Neither part of x longer than r; from there one step of Newton's method on 1/|x| = 1/r, which does not overshoot.
        let mut nu = (flat.sqrt() / r - low).max(steep.sqrt() / r - high).max(least - low).max(0.0);
        let (u, v) = (1.0 / (low + nu), 1.0 / (high + nu));
        let length = (flat * u * u + steep * v * v).sqrt();
        if length > r {
            nu += (length / r - 1.0) * length * length / (flat * u * u * u + steep * v * v * v);
        }
        let (x, y) = self.curve.plus(nu).solve(slope.0, slope.1);
        let rise = 0.5 * (slope.0 * x + slope.1 * y) * (1.0 + 1e-6);
        (self.gap + rise + 0.5 * nu * r * r + noise * r, (x, y))
    }

    /// The weighted mean of two of them: not exceeded either, since the gap is below both.
    pub(super) fn blend(&self, other: &Model, t: f64) -> Model {
        let mix = |a: f64, b: f64| a + t * (b - a);
        Model {
            gap: mix(self.gap, other.gap),
            slope: (mix(self.slope.0, other.slope.0), mix(self.slope.1, other.slope.1)),
            curve: Plane {
                xx: mix(self.curve.xx, other.curve.xx),
                xy: mix(self.curve.xy, other.curve.xy),
                yy: mix(self.curve.yy, other.curve.yy),
            },
        }
    }

    /// The weight of `other` that makes the slope of the blend shortest; none where the slopes do not differ.
    pub(super) fn evener(&self, other: &Model) -> Option<f64> {
        let turn = (other.slope.0 - self.slope.0, other.slope.1 - self.slope.1);
        let squared = turn.0 * turn.0 + turn.1 * turn.1;
        let t = -(self.slope.0 * turn.0 + self.slope.1 * turn.1) / squared;
        (squared > 0.0).then(|| t.clamp(0.0, 1.0))
    }
}
