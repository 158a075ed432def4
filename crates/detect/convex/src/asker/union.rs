//! Questions about two bodies of which at least one is a union: every pair of leaves that may matter is asked about.

mod shift;

use super::order::in_other_order;
use super::{ConvexPairs, ConvexQuery};
use crate::manifold::{Scratch, contacts};
use crate::shape::extent::{PlacedBall, gap_below};
use crate::{Answer, Leaf, Manifold, PlacedShape, Shape, Verdict, Want};
use kontakt_answers::{Contact, Range};
use kontakt_math::Between;
use kontakt_math::round::{add_up, length_up, mul_up};
use kontakt_schedule::Expired;
use shift::least_shift;
use std::f64::consts::PI;

/// A leaf in the world.
struct PlacedLeaf {
    leaf: Leaf,
    ball: Option<PlacedBall>,
}

fn placed_leaves(body: PlacedShape) -> Vec<PlacedLeaf> {
    let placed = |leaf: Leaf| PlacedLeaf { ball: leaf.ball.map(|ball| ball.placed(leaf.chain())), leaf };
    body.leaves().into_iter().map(placed).collect()
}

/// What was found about one pair of leaves.
struct Met {
    leaves: [usize; 2],
    answer: Answer,
}

/// What was found about the pairs of leaves that may decide.
struct Survey {
    met: Vec<Met>,
    /// **Never more** than the separation of those that the deadline left out; `None` if it left out none.
    unasked: Option<f64>,
}

fn all_pairs(a: usize, b: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..a).flat_map(move |i| (0..b).map(move |j| [i, j]))
}

impl ConvexQuery {
    /// The answer about a shape and a leaf: what [`convex`](ConvexQuery::convex) tells of two shapes, with what sums of margins leave open.
    pub fn shape_and_leaf(&mut self, shape: &Shape, leaf: &Leaf, between: &Between, want: Want) -> Answer {
        widened(self.convex(shape, leaf.shape(), between, want), leaf.radius_error, 0.0)
    }

    /// The points of contact of two convex shapes that an answer about them describes: see [`Manifold`]. `gap` (≥ 0) is how far apart
    /// surfaces may be.
    pub fn contact_points(
        a: &Shape,
        b: &Shape,
        between: &Between,
        answer: &Answer,
        gap: f64,
    ) -> Vec<Contact> {
        let mut found = Vec::new();
        contacts([a, b], between, answer, gap, &mut Scratch::default(), &mut found);
        found
    }
}

/// Two bodies taken apart.
pub(super) struct UnionQuery<'q, P> {
    pairs: &'q mut P,
    a: Vec<PlacedLeaf>,
    b: Vec<PlacedLeaf>,
}

