//! Two meshes on their way: when their faces first meet, in one go or bit by bit.

use crate::asker::{Chase, MotionQuery};
use crate::budget::Budget;
use crate::convoy::{Convoy, Progress};
use crate::initial;
use crate::leave::Leaving;
use crate::leg::Leg;
use crate::legs::{self, Before, Bodies, Entered, Passage, Reached, Start, leg};
use crate::moving::{MotionOptions, MovingMesh};
use crate::order;
use crate::report;
use crate::search::Met;
use kontakt_answers::{Impact, Initial, Visits};
use kontakt_math::{Between, Motion};
use kontakt_mesh::{ContactSearch, Meets, Mesh, PlacedMesh};
use kontakt_schedule::{Ledger, Work};

/// As many pairs of boxes, or of triangles, count as a unit of work where queries at rest are asked in one go.
const AT_REST: [u64; 2] = [64, 8];

impl MotionQuery {
    /// When the two bodies' faces first meet. A start in overlap (or one inside the other) is reported as contact at 0. The order
    /// of the bodies does not matter, to the last bit.
    pub fn impact(&mut self, a: MovingMesh, b: MovingMesh, options: &MotionOptions) -> Impact {
        if order::other_order_of_meshes([&a, &b]) {
            return self.impact(b, a, options).swapped();
        }
        let mut chase = std::mem::take(&mut self.chase);
        let mut meshes = Meshes::new(self, &mut chase, [a, b], options.sound_tolerance());
        let impact = legs::impact(&mut meshes, [a.motion, b.motion], options);
        self.chase = chase;
        impact
    }

    /// **Never more** than the distance of two meshes at rest, as a plane between all their corners tells; 0 where none is found, or there
    /// are too many corners to look for one. With such a plane neither is inside the other.
    pub fn gap_by_plane(&mut self, a: PlacedMesh, b: PlacedMesh) -> f64 {
        let motions = [a.pose, b.pose].map(Motion::Rest);
        let [x, y] =
            [(a, &motions[0]), (b, &motions[1])].map(|(body, motion)| MovingMesh { mesh: body.mesh, motion });
        let leg = leg(x, y, [0.0, 1.0]);
        let convoy = Convoy::new(&leg, [a.mesh, b.mesh], 1.0, &mut self.convoy);
        convoy.map_or(0.0, |convoy| convoy.gap_at_start(&mut self.convoy))
    }
}

/// When two moving meshes first meet, searched for bit by bit: what is said to be free at any moment is proven, and never becomes less.
///
/// A unit of work is a pair of nodes or a look at a pair of triangles, some 0.5 µs. One thing is not divided and counts as the units
/// it amounts to when it is done: where faces touch at the beginning, the query at rest that tells whether bodies overlap. What is known
/// after so many units is the same to the last bit however they were portioned out, and in the end it is what [`MotionQuery::impact`] says.
#[derive(Clone, Debug)]
pub struct ImpactSearch {
    /// The bodies are taken in the other order.
    swapped: bool,
    /// Of the trees of the bodies: that others are not taken for them.
    sizes: [[usize; 2]; 2],
    tolerance: f64,
    passage: Passage,
    chase: Chase,
    ledger: Ledger,
    ended: bool,
}

impl ImpactSearch {
    /// Nothing is known yet.
    pub fn new(a: MovingMesh, b: MovingMesh, options: &MotionOptions) -> ImpactSearch {
        ImpactSearch::in_memory(a, b, options, Vec::new())
    }

    fn in_memory(a: MovingMesh, b: MovingMesh, options: &MotionOptions, times: Vec<f64>) -> ImpactSearch {
        let swapped = order::other_order_of_meshes([&a, &b]);
        let [a, b] = if swapped { [b, a] } else { [a, b] };
        ImpactSearch {
            swapped,
            sizes: [a.mesh, b.mesh].map(sizes),
            tolerance: options.sound_tolerance(),
            passage: Passage::in_memory([a.motion, b.motion], options, times),
            chase: Chase::default(),
            ledger: Ledger::default(),
            ended: false,
        }
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: MovingMesh, b: MovingMesh, options: &MotionOptions) {
        let mut chase = std::mem::take(&mut self.chase);
        (chase.trail, chase.expected, chase.progress) = (None, None, Progress::Nothing);
        chase.front.restart(0.0, options.sound_tolerance(), None);
        let times = self.passage.take_times();
        *self = ImpactSearch { chase, ..ImpactSearch::in_memory(a, b, options, times) };
    }

