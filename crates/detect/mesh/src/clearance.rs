//! Whether two bodies keep a clearance.

use kontakt_answers::{Limit, Range};

use crate::asker::{MeshQuery, in_other_order};
use crate::distance::{apart, up_to};
use crate::face::Between;
use crate::face_pair::FacePair;
use crate::mesh::PlacedMesh;
use crate::walk::nearing::Outcome;

/// Whether two bodies come closer than a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// `Some(true)`: proven to be in contact or on the near side of the limit. `Some(false)`: proven not to be. A distance equal
    /// to the limit is decided as the limit says. `None`: the deadline has passed, something is beyond the doubles, or the distance is beyond comparison
    /// with the bodies' sizes and equals the limit up to rounding.
    pub closer: Option<bool>,
    /// What is known of the distance; the search stops as soon as the question is decided.
    pub distance: Range,
    /// Two faces that come closer, when there are.
    pub pair: Option<FacePair>,
}

impl MeshQuery {
    /// Whether the bodies have a common point or their distance is below `clearance`. With a clearance of 0 or less (or
    /// NaN) that is the exact question of [`any_contact`](MeshQuery::any_contact).
    pub fn within(&mut self, a: PlacedMesh, b: PlacedMesh, clearance: f64) -> Within {
        self.within_limit(a, b, Limit::Below(clearance))
    }

    /// Whether the bodies have a common point or their distance is on the near side of the limit: **exact**, the same for both
    /// orders. With a length of 0 or less (or NaN) that is the question of [`any_contact`](MeshQuery::any_contact).
    pub fn within_limit(&mut self, a: PlacedMesh, b: PlacedMesh, limit: Limit) -> Within {
        if in_other_order(a, b) {
            let within = self.within_of(b, a, limit);
            return Within { pair: within.pair.map(FacePair::swapped), ..within };
        }
        self.within_of(a, b, limit)
    }

    /// Whether the gap of two bodies, known to be in `gap`, is on the near side of the limit. Where the bounds leave that open
    /// (they are a rounding apart, and a gap that equals a round number lies between them) the faces are asked.
    pub fn gap_holds(&mut self, a: PlacedMesh, b: PlacedMesh, gap: Range, limit: Limit) -> Option<bool> {
        limit.holds(gap).or_else(|| self.within_limit(a, b, limit).closer)
    }

    fn within_of(&mut self, a: PlacedMesh, b: PlacedMesh, limit: Limit) -> Within {
        match self.contact_until(a, b, self.deadline) {
            Ok(Some(pair)) => {
                return Within { closer: Some(true), distance: Range::ZERO, pair: Some(pair) };
            }
            Ok(None) => {}
            Err(_) => return Within { closer: None, distance: up_to(f64::INFINITY), pair: None },
        }
        // A distance is positive, so no more is asked than whether there is contact.
        let length = limit.length();
        if length.is_nan() || length <= 0.0 {
            return Within { closer: Some(false), distance: apart(0.0, f64::INFINITY), pair: None };
        }
        let between = Between::new(a.pose, b.pose);
        let Outcome { lo, nearest, .. } = self.nearest_faces(&between, a, b, end(limit), Some(limit));
        match nearest {
            // The search stopped there, so nothing is known of faces nearer still.
            Some(nearest) => {
                Within { closer: Some(true), distance: apart(0.0, nearest.hi), pair: Some(nearest.pair) }
            }
            None => Within {
                closer: (lo >= length).then_some(false),
                distance: apart(lo, f64::INFINITY),
                pair: None,
            },
        }
    }
}

/// No gap from here on is on the near side of the limit.
fn end(limit: Limit) -> f64 {
    match limit {
        Limit::Below(length) => length,
        Limit::AtMost(length) => length.next_up(),
    }
}
