//! Bodies whose places are rational in time (at rest, straight, or turned by a normalised blend of quaternions about a point that
//! goes straight): the first contact of two triangles decided by signs of exact polynomials. Nothing is rounded.
//!
//! All polynomials have degree 3 where one body moves and 5 where both do, since they are multiplied by the
//! squared lengths of the blends, which are positive.

// Why it suffices to look where it does. Before `lo` the triangles are apart, so at their first contact t* ≥ lo they touch without
// passing through each other: a corner of one lies on the other (closed), or two edges that are not parallel cross. (Where edges are
// parallel, or stay in one plane, the first contact is at an end of one of them, which is a corner on the other's face.)
// A corner on a face: its height above the plane is zero and it is on the inner side of all edges. If the height is not always zero
// t* is one of its roots; if it is, then t* = lo or a root of one of the inner sides. Edges that cross: t* is a root of the product of
// their lines, or that is always zero (see above), or t* = lo. So the first of these times at which the closed conditions hold
// exactly is the first contact; if there is none the triangles stay apart.
// A triangle without area is a segment or a point. The same holds of it, its sides taken for edges, but a corner on it is on no plane's inner
// side: it is on the line, between the ends.

mod crossing;
mod mover;
mod needle;
#[cfg(test)]
mod tests;
mod vector;

use crate::course::Course;
use crate::leg::Leg;
use crate::outcome::Outcome;
use crossing::{Crossing, Incidence};
use kontakt_math::roots::roots_in_unit_interval;
use kontakt_math::{AlgebraicNumber, DVec3, Dyadic, ExactPolynomial, Sign};
use mover::{Mover, Seen};
use needle::OnNeedle;
use std::cmp::Ordering;
use vector::{Vector, exact};

/// Whether both bodies' places are rational in one time.
pub(crate) fn applies(leg: &Leg) -> bool {
    let rational = |course: &Course| Mover::exists(course);
    let shared = leg.a.is_at_rest() || leg.b.is_at_rest() || leg.a.same_time_as(&leg.b);
    rational(&leg.a) && rational(&leg.b) && shared
}

/// The first contact of two triangles, each in its body's frame, within [lo, hi] of a leg in which they are free before `lo`:
/// free or contact, to `tolerance`. `None` where places are not rational in time.
pub(crate) fn first_contact(
    leg: &Leg,
    [a, b]: [[DVec3; 3]; 2],
    [lo, hi]: [f64; 2],
    tolerance: f64,
) -> Option<Outcome> {
    if !applies(leg) {
        return None;
    }
    let movers = [Mover::of(&leg.a)?, Mover::of(&leg.b)?];
    let seen = [Seen::new(&movers[0], &movers[1]), Seen::new(&movers[1], &movers[0])];
    let local = [a.map(|x| movers[0].local(x)), b.map(|x| movers[1].local(x))];
    let mut search = Search::new(leg, [lo, hi], tolerance);
    for viewer in 0..2 {
        for corner in &local[1 - viewer] {
            search.look_at(&seen[viewer], &local[viewer], corner);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let edges = [[&local[0][i], &local[0][(i + 1) % 3]], [&local[1][j], &local[1][(j + 1) % 3]]];
            search.look(&Crossing::new(&seen[0], edges));
        }
    }
    Some(search.outcome(leg, [lo, hi], tolerance))
}

/// Exact corners of a polytope in its body's frame, all times a positive weight, which is that of both.
pub(crate) type ExactCorners = Vec<[Dyadic; 3]>;

/// Pairs of features of two polytopes that may meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    /// Corners of a triangle of one body and a corner of the other; the triangle is A's in the first list.
    pub(crate) on_faces: [Vec<([usize; 3], usize)>; 2],
    /// Ends of an edge of A and of one of B.
    pub(crate) crossings: Vec<[[usize; 2]; 2]>,
}

