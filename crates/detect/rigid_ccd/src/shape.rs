//! Convex shapes, and unions of them, in motion: when they first meet, never late.

mod clearance;
mod leave;
mod mesh;
mod nearest;
mod piece;
mod pursuit;
#[cfg(test)]
mod tests;

use crate::asker::{Asker, Options, leg_of, times};
use crate::exact;
use crate::leg::Leg;
use crate::pair::Outcome;
use kontakt_answers::{Contact, Impact, Initial, Range};
use kontakt_convex::{Core, Placed, Shape, Verdict, Want};
use kontakt_math::{Between, Chain, DVec3, Motion};
use leave::free_until;
use piece::Piece;
use pursuit::Pursuit;
use std::cell::OnceCell;

/// A convex shape (or a union of convex shapes) and how it moves in the world over t in [0, 1].
#[derive(Clone, Copy, Debug)]
pub struct MovingShape<'a> {
    /// The body.
    pub shape: &'a Shape,
    /// World from body at every time.
    pub motion: &'a Motion,
}

impl<'a> MovingShape<'a> {
    fn pieces(&self) -> Vec<Piece<'a>> {
        match self.shape.core() {
            Core::Union(union) => {
                let margin = self.shape.radii()[1];
                union.leaves().iter().filter_map(|leaf| Piece::of_leaf(leaf, margin)).collect()
            }
            _ => Piece::of_shape(self.shape).into_iter().collect(),
        }
    }

    /// The shape of a piece and the poses that place it at the beginning, exactly; none in a union with a margin of its own.
    fn placed_leaf(&self, piece: usize) -> Option<(&'a Shape, Chain)> {
        let pose = self.motion.pose_at(0.0);
        match self.shape.core() {
            Core::Union(_) if self.shape.radii() != [0.0; 2] => None,
            Core::Union(union) => {
                let leaf = union.leaves().get(piece)?;
                Some((leaf.shape(), leaf.chain().within(pose)))
            }
            _ => Some((self.shape, Chain::new(pose))),
        }
    }

    fn is_union(&self) -> bool {
        matches!(self.shape.core(), Core::Union(_))
    }

    fn start(&self) -> Placed<'a> {
        Placed::new(self.shape, self.motion.pose_at(0.0))
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
struct Tally {
    met: Option<Met>,
    /// All pairs asked about are free before this time.
    free_until: f64,
}