    /// Before any work: the bodies are known to be apart, neither inside the other, at all times up to this one, which need not be
    /// looked at again.
    pub fn skip_to(&mut self, apart_until: f64) {
        self.passage.skip_to(apart_until);
    }

    /// Goes on for so many units of work, with the same two bodies on the same motions as at the beginning. Bodies of other sizes end the
    /// search where it is.
    pub fn work(&mut self, query: &mut MotionQuery, bodies: [MovingMesh; 2], units: u64) -> Work {
        let [a, b] = bodies;
        let bodies = if self.swapped { [b, a] } else { [a, b] };
        self.ended |= bodies.map(|body| sizes(body.mesh)) != self.sizes;
        self.ledger.grant(units);
        if !self.is_done() {
            let mut meshes = Meshes::new(query, &mut self.chase, bodies, self.tolerance);
            self.passage.go_on(&mut meshes, &mut self.ledger);
        }
        self.ledger.settle(units, self.is_done())
    }

    /// Whether the answer is final.
    pub fn is_done(&self) -> bool {
        self.ended || self.passage.is_done()
    }

    /// What is known: undecided, with the time until which the motion is proven free, as long as the search is not done.
    pub fn impact(&self) -> Impact {
        let impact = self.passage.impact();
        if self.swapped { impact.swapped() } else { impact }
    }

    /// Before any work: the triangles in these slots of both bodies' trees may well meet, as they did in a motion like this one. If they do
    /// nothing later is looked at. What is certified does not depend on it; which of several contacts within the tolerance is told may.
    pub fn expect(&mut self, [a, b]: [u32; 2]) {
        self.chase.expected = Some(if self.swapped { [b, a] } else { [a, b] });
    }

    /// The slots of the triangles that are proven to meet, once they are found.
    pub fn met(&self) -> Option<[u32; 2]> {
        let [a, b] = match self.chase.progress {
            Progress::Contact { slots, .. } => slots,
            _ => self.chase.front.met()?,
        };
        Some(if self.swapped { [b, a] } else { [a, b] })
    }

    /// **Never more** than the distance where a motion that is proven free ends; 0 where that is not known.
    pub fn gap_at_end(&self) -> f64 {
        match (self.passage.impact(), self.chase.progress) {
            (Impact::Free { .. }, Progress::Free { gap }) => gap,
            _ => 0.0,
        }
    }

    /// Units of work spent so far.
    pub fn spent(&self) -> u64 {
        self.ledger.spent()
    }
}

/// Of a mesh's tree.
fn sizes(mesh: &Mesh) -> [usize; 2] {
    [mesh.tree().nodes().len(), mesh.tree().order().len()]
}

/// Two meshes on their way.
struct Meshes<'q, 'a> {
    asker: &'q mut MotionQuery,
    chase: &'q mut Chase,
    bodies: [MovingMesh<'a>; 2],
    tolerance: f64,
    /// The leg they are on, made when it is needed.
    leg: Option<Leg<'a>>,
}

impl<'q, 'a> Meshes<'q, 'a> {
    fn new(
        asker: &'q mut MotionQuery,
        chase: &'q mut Chase,
        bodies: [MovingMesh<'a>; 2],
        tolerance: f64,
    ) -> Meshes<'q, 'a> {
        Meshes { asker, chase, bodies, tolerance, leg: None }
    }

    /// What planes alone tell of the leg, or from which time on to search.
    fn by_planes(&self, leg: &Leg) -> Planes {
        match self.chase.progress {
            Progress::Nothing => Planes::Until(leg.start),
            Progress::Until(t) => Planes::Until(t),
            Progress::Free { .. } => Planes::All(Reached::End),
            Progress::Contact { lo, hi, slots, plane } => {
                let (met, meshes) = (Met { lo, hi, slots }, self.bodies.map(|body| body.mesh));
                let contact = match plane {
                    Some(plane) => report::at_plane(leg, meshes, &met, &plane),
                    None => report::contact(leg, meshes, &met),
                };
                Planes::All(Reached::Contact { lo, hi, contact: Some(contact) })
            }
        }
    }
}

/// How much of a leg planes between all corners explain.
enum Planes {
    All(Reached),
    Until(f64),
}

impl Bodies for Meshes<'_, '_> {
    fn enter(&mut self, span: [f64; 2], budget: &mut Budget, ledger: &mut Ledger) -> Entered {
        let [a, b] = self.bodies;
        let leg = self.leg.insert(leg(a, b, span));
        let MotionQuery { convoy: desk, visits, .. } = &mut *self.asker;
        let trail = self.chase.trail.get_or_insert_default();
        let convoy = Convoy::new(leg, [a.mesh, b.mesh], self.tolerance, desk);
        let progress = match convoy {
            Some(convoy) => convoy.follow(desk, trail, visits, (budget, ledger)),
            None => Some(Progress::Nothing),
        };
        let Some(progress) = progress else { return Entered::Paused(trail.apart_until()) };
        self.chase.trail = None;
        (self.chase.span, self.chase.progress, self.chase.searching) = (span, progress, false);
        if let Some(search) = &mut self.chase.at_start
            && span[0] == 0.0
        {
            let [a, b] = initial::placed([a, b]);
            search.restart(a, b);
        }
        match progress {
            Progress::Nothing => Entered::Unknown,
            Progress::Until(t) => Entered::Apart(t),
            Progress::Contact { .. } | Progress::Free { .. } => Entered::Settled,
        }
    }