/// The first contact of two polytopes that are free before `lo` and can only meet where `meetings` says, within [lo, hi]: free or
/// contact, to `tolerance`. Coordinates are times `weight`. `None` where places are not rational in time.
///
/// At their first contact the common points are a polytope on the boundaries of both: its corners are corners of one on the other, or
/// crossings of edges. (An edge through the inside of a face would have been through it before.)
pub(crate) fn first_contact_of_polytopes(
    leg: &Leg,
    corners: &[ExactCorners; 2],
    weight: &Dyadic,
    meetings: &Meetings,
    [lo, hi]: [f64; 2],
    tolerance: f64,
) -> Option<Outcome> {
    if !applies(leg) {
        return None;
    }
    let movers = [Mover::of(&leg.a)?.grown(weight), Mover::of(&leg.b)?.grown(weight)];
    let seen = [Seen::new(&movers[0], &movers[1]), Seen::new(&movers[1], &movers[0])];
    let local =
        [0, 1].map(|k: usize| corners[k].iter().map(|x| movers[k].off_pivot(x)).collect::<ExactCorners>());
    let mut search = Search::new(leg, [lo, hi], tolerance);
    for viewer in 0..2 {
        for (face, corner) in &meetings.on_faces[viewer] {
            let face = face.each_ref().map(|&i| local[viewer][i].clone());
            search.look_at(&seen[viewer], &face, &local[1 - viewer][*corner]);
        }
    }
    for [[p, q], [r, s]] in &meetings.crossings {
        let edges = [[&local[0][*p], &local[0][*q]], [&local[1][*r], &local[1][*s]]];
        search.look(&Crossing::new(&seen[0], edges));
    }
    Some(search.outcome(leg, [lo, hi], tolerance))
}

/// What may happen to two features.
pub(super) trait Event {
    /// Polynomials at whose roots it may begin to hold; zero ones tell nothing.
    fn times(&self) -> Vec<&ExactPolynomial>;
    /// Whether it holds at a time.
    fn holds(&self, time: &AlgebraicNumber) -> bool;
}

struct Search {
    span: [Dyadic; 2],
    first: Option<AlgebraicNumber>,
    width: f64,
}

impl Search {
    fn new(leg: &Leg, [lo, hi]: [f64; 2], tolerance: f64) -> Search {
        let clock = clock_of(leg);
        let span = [clock.own_bounds(lo).0, clock.own_bounds(hi).1].map(exact);
        Search { span, first: None, width: 0.125 * tolerance }
    }

    /// What was found, in the time of the query.
    fn outcome(self, leg: &Leg, [lo, hi]: [f64; 2], tolerance: f64) -> Outcome {
        let Some(mut time) = self.first else { return Outcome::Free };
        time.refine(0.25 * tolerance);
        let (bounds, clock) = (time.bounds(), clock_of(leg));
        let (early, late) = (clock.query_bounds(bounds.lo()).0, clock.query_bounds(bounds.hi()).1);
        let lo = early.max(lo).min(hi);
        Outcome::Contact { lo, hi: late.min(hi).max(lo) }
    }

    /// At a corner and a face, with or without area.
    fn look_at(&mut self, seen: &Seen, face: &[Vector; 3], corner: &Vector) {
        match Incidence::new(seen, face, corner) {
            Some(event) => self.look(&event),
            None => self.look(&OnNeedle::new(seen, face, corner)),
        }
    }

    fn look(&mut self, event: &impl Event) {
        let [lo, hi] = self.span.clone();
        self.take(AlgebraicNumber::point(lo), event);
        for polynomial in event.times() {
            // Roots of the zero polynomial are no times.
            let Ok(roots) = roots_in_unit_interval(polynomial, self.width) else { continue };
            for root in roots {
                let late = root.side_of(&hi) == Ordering::Greater;
                if !late && root.side_of(&self.span[0]) != Ordering::Less {
                    self.take(root, event);
                }
            }
        }
    }

    fn take(&mut self, time: AlgebraicNumber, event: &impl Event) {
        let earlier = self.first.as_ref().is_none_or(|first| time.compare(first) == Ordering::Less);
        if earlier && event.holds(&time) {
            self.first = Some(time);
        }
    }
}

/// The body whose own time is that of the polynomials.
fn clock_of<'l, 'm>(leg: &'l Leg<'m>) -> &'l Course<'m> {
    if leg.a.is_at_rest() { &leg.b } else { &leg.a }
}

/// Whether a sign is not negative.
fn is_inner(sign: Sign) -> bool {
    sign != Sign::Negative
}
