//! What a check of a path says, and which way it errs.

use kontakt_answers::{Contact, Initial, Range, Visits};
use serde::Serialize;

/// What is certain about a segment, or about a body in it; the graver is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PathVerdict {
    /// Proven: no contact that is not allowed, from beginning to end.
    Free,
    /// The work allowed did not settle it.
    Undecided,
    /// Proven: contact begins in the segment.
    Contact,
    /// Proven: the segment starts in overlap, or overlaps by more than is allowed.
    Overlap,
}

/// A pair of bodies that meets in a segment, or may.
#[derive(Clone, Debug, PartialEq)]
pub struct PathFinding {
    /// Which of the movers.
    pub mover: usize,
    /// Which body of the scene.
    pub body: usize,
    /// `Free` only where they meet and are allowed to.
    pub verdict: PathVerdict,
    /// How they start, where that is known.
    pub initial: Option<Initial>,
    /// Proven free before its lower end, in the user's time; contact or overlap is proven by its upper end. Where nothing is proven
    /// that is the segment's end.
    pub time: Range,
    /// Where they first meet, from the mover to the body.
    pub contact: Option<Contact>,
    /// How far they may lie in each other, where that is allowed.
    pub allowed: Option<f64>,
}

/// The least distance of movers and bodies that are to stay apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// **Certified** bounds of it.
    pub range: Range,
    /// Which mover is so near.
    pub mover: usize,
    /// To which body.
    pub body: usize,
    /// When, in the user's time; to rounding, and where the upper end of the range is attained.
    pub time: f64,
}

/// One segment: its verdict and what proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentReport {
    /// When it starts and ends.
    pub times: [f64; 2],
    /// The gravest of all bodies'.
    pub verdict: PathVerdict,
    /// How it starts: the worst of all bodies that are to stay apart. `None` where the time was up before it was known.
    pub initial: Option<Initial>,
    /// What the test at the two poses alone says: overlap, contact (at the end; a touch at the start may be left) or free.
    pub at_poses: PathVerdict,
    /// Proven free before this time: the segment's end where it is free.
    pub free_until: f64,
    /// Bodies that meet, the gravest first, then the earliest; also those that may meet.
    pub findings: Vec<PathFinding>,
    /// Pairs that boxes around all they pass over do not prove apart.
    pub near: usize,
    /// Work of the proofs.
    pub visits: Visits,
    /// Least distance of bodies that are to stay apart; `None` where there is no such body or the time was up.
    pub clearance: Option<Clearance>,
    /// Distances computed for it.
    pub distances: u32,
}

impl SegmentReport {
    /// The finding that the verdict is about.
    pub fn first(&self) -> Option<&PathFinding> {
        self.findings.first().filter(|finding| finding.verdict != PathVerdict::Free)
    }

    /// When contact or overlap is proven; the segment's end where it is undecided, `None` where it is free.
    pub fn proven_by(&self) -> Option<f64> {
        self.first().map(|finding| finding.time.hi())
    }
}

/// A whole path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathReport {
    /// In the order of the path.
    pub segments: Vec<SegmentReport>,
    /// How the path starts.
    pub initial: Option<Initial>,
    /// What the test at the poses alone says, a touch at the very start left out.
    pub at_poses: PathVerdict,
    /// Least distance on the whole way of bodies that are to stay apart; `None` where there is none or the time was up.
    pub least_clearance: Option<Clearance>,
    /// Whether everything was asked that should have been.
    pub complete: bool,
}

impl PathReport {
    /// The gravest verdict of all segments.
    pub fn verdict(&self) -> PathVerdict {
        self.segments.iter().map(|segment| segment.verdict).max().unwrap_or(PathVerdict::Free)
    }
}

/// The worse of two ways to start.
pub(crate) fn worse(a: Initial, b: Initial) -> Initial {
    let rank = |initial: Initial| match initial {
        Initial::Separate => 0,
        Initial::Touching => 1,
        Initial::Overlapping => 2,
    };
    if rank(a) >= rank(b) { a } else { b }
}
