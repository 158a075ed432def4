//! Down two trees towards their nearest faces.

use std::collections::BinaryHeap;

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_hierarchy::Packed;
use kontakt_hierarchy::packed::Child;
use kontakt_math::DVec3;

use super::cross::Bounds;
use super::descent::{Run, SKEW, corners, size};
use super::far;
use super::kernel::{self, Gaps};
use super::relative::{Relative, Sight};
use super::shelf::Desk;
use crate::face::{Between, Gaps as FaceGaps, distance_range, gap_batch};
use crate::mesh::Mesh;
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
    pub(crate) between: &'a Between,
    pub(crate) a: &'a Mesh,
    pub(crate) b: &'a Mesh,
    pub(crate) agenda: &'a mut Agenda,
    pub(crate) desk: &'a mut Desk,
    pub(crate) gaps: &'a mut FaceGaps,
    pub(crate) isa: Isa,
    pub(crate) visits: &'a mut Visits,
}

impl Nearing<'_> {
    /// The nearest faces of two bodies without a common point, if they are nearer than `below`; stops as soon as a pair is
    /// proven to be nearer than `enough`.
    pub(crate) fn search(&mut self, below: f64, enough: f64) -> Outcome {
        self.desk.clear();
        let unit = 2.0_f64.powi(-self.a.tree().exponent());
        let mut remote = false;
        let (relative, gaps, measure) = match Sight::of(self.between, self.a, self.b) {
            Sight::Near(relative) => (relative, kernel::gaps(self.isa), Measure::Squared { unit }),
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
        let walk = Walk { a: self.a.tree(), b: self.b.tree(), relative, gaps };
        let mut best = Best { lo: below, limit: below, nearest: None };
        self.agenda.clear();
        let mut limit = measure.limit(below);
        walk.open((0, u32::MAX), (0, u32::MAX), limit, self.agenda, self.visits);
        while let Some(next) = self.agenda.next(limit) {
            match walk.step(next) {
                Step::Open(a, b) => walk.open(a, b, limit, self.agenda, self.visits),
                Step::Leaves(x, y) => {
                    self.leaves(x, y, &mut best);
                    if remote {
                        // All other pairs are as far, up to 2⁻⁵⁵.
                        best.lo *= GOOD_ENOUGH;
                        break;
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

    /// All pairs of triangles of two leaves.
    fn leaves(&mut self, x: Run, y: Run, best: &mut Best) {
        self.visits.face_tests += u64::from(x.count * y.count);
        let (octet_a, octet_b) = self.desk.octets(self.between, (self.a, x), (self.b, y));
        let gaps = &mut *self.gaps;
        gap_batch(self.isa, octet_a, octet_b, gaps);
        let mut first = gaps.nearest().filter(|&(i, j)| gaps.lower(i, j) < best.limit);
        let mut bits = u64::MAX;
        loop {
            // The nearest by estimate first, so that few others remain below the limit.
            let next =
                first.take().or_else(|| gaps.below(best.limit).find(|&(i, j)| bits >> (8 * i + j) & 1 != 0));
            let Some((i, j)) = next else { break };
            bits &= !(1 << (8 * i + j));
            let (slot_a, slot_b) = (x.first + i as u32, y.first + j as u32);
            let (p, q) = (corners(self.a, slot_a), corners(self.b, slot_b));
            let mut own = Visits::default();
            let (range, found) = distance_range(self.between, p, q, &mut own);
            self.visits.exact_tests += own.exact_tests;
            let pair = FacePair {
                a: self.a.tree().order()[slot_a as usize],
                b: self.b.tree().order()[slot_b as usize],
            };
            let (lo, hi) = (range.lo(), range.hi());
            best.take(Nearest { lo, hi, point_a: found.point_a, point_b: found.point_b, pair });
        }
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
