//! Whether two bodies keep a clearance.

use kontakt_answers::Range;

use crate::asker::Asker;
use crate::mesh::Placed;
use crate::pairs::FacePair;

/// Whether two bodies come closer than a clearance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// `Some(true)`: proven to be in contact or closer than the clearance. `Some(false)`: proven not to. `None`: the
    /// distance equals the clearance up to rounding.
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
        let distance = self.distance(a, b);
        let contact = distance.range == Range::ZERO;
        let closer = if contact { Some(true) } else { distance.range.is_below(clearance) };
        Within { closer, distance: distance.range, pair: (closer == Some(true)).then_some(distance.pair) }
    }
}
