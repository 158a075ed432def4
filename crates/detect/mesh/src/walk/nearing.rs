//! Down two trees towards their nearest faces.

use kontakt_answers::Visits;
use kontakt_hierarchy::{Packed, PackedMap};
use kontakt_math::DVec3;
use kontakt_schedule::Deadline;

use super::agenda::{Agenda, Waiting};
use super::cross::Bounds;
use super::descent::{Bodies, corners};
use super::far;
use super::kernel::{self, Gaps};
use super::plan::{Nodes, Plan, Run};
use super::relative::Sight;
use super::shelf::Desk;
use super::tray::{Slots, Tray};
use crate::clearance::Limit;
use crate::face::{Close, closer, distance_range};
use crate::pairs::FacePair;

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

/// What a search ended with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// **Never more** than the distance of the bodies, as long as they have no common point.
    pub(crate) lo: f64,
    /// The nearest faces below the limit given, if there are.
    pub(crate) nearest: Option<Nearest>,
}

/// Bounds within this factor of the best are as good as the best: 1 − 2⁻⁴³.
const GOOD_ENOUGH: f64 = 1.0 - 1.0 / 8_796_093_022_208.0;

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
}

/// The state of a search.
pub(crate) struct Nearing<'a> {
    pub(crate) bodies: Bodies<'a>,
    pub(crate) agenda: &'a mut Agenda,
    pub(crate) desk: &'a mut Desk,
    pub(crate) visits: &'a mut Visits,
    pub(crate) deadline: Deadline,
}

impl Nearing<'_> {
    /// The nearest faces of two bodies without a common point, if they are nearer than `below`; stops as soon as a pair is
    /// proven to be on the near side of `enough`, which is decided exactly. Below every limit is `below` itself. Once the deadline
    /// has passed, the nearest faces so far.
    pub(crate) fn search(&mut self, below: f64, enough: Option<Limit>) -> Outcome {
        self.desk.clear();
        let (walk, measure, remote) = Walk::of(&self.bodies);
        let mut best = Best { lo: below, limit: below, enough, near_enough: false, nearest: None };
        self.agenda.clear();
        let mut limit = measure.limit(below);
        walk.open((0, u32::MAX), (0, u32::MAX), limit, self.agenda, self.visits);
        let mut pacer = self.deadline.pacer();
        loop {
            if pacer.tick().is_err() {
                // Faces not yet looked at may be at any distance.
                self.measure(&mut best);
                best.lo = 0.0;
                break;
            }
            let Some(next) = self.agenda.next(limit) else {
                self.measure(&mut best);
                break;
            };
            match walk.step(&next) {
                Step::Open(a, b) => walk.open(a, b, limit, self.agenda, self.visits),
                Step::Leaves(x, y) => {
                    self.leaves(x, y, &mut best);
                    if remote {
                        // All other pairs are as far, up to 2⁻⁵⁵.
                        self.measure(&mut best);
                        best.lo *= GOOD_ENOUGH;
                        break;
                    }
                    if !self.agenda.queueing() {
                        self.measure(&mut best);
                    }
                    if best.near_enough {
                        break;
                    }
                    limit = measure.limit(best.limit);
                    if !self.agenda.queueing() {
                        self.agenda.line_up(limit);
                    }
                }
                Step::Nothing => {}
            }
        }
        Outcome { lo: best.lo, nearest: best.nearest }
    }

    /// Takes all pairs of triangles of two leaves; measures when there are enough.
    fn leaves(&mut self, x: Run, y: Run, best: &mut Best) {
        self.visits.face_tests += u64::from(x.count * y.count);
        let Bodies { between, a, b, .. } = self.bodies;
        let Desk { shelves, tray, .. } = &mut *self.desk;
        let (octet_a, octet_b) = shelves.octets(between, (a, x), (b, y));
        let Some(close) = Close::new(octet_a, octet_b) else {
            for slots in x.with(y) {
                self.bodies.nearest_points(slots, best, self.visits);
            }
            return;
        };
        for i in 0..octet_a.couples() {
            for j in 0..octet_b.couples() {
                tray.add(&close, (octet_a, i, x.first), (octet_b, j, y.first));
                if tray.is_full() {
                    self.bodies.measure(tray, best, self.visits);
                }
            }
        }
    }

    /// Measures what was taken and not yet measured.
    fn measure(&mut self, best: &mut Best) {
        self.bodies.measure(&mut self.desk.tray, best, self.visits);
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
