//! Down two trees towards their nearest faces.

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_hierarchy::{Packed, PackedMap};
use kontakt_math::DVec3;

use super::agenda::{Agenda, Waiting};
use super::cross::Bounds;
use super::descent::{Bodies, corners};
use super::far;
use super::kernel::{self, Gaps};
use super::plan::{Nodes, Plan, Run};
use super::relative::Sight;
use super::shelf::Shelves;
use super::tray::{Slots, Tray};
use crate::face::{Close, closer, distance_range};
use crate::face_pair::FacePair;
use kontakt_answers::Limit;

/// The nearest faces found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Bounds of the distance of these two faces.
    pub(crate) lo: f64,
    /// Never less than the distance.
    pub(crate) hi: f64,
    /// In A's frame.
    pub(crate) point_a: DVec3,
    /// In A's frame.
    pub(crate) point_b: DVec3,
    /// Which faces.
    pub(crate) pair: FacePair,
}

/// What a search has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// **Never more** than the distance of the bodies, as long as they have no common point.
    pub(crate) lo: f64,
    /// The nearest faces below the limit given, if there are.
    pub(crate) nearest: Option<Nearest>,
    /// Nothing is left to look at.
    pub(crate) ended: bool,
}

/// Bounds within this factor of the best are as good as the best: 1 − 2⁻⁴³.
const GOOD_ENOUGH: f64 = 1.0 - 1.0 / 8_796_093_022_208.0;

/// 1 − 2⁻⁴².
const BELOW: f64 = 1.0 - 1.0 / 4_398_046_511_104.0;

/// What is known is noted after a step if the agenda has no more than so many entries for every step since it was noted last.
const NOTED: usize = 8;

/// How a distance in A's frame is compared with the bounds of boxes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    /// Bounds are squares in A's packed units.
    Squared { unit: f64 },
    /// Bounds are excesses over a base, in A's packed units.
    Excess { unit: f64, base: f64 },
}

impl Measure {
    /// What is not below this is not below `distance`.
    pub(super) fn limit(self, distance: f64) -> f32 {
        let limit = match self {
            Measure::Squared { unit } => (distance * unit).powi(2),
            Measure::Excess { unit, base } => distance * unit - base,
        };
        // Rounding up twice covers the roundings of the product and of the square or difference.
        if limit.is_nan() { f32::INFINITY } else { (limit as f32).next_up().next_up() }
    }

    /// **Never more** than the distance of boxes with a bound; infinity for infinity.
    ///
    /// The root or the sum and the quotient round by 2⁻⁵³ each; the factor covers that. It also keeps the result below what is made of
    /// faces that have the distance of their boxes, so that these have the last word (`GOOD_ENOUGH`).
    fn distance(self, bound: f32) -> f64 {
        if bound == f32::INFINITY {
            return f64::INFINITY;
        }
        let bound = f64::from(bound);
        let distance = match self {
            Measure::Squared { unit } => bound.max(0.0).sqrt() / unit,
            Measure::Excess { unit, base } => (bound + base) / unit,
        };
        // Where there is no unit nothing is known, nor where numbers are beyond the doubles.
        if distance.is_finite() { (distance * BELOW).max(0.0) } else { 0.0 }
    }
}

/// A search for the nearest faces: all that it knows, so that it can be left and taken up again.
///
/// The bodies and the shelves are given with every call: the bodies the same each time, the shelves are scratch memory.
#[derive(Clone, Debug)]
pub(crate) struct Nearing {
    agenda: Agenda,
    tray: Tray,
    best: Best,
    isa: Isa,
    relative: PackedMap,
    gaps: Gaps,
    measure: Measure,
    /// All pairs are about as far.
    remote: bool,
    /// Boxes not below this are not nearer than the best.
    limit: f32,
    /// The least bound of leaves whose triangles are in the tray.
    in_tray: f32,
    /// **Never more** than the distance; as it was known when it was last noted.
    floor: f64,
    /// Steps since then.
    unnoted: usize,
    ended: bool,
}

