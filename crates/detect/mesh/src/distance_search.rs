//! The distance of two bodies, searched for in one go or bit by bit.

use kontakt_schedule::{Ledger, Work};

use crate::asker::{MeshQuery, in_other_order};
use crate::contact_search::{ContactSearch, Meets, paying};
use crate::distance::{Distance, Glance};
use crate::face::Between;
use crate::mesh::{Mesh, PlacedMesh};
use crate::walk::descent::Bodies;
use crate::walk::nearing::{Nearing, Outcome};
use kontakt_answers::Limit;

/// Units between two readings of the clock.
const UNITS: u64 = 64;

impl MeshQuery {
    /// The distance of the two bodies' faces (a body inside another without touching it is *apart*). Once the asker's deadline has
    /// passed or its work is used up, what is known by then: a range from 0 says that it is not even known whether they have a
    /// common point.
    pub fn distance(&mut self, a: PlacedMesh, b: PlacedMesh) -> Distance {
        if self.max_work < u64::MAX {
            return self.distance_within_work(a, b);
        }
        if in_other_order(a, b) {
            return self.distance_of(b, a).swapped();
        }
        self.distance_of(a, b)
    }

    fn distance_within_work(&mut self, a: PlacedMesh, b: PlacedMesh) -> Distance {
        let mut search = DistanceSearch::new(a, b);
        let mut left = self.max_work;
        while left > 0 && !search.is_done() && !self.deadline.has_passed() {
            left -= search.work(self, [a.mesh, b.mesh], left.min(UNITS)).units;
        }
        search.distance()
    }

    fn distance_of(&mut self, a: PlacedMesh, b: PlacedMesh) -> Distance {
        let between = Between::new(a.pose, b.pose);
        match self.contact_until(a, b, self.deadline) {
            Ok(Some(pair)) => Distance::contact(&between, a, b, pair),
            Ok(None) => {
                let outcome = self.nearest_faces(&between, a, b, f64::INFINITY, None);
                Distance::apart(a, &outcome, Glance::new(&between, a, b))
            }
            Err(_) => Distance::open(a, Glance::new(&between, a, b)),
        }
    }

    /// The nearest faces of two bodies without a common point, as far as they are known by the deadline; see [`Nearing`].
    pub(crate) fn nearest_faces(
        &mut self,
        between: &Between,
        a: PlacedMesh,
        b: PlacedMesh,
        below: f64,
        enough: Option<Limit>,
    ) -> Outcome {
        let MeshQuery { isa, visits, nearing, desk, deadline, .. } = self;
        let bodies = Bodies { isa: *isa, between, a: a.mesh, b: b.mesh };
        desk.clear();
        nearing.begin(&bodies, below, enough, visits);
        let mut pacer = deadline.pacer();
        nearing.go_on(&bodies, &mut desk.shelves, visits, || pacer.tick().is_ok());
        nearing.outcome()
    }
}

/// The distance of two bodies' faces, searched for bit by bit: certified bounds at any moment, that only ever get narrower.
///
/// A unit of work is a pair of nodes opened or the triangles of two leaves compared, some 0.3 µs. What is known after so many units
/// is the same to the last bit however they were portioned out, and in the end it is what [`MeshQuery::distance`] says.
#[derive(Clone, Debug)]
pub struct DistanceSearch {
    contact: ContactSearch,
    stage: Stage,
    ledger: Ledger,
    nearing: Nearing,
    glance: Option<Glance>,
    /// In the order of the search.
    known: Distance,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing has been looked at.
    New,
    /// On the way down to a pair of faces in contact.
    Contact,
    /// The faces have no common point; the nearest are looked for.
    Nearest,
    Done,
}

impl DistanceSearch {
    /// Nothing is known yet.
    pub fn new(a: PlacedMesh, b: PlacedMesh) -> DistanceSearch {
        DistanceSearch {
            contact: ContactSearch::new(a, b),
            stage: Stage::New,
            ledger: Ledger::default(),
            nearing: Nearing::default(),
            glance: None,
            known: Distance::unknown(false),
        }
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: PlacedMesh, b: PlacedMesh) {
        self.contact.restart(a, b);
        (self.stage, self.ledger) = (Stage::New, Ledger::default());
        (self.glance, self.known) = (None, Distance::unknown(false));
    }

    /// Goes on for so many units of work, with the same two meshes as at the beginning. Other meshes end the search where it is.
    pub fn work(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], units: u64) -> Work {
        let mut ledger = self.ledger;
        ledger.grant(units);
        while !self.is_done() && !ledger.is_spent() {
            self.work_from(query, meshes, &mut ledger);
        }
        let work = ledger.settle(units, self.is_done());
        self.ledger = ledger;
        work
    }

    /// The same as long as there is something in a ledger that is shared with other work, or until it is known whether
    /// [faces are apart](DistanceSearch::faces_apart).
    pub fn work_from(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], ledger: &mut Ledger) {
        match self.contact.in_order(meshes) {
            Some(meshes) => self.go_on(query, meshes, ledger),
            None => self.stage = Stage::Done,
        }
    }

    /// Whether the answer is final.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Whether the faces have no common point; `None` as long as that is not known.
    pub fn faces_apart(&self) -> Option<bool> {
        match self.contact.found {
            Meets::Open => None,
            found => Some(found == Meets::No),
        }
    }

    /// What is known. The lower end of the range never falls, the upper end never rises.
    pub fn distance(&self) -> Distance {
        if self.contact.swapped { self.known.swapped() } else { self.known }
    }

    /// Units of work spent so far.
    pub fn spent(&self) -> u64 {
        self.ledger.spent()
    }

    fn go_on(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], ledger: &mut Ledger) {
        match self.stage {
            Stage::New if !ledger.is_spent() => {
                let [a, b] = self.contact.placed(meshes);
                self.glance = Glance::new(&self.contact.between, a, b);
                self.known = Distance::open(a, self.glance);
                self.stage = Stage::Contact;
                self.look_for_contact(query, meshes, ledger);
            }
            Stage::Contact => self.look_for_contact(query, meshes, ledger),
            Stage::Nearest => self.look_for_nearest(query, meshes, ledger),
            Stage::New | Stage::Done => {}
        }
    }

    fn look_for_contact(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], ledger: &mut Ledger) {
        self.contact.go_on(query, meshes, ledger);
        let [a, b] = self.contact.placed(meshes);
        match self.contact.found {
            Meets::Open => {}
            Meets::At(pair) => {
                self.known = Distance::contact(&self.contact.between, a, b, pair);
                self.stage = Stage::Done;
            }
            Meets::No => {
                let bodies = self.contact.bodies(query, meshes);
                self.nearing.begin(&bodies, f64::INFINITY, None, &mut query.visits);
                self.known = Distance::apart(a, &self.nearing.outcome(), self.glance);
                self.stage = Stage::Nearest;
            }
        }
    }

    fn look_for_nearest(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], ledger: &mut Ledger) {
        let bodies = self.contact.bodies(query, meshes);
        let MeshQuery { visits, desk, .. } = query;
        desk.clear();
        self.nearing.go_on(&bodies, &mut desk.shelves, visits, paying(ledger));
        let outcome = self.nearing.outcome();
        self.known = Distance::apart(self.contact.placed(meshes)[0], &outcome, self.glance);
        if outcome.ended {
            self.stage = Stage::Done;
        }
    }
}
