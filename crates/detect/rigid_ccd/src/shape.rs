//! Convex shapes, and unions of them, in motion: when they first meet, never late.

mod around;
mod clearance;
mod leave;
mod mesh;
mod nearest;
mod piece;
mod pursuit;
mod settle;
#[cfg(test)]
mod tests;

use crate::asker::MotionQuery;
use crate::budget::Budget;
use crate::leg::Leg;
use crate::legs::leg_of;
use crate::legs::{self, Before, Bodies, Entered, Reached, Start};
use crate::moving::MotionOptions;
use crate::normal::Site;
use crate::order;
use crate::outcome::Outcome;
use around::Parts;
use kontakt_answers::{Contact, Impact, Initial};
use kontakt_convex::{Core, Part, PlacedShape, Shape, Verdict};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_schedule::Ledger;
use piece::Piece;
use pursuit::Pursuit;
use settle::Facets;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;

/// Most edges of a polytope whose products are tried for a normal.
const MOST_EDGES: usize = 32;

/// A convex shape (or a union of convex shapes) and how it moves in the world over t in [0, 1].
#[derive(Clone, Copy, Debug)]
pub struct MovingShape<'a> {
    /// The body.
    pub shape: &'a Shape,
    /// World from body at every time.
    pub motion: &'a Motion,
}

/// A shape whose margins are all those of its parts: that of a union goes to its leaves.
fn resolved(shape: &Shape) -> Cow<'_, Shape> {
    let grown = matches!(shape.core(), Core::Union(_)) && shape.radii() != [0.0; 2];
    let parts = || vec![Part { shape: shape.clone(), pose: Pose::IDENTITY }];
    match grown.then(|| Shape::union(parts())) {
        Some(Ok(whole)) => Cow::Owned(whole),
        _ => Cow::Borrowed(shape),
    }
}

impl<'a> MovingShape<'a> {
    /// The convex parts of a resolved shape.
    fn pieces(&self) -> Vec<Piece<'a>> {
        match self.shape.core() {
            Core::Union(union) => union.leaves().iter().filter_map(Piece::of_leaf).collect(),
            _ => Piece::of_shape(self.shape).into_iter().collect(),
        }
    }

    fn start(&self) -> PlacedShape<'a> {
        PlacedShape::new(self.shape, self.motion.pose_at(0.0))
    }
}

/// The earliest contact of all pairs of pieces so far.
#[derive(Clone, Copy, Debug)]
struct Met {
    lo: f64,
    hi: f64,
    pieces: [usize; 2],
}

/// What is known of a leg.
#[derive(Clone, Copy, Debug)]
struct Tally {
    met: Option<Met>,
    /// All pairs asked about are free before this time.
    free_until: f64,
}

impl Tally {
    const NOTHING: Tally = Tally { met: None, free_until: f64::INFINITY };

    fn take(&mut self, outcome: Outcome, pieces: [usize; 2]) {
        match outcome {
            Outcome::Free => {}
            Outcome::Contact { lo, hi } => {
                self.free_until = self.free_until.min(lo);
                // Of equal times the earlier beginning, which may be said of another pair.
                if self.met.is_none_or(|met| hi < met.hi || (hi == met.hi && lo < met.lo)) {
                    self.met = Some(Met { lo, hi, pieces });
                }
            }
            Outcome::Open { lo, .. } => self.free_until = self.free_until.min(lo),
        }
    }
}

/// Both motions over a span, seen from A, and from B where that is asked for.
struct Legs<'a> {
    span: [f64; 2],
    forth: Leg<'a>,
    back: OnceCell<Leg<'a>>,
}

impl Legs<'_> {
    /// About how B's point at a place of the world moves against A's, in the world.
    fn velocity(&self, t: f64, place: DVec3) -> DVec3 {
        let (world, relative) = (self.forth.a.at(t), self.forth.relative(t));
        let point = relative.a_in_b(world.turn.transpose() * (place - world.shift));
        world.turn * self.forth.velocity(point, t)
    }
}