impl Tally {
    fn take(&mut self, outcome: Outcome, pieces: [usize; 2]) {
        match outcome {
            Outcome::Free => {}
            Outcome::Contact { lo, hi } => {
                self.free_until = self.free_until.min(lo);
                if self.met.is_none_or(|met| hi < met.hi) {
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

/// Two bodies in pieces.
struct Question<'a> {
    bodies: [MovingShape<'a>; 2],
    pieces: [Vec<Piece<'a>>; 2],
    tolerance: f64,
}

impl<'a> Question<'a> {
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
    fn contact(&self, asker: &mut kontakt_convex::Asker, legs: &Legs<'a>, met: &Met) -> Option<Contact> {
        let (pursuit, back) = self.pursuit(legs, met.pieces);
        let found = pursuit.contact_at(asker, met.lo)?;
        Some(if back { found.swapped() } else { found })
    }
}

impl Asker {
    /// When two moving convex shapes, or unions of them, first meet; closed sets, any kinds, half-spaces too. A start in
    /// overlap is contact at 0. Features are not told. **Never late**; contact is proven by the end of the time's range.
    ///
    /// Where curved shapes touch at the start, that is known only as far as certified bounds of their distance tell, and so is
    /// their leaving. Two half-spaces that face each other are followed only as long as neither turns.
    pub fn impact_of_shapes(&mut self, a: MovingShape, b: MovingShape, options: &Options) -> Impact {
        let tolerance = options.sound_tolerance();
        let question = Question { bodies: [a, b], pieces: [a.pieces(), b.pieces()], tolerance };
        let mut work = options.most_work;
        let mut initial = None;
        for span in times([a.motion, b.motion]).windows(2) {
            let span = [span[0], span[1]];
            let legs = &Legs { span, forth: question.leg(span, false), back: OnceCell::new() };
            let first = span[0] == 0.0;
            let mut tally = Tally { met: None, free_until: f64::INFINITY };
            for i in 0..question.pieces[0].len() {
                for j in 0..question.pieces[1].len() {
                    let until = tally.met.map_or(span[1], |met| met.hi);
                    let (pursuit, back) = question.pursuit(legs, [i, j]);
                    let mut looks = 0;
                    let pursued = pursuit.follow(self.shapes_at_rest(), [span[0], until], work, &mut looks);
                    let mut outcome = pursued.outcome;
                    if first && !pursued.began_apart {
                        let state = *initial.get_or_insert_with(|| self.state_of_shapes(a, b));
                        if state == Initial::Overlapping {
                            return Impact::Contact { initial: state, time: Range::ZERO, contact: None };
                        }
                        if work > looks {
                            let pair = Pair { question: &question, pieces: [i, j], back };
                            let left = work.saturating_sub(looks);
                            outcome = self.after_touch(&pair, &pursuit, until, left, &mut looks);
                        }
                    }
                    if let Outcome::Open { lo, hi } = outcome {
                        outcome = self.decided(&question, &pursuit, [lo, hi]);
                    }
                    work = work.saturating_sub(looks);
                    self.visits.volume_tests += looks;
                    tally.take(outcome, [i, j]);
                }
            }
            let Tally { met, free_until } = tally;
            let initial = initial.unwrap_or(Initial::Separate);
            match met {
                Some(met) if met.hi - free_until <= 1.01 * tolerance => {
                    let time = Range::new(free_until, met.hi).unwrap_or(Range::ZERO);
                    let contact = question.contact(self.shapes_at_rest(), legs, &met);
                    return Impact::Contact { initial, time, contact };
                }
                _ if free_until <= span[1] => {
                    return Impact::Undecided { initial: Some(initial), free_until };
                }
                _ => {}
            }
        }
        Impact::Free { initial: initial.unwrap_or(Initial::Separate) }
    }

    /// Separate, touching or overlapping at t = 0, as the query at rest tells.
    fn state_of_shapes(&mut self, a: MovingShape, b: MovingShape) -> Initial {
        match self.shapes_at_rest().intersect(a.start(), b.start()) {
            Verdict::Separate | Verdict::Undecided => Initial::Separate,
            Verdict::Touching => Initial::Touching,
            Verdict::Overlapping => Initial::Overlapping,
        }
    }

    /// A pair of pieces that touch at the beginning, or lie so near that doubles do not tell: do they leave each other, or meet?
    fn after_touch(
        &mut self,
        pair: &Pair,
        pursuit: &Pursuit,
        until: f64,
        most: u64,
        looks: &mut u64,
    ) -> Outcome {
        let at_rest = self.shapes_at_rest();
        if let Some(([shape_a, shape_b], between)) = pair.start() {
            let answer = at_rest.convex(shape_a, shape_b, &between, Want::Contact);
            let viewer = pair.question.bodies[usize::from(pair.back)];
            let normal = if pair.back { -answer.normal } else { answer.normal };
            let normal = viewer.motion.pose_at(0.0).rotation().conjugate() * normal;
            if let Some(from) = free_until(pursuit, &answer, normal) {
                if from >= until {
                    return Outcome::Free;
                }
                return pursuit.follow(at_rest, [from, until], most, looks).outcome;
            }
        }
        pursuit.contact_soon(at_rest, [0.0, until]).unwrap_or(Outcome::Open { lo: 0.0, hi: until })
    }

    /// The last resort for polytopes that keep their orientation: exact tests at times within the tolerance.
    fn decided(&mut self, question: &Question, pursuit: &Pursuit, [lo, hi]: [f64; 2]) -> Outcome {
        let open = Outcome::Open { lo, hi };
        let [a, b] = question.bodies;
        if a.is_union() || b.is_union() {
            return open;
        }
        if pursuit.a.wall.is_some() && pursuit.b.wall.is_some() {
            return if self.walls_stay_apart(question, pursuit.leg) { Outcome::Free } else { open };
        }
        if !(pursuit.a.is_polytopal() && pursuit.b.is_polytopal()) {
            return open;
        }
        let soon = hi.min(lo + 0.5 * question.tolerance);
        for t in [soon, lo, 0.5 * (lo + soon)] {
            let Some((between, t)) = exact::between_at(&pursuit.leg.a, &pursuit.leg.b, t) else { break };
            let verdict = self.shapes_at_rest().convex(a.shape, b.shape, &between, Want::Verdict).verdict;
            if t <= hi && matches!(verdict, Verdict::Touching | Verdict::Overlapping) {
                return Outcome::Contact { lo, hi: t.max(lo) };
            }
        }
        open
    }

    /// Two half-spaces without common points face each other; while neither turns the gap changes linearly, so that it
    /// is positive all the time if it is at both ends.
    fn walls_stay_apart(&mut self, question: &Question, leg: &Leg) -> bool {
        let [a, b] = question.bodies;
        [leg.start, leg.end].into_iter().all(|t| {
            exact::between_at(&leg.a, &leg.b, t).is_some_and(|(between, _)| {
                let answer = self.shapes_at_rest().convex(a.shape, b.shape, &between, Want::Verdict);
                answer.verdict == Verdict::Separate
            })
        })
    }
}

/// A pair of pieces.
struct Pair<'q> {
    question: &'q Question<'q>,
    pieces: [usize; 2],
    back: bool,
}

impl<'q> Pair<'q> {
    /// The shapes of the pieces and how they lie at the beginning, exactly.
    fn start(&self) -> Option<([&'q Shape; 2], Between)> {
        let place = |k: usize| self.question.bodies[k].placed_leaf(self.pieces[k]);
        let ((a, chain_a), (b, chain_b)) = (place(0)?, place(1)?);
        Some(([a, b], Between::of_chains(&chain_a, &chain_b)))
    }
}
