//! The distance of two bodies, found bit by bit.

use crate::body::{Body, Placed};
use crate::query::{Proximity, Query};
use kontakt_math::Pose;
use kontakt_schedule::{Ledger, Task, Work};

/// The distance of two bodies at rest, found bit by bit: certified bounds at any moment, that only ever get narrower.
///
/// It owns all that it knows and needs a [`Query`] for scratch memory only, any one at any time.
#[derive(Clone, Debug)]
pub struct DistanceSearch {
    bodies: [(Body, Pose); 2],
    ledger: Ledger,
    known: Proximity,
    done: bool,
}

impl DistanceSearch {
    /// Nothing is known yet.
    pub fn new(a: Placed, b: Placed) -> DistanceSearch {
        DistanceSearch {
            bodies: [a, b].map(|placed| (placed.body.clone(), placed.pose)),
            ledger: Ledger::default(),
            known: Proximity::unknown(),
            done: false,
        }
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: Placed, b: Placed) {
        *self = DistanceSearch::new(a, b);
    }

    /// Goes on for so many units of work.
    pub fn work(&mut self, query: &mut Query, units: u64) -> Work {
        self.ledger.grant(units);
        if !self.done && !self.ledger.is_spent() {
            let [a, b] = &self.bodies;
            self.known = query.distance(Placed::new(&a.0, a.1), Placed::new(&b.0, b.1));
            self.ledger.spend(1);
            self.done = true;
        }
        self.ledger.settle(units, self.done)
    }

    /// Whether the answer is final: that of [`Query::distance`].
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What is known of the distance. The lower end never falls and the upper end never rises.
    pub fn proximity(&self) -> Proximity {
        self.known
    }

    /// Whether the bodies have a common point, as soon as that is known; `None` as long as it is open.
    pub fn any_contact(&self) -> Option<bool> {
        let range = self.known.range;
        if range.lo() > 0.0 { Some(false) } else { (range.hi() <= 0.0).then_some(true) }
    }
}

/// The wider the bounds beside the distance, the more urgent.
impl Task<Query> for DistanceSearch {
    fn work(&mut self, query: &mut Query, units: u64) -> Work {
        DistanceSearch::work(self, query, units)
    }

    fn urgency(&self) -> f64 {
        let range = self.known.range;
        let open = range.width() / range.hi();
        // Nothing is known, or all.
        if open.is_nan() { f64::from(range.hi() > 0.0) } else { open }
    }
}
