//! The lowest facet of the difference, and how low all others may be.

use kontakt_math::DVec3;

/// Where a facet of the difference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A face of A and a corner of B.
    FaceOfA(u32, u32),
    /// A face of B and a corner of A.
    FaceOfB(u32, u32),
    /// An edge of A and one of B.
    Edges(u32, u32),
}

/// What may be a facet of the difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) origin: Origin,
    /// Outer unit normal in A's frame.
    pub(super) normal: DVec3,
    /// **Never less** than the angle between `normal` and the exact one.
    pub(super) angle: f64,
    /// How far the difference reaches along it.
    pub(super) height: f64,
}

/// Keeps the lowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) lowest: Option<Candidate>,
    /// Facets this high or higher are passed over.
    bound: f64,
    /// **Never more** than the height of any candidate but the lowest.
    others: f64,
    /// Never less than |a| + |b| of points of the bodies.
    size: f64,
    /// Never less than what products of unit vectors with vertices err by.
    noise: f64,
}

impl Search {
    /// For facets up to about this height.
    pub(super) fn new(guess: f64, size: f64, noise: f64) -> Search {
        // Well beyond roundings above the guess: the lowest facet itself stays.
        Search { lowest: None, bound: guess + 4.0 * noise, others: f64::INFINITY, size, noise }
    }

    /// Facets this high or higher need not be offered. It only falls.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    /// **Never more** than the height of any facet but the lowest candidate, if all were offered but those above the bound, as
    /// computed.
    pub(super) fn rivals(&self) -> f64 {
        self.others.min(self.bound - self.noise)
    }

    /// **Never more** than the candidate's exact height: with m exact and w a vertex of the facet,
    /// m·w ≥ n·w − |m − n||w|.
    fn least(&self, candidate: &Candidate) -> f64 {
        candidate.height - candidate.angle * self.size - self.noise
    }

    /// Another candidate.
    #[inline(always)]
    pub(super) fn offer(&mut self, candidate: Candidate) {
        let passed = match self.lowest {
            Some(lowest) if lowest.height <= candidate.height => Some(candidate),
            before => {
                self.lowest = Some(candidate);
                self.bound = self.bound.min(candidate.height + 4.0 * self.noise);
                before
            }
        };
        if let Some(passed) = passed {
            self.others = self.others.min(self.least(&passed));
        }
    }
}