impl Nearing {
    /// The nearest faces of two bodies without a common point, if they are nearer than `below`; stops as soon as a pair is
    /// proven to be on the near side of `enough`, which is decided exactly. Below every limit is `below` itself.
    pub(crate) fn begin(&mut self, bodies: &Bodies, below: f64, enough: Option<Limit>, visits: &mut Visits) {
        let (walk, measure, remote) = Walk::of(bodies);
        (self.relative, self.gaps, self.measure) = (walk.relative, walk.gaps, measure);
        (self.remote, self.isa) = (remote, bodies.isa);
        self.best = Best { lo: below, limit: below, enough, near_enough: false, nearest: None };
        self.agenda.clear();
        self.tray.clear();
        self.limit = self.measure.limit(below);
        (self.in_tray, self.floor, self.unnoted, self.ended) = (f32::INFINITY, 0.0, 0, false);
        let walk = self.walk(bodies);
        walk.open((0, u32::MAX), (0, u32::MAX), self.limit, &mut self.agenda, visits);
        self.note();
    }

    /// Goes on, with the bodies of the beginning, until the nearest faces are known or as long as `may_go_on`, which is asked before
    /// every step: boxes opened or triangles of two leaves taken.
    pub(crate) fn go_on(
        &mut self,
        bodies: &Bodies,
        shelves: &mut Shelves,
        visits: &mut Visits,
        mut may_go_on: impl FnMut() -> bool,
    ) {
        let bodies = &Bodies { isa: self.isa, ..*bodies };
        let walk = self.walk(bodies);
        while !self.ended && may_go_on() {
            self.step(&walk, bodies, shelves, visits);
            self.unnoted += 1;
            // So rarely that looking through the agenda costs next to nothing beside the steps; a matter of the state alone, so
            // that what is known does not depend on where the search was interrupted.
            if NOTED * self.unnoted >= self.agenda.len() || self.ended {
                self.note();
            }
        }
    }

    /// What is known; final once the search has ended.
    pub(crate) fn outcome(&self) -> Outcome {
        Outcome { lo: self.floor, nearest: self.best.nearest, ended: self.ended }
    }

    /// Its memory for a walk of another kind; the search is over with that.
    pub(crate) fn lend(&mut self) -> &mut Agenda {
        self.ended = true;
        &mut self.agenda
    }

    fn walk<'a>(&self, bodies: &Bodies<'a>) -> Walk<'a> {
        Walk { a: bodies.a.tree(), b: bodies.b.tree(), relative: self.relative, gaps: self.gaps }
    }

    fn step(&mut self, walk: &Walk, bodies: &Bodies, shelves: &mut Shelves, visits: &mut Visits) {
        let Some(next) = self.agenda.next(self.limit) else {
            self.measure(bodies, visits);
            self.ended = true;
            return;
        };
        match walk.step(&next) {
            Step::Open(a, b) => walk.open(a, b, self.limit, &mut self.agenda, visits),
            Step::Leaves(x, y) => {
                self.in_tray = self.in_tray.min(next.bound);
                self.leaves(bodies, shelves, (x, y), next.bound, visits);
                if self.remote {
                    // All other pairs are as far, up to 2⁻⁵⁵.
                    self.measure(bodies, visits);
                    self.best.lo *= GOOD_ENOUGH;
                    self.ended = true;
                    return;
                }
                if !self.agenda.queueing() {
                    self.measure(bodies, visits);
                }
                if self.best.near_enough {
                    self.ended = true;
                    return;
                }
                self.limit = self.measure.limit(self.best.limit);
                if !self.agenda.queueing() {
                    self.agenda.line_up(self.limit);
                }
            }
            Step::Nothing => {}
        }
    }

    /// Notes what the front proves.
    ///
    /// Every pair of faces is in an entry of the agenda, in the tray, measured, or dropped as not below the best; so the distance is at
    /// least the least of the bounds of all these. What was noted before stays true: bounds of children may be worse than those of the
    /// boxes they are in.
    fn note(&mut self) {
        self.unnoted = 0;
        let all_seen = self.ended && !self.best.near_enough;
        let front = if all_seen { f32::INFINITY } else { self.agenda.least().min(self.in_tray) };
        let lo = self.best.lo.min(self.measure.distance(front));
        self.floor = self.floor.max(lo);
    }

    /// Takes all pairs of triangles of two leaves, whose boxes have a bound; measures when there are enough.
    fn leaves(
        &mut self,
        bodies: &Bodies,
        shelves: &mut Shelves,
        (x, y): (Run, Run),
        bound: f32,
        visits: &mut Visits,
    ) {
        visits.face_tests += u64::from(x.count * y.count);
        let &Bodies { between, a, b, .. } = bodies;
        let (octet_a, octet_b) = shelves.octets(between, (a, x), (b, y));
        let Some(close) = Close::new(octet_a, octet_b) else {
            for slots in x.with(y) {
                bodies.nearest_points(slots, &mut self.best, visits);
            }
            return;
        };
        for i in 0..octet_a.couples() {
            for j in 0..octet_b.couples() {
                self.tray.add(&close, (octet_a, i, x.first), (octet_b, j, y.first));
                if self.tray.is_full() {
                    bodies.measure(&mut self.tray, &mut self.best, visits);
                    self.in_tray = bound;
                }
            }
        }
    }

    /// Measures what was taken and not yet measured.
    fn measure(&mut self, bodies: &Bodies, visits: &mut Visits) {
        bodies.measure(&mut self.tray, &mut self.best, visits);
        self.in_tray = f32::INFINITY;
    }
}

