//! Several bodies that move as one.
//!
//! Faces of several solids taken together have an inside by parity, which is empty wherever two of them overlap. So faces may be followed
//! together, but how a motion starts is asked body by body.

use crate::body::Placed;
use crate::query::Query;
use kontakt_answers::{Impact, Initial, Range};
use kontakt_convex::Verdict;

impl Query {
    /// Whether any body of one group has a common interior with any of another, or is inside it; `None` where that is left open.
    pub fn groups_overlap(&mut self, a: &[Placed], b: &[Placed]) -> Option<bool> {
        let mut known = Some(false);
        for one in a {
            for other in b {
                match self.intersect(*one, *other) {
                    Verdict::Overlapping => return Some(true),
                    Verdict::Undecided => known = None,
                    Verdict::Separate | Verdict::Touching => {}
                }
            }
        }
        known
    }
}

/// The answer about two groups whose faces were followed together, now that it is known whether they overlap at the start.
#[must_use]
pub fn with_start(impact: Impact, overlaps: Option<bool>) -> Impact {
    match (impact, overlaps) {
        (Impact::Contact { initial: Initial::Overlapping, .. }, _) | (_, Some(false)) => impact,
        (_, Some(true)) => {
            Impact::Contact { initial: Initial::Overlapping, time: Range::ZERO, contact: None }
        }
        (_, None) => Impact::Undecided { initial: None, free_until: 0.0 },
    }
}
