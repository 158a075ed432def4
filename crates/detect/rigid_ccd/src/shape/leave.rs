//! Convex shapes that touch at the beginning: a proof that they leave each other at once.

// The answer at rest tells a unit normal n within an angle ε of an exact one m, along which the gap at the beginning is not
// negative (for polytopes and spheres exactly; else not less than the lower end of the certified separation, which is how touching is
// told there). The gap of other unit directions differs by at most |m − n| times the largest distance of points, so along m it
// is at least g(1) − ε·D at the end of a span, and (see `pursuit`) at least λ(g(1) − ε·D − q) on the way.

use super::piece::Piece;
use super::pursuit::Pursuit;
use crate::budget::Budget;
use crate::course::Course;
use crate::exact;
use crate::leave::{Direction, cross, edge, keeps_off};
use crate::outcome::Outcome;
use kontakt_convex::{Answer, ConvexQuery, Verdict, Want};
use kontakt_math::exact_map::Homogeneous;
use kontakt_math::{Between, Chain, DVec3};

/// Spans tried, each a quarter of the one before.
const MOST_SPANS: i32 = 24;
/// Most products of edges tried.
const MOST_PRODUCTS: usize = 4096;

impl Pursuit<'_> {
    /// Two pieces that touch at the beginning of the motion, or lie so near that doubles do not tell: do they leave each other, or
    /// meet? `other` is the same seen from B: a plane that turns with the one body may do where one that turns with the other does not.
    pub(super) fn after_touch(
        &self,
        other: Option<&Pursuit>,
        at_rest: &mut ConvexQuery,
        until: f64,
        budget: &mut Budget,
        looks: &mut u64,
    ) -> Outcome {
        let open = Outcome::Open { lo: self.leg.start, hi: until };
        if budget.is_spent() {
            return open;
        }
        let left = self.left_until(at_rest).or_else(|| other.and_then(|other| other.left_until(at_rest)));
        if let Some(from) = left {
            return if from >= until {
                Outcome::Free
            } else {
                self.follow(at_rest, [from, until], budget, looks).outcome
            };
        }
        self.contact_soon(at_rest, [self.leg.start, until]).unwrap_or(open)
    }

    /// Until when they are proven to have left the touch.
    fn left_until(&self, at_rest: &mut ConvexQuery) -> Option<f64> {
        let answer = self.at_start(at_rest)?;
        // The answer is in the world.
        let normal = self.leg.a.at(self.leg.start).turn.transpose() * answer.normal;
        let touches = answer.verdict == Verdict::Touching;
        free_until(self, &answer, normal).or_else(|| touches.then(|| self.left_by_features())?)
    }

    /// How the two pieces lie at the beginning of the motion, exactly placed.
    pub(super) fn at_start(&self, at_rest: &mut ConvexQuery) -> Option<Answer> {
        let ((a, _), (b, _)) = (self.a.placed()?, self.b.placed()?);
        let chains = [place(&self.leg.a, self.a), place(&self.leg.b, self.b)];
        let between = Between::of_chains(&chains[0], &chains[1]);
        let answer = at_rest.convex(&a, &b, &between, Want::Contact);
        // Where no depth could be proven the verdict alone is.
        let unclear = answer.verdict == Verdict::Undecided;
        Some(if unclear { at_rest.convex(&a, &b, &between, Want::Verdict) } else { answer })
    }

    /// Until when two polytopes are proven to have left a touch that has many normals, that of an edge with an edge along it or of
    /// corners: the normals of all faces and the products of all edges are tried, each **exactly** at the beginning.
    fn left_by_features(&self) -> Option<f64> {
        if !self.leg.is_smooth() {
            return None;
        }
        let facets = [self.a.facets()?, self.b.facets()?];
        // A's own frame.
        let home = Chain::new(self.leg.a.motion().pose_at(0.0));
        let corners = [(&self.leg.a, self.a), (&self.leg.b, self.b)]
            .map(|(course, piece)| Between::of_chains(&home, &place(course, piece)));
        let exact = [0, 1].map(|k: usize| {
            facets[k].own.iter().map(|x| corners[k].exact_b(*x)).collect::<Vec<Homogeneous>>()
        });
        let edges = [0, 1].map(|k: usize| {
            facets[k].edges.iter().map(|[i, j]| edge(&exact[k][*i], &exact[k][*j])).collect::<Vec<_>>()
        });
        let faces = (0..2).flat_map(|k| {
            let x = &exact[k];
            facets[k]
                .triangles
                .iter()
                .filter_map(move |&[p, q, r]| Direction::across(&edge(&x[p], &x[q]), &edge(&x[p], &x[r])))
        });
        // Of a sheet also the directions across its edges in its plane.
        let sheets = (0..2).filter(|&k| facets[k].triangles.len() <= 2).flat_map(|k| {
            let x = &exact[k];
            facets[k].triangles.iter().flat_map(move |&[p, q, r]| {
                let [e, f, g] = [(p, q), (q, r), (r, p)].map(|(i, j): (usize, usize)| edge(&x[i], &x[j]));
                let normal = cross(&e, &f);
                [e, f, g].map(|edge| Direction::across(&normal, &edge)).into_iter().flatten()
            })
        });
        let few = edges[0].len() * edges[1].len() <= MOST_PRODUCTS;
        let products = edges[0]
            .iter()
            .filter(|_| few)
            .flat_map(|e| edges[1].iter().filter_map(move |f| Direction::across(e, f)));
        let both = |n: Direction| [n.opposite(), n];
        faces.chain(sheets).chain(products).flat_map(both).find_map(|n| {
            // Cheap first: rounded to 2⁻⁵⁰ it is off by less than that angle.
            let until = left_along(self, n.rounded, 16.0 * f64::EPSILON, 0.0)?;
            keeps_off(&n, &exact[0], &exact[1]).then_some(until)
        })
    }

    /// Two half-spaces without common points face each other; while neither turns the gap changes linearly, so that it
    /// is positive all the time if it is at both ends.
    pub(super) fn walls_stay_apart(&self, at_rest: &mut ConvexQuery) -> bool {
        let (Some((a, _)), Some((b, _))) = (self.a.placed(), self.b.placed()) else { return false };
        let within = [self.a.chain(), self.b.chain()];
        [self.leg.start, self.leg.end].into_iter().all(|t| {
            exact::between_at(&self.leg.a, &self.leg.b, within, t).is_some_and(|(between, _)| {
                at_rest.convex(&a, &b, &between, Want::Verdict).verdict == Verdict::Separate
            })
        })
    }
}

