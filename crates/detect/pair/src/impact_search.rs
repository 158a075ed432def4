//! The first contact of two moving bodies, found bit by bit.

use crate::body::{Body, Moving};
use crate::query::Query;
use kontakt_answers::Impact;
use kontakt_math::Motion;
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Ledger, Task, Work};

/// The first contact of two moving bodies, found bit by bit: what is said to be free at any moment is proven, and never becomes less.
///
/// It owns all that it knows and needs a [`Query`] for scratch memory only, any one at any time.
#[derive(Clone, Debug)]
pub struct ImpactSearch {
    bodies: [(Body, Motion); 2],
    options: MotionOptions,
    ledger: Ledger,
    known: Impact,
    done: bool,
}

impl ImpactSearch {
    /// Nothing is known yet.
    pub fn new(a: Moving, b: Moving, options: &MotionOptions) -> ImpactSearch {
        ImpactSearch {
            bodies: [a, b].map(|moving| (moving.body.clone(), moving.motion.clone())),
            options: *options,
            ledger: Ledger::default(),
            known: Impact::Undecided { initial: None, free_until: 0.0 },
            done: false,
        }
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: Moving, b: Moving, options: &MotionOptions) {
        *self = ImpactSearch::new(a, b, options);
    }

    /// Goes on for so many units of work.
    pub fn work(&mut self, query: &mut Query, units: u64) -> Work {
        self.ledger.grant(units);
        if !self.done && !self.ledger.is_spent() {
            let [a, b] = &self.bodies;
            self.known = query.first_contact(Moving::new(&a.0, &a.1), Moving::new(&b.0, &b.1), &self.options);
            self.ledger.spend(1);
            self.done = true;
        }
        self.ledger.settle(units, self.done)
    }

    /// Whether the answer is final: that of [`Query::first_contact`].
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What is known: undecided, with the time until which the motion is proven free, as long as the search is not done.
    pub fn impact(&self) -> Impact {
        self.known
    }
}

/// What is proven free for the least time is the most urgent.
impl Task<Query> for ImpactSearch {
    fn work(&mut self, query: &mut Query, units: u64) -> Work {
        ImpactSearch::work(self, query, units)
    }

    fn urgency(&self) -> f64 {
        -self.known.free_until()
    }
}