/// Two bodies in pieces.
struct Question<'a> {
    bodies: [MovingShape<'a>; 2],
    pieces: [Vec<Piece<'a>>; 2],
    tolerance: f64,
}

impl<'a> Question<'a> {
    /// Whether the second body goes first: see `order`.
    fn in_other_order(&self) -> bool {
        let motions = self.bodies.map(|body| body.motion);
        let [a, b] = &self.pieces;
        (order::rests(motions))
            .then_with(|| a.len().cmp(&b.len()))
            .then_with(|| {
                let differ = a.iter().zip(b).map(|(x, y)| order::numbers(&x.key(), &y.key()));
                differ.fold(Ordering::Equal, Ordering::then)
            })
            .then_with(|| order::places(motions))
            == Ordering::Greater
    }

    /// Points on or near the bodies.
    fn origins(&self) -> [DVec3; 2] {
        [0, 1].map(|k: usize| self.pieces[k].first().map_or(DVec3::ZERO, |piece| piece.centre))
    }

    /// The pursuit of a pair of pieces, and whether it is seen from B: a half-space is at rest in the frame of the pursuit.
    fn pursuit<'q>(&'q self, legs: &'q Legs<'a>, [i, j]: [usize; 2]) -> (Pursuit<'q>, bool) {
        let (a, b) = (&self.pieces[0][i], &self.pieces[1][j]);
        let back = b.wall.is_some() && a.wall.is_none();
        let [a, b] = if back { [b, a] } else { [a, b] };
        let leg = if back { legs.back.get_or_init(|| self.leg(legs.span, true)) } else { &legs.forth };
        (Pursuit { leg, a, b, tolerance: self.tolerance, enough: 0.0 }, back)
    }

    /// Both motions over a span, seen from A, or from B.
    fn leg(&self, span: [f64; 2], back: bool) -> Leg<'a> {
        let [a, b] = self.bodies.map(|body| body.motion);
        let [x, y] = self.origins();
        if back { leg_of([b, a], span, [y, x]) } else { leg_of([a, b], span, [x, y]) }
    }

    /// What is found at the contact: nearest points and normal at the beginning of its time, to rounding.
    fn contact(
        &self,
        asker: &mut kontakt_convex::ConvexQuery,
        legs: &Legs<'a>,
        met: &Met,
    ) -> Option<Contact> {
        let (pursuit, back) = self.pursuit(legs, met.pieces);
        let (found, proven) = pursuit.contact_at(asker, met.lo)?;
        let found = if back { found.swapped() } else { found };
        let one = self.pieces.iter().all(|pieces| pieces.len() == 1);
        // What a plane keeps apart until then and what meets comes nearer along its normal.
        if one && proven {
            return Some(found);
        }
        let velocity = legs.velocity(met.lo, found.point_b);
        if one && found.normal.dot(velocity) <= 1e-9 * velocity.length() {
            return Some(found);
        }
        let normal = self.normal(asker, legs, met, (&found, velocity)).unwrap_or(found.normal);
        Some(Contact { normal, ..found })
    }

    /// The normal where there are several: parts of unions, of which all around the place count, or edges and corners that pass each
    /// other. In the world; see `normal`.
    fn normal(
        &self,
        asker: &mut kontakt_convex::ConvexQuery,
        legs: &Legs<'a>,
        met: &Met,
        (found, velocity): (&Contact, DVec3),
    ) -> Option<DVec3> {
        let lo = met.lo;
        let places = [legs.forth.a.at(lo), legs.forth.b.at(lo)];
        let size = [0, 1].map(|k: usize| self.pieces[k][met.pieces[k]].radius);
        let reach = 3.0 * found.point_a.distance(found.point_b) + 1e-9 * (size[0] + size[1]);
        let [a, b] = [(0, found.point_a), (1, found.point_b)].map(|(k, point): (usize, DVec3)| {
            let place = places[k].turn.transpose() * (point - places[k].shift);
            Parts::new(asker, &self.pieces[k], met.pieces[k], (place, reach), places[k].turn)
        });
        let mut candidates = vec![found.normal];
        for i in &a.near {
            for j in &b.near {
                let (pursuit, back) = self.pursuit(legs, [*i, *j]);
                let normal = pursuit.contact_at(asker, lo).map(|(contact, _)| contact.normal);
                candidates.extend(normal.map(|n| if back { -n } else { n }));
            }
        }
        let [own, other] = [0, 1].map(|k: usize| self.pieces[k][met.pieces[k]].facets());
        if let (Some(own), Some(other)) = (own, other) {
            candidates.extend(own.normals().map(|n| places[0].turn * n));
            candidates.extend(other.normals().map(|n| places[1].turn * n));
            let ways = |facets: &Facets| facets.ways().take(MOST_EDGES).collect::<Vec<_>>();
            let others = ways(&other).into_iter().map(|e| places[1].turn * e).collect::<Vec<_>>();
            for e in ways(&own) {
                candidates.extend(others.iter().map(|f| (places[0].turn * e).cross(*f)));
            }
        }
        let (above, below) = (|n: DVec3| a.above(n), |n: DVec3| b.above(-n));
        Site { above: &above, below: &below, velocity }.best(candidates.into_iter())
    }
}

/// Two shapes on a leg.
struct Shapes<'q, 'a> {
    asker: &'q mut MotionQuery,
    question: Question<'a>,
    legs: Option<Legs<'a>>,
    tally: Tally,
    /// Pairs of pieces before this one are in the tally.
    next: usize,
}

