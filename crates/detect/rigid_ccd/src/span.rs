//! Spans of time with a lower bound of a distance, divided where the bound is least.

use kontakt_answers::Range;
use kontakt_math::order::{Ranked, Total};
use std::cmp::Reverse;

/// A span of time in which a distance, that of `whose`, is at least `least`. On a heap the least bound is greatest; ties go by time
/// and `whose`, so that the order is always the same.
pub(crate) struct Span<W> {
    pub(crate) least: f64,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) whose: W,
}

impl<W: Copy> Span<W> {
    /// All the time.
    pub(crate) fn whole(least: f64, whose: W) -> Span<W> {
        Span { least, start: 0.0, end: 1.0, whose }
    }

    /// A time between start and end; none where doubles have none.
    pub(crate) fn middle(&self) -> Option<f64> {
        let middle = self.start + 0.5 * (self.end - self.start);
        (middle > self.start && middle < self.end).then_some(middle)
    }

    /// Both halves, with what the distance at the middle tells about them. `moved(start, end)` is never less than what it may
    /// change between the middle and any time from start to end.
    pub(crate) fn halves(
        &self,
        middle: f64,
        distance: Range,
        moved: impl Fn(f64, f64) -> f64,
    ) -> [Span<W>; 2] {
        [(self.start, middle), (middle, self.end)].map(|(start, end)| {
            let bound = (distance.lo() - moved(start, end) * (1.0 + 1e-12)).next_down();
            // What held for the whole span holds for its halves.
            let least = if bound.is_nan() { self.least } else { bound.max(self.least) };
            Span { least, start, end, whose: self.whose }
        })
    }
}

impl<W: Ord + Copy> Ranked for Span<W> {
    type Rank = Reverse<(Total, Total, W)>;

    fn rank(&self) -> Self::Rank {
        Reverse((Total(self.least), Total(self.start), self.whose))
    }
}