impl<'q, P: ConvexPairs> UnionQuery<'q, P> {
    pub(super) fn new(pairs: &'q mut P, a: PlacedShape, b: PlacedShape) -> UnionQuery<'q, P> {
        UnionQuery { pairs, a: placed_leaves(a), b: placed_leaves(b) }
    }

    /// The answer about the two bodies as wholes.
    ///
    /// They overlap if some leaves do, touch if some touch and none overlap, are separate if all are. The distance is the least of
    /// all pairs. The depth is at least that of every pair, since a shift that parts the bodies parts each pair.
    pub(super) fn answer(mut self, want: Want) -> Answer {
        let survey = self.meet(want, 0.0);
        self.combined(&survey, want)
    }

    /// All contacts of leaves that are not farther apart than `gap`.
    pub(super) fn manifold(mut self, gap: f64, scratch: &mut Scratch) -> Manifold {
        let survey = self.meet(Want::Contact, gap);
        let answer = self.combined(&survey, Want::Contact);
        let mut manifold = Manifold { answer, contacts: Vec::new(), parts: Vec::new() };
        for Met { leaves: [i, j], answer } in &survey.met {
            let near = answer.verdict != Verdict::Separate || answer.separation.lo() <= gap;
            if near {
                if self.pairs.patience().is_over() {
                    break;
                }
                let (a, b) = (&self.a[*i].leaf, &self.b[*j].leaf);
                let between = Between::of_chains(a.chain(), b.chain());
                let shapes = [a.shape(), b.shape()];
                contacts(shapes, &between, answer, gap, scratch, &mut manifold.contacts);
                manifold.parts.resize(manifold.contacts.len(), [*i as u32, *j as u32]);
            }
        }
        manifold
    }

    fn gap_of(&self, [i, j]: [usize; 2]) -> f64 {
        gap_below(self.a[i].ball, self.b[j].ball)
    }

    /// Asks about every pair of leaves that may decide: pairs proven farther apart than the nearest so far, and than `gap`, are
    /// left out. Pairs with a half-space are always asked about.
    fn meet(&mut self, want: Want, gap: f64) -> Survey {
        let mut survey = Survey { met: Vec::new(), unasked: None };
        let Ok(first) = self.nearest_balls() else {
            survey.unasked = Some(f64::NEG_INFINITY);
            return survey;
        };
        let Some((least, first)) = first else { return survey };
        let mut pacer = self.pairs.patience().deadline().pacer();
        let mut nearest = f64::INFINITY;
        let others = all_pairs(self.a.len(), self.b.len()).filter(|pair| *pair != first);
        for pair in std::iter::once(first).chain(others) {
            let apart = self.gap_of(pair);
            // Of bodies that meet, pairs farther apart than zero say nothing more.
            let limit = nearest.max(gap).max(0.0);
            let is_asked = apart <= limit && !(want == Want::Verdict && apart > 0.0);
            // Asking takes much longer than reading the clock, passing over a pair does not.
            let in_time = if is_asked { !self.pairs.patience().is_over() } else { pacer.tick().is_ok() };
            if !in_time {
                // No pair is nearer than its balls are, and none of the balls are nearer than the first.
                survey.unasked = Some(if least > 0.0 { least } else { f64::NEG_INFINITY });
                break;
            }
            if !is_asked {
                continue;
            }
            let answer = self.ask(pair, want);
            nearest = nearest.min(answer.separation.hi());
            survey.met.push(Met { leaves: pair, answer });
            if want != Want::Contact && answer.verdict == Verdict::Overlapping {
                break;
            }
        }
        survey
    }

    /// The pair of leaves whose balls are nearest to each other, and never more than their gap.
    fn nearest_balls(&mut self) -> Result<Option<(f64, [usize; 2])>, Expired> {
        let mut pacer = self.pairs.patience().deadline().pacer();
        let mut least: Option<(f64, [usize; 2])> = None;
        for pair in all_pairs(self.a.len(), self.b.len()) {
            pacer.tick()?;
            let gap = self.gap_of(pair);
            if least.is_none_or(|(known, _)| gap.total_cmp(&known).is_lt()) {
                least = Some((gap, pair));
            }
        }
        Ok(least)
    }

    /// The answer about one pair, with what the poses of nested unions and sums of margins leave open.
    fn ask(&mut self, [i, j]: [usize; 2], want: Want) -> Answer {
        let (a, b) = (&self.a[i].leaf, &self.b[j].leaf);
        // Of several equally good normals the same one is found, whatever the order of the bodies and of their parts.
        let is_swapped = in_other_order(&a.placed(), &b.placed());
        let [first, second] = if is_swapped { [b, a] } else { [a, b] };
        let between = Between::of_chains(first.chain(), second.chain());
        self.pairs.forget();
        let answer = self.pairs.convex(first.shape(), second.shape(), &between, want);
        let mut answer = if is_swapped { answer.swapped() } else { answer };
        for leaf in [a, b] {
            let chain = leaf.chain();
            if !chain.is_exact() {
                let at = chain.composed().translation();
                let far = length_up(answer.point_a - at).max(length_up(answer.point_b - at));
                answer.normal_error = add_up(answer.normal_error, chain.turn_error()).min(PI);
                answer.point_error = add_up(answer.point_error, mul_up(2.0, chain.deviation(far)));
            }
        }
        widened(answer, a.radius_error, b.radius_error)
    }

    fn combined(&mut self, survey: &Survey, want: Want) -> Answer {
        let answer = self.of_met(&survey.met, want);
        let Some(floor) = survey.unasked else { return answer };
        // Passing over pairs reads the clock, but not through the patience that remembers it.
        self.pairs.patience().is_over();
        let known = if survey.met.is_empty() { f64::INFINITY } else { answer.separation.lo() };
        cut_short(answer, floor.min(known))
    }

    /// The answer as if no other pair of leaves mattered.
    fn of_met(&mut self, met: &[Met], want: Want) -> Answer {
        let has = |verdict: Verdict| met.iter().any(|pair| pair.answer.verdict == verdict);
        let leaf_pairs = self.a.len().saturating_mul(self.b.len());
        if has(Verdict::Overlapping) && want == Want::Contact && leaf_pairs > 1 {
            return least_shift(&self.a, &self.b, met, self.pairs.patience());
        }
        let verdict = [Verdict::Overlapping, Verdict::Undecided, Verdict::Touching]
            .into_iter()
            .find(|verdict| has(*verdict))
            .unwrap_or(Verdict::Separate);
        let of_kind = met.iter().filter(|pair| pair.answer.verdict == verdict);
        let Some(chosen) =
            of_kind.min_by(|x, y| x.answer.separation.hi().total_cmp(&y.answer.separation.hi()))
        else {
            // No pair is left only if none was nearer than anything: pairs at infinity.
            return Answer { verdict, ..Answer::undecided() };
        };
        nearest_of(met, chosen, verdict)
    }
}

/// What an answer about some of the pairs says of bodies of which no pair is nearer than `floor`.
///
/// That some pair overlaps is final, and the shift found parts all pairs, asked about or not. Else the distance found is one from above,
/// and a floor above zero is a proof that the bodies are apart.
fn cut_short(answer: Answer, floor: f64) -> Answer {
    let unknown = Answer::undecided();
    let is_deep = answer.verdict == Verdict::Overlapping;
    let lo = if is_deep { answer.separation.lo() } else { floor };
    let verdict = match answer.verdict {
        Verdict::Overlapping => Verdict::Overlapping,
        _ if lo > 0.0 => Verdict::Separate,
        _ => Verdict::Undecided,
    };
    let separation = Range::new(lo, answer.separation.hi()).unwrap_or(unknown.separation);
    Answer {
        verdict,
        separation,
        normal_error: unknown.normal_error,
        point_error: unknown.point_error,
        ..answer
    }
}

/// The least separation of all pairs, with the points of the chosen one. Where another pair may be nearer, its normal and
/// points may be the exact ones: the errors grow to hold them.
fn nearest_of(met: &[Met], chosen: &Met, verdict: Verdict) -> Answer {
    let mut found = Answer { verdict, ..chosen.answer };
    let rivals = met.iter().filter(|pair| {
        !std::ptr::eq(*pair, chosen) && pair.answer.separation.lo() < chosen.answer.separation.hi()
    });
    for Met { answer, .. } in rivals {
        // An angle is never more than π/2 times its chord.
        let turned = mul_up(length_up(answer.normal - found.normal), 1.58);
        found.normal_error = found.normal_error.max(add_up(turned, answer.normal_error)).min(PI);
        let moved =
            add_up(length_up(answer.point_a - found.point_a), length_up(answer.point_b - found.point_b));
        found.point_error = found.point_error.max(add_up(moved, answer.point_error));
    }
    let least = |end: fn(&Range) -> f64| {
        met.iter().map(|pair| end(&pair.answer.separation)).fold(f64::INFINITY, f64::min)
    };
    found.separation = Range::new(least(Range::lo), least(Range::hi)).unwrap_or(chosen.answer.separation);
    found
}

/// An answer about bodies whose radii may be off by these errors.
fn widened(answer: Answer, error_a: f64, error_b: f64) -> Answer {
    if error_a == 0.0 && error_b == 0.0 {
        return answer;
    }
    let error = add_up(error_a, error_b);
    let (lo, hi) = ((answer.separation.lo() - error).next_down(), (answer.separation.hi() + error).next_up());
    let verdict = match answer.verdict {
        Verdict::Separate if lo > 0.0 => Verdict::Separate,
        Verdict::Overlapping if hi < 0.0 => Verdict::Overlapping,
        _ => Verdict::Undecided,
    };
    let separation = Range::new(lo, hi).unwrap_or(answer.separation);
    Answer { verdict, separation, point_error: add_up(answer.point_error, error), ..answer }
}
