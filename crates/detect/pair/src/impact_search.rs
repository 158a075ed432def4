//! The first contact of two moving bodies, found bit by bit.

use crate::body::{Body, Moving};
use crate::query::{Query, of_mesh};
use kontakt_answers::Impact;
use kontakt_math::Motion;
use kontakt_rigid_ccd::{self as rigid_ccd, MotionOptions};
use kontakt_schedule::{Ledger, Task, Work};

/// Most work of the first attempt at a question with a convex shape, and how many times that of the one before each later attempt gets:
/// all attempts together cost no more than a third more than the last.
const ATTEMPT: u64 = 64;
const MORE: u64 = 4;
/// What a question with a curved body, which is answered in one go, counts for.
const CURVED: u64 = 1024;

/// The first contact of two moving bodies, found bit by bit: what is said to be free at any moment is proven, and never becomes less.
///
/// Two meshes are searched step by step. With a convex shape the question is asked again and again with four times the work, until
/// that is enough; with a curved body in one go. A search owns all that it knows and needs a [`Query`] for scratch memory only, any
/// one at any time. What it knows after so many units of work is the same to the last bit however they were portioned out.
#[derive(Clone, Debug)]
pub struct ImpactSearch {
    bodies: [(Body, Motion); 2],
    options: MotionOptions,
    ledger: Ledger,
    way: Way,
    known: Impact,
    done: bool,
}

#[derive(Clone, Debug)]
enum Way {
    Meshes(Box<rigid_ccd::ImpactSearch>),
    /// The work of the next attempt.
    Attempts(u64),
    InOneGo,
}

impl ImpactSearch {
    /// Nothing is known yet.
    pub fn new(a: Moving, b: Moving, options: &MotionOptions) -> ImpactSearch {
        ImpactSearch::in_memory(a, b, options, None)
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: Moving, b: Moving, options: &MotionOptions) {
        let memory = match std::mem::replace(&mut self.way, Way::InOneGo) {
            Way::Meshes(search) => Some(search),
            Way::Attempts(_) | Way::InOneGo => None,
        };
        *self = ImpactSearch::in_memory(a, b, options, memory);
    }

    fn in_memory(
        a: Moving,
        b: Moving,
        options: &MotionOptions,
        memory: Option<Box<rigid_ccd::ImpactSearch>>,
    ) -> ImpactSearch {
        let way = match (a.body, b.body) {
            (Body::Curved(_), _) | (_, Body::Curved(_)) => Way::InOneGo,
            (Body::Mesh(x), Body::Mesh(y)) => {
                let (x, y) = (of_mesh(x, a), of_mesh(y, b));
                Way::Meshes(match memory {
                    Some(mut search) => {
                        search.restart(x, y, options);
                        search
                    }
                    None => Box::new(rigid_ccd::ImpactSearch::new(x, y, options)),
                })
            }
            _ => Way::Attempts(ATTEMPT.min(options.most_work)),
        };
        ImpactSearch {
            bodies: [a, b].map(|moving| (moving.body.clone(), moving.motion.clone())),
            options: *options,
            ledger: Ledger::default(),
            way,
            known: Impact::Undecided { initial: None, free_until: 0.0 },
            done: false,
        }
    }

    /// Before any work: the bodies are known to be apart, neither inside the other, at all times up to this one. Two meshes are not looked
    /// at there again.
    pub fn skip_to(&mut self, apart_until: f64) {
        if let Way::Meshes(search) = &mut self.way {
            search.skip_to(apart_until);
        }
    }

    /// Before any work: these triangles, by [`met`](ImpactSearch::met) of a search for a motion like this one, may well meet. What is certified
    /// does not depend on it.
    pub fn expect(&mut self, met: [u32; 2]) {
        if let Way::Meshes(search) = &mut self.way {
            search.expect(met);
        }
    }

    /// The triangles of two meshes that are proven to meet, once they are found: their places in the trees.
    pub fn met(&self) -> Option<[u32; 2]> {
        match &self.way {
            Way::Meshes(search) => search.met(),
            Way::Attempts(_) | Way::InOneGo => None,
        }
    }

    /// **Never more** than the distance where a motion that is proven free ends; 0 where that is not known.
    pub fn gap_at_end(&self) -> f64 {
        match &self.way {
            Way::Meshes(search) => search.gap_at_end(),
            Way::Attempts(_) | Way::InOneGo => 0.0,
        }
    }

    /// Goes on for so many units of work.
    pub fn work(&mut self, query: &mut Query, units: u64) -> Work {
        let [a, b] = &self.bodies;
        let (a, b) = (Moving::new(&a.0, &a.1), Moving::new(&b.0, &b.1));
        if let (Way::Meshes(search), Body::Mesh(x), Body::Mesh(y)) = (&mut self.way, a.body, b.body) {
            let work = search.work(&mut query.motion, [of_mesh(x, a), of_mesh(y, b)], units);
            (self.known, self.done) = (search.impact(), work.done);
            return work;
        }
        self.ledger.grant(units);
        while !self.done && !self.ledger.is_spent() {
            self.attempt(query);
        }
        self.ledger.settle(units, self.done)
    }

    /// Whether two bodies are followed by planes between all their corners, which tell quickly when they are well apart.
    pub fn has_planes(a: &Body, b: &Body) -> bool {
        match (a, b) {
            (Body::Mesh(x), Body::Mesh(y)) => rigid_ccd::has_planes(x, y),
            _ => false,
        }
    }

    /// Whether the answer is final. That of two meshes is [`Query::first_contact`]'s, to the last bit.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What is known: undecided, with the time until which the motion is proven free, as long as the search is not done.
    pub fn impact(&self) -> Impact {
        self.known
    }

    /// Asks in one go, with limited work.
    fn attempt(&mut self, query: &mut Query) {
        let [a, b] = &self.bodies;
        let (a, b) = (Moving::new(&a.0, &a.1), Moving::new(&b.0, &b.1));
        let most_work = match self.way {
            Way::Attempts(work) => work,
            Way::Meshes(_) | Way::InOneGo => self.options.most_work,
        };
        let looks = |query: &Query| query.motion.visits.volume_tests + query.motion.visits.face_tests;
        let before = looks(query);
        let found = query.first_contact(a, b, &MotionOptions { most_work, ..self.options });
        let cost = if matches!(self.way, Way::InOneGo) { CURVED } else { 1 + looks(query) - before };
        self.ledger.spend(cost);
        self.way = Way::Attempts(most_work.saturating_mul(MORE).min(self.options.most_work));
        self.known = match (self.known, found) {
            // With more work less may be proven only where an attempt ended elsewhere.
            (
                Impact::Undecided { initial: before, free_until: until },
                Impact::Undecided { initial, free_until },
            ) => Impact::Undecided { initial: initial.or(before), free_until: free_until.max(until) },
            (_, found) => found,
        };
        self.done = !matches!(found, Impact::Undecided { .. }) || most_work >= self.options.most_work;
    }
}

/// The more of the motion is open for the work spent so far, the more urgent. By what is open alone the hardest pairs, of which nothing
/// is proven for long, would get everything.
impl Task<Query> for ImpactSearch {
    fn work(&mut self, query: &mut Query, units: u64) -> Work {
        ImpactSearch::work(self, query, units)
    }

    fn urgency(&self) -> f64 {
        let spent = match &self.way {
            Way::Meshes(search) => search.spent(),
            Way::Attempts(_) | Way::InOneGo => self.ledger.spent(),
        };
        (1.0 - self.known.free_until()) / (1.0 + spent as f64)
    }
}