/// The poses of a piece in the world at the beginning, exact.
fn place(course: &Course, piece: &Piece) -> Chain {
    let pose = course.motion().pose_at(0.0);
    piece.chain().map_or_else(|| Chain::new(pose), |chain| chain.within(pose))
}

/// Until when two pieces that touch at the beginning of the leg are proven to have left each other; `normal` is the
/// answer's, in the frame of the pursuit. `None` where that cannot be proven.
pub(super) fn free_until(pursuit: &Pursuit, answer: &Answer, normal: DVec3) -> Option<f64> {
    if answer.verdict == Verdict::Overlapping || answer.verdict == Verdict::Undecided {
        return None;
    }
    // What is only known to stay near its straight way may come back at once.
    if !pursuit.leg.is_smooth() {
        return None;
    }
    let normal = pursuit.a.wall.map_or(normal.normalize_or_zero(), |wall| wall.normal);
    // Turning the normal into the frame rounds by a few units in the last place. A wall's own is exact.
    let angle = if pursuit.a.wall.is_some() { 0.0 } else { answer.normal_error + 64.0 * f64::EPSILON };
    let grown = pursuit.a.grown_error + pursuit.b.grown_error;
    let touch = (-answer.separation.lo()).max(0.0) + grown;
    if normal == DVec3::ZERO || angle.is_nan() || angle >= 1.0 || !touch.is_finite() {
        return None;
    }
    left_along(pursuit, normal, angle, touch)
}

/// Until when two pieces are proven to have left each other along a direction of A's frame that is within `angle` of one along which
/// they overlap by no more than `touch` at the beginning of the leg.
fn left_along(pursuit: &Pursuit, normal: DVec3, angle: f64, touch: f64) -> Option<f64> {
    let (start, mut span) = (pursuit.leg.start, pursuit.leg.end - pursuit.leg.start);
    for _ in 0..MOST_SPANS {
        let until = start + span;
        if until <= start {
            return None;
        }
        let lost = angle * pursuit.spread(until) * (1.0 + 1e-9) + touch;
        if pursuit.gap_along(normal, until) > lost + pursuit.bend_between(start, until) {
            return Some(until);
        }
        span *= 0.25;
    }
    None
}