impl Shapes<'_, '_> {
    /// Follows pair after pair. Ends before one that is not proven apart where the motion begins if it is not `known` how it
    /// starts; then false.
    fn advance(&mut self, known: bool, budget: &mut Budget) -> bool {
        let Some(legs) = &self.legs else { return false };
        let [from, end] = legs.span;
        let columns = self.question.pieces[1].len();
        while self.next < self.question.pieces[0].len() * columns {
            let pieces = [self.next / columns, self.next % columns];
            let until = self.tally.met.map_or(end, |met| met.hi);
            let pursuit = &self.question.pursuit(legs, pieces).0;
            let mut looks = 0;
            let at_rest = &mut self.asker.shapes_at_rest;
            let pursued = pursuit.follow(at_rest, [from, until], budget, &mut looks);
            let mut outcome = pursued.outcome;
            if from == 0.0 && !pursued.began_apart {
                if !known {
                    return false;
                }
                let walls = pursuit.a.wall.is_some() || pursuit.b.wall.is_some();
                let leg = legs.back.get_or_init(|| self.question.leg(legs.span, true));
                let other = Pursuit { leg, a: pursuit.b, b: pursuit.a, ..*pursuit };
                let other = (!walls).then_some(&other);
                outcome = pursuit.after_touch(other, at_rest, until, budget, &mut looks);
            }
            outcome = match outcome {
                Outcome::Open { .. } if pursuit.a.wall.is_some() && pursuit.b.wall.is_some() => {
                    if pursuit.walls_stay_apart(at_rest) { Outcome::Free } else { outcome }
                }
                _ => pursuit.settled(at_rest, outcome, budget, &mut looks),
            };
            self.asker.visits.volume_tests += looks;
            self.tally.take(outcome, pieces);
            self.next += 1;
        }
        true
    }
}

impl Bodies for Shapes<'_, '_> {
    fn enter(&mut self, span: [f64; 2], budget: &mut Budget, _: &mut Ledger) -> Entered {
        self.legs = Some(Legs { span, forth: self.question.leg(span, false), back: OnceCell::new() });
        (self.tally, self.next) = (Tally::NOTHING, 0);
        if self.advance(span[0] != 0.0, budget) { Entered::Apart(span[0]) } else { Entered::Unknown }
    }

    fn start(&mut self, _: &Budget, _: &mut Ledger) -> Start {
        let [a, b] = self.question.bodies;
        match self.asker.shapes_at_rest.intersect(a.start(), b.start()) {
            Verdict::Undecided => Start::Unknown,
            Verdict::Separate => Start::Known(Initial::Separate),
            Verdict::Touching => Start::Known(Initial::Touching),
            Verdict::Overlapping => Start::Known(Initial::Overlapping),
        }
    }

    fn first_contact(&mut self, _: Before, budget: &mut Budget, _: &mut Ledger) -> Reached {
        self.advance(true, budget);
        let Some(legs) = &self.legs else { return Reached::Open(0.0) };
        let Tally { met, free_until } = self.tally;
        match met {
            Some(met) if met.hi - free_until <= 1.01 * self.question.tolerance => {
                let contact = self.question.contact(&mut self.asker.shapes_at_rest, legs, &met);
                Reached::Contact { lo: free_until, hi: met.hi, contact }
            }
            _ if free_until <= legs.span[1] => Reached::Open(free_until),
            _ => Reached::End,
        }
    }
}

impl MotionQuery {
    /// When two moving convex shapes, or unions of them, first meet; closed sets, any kinds, half-spaces too. A start in
    /// overlap is contact at 0. Features are not told. **Never late**; contact is proven by the end of the time's range. The order
    /// of the shapes does not matter.
    ///
    /// Where curved shapes touch at the start, that is known only as far as certified bounds of their distance tell, and so is
    /// their leaving. Two half-spaces that face each other are followed only as long as neither turns.
    pub fn impact_of_shapes(&mut self, a: MovingShape, b: MovingShape, options: &MotionOptions) -> Impact {
        let whole = [resolved(a.shape), resolved(b.shape)];
        let bodies = [MovingShape { shape: &whole[0], ..a }, MovingShape { shape: &whole[1], ..b }];
        let mut question = Question {
            bodies,
            pieces: bodies.map(|body| body.pieces()),
            tolerance: options.sound_tolerance(),
        };
        let swapped = question.in_other_order();
        if swapped {
            question.bodies.swap(0, 1);
            question.pieces.swap(0, 1);
        }
        let motions = question.bodies.map(|body| body.motion);
        let mut shapes = Shapes { asker: self, question, legs: None, tally: Tally::NOTHING, next: 0 };
        let impact = legs::impact(&mut shapes, motions, options);
        if swapped { impact.swapped() } else { impact }
    }
}
