//! One triangle of A and one of B over a span of time: free, in contact from a time on, or open from a time on.

use crate::exact;
use crate::leg::{Leg, Relative};
use crate::outcome::Outcome;
use crate::rational;
use crate::triangles::{Ends, Rest};
use kontakt_answers::Visits;
use kontakt_math::DVec3;
use kontakt_math::round::length_up;
use kontakt_mesh::face::distance;

/// Most looks at one pair before it is left open: what cannot be told at all ends after some fifty, but two faces that slide past each
/// other at a small distance take many.
const MOST_LOOKS: u32 = 10_000;
/// The same where exact polynomials decide what is left.
const LOOKS_BEFORE_ALGEBRA: u32 = 60;
/// After so many looks directions are made exact across edges.
const EASY_LOOKS: u32 = 12;
/// A span of so many steps of doubles at its place is as short as a time can be told.
const SHORTEST: f64 = 4.0 * f64::EPSILON;

/// Two triangles, each in the frame of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) leg: &'a Leg<'a>,
    pub(crate) a: [DVec3; 3],
    pub(crate) b: [DVec3; 3],
}

/// B's corners in A's frame at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    t: f64,
    corners: [DVec3; 3],
    error: f64,
    relative: Relative,
}

/// A ball around some points.
pub(crate) fn ball(points: &[DVec3]) -> (DVec3, f64) {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        (low, high) = (low.min(*point), high.max(*point));
    }
    let centre = low * 0.5 + high * 0.5;
    let far = points.iter().fold(DVec3::ZERO, |far, x| {
        if (*x - centre).length_squared() > far.length_squared() { *x - centre } else { far }
    });
    // The farthest as computed is the farthest up to a few units in the last place.
    (centre, length_up(far) * (1.0 + 1e-14) + f64::EPSILON * length_up(centre))
}

/// The latest double certainly not after lo + share·(hi − lo).
fn time_before(lo: f64, hi: f64, share: f64) -> f64 {
    (lo + share * (hi - lo)).next_down().next_down().max(lo)
}

/// The earliest double certainly not before lo + share·(hi − lo).
fn time_after(lo: f64, hi: f64, share: f64) -> f64 {
    (lo + share * (hi - lo)).next_up().next_up().min(hi)
}

impl Pair<'_> {
    fn spot(&self, t: f64) -> Spot {
        let relative = self.leg.relative(t);
        let corners = self.b.map(|x| relative.b_in_a(x));
        let far = self.b.iter().fold(0.0_f64, |far, x| far.max(length_up(*x)));
        Spot { t, corners, error: relative.error_within(far), relative }
    }

    /// When the triangles first meet within [lo, hi], to `tolerance` in time. Looks are counted in `looks`; `room` is memory.
    ///
    /// Never late: a span is left behind only when `Ends::kept_apart` proves it free. Spans are taken in the order of time; what
    /// is behind them has been proven free.
    pub(crate) fn first_contact(
        &self,
        [lo, hi]: [f64; 2],
        tolerance: f64,
        room: &mut Vec<[Spot; 2]>,
        looks: &mut u64,
    ) -> Outcome {
        let begin = self.spot(lo);
        let (centre, radius) = ball(&self.b);
        let bend = self.leg.bend_of_b(centre, radius, &begin.relative, (hi - lo).next_up());
        let acceleration = bend.acceleration;
        let most = if rational::applies(self.leg) { LOOKS_BEFORE_ALGEBRA } else { MOST_LOOKS };
        let mut search =
            Search { pair: self, ball: (centre, radius), acceleration, tolerance, end: hi, looks: 0, most };
        let outcome = search.run(begin, self.spot(hi), room);
        *looks += u64::from(search.looks);
        outcome
    }
}

/// A direction made exactly perpendicular, up to rounding, to the edge that is nearest to that: a gap hardly longer than its
/// rounding leans along the edge it ends at, and so loses sight of it.
fn across_nearest_edge(gap: DVec3, triangles: [[DVec3; 3]; 2]) -> DVec3 {
    let mut best = (f64::INFINITY, DVec3::ZERO);
    for t in triangles {
        for k in 0..3 {
            let edge = t[(k + 1) % 3] - t[k];
            let lean = gap.dot(edge).abs() / edge.length();
            if lean < best.0 {
                best = (lean, edge);
            }
        }
    }
    // Scaled, so that nothing underflows; twice, so that what the first time leaves is taken off too.
    let (edge, unit) = (best.1.normalize_or_zero(), gap.normalize_or_zero());
    let once = (unit - edge * unit.dot(edge)).normalize_or_zero();
    once - edge * once.dot(edge)
}

struct Search<'a> {
    pair: &'a Pair<'a>,
    ball: (DVec3, f64),
    acceleration: f64,
    tolerance: f64,
    /// End of the whole span asked about.
    end: f64,
    looks: u32,
    most: u32,
}

