//! Cores that are apart, and the bodies that their radii make of them.

use crate::{Answer, Shape, Verdict};
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3};

/// The radii that grow the cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Radii {
    /// The two of A and the two of B.
    pub(crate) all: [f64; 4],
    /// Bounds of their sum.
    pub(crate) sum: [f64; 2],
}

impl Radii {
    /// Three additions err by 3u relative; zero is exact.
    #[inline]
    pub(crate) fn of(a: &Shape, b: &Shape) -> Radii {
        let ([r, s], [t, u]) = (a.radii(), b.radii());
        let sum = (r + s) + (t + u);
        Radii { all: [r, s, t, u], sum: [sum * (1.0 - 2.0 * f64::EPSILON), sum * (1.0 + 2.0 * f64::EPSILON)] }
    }

    /// The verdict from bounds of the cores' distance, when they tell.
    #[inline]
    pub(crate) fn verdict(&self, [lo, hi]: [f64; 2]) -> Option<Verdict> {
        if lo > self.sum[1] {
            Some(Verdict::Separate)
        } else if hi < self.sum[0] {
            Some(Verdict::Overlapping)
        } else {
            None
        }
    }
}

/// What is known of cores that are apart, in A's frame.
pub(crate) struct Cores {
    /// Distance less radii.
    pub(crate) separation: Range,
    /// From A to B, and how far it may be off.
    pub(crate) normal: DVec3,
    pub(crate) normal_error: f64,
    /// A's point; B's lies `length` from it along the normal.
    pub(crate) point: DVec3,
    pub(crate) length: f64,
    /// How far the points may be off, besides roundings.
    pub(crate) point_error: f64,
}

impl Cores {
    /// The answer in world coordinates.
    ///
    /// A pose errs by 40u|x| + 2u|t| ([`kontakt_math::Pose::apply_error`]), so by 40u for a unit vector; A's point is rounded by less than
    /// 16u of its size, the last sums by u of theirs.
    #[inline(always)]
    pub(crate) fn in_world(&self, between: &Between, radii: &Radii, verdict: Verdict) -> Answer {
        let pose = &between.poses()[0];
        let [r, s, t, u] = radii.all;
        let normal = pose.rotate(self.normal);
        let normal_error = self.normal_error + 24.0 * f64::EPSILON;
        let core_a = pose.apply(self.point);
        let point_a = core_a + normal * (r + s);
        let point_b = core_a + normal * (self.length - (t + u));
        let size = |x: DVec3| x.abs().element_sum();
        let apart = self.length + radii.sum[1];
        let rounding = 32.0 * (size(self.point) + apart) + 2.0 * (size(pose.translation()) + size(core_a));
        let point_error =
            self.point_error + radii.sum[1] * self.normal_error + rounding * f64::EPSILON + f64::MIN_POSITIVE;
        Answer { verdict, separation: self.separation, normal, normal_error, point_a, point_b, point_error }
    }
}
