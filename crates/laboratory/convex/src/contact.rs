//! What the methods made for study answer with.

use crate::bodies::Sample;
use kontakt_convex::Verdict;
use kontakt_math::DVec3;

/// Why a method stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The bounds met.
    Converged,
    /// EPA: a sphere through the surface was accepted.
    Shell,
    /// The start showed that the bodies are apart or only touch.
    Start,
    /// Numerical failure: no face lies between EPA's bounds; MPR's portal has no area.
    NoFace,
    /// EPA's numerical failure: the polytope lost its convexity.
    NotConvex,
    /// The steps allowed were used up.
    TooLong,
}

impl Ending {
    /// Whether the result is only the last iterate.
    pub fn is_failure(self) -> bool {
        matches!(self, Ending::NoFace | Ending::NotConvex | Ending::TooLong)
    }
}

/// What EPA, MPR and the like say; the frame is A's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Its own word, after roundings; `Undecided` when the start failed.
    pub verdict: Verdict,
    /// Lower and upper bound of the least depth, in doubles; negative where the bodies are apart by less than the margins.
    pub depth: [f64; 2],
    /// Unit vector from A to B.
    pub normal: DVec3,
    /// Points on A and B (without margins).
    pub points: Sample,
    /// Support points used.
    pub steps: usize,
    /// How it ended.
    pub ending: Ending,
}

/// How many runs ended which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All runs.
    pub runs: u64,
    /// Endings in the order of [`Ending`].
    pub endings: [u64; 6],
}

impl Tally {
    /// Counts one.
    pub fn count(&mut self, ending: Ending) {
        self.runs += 1;
        self.endings[ending as usize] += 1;
    }

    /// Runs that gave only their last iterate.
    pub fn failures(&self) -> u64 {
        let failed = [Ending::NoFace, Ending::NotConvex, Ending::TooLong];
        failed.iter().map(|ending| self.endings[*ending as usize]).sum()
    }
}
