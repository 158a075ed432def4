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
    /// **Never more** than the height of any facet but the lowest.
    pub(super) rivals: f64,
    /// Never less than |a| + |b| of points of the bodies.
    pub(super) size: f64,
    /// Never less than what products of unit vectors with vertices err by.
    pub(super) noise: f64,
}

impl Search {
    /// **Never more** than the candidate's exact height: with m exact and w a vertex of the facet,
    /// m·w ≥ n·w − |m − n||w|.
    fn least(&self, candidate: &Candidate) -> f64 {
        candidate.height - candidate.angle * self.size - self.noise
    }

    /// Another candidate.
    pub(super) fn offer(&mut self, candidate: Candidate) {
        let passed = match &self.lowest {
            Some(lowest) if lowest.height <= candidate.height => candidate,
            Some(lowest) => {
                let passed = *lowest;
                self.lowest = Some(candidate);
                passed
            }
            None => {
                self.lowest = Some(candidate);
                return;
            }
        };
        self.rivals = self.rivals.min(self.least(&passed));
    }
}