impl Default for Nearing {
    /// A search that has ended without finding anything.
    fn default() -> Nearing {
        Nearing {
            agenda: Agenda::default(),
            tray: Tray::default(),
            best: Best { lo: 0.0, limit: 0.0, enough: None, near_enough: false, nearest: None },
            isa: Isa::Portable,
            relative: PackedMap::NONE,
            gaps: kernel::no_gaps,
            measure: Measure::Squared { unit: 0.0 },
            remote: false,
            limit: 0.0,
            in_tray: f32::INFINITY,
            floor: 0.0,
            unnoted: 0,
            ended: true,
        }
    }
}

impl Bodies<'_> {
    /// The distances of the pairs of a tray, as far as they may be below the best.
    fn measure(&self, tray: &mut Tray, best: &mut Best, visits: &mut Visits) {
        if tray.is_empty() {
            return;
        }
        tray.measure(self.isa);
        // The nearest by estimate first, so that few others remain below the limit.
        while let Some(slots) = tray.nearest(best.limit) {
            self.nearest_points(slots, best, visits);
        }
        tray.clear();
    }

    /// The distance of two triangles.
    fn nearest_points(&self, (slot_a, slot_b): Slots, best: &mut Best, visits: &mut Visits) {
        let mut own = Visits::default();
        let (p, q) = (corners(self.a, slot_a), corners(self.b, slot_b));
        let (range, found) = distance_range(self.between, p, q, &mut own);
        visits.exact_tests += own.exact_tests;
        let (mut lo, mut hi) = (range.lo(), range.hi());
        let pair = self.pair((slot_a, slot_b));
        let mut decided = false;
        if let Some(limit) = best.enough {
            let length = limit.length();
            let exactly = || {
                visits.exact_tests += 1;
                length.is_finite().then(|| closer(self.between, p, q, limit))
            };
            match limit.holds(range).or_else(exactly) {
                Some(true) => (hi, decided) = (hi.min(length), true),
                Some(false) => (lo, hi) = (lo.max(length), hi.max(length)),
                None => {}
            }
        }
        best.take(Nearest { lo, hi, point_a: found.point_a, point_b: found.point_b, pair }, decided);
    }
}

#[derive(Clone, Copy, Debug)]
struct Best {
    lo: f64,
    limit: f64,
    /// What is on the near side of this needs no search for anything nearer.
    enough: Option<Limit>,
    near_enough: bool,
    nearest: Option<Nearest>,
}