impl Search<'_> {
    fn ends(&self, from: &Spot, to: &Spot) -> Ends {
        let span = (to.t - from.t).next_up();
        let bend = self.acceleration * span * span * (1.0 + 4.0 * f64::EPSILON);
        let blur = self.pair.leg.blur_of_b(self.ball.0, self.ball.1, &from.relative, [from.t, to.t]);
        Ends::new(self.pair.a, [from.corners, to.corners], [from.error, to.error], [bend, blur])
    }

    fn run(&mut self, begin: Spot, end: Spot, open: &mut Vec<[Spot; 2]>) -> Outcome {
        // Spans still to be looked at, the earliest last; all that is before and between them is proven free.
        open.clear();
        open.push([begin, end]);
        while let Some([from, to]) = open.pop() {
            self.looks += 1;
            let rest = Search::rest(&self.ends(&from, &to), self.looks > EASY_LOOKS);
            if rest.from > rest.to || rest.from >= 1.0 {
                continue;
            }
            let lo = time_before(from.t, to.t, rest.from);
            let hi = time_after(from.t, to.t, rest.to);
            if self.looks > self.most {
                return self.decided(lo, hi);
            }
            let (first, last) = (self.moved(from, lo), self.moved(to, hi));
            if hi - lo <= self.tolerance {
                if self.proves(&first, &last) {
                    return Outcome::Contact { lo, hi };
                }
                if hi - lo <= SHORTEST * hi {
                    return self.decided(lo, hi);
                }
            }
            if hi - lo < 0.5 * (to.t - from.t) {
                open.push([first, last]);
                continue;
            }
            // Where the gap has closed, contact is to be proven within the tolerance; else halve.
            let near = lo - from.t <= 0.25 * self.tolerance && hi - lo > self.tolerance;
            let middle = if near { lo + 0.5 * self.tolerance } else { lo + 0.5 * (hi - lo) };
            if !(middle > lo && middle < hi) {
                return self.decided(lo, hi);
            }
            let middle = self.pair.spot(middle);
            open.push([middle, last]);
            open.push([first, middle]);
        }
        Outcome::Free
    }

    /// The last resort for a span too short, or too much alike, for doubles: exact polynomials where places are rational in
    /// time, for all that is left; else exact tests at single times, where bodies keep their orientation. What is proven to meet
    /// within the tolerance after `lo` is a contact.
    fn decided(&self, lo: f64, hi: f64) -> Outcome {
        let triangles = [self.pair.a, self.pair.b];
        let exact = rational::first_contact(self.pair.leg, triangles, [lo, self.end], self.tolerance);
        if let Some(outcome) = exact {
            return outcome;
        }
        let (leg, mut visits) = (self.pair.leg, Visits::default());
        let soon = self.end.min(lo + 0.5 * self.tolerance);
        for t in [soon, lo, 0.5 * (lo + soon)] {
            let Some((between, t)) = exact::between_at(&leg.a, &leg.b, [None, None], t) else { break };
            if t <= self.end && exact::meet(&between, self.pair.a, self.pair.b, &mut visits) {
                return Outcome::Contact { lo, hi: t.max(lo) };
            }
        }
        Outcome::Open { lo, hi }
    }

    fn moved(&self, spot: Spot, t: f64) -> Spot {
        if spot.t == t { spot } else { self.pair.spot(t) }
    }

    /// What directions leave of a span. The gap's own direction first: it tells most of bodies apart.
    fn rest(ends: &Ends, hard: bool) -> Rest {
        let mut rest = Rest { from: 0.0, to: 1.0 };
        for corners in ends.b {
            let near = distance(ends.a, corners);
            let gap = near.point_b - near.point_a;
            ends.cut(&mut rest, gap);
            if hard {
                ends.cut(&mut rest, across_nearest_edge(gap, [ends.a, corners]));
            }
            if rest.from >= 1.0 || rest.from > rest.to {
                return rest;
            }
        }
        for axis in ends.axes() {
            ends.cut(&mut rest, axis);
            if rest.from >= 1.0 || rest.from > rest.to {
                return rest;
            }
        }
        rest
    }

    /// Whether the triangles certainly meet at some time of a span.
    fn proves(&self, first: &Spot, last: &Spot) -> bool {
        let ends = self.ends(first, last);
        if ends.meet_at(1) || ends.meet_at(0) || ends.goes_through() {
            return true;
        }
        // The same seen from B: A's corners through B's triangle.
        let pair = self.pair;
        let (centre, radius) = ball(&pair.a);
        let span = (last.t - first.t).next_up();
        let bend = pair.leg.bend_of_a(centre, radius, &first.relative, span).acceleration * span * span;
        let seen = [first, last].map(|spot| pair.a.map(|x| spot.relative.a_in_b(x)));
        let errors = [first, last].map(|spot| {
            let far = pair.a.iter().fold(0.0_f64, |far, x| far.max(length_up(*x - spot.relative.shift)));
            spot.relative.error_within(far * (1.0 + 1e-15))
        });
        let blur = pair.leg.blur_of_a(centre, radius, &first.relative, [first.t, last.t]);
        Ends::new(pair.b, seen, errors, [bend * (1.0 + 4.0 * f64::EPSILON), blur]).goes_through()
    }
}
