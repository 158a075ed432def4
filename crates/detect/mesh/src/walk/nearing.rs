//! Down two trees towards their nearest faces.

use std::collections::BinaryHeap;

use kontakt_answers::Visits;
use kontakt_hierarchy::Packed;
use kontakt_hierarchy::packed::Child;
use kontakt_math::DVec3;

use super::cross::Bounds;
use super::descent::{Bodies, Run, SKEW, corners, size};
use super::far;
use super::kernel::{self, Gaps};
use super::relative::{Relative, Sight};
use super::shelf::Desk;
use super::tray::{Slots, Tray};
use crate::face::{Close, distance_range};
use crate::pairs::FacePair;

/// A pair of children to be looked at, with a lower bound of their distance, packed into one number that orders pairs: the
/// nearest is the greatest, since `BinaryHeap` gives the greatest first, and of equals always the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting(u128);

impl Waiting {
    /// `lanes` is 8·lane of A + lane of B.
    #[inline]
    fn new(bound: f32, a: u32, b: u32, lanes: u32) -> Waiting {
        // Bits of floats in the order of the numbers: those of negative ones are in reverse, below the others.
        let bits = bound.to_bits();
        let rank = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        Waiting(!(u128::from(rank) << 96 | u128::from(a) << 64 | u128::from(b) << 32 | u128::from(lanes)))
    }

    #[inline]
    fn bound(self) -> f32 {
        let rank = (!self.0 >> 96) as u32;
        f32::from_bits(if rank >> 31 == 1 { rank & !(1 << 31) } else { !rank })
    }

    /// Node of A, node of B, lane of A, lane of B.
    #[inline]
    fn place(self) -> (u32, u32, u32, u32) {
        let (a, b, lanes) = ((!self.0 >> 64) as u32, (!self.0 >> 32) as u32, !self.0 as u32);
        (a, b, lanes >> 3, lanes & 7)
    }
}

/// Most pairs in the queue; what does not fit is looked at depth first. 16 bytes each.
const LONGEST_QUEUE: usize = 1 << 14;

/// Pairs of children to be looked at: a stack until the first faces are reached, so that there soon is a limit, then a queue
/// by bound, so that no pair of leaves is looked at whose bound is above the distance found in the end. The queue's length is
/// limited; beyond that the stack serves, which never holds more than 64 pairs a level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    stack: Vec<Waiting>,
    queue: BinaryHeap<Waiting>,
    queueing: bool,
}

impl Agenda {
    fn clear(&mut self) {
        self.stack.clear();
        self.queue.clear();
        self.queueing = false;
    }

    /// From the stack to the queue.
    fn line_up(&mut self) {
        self.queueing = true;
        self.queue.extend(self.stack.drain(..));
    }

    /// The next pair below the limit.
    fn next(&mut self, limit: f32) -> Option<Waiting> {
        while let Some(next) = self.stack.pop() {
            if next.bound() < limit {
                return Some(next);
            }
        }
        self.queue.pop().filter(|next| next.bound() < limit)
    }

    /// Adds the pairs of children of two nodes.
    fn add(&mut self, a: u32, b: u32, mut pairs: u64, bounds: &Bounds) {
        let room = self.queueing && self.queue.len() + 64 <= LONGEST_QUEUE;
        let from = self.stack.len();
        while pairs != 0 {
            let bit = pairs.trailing_zeros();
            pairs &= pairs - 1;
            let waiting = Waiting::new(bounds.of(bit), a, b, bit);
            if room {
                self.queue.push(waiting);
            } else {
                self.stack.push(waiting);
            }
        }
        // The nearest on top.
        self.stack[from..].sort_unstable();
    }
}

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
enum Measure {
    /// Bounds are squares in A's packed units.
    Squared { unit: f64 },
    /// Bounds are excesses over a base, in A's packed units.
    Excess { unit: f64, base: f64 },
}