impl Best {
    /// `decided`: the pair is on the near side of `enough`. Without such a limit the nearer pair is the better one; with one, a
    /// pair on its far side is of no interest, but bounds the distance from below.
    fn take(&mut self, found: Nearest, decided: bool) {
        self.lo = self.lo.min(found.lo);
        if decided {
            (self.limit, self.near_enough, self.nearest) = (0.0, true, Some(found));
        } else if self.enough.is_none()
            && found.hi < self.limit
            && self.nearest.is_none_or(|best| found.hi < best.hi)
        {
            self.limit = found.hi * GOOD_ENOUGH;
            self.lo = self.lo.min(self.limit);
            self.nearest = Some(found);
        }
    }
}

pub(super) enum Step {
    Open((u32, u32), (u32, u32)),
    Leaves(Run, Run),
    /// An empty lane: bounds are only given for used ones.
    Nothing,
}

pub(super) struct Walk<'a> {
    a: &'a Packed,
    b: &'a Packed,
    relative: PackedMap,
    gaps: Gaps,
}

impl<'a> Walk<'a> {
    /// How two bodies are walked and how distances compare with the bounds of boxes; whether all their points are equally far apart.
    pub(super) fn of(bodies: &Bodies<'a>) -> (Walk<'a>, Measure, bool) {
        let Bodies { isa, between, a, b } = *bodies;
        let unit = 2.0_f64.powi(-a.tree().exponent());
        let mut remote = false;
        let (relative, gaps, measure) = match Sight::of(between, a, b) {
            Sight::Near(relative) => (relative, kernel::gaps(isa), Measure::Squared { unit }),
            Sight::Far(relative) if far::is_remote(&relative) => {
                remote = true;
                (relative, kernel::no_gaps as Gaps, Measure::Squared { unit: 0.0 })
            }
            Sight::Far(relative) => {
                let (_, base) = far::base(&relative);
                (relative, far::excesses as Gaps, Measure::Excess { unit, base })
            }
            Sight::Blind => (PackedMap::NONE, kernel::no_gaps as Gaps, Measure::Squared { unit: 0.0 }),
        };
        (Walk { a: a.tree(), b: b.tree(), relative, gaps }, measure, remote)
    }

    /// **Never more** than the distance of two remote bodies.
    pub(super) fn remote_distance(&self) -> f64 {
        far::base(&self.relative).1 * 2.0_f64.powi(self.a.exponent()) * (1.0 - 1e-9)
    }

    /// What boxes lead to.
    pub(super) fn step(&self, next: &Waiting) -> Step {
        let &Waiting { a, b, rows, columns, .. } = next;
        let nodes = Nodes::new((self.a, self.b), self.relative.scale as f32, a, b);
        // All boxes of an entry ask for the same.
        match nodes.plan(rows.trailing_zeros(), columns.trailing_zeros()) {
            Plan::Both(x, y) => Step::Open((x, u32::MAX), (y, u32::MAX)),
            Plan::OnlyA(x) => Step::Open((x, u32::MAX), (b, u32::from(columns))),
            Plan::OnlyB(y) => Step::Open((a, u32::from(rows)), (y, u32::MAX)),
            Plan::Leaves(x, y) => Step::Leaves(x, y),
            Plan::Nothing => Step::Nothing,
        }
    }

    /// Puts the pairs of children below the limit on the agenda.
    pub(super) fn open(
        &self,
        (a, rows): (u32, u32),
        (b, columns): (u32, u32),
        limit: f32,
        agenda: &mut Agenda,
        visits: &mut Visits,
    ) {
        let nodes = Nodes::new((self.a, self.b), self.relative.scale as f32, a, b);
        let mut bounds = Bounds::ZERO;
        let (pairs, tests) = (self.gaps)(&self.relative, nodes.a, nodes.b, rows, columns, limit, &mut bounds);
        visits.volume_tests += u64::from(tests);
        agenda.add(a, b, &nodes, pairs, &bounds);
    }
}
