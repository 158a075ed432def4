//! Boxes twice: as given, and in single precision to compare fast.

use crate::ends::Ends;
use kontakt_bounds::Aabb;

/// What single precision tells of two boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Outcome {
    Apart,
    Meet,
    Unclear,
}

impl Outcome {
    /// For a monotone map f, f(x) < f(y) proves x < y (else y ≤ x and f(y) ≤ f(x)). So if the least of the six differences that
    /// must not be negative is positive, the boxes overlap, and if it is negative they are apart; only if it is 0 does single
    /// precision not tell. The sign of a difference of floats is exact, infinite ends included: they are those of `Ends::NONE`,
    /// whose differences are −∞.
    #[inline(always)]
    pub(super) fn of(first: &Ends, second: &Ends) -> Outcome {
        let mut least = f32::INFINITY;
        for k in 0..3 {
            // Written as comparisons, which the processor has a minimum for.
            let (one, two) = (second.high[k] - first.low[k], first.high[k] - second.low[k]);
            least = if one < least { one } else { least };
            least = if two < least { two } else { least };
        }
        if least > 0.0 {
            Outcome::Meet
        } else if least < 0.0 {
            Outcome::Apart
        } else {
            Outcome::Unclear
        }
    }
}

/// The boxes of a set by id. `tight` is the image of `boxes` under a monotone map (see [`crate::Frame`]).
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) boxes: &'a [Aabb],
    pub(super) tight: &'a [Ends],
}

impl Places<'_> {
    /// Whether two boxes have a point in common, **exactly**; places without a box meet nothing.
    #[inline]
    pub(super) fn meet(&self, a: u32, b: u32) -> bool {
        match Outcome::of(&self.tight[a as usize], &self.tight[b as usize]) {
            Outcome::Apart => false,
            Outcome::Meet => true,
            Outcome::Unclear => self.meet_exactly(a, b),
        }
    }

    #[cold]
    fn meet_exactly(&self, a: u32, b: u32) -> bool {
        meet(&self.boxes[a as usize], &self.boxes[b as usize])
    }
}

/// Whether two boxes have a point in common; places without a box meet nothing.
#[inline]
pub(super) fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}
