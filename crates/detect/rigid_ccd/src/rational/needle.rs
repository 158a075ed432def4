//! A corner on a triangle without area, as signs of polynomials: that is a segment, or a point.

use super::mover::Seen;
use super::vector::{Vector, along, cross, cross_with, dot, minus, scaled};
use super::{Event, is_inner};
use kontakt_math::{AlgebraicNumber, Dyadic, ExactPolynomial, Sign};

/// A corner on a needle, which is at rest in the frame it is seen from.
pub(super) struct OnNeedle {
    /// How far off the needle's line, or off the point that it is, times the weight and maybe a length.
    off: [ExactPolynomial; 3],
    /// How far inside of both ends, likewise.
    inner: [ExactPolynomial; 2],
}

impl OnNeedle {
    pub(super) fn new(seen: &Seen, needle: &[Vector; 3], corner: &Vector) -> OnNeedle {
        let side = |i: usize| minus(&needle[(i + 1) % 3], &needle[i]);
        let length = |i: usize| dot(&side(i), &side(i));
        // The corners lie on one line, so the longest side is all of it.
        let longest = (1..3).fold(0, |best, i| if length(i) > length(best) { i } else { best });
        let (from, to, way) = (&needle[longest], &needle[(longest + 1) % 3], side(longest));
        let place = seen.point(corner);
        let less = |p: &ExactPolynomial, by: &Dyadic| p - &scaled(&seen.weight, by);
        let off = if way.iter().all(Dyadic::is_zero) {
            [0, 1, 2].map(|i: usize| less(&place[i], &from[i]))
        } else {
            let (turned, start) = (cross_with(&way, &place), cross(&way, from));
            [0, 1, 2].map(|i: usize| less(&turned[i], &start[i]))
        };
        let past = less(&along(&way, &place), &dot(&way, from));
        let short = less(&along(&way, &place), &dot(&way, to));
        OnNeedle { off, inner: [past, scaled(&short, &super::vector::exact(-1.0))] }
    }
}

impl Event for OnNeedle {
    fn times(&self) -> Vec<&ExactPolynomial> {
        let off: Vec<_> = self.off.iter().filter(|p| !p.is_zero()).collect();
        if off.is_empty() { self.inner.iter().collect() } else { off }
    }

    fn holds(&self, time: &AlgebraicNumber) -> bool {
        self.off.iter().all(|p| time.sign_of(p) == Sign::Zero)
            && self.inner.iter().all(|p| is_inner(time.sign_of(p)))
    }
}