impl Measure {
    /// What is not below this is not below `distance`.
    fn limit(self, distance: f64) -> f32 {
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
}

impl Nearing<'_> {
    /// The nearest faces of two bodies without a common point, if they are nearer than `below`; stops as soon as a pair is
    /// proven to be nearer than `enough`.
    pub(crate) fn search(&mut self, below: f64, enough: f64) -> Outcome {
        self.desk.clear();
        let Bodies { isa, between, a, b } = self.bodies;
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
            Sight::Blind => (Relative::NONE, kernel::no_gaps as Gaps, Measure::Squared { unit: 0.0 }),
        };
        let walk = Walk { a: a.tree(), b: b.tree(), relative, gaps };
        let mut best = Best { lo: below, limit: below, nearest: None };
        self.agenda.clear();
        let mut limit = measure.limit(below);
        walk.open((0, u32::MAX), (0, u32::MAX), limit, self.agenda, self.visits);
        loop {
            let Some(next) = self.agenda.next(limit) else {
                self.measure(&mut best);
                break;
            };
            match walk.step(next) {
                Step::Open(a, b) => walk.open(a, b, limit, self.agenda, self.visits),
                Step::Leaves(x, y) => {
                    self.leaves(x, y, &mut best);
                    if remote {
                        // All other pairs are as far, up to 2⁻⁵⁵.
                        self.measure(&mut best);
                        best.lo *= GOOD_ENOUGH;
                        break;
                    }
                    if !self.agenda.queueing {
                        self.measure(&mut best);
                    }
                    if best.limit < enough {
                        break;
                    }
                    limit = measure.limit(best.limit);
                    if !self.agenda.queueing {
                        self.agenda.line_up();
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
        let Desk { shelves, tray } = &mut *self.desk;
        let (octet_a, octet_b) = shelves.octets(between, (a, x), (b, y));
        let Some(close) = Close::new(octet_a, octet_b) else {
            for slots in x.with(y) {
                best.take(self.bodies.nearest_points(slots, self.visits));
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
            best.take(self.nearest_points(slots, visits));
        }
        tray.clear();
    }

    /// The distance of two triangles.
    fn nearest_points(&self, (slot_a, slot_b): Slots, visits: &mut Visits) -> Nearest {
        let mut own = Visits::default();
        let (p, q) = (corners(self.a, slot_a), corners(self.b, slot_b));
        let (range, found) = distance_range(self.between, p, q, &mut own);
        visits.exact_tests += own.exact_tests;
        let (lo, hi) = (range.lo(), range.hi());
        let pair = self.pair((slot_a, slot_b));
        Nearest { lo, hi, point_a: found.point_a, point_b: found.point_b, pair }
    }
}

struct Best {
    lo: f64,
    limit: f64,
    nearest: Option<Nearest>,
}

impl Best {
    fn take(&mut self, found: Nearest) {
        self.lo = self.lo.min(found.lo);
        if found.hi < self.limit && self.nearest.is_none_or(|best| found.hi < best.hi) {
            self.limit = found.hi * GOOD_ENOUGH;
            self.lo = self.lo.min(self.limit);
            self.nearest = Some(found);
        }
    }
}

enum Step {
    Open((u32, u32), (u32, u32)),
    Leaves(Run, Run),
    /// An empty lane: bounds are only given for used ones.
    Nothing,
}

struct Walk<'a> {
    a: &'a Packed,
    b: &'a Packed,
    relative: Relative,
    gaps: Gaps,
}

impl Walk<'_> {
    /// What a pair of children leads to.
    fn step(&self, next: Waiting) -> Step {
        let (a, b, i, j) = next.place();
        let (in_a, in_b) = (&self.a.nodes()[a as usize], &self.b.nodes()[b as usize]);
        match (Child::decode(in_a.child[i as usize]), Child::decode(in_b.child[j as usize])) {
            (Child::Inner(x), Child::Inner(y)) => {
                let (size_a, size_b) =
                    (size(in_a, i as usize), self.relative.scale as f32 * size(in_b, j as usize));
                if size_a > SKEW * size_b {
                    Step::Open((x, u32::MAX), (b, 1 << j))
                } else if size_b > SKEW * size_a {
                    Step::Open((a, 1 << i), (y, u32::MAX))
                } else {
                    Step::Open((x, u32::MAX), (y, u32::MAX))
                }
            }
            (Child::Inner(x), Child::Leaf { .. }) => Step::Open((x, u32::MAX), (b, 1 << j)),
            (Child::Leaf { .. }, Child::Inner(y)) => Step::Open((a, 1 << i), (y, u32::MAX)),
            (Child::Leaf { first, count }, Child::Leaf { first: first_b, count: count_b }) => {
                Step::Leaves(Run { first, count }, Run { first: first_b, count: count_b })
            }
            _ => Step::Nothing,
        }
    }

    /// Puts the pairs of children below the limit on the agenda.
    fn open(
        &self,
        (a, rows): (u32, u32),
        (b, columns): (u32, u32),
        limit: f32,
        agenda: &mut Agenda,
        visits: &mut Visits,
    ) {
        let (node_a, node_b) = (&self.a.nodes()[a as usize], &self.b.nodes()[b as usize]);
        let mut bounds = Bounds::ZERO;
        let (pairs, tests) = (self.gaps)(&self.relative, node_a, node_b, rows, columns, limit, &mut bounds);
        visits.volume_tests += u64::from(tests);
        agenda.add(a, b, pairs, &bounds);
    }
}
