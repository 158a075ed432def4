//! Whether two bodies keep a clearance.

use kontakt_answers::Range;

use crate::asker::{Asker, in_other_order};
use crate::distance::apart;
use crate::face::Between;
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::nearing::Outcome;

/// Whether two bodies come closer than a clearance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// `Some(true)`: proven to be in contact or closer than the clearance. `Some(false)`: proven not to; a distance equal to
    /// the clearance is not closer. `None`: something is beyond the doubles, or the distance is beyond comparison with the
    /// bodies' sizes and equals the clearance up to rounding.
    pub closer: Option<bool>,
    /// What is known of the distance; the search stops as soon as the question is decided.
    pub distance: Range,
    /// Two faces that come closer, when there are.
    pub pair: Option<FacePair>,
}

impl Asker {
    /// Whether the bodies have a common point or their distance is below `clearance`. With a clearance of 0 or less (or
    /// NaN) that is the exact question of [`any_contact`](Asker::any_contact).
    pub fn within(&mut self, a: Placed, b: Placed, clearance: f64) -> Within {
        if in_other_order(a, b) {
            let within = self.within_of(b, a, clearance);
            return Within { pair: within.pair.map(FacePair::swapped), ..within };
        }
        self.within_of(a, b, clearance)
    }

    fn within_of(&mut self, a: Placed, b: Placed, clearance: f64) -> Within {
        if let Some(pair) = self.any_contact_of(a, b) {
            return Within { closer: Some(true), distance: Range::ZERO, pair: Some(pair) };
        }
        // A distance is positive, so no more is asked than whether there is contact.
        if clearance.is_nan() || clearance <= 0.0 {
            return Within { closer: Some(false), distance: apart(0.0, f64::INFINITY), pair: None };
        }
        let between = Between::new(a.pose, b.pose);
        let Outcome { lo, nearest } = self.nearest_faces(&between, a, b, clearance, clearance);
        match nearest {
            // The search stopped there, so nothing is known of faces nearer still.
            Some(nearest) => {
                Within { closer: Some(true), distance: apart(0.0, nearest.hi), pair: Some(nearest.pair) }
            }
            None => Within {
                closer: (lo >= clearance).then_some(false),
                distance: apart(lo, f64::INFINITY),
                pair: None,
            },
        }
    }
}