    fn start(&mut self, budget: &Budget, ledger: &mut Ledger) -> Start {
        let placed = initial::placed(self.bodies);
        let search = self.chase.at_start.get_or_insert_with(|| ContactSearch::new(placed[0], placed[1]));
        search.work_from(&mut self.asker.at_rest, placed.map(|body| body.mesh), ledger);
        let meets = match search.contact() {
            Meets::Open if ledger.is_spent() => return Start::Paused,
            Meets::Open => return Start::Unknown,
            Meets::At(pair) => {
                if self.asker.at_rest.faces_cross(placed[0], placed[1], pair) {
                    return Start::Known(Initial::Overlapping);
                }
                true
            }
            Meets::No => false,
        };
        let before = self.asker.at_rest.visits;
        // The one thing that is not divided ends at the deadline.
        let usual = std::mem::replace(&mut self.asker.at_rest.deadline, budget.deadline());
        let state = initial::state_of(&mut self.asker.at_rest, placed, meets);
        self.asker.at_rest.deadline = usual;
        ledger.spend(units_since(&before, &self.asker.at_rest.visits));
        state.map_or(Start::Unknown, Start::Known)
    }

    fn first_contact(&mut self, before: Before, budget: &mut Budget, ledger: &mut Ledger) -> Reached {
        let [a, b] = self.bodies;
        let meshes = [a.mesh, b.mesh];
        let leg = self.leg.take().unwrap_or_else(|| leg(a, b, self.chase.span));
        if !self.chase.searching {
            let from = match self.by_planes(&leg) {
                Planes::Until(from) => from.max(before.free_until),
                Planes::All(reached) => return reached,
            };
            let visits = self.asker.at_rest.visits;
            let leaving = before.touching.then(|| leaving(&mut self.asker.at_rest, a, b));
            ledger.spend(units_since(&visits, &self.asker.at_rest.visits));
            self.chase.front.restart(from, self.tolerance, leaving);
            self.chase.front.expect(self.chase.expected.take());
            self.chase.searching = true;
        }
        let front = &mut self.chase.front;
        let found = self.asker.search_on(&leg, meshes, front, budget, ledger).go_on();
        let Some(found) = found else {
            return Reached::Paused(self.chase.front.free_until().min(leg.end));
        };
        match found.contact {
            _ if found.open => Reached::Open(found.free_until),
            None => Reached::End,
            Some(met) => {
                let lo = found.free_until.min(met.hi);
                let contact = Some(report::contact(&leg, meshes, &met));
                Reached::Contact { lo, hi: met.hi, contact }
            }
        }
    }
}

/// What a query at rest amounted to.
fn units_since(before: &Visits, now: &Visits) -> u64 {
    let [boxes, faces] = AT_REST;
    (now.volume_tests - before.volume_tests) / boxes + (now.face_tests - before.face_tests) / faces
}

/// What is known of bodies that touch at the beginning.
fn leaving(asker: &mut kontakt_mesh::MeshQuery, a: MovingMesh, b: MovingMesh) -> Leaving {
    let placed = initial::placed([a, b]);
    let pairs = asker.all_pairs(placed[0], placed[1]);
    let corners = |body: MovingMesh, face: u32| body.mesh.faces().triangle_points(face as usize);
    let touching = pairs.iter().map(|pair| [corners(a, pair.a), corners(b, pair.b)]);
    Leaving::new(Between::new(placed[0].pose, placed[1].pose), touching)
}
