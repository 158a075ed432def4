//! The one who asks: picks the way to an answer for every pair of shapes.

mod order;
mod pair;
mod patience;
mod union;

use crate::analytic::boxes;
use crate::manifold::Scratch;
use crate::smooth::glance;
use crate::{
    Answer, Core, Manifold, Method, PlacedShape, Shape, Verdict, Want, manifold, point_and_box, two_points,
};
use kontakt_math::Between;
use kontakt_schedule::Deadline;
use order::in_other_order;
use pair::{Memory, is_solid};
#[doc(hidden)]
pub use patience::Patience;
use union::UnionQuery;

/// Asks about two placed shapes. It keeps memory of the last question to start the next one near its answer; verdicts and
/// certified numbers do not depend on that memory, nor on the order of the two shapes. One asker a thread.
///
/// A question about two shapes takes microseconds; about unions it may take long, and ends at a deadline where one is set.
#[derive(Clone, Debug, Default)]
pub struct ConvexQuery {
    method: Method,
    memory: Memory,
    scratch: Scratch,
    patience: Patience,
}

/// Whoever answers about two convex shapes: the asker, or the laboratory with a method beside it.
#[doc(hidden)]
pub trait ConvexPairs {
    /// The answer about two convex shapes.
    fn convex(&mut self, a: &Shape, b: &Shape, between: &Between, want: Want) -> Answer;

    /// Drops the memory of the last question.
    fn forget(&mut self);

    /// When the question has to end.
    fn patience(&mut self) -> &mut Patience;
}

impl ConvexPairs for ConvexQuery {
    #[inline]
    fn convex(&mut self, a: &Shape, b: &Shape, between: &Between, want: Want) -> Answer {
        ConvexQuery::convex(self, a, b, between, want)
    }

    #[inline]
    fn forget(&mut self) {
        self.memory = Memory::default();
    }

    #[inline]
    fn patience(&mut self) -> &mut Patience {
        &mut self.patience
    }
}

/// The answer about two placed bodies, which does not depend on their order, from those about convex shapes.
#[doc(hidden)]
pub fn answer_by(pairs: &mut impl ConvexPairs, a: &PlacedShape, b: &PlacedShape, want: Want) -> Answer {
    pairs.patience().renew();
    if in_other_order(a, b) { ordered(pairs, b, a, want).swapped() } else { ordered(pairs, a, b, want) }
}

/// The same with all contacts of bodies that are not farther apart than `gap`.
#[doc(hidden)]
pub fn manifold_by(pairs: &mut impl ConvexPairs, a: PlacedShape, b: PlacedShape, gap: f64) -> Manifold {
    pairs.patience().renew();
    manifold_in(pairs, &mut Scratch::default(), [a, b], gap, Manifold::default())
}

/// The same in the memory of another one.
fn manifold_in(
    pairs: &mut impl ConvexPairs,
    scratch: &mut Scratch,
    [a, b]: [PlacedShape; 2],
    gap: f64,
    memory: Manifold,
) -> Manifold {
    if in_other_order(&a, &b) {
        return ordered_manifold(pairs, scratch, [b, a], gap, memory).swapped();
    }
    ordered_manifold(pairs, scratch, [a, b], gap, memory)
}

fn ordered(pairs: &mut impl ConvexPairs, a: &PlacedShape, b: &PlacedShape, want: Want) -> Answer {
    if is_union(a) || is_union(b) {
        return UnionQuery::new(pairs, *a, *b).answer(want);
    }
    let between = Between::new(a.pose, b.pose);
    pairs.convex(a.shape, b.shape, &between, want)
}

fn ordered_manifold(
    pairs: &mut impl ConvexPairs,
    scratch: &mut Scratch,
    [a, b]: [PlacedShape; 2],
    gap: f64,
    mut memory: Manifold,
) -> Manifold {
    if is_union(&a) || is_union(&b) {
        return UnionQuery::new(pairs, a, b).manifold(gap, scratch);
    }
    let between = Between::new(a.pose, b.pose);
    let answer = pairs.convex(a.shape, b.shape, &between, Want::Contact);
    let far = answer.verdict == Verdict::Separate && answer.separation.lo() > gap;
    memory.answer = answer;
    memory.contacts.clear();
    memory.parts.clear();
    if !far {
        manifold::contacts([a.shape, b.shape], &between, &answer, gap, scratch, &mut memory.contacts);
    }
    memory.parts.resize(memory.contacts.len(), [0, 0]);
    memory
}

impl ConvexQuery {
    /// An asker that takes the fastest certified way.
    pub fn new() -> ConvexQuery {
        ConvexQuery::default()
    }

    /// An asker that takes a chosen way.
    pub fn with_method(method: Method) -> ConvexQuery {
        ConvexQuery { method, ..ConvexQuery::default() }
    }

    /// The same asker that ends questions about unions, with what is certain by then, when a deadline has passed: pairs of parts that are
    /// not yet asked about leave bounds open, and contacts of theirs are missing.
    #[must_use]
    pub fn with_deadline(self, deadline: Deadline) -> ConvexQuery {
        ConvexQuery { patience: Patience::until(deadline), ..self }
    }

    /// Whether the deadline ended the last question before all of it was answered.
    pub fn was_cut(&self) -> bool {
        self.patience.was_cut()
    }

    /// The way it takes.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Whether the bodies meet; stops as soon as that is decided.
    pub fn intersect(&mut self, a: PlacedShape, b: PlacedShape) -> Verdict {
        self.patience.renew();
        if self.method == Method::Default
            && let (Core::Box(half_a), Core::Box(half_b)) = (a.shape.core(), b.shape.core())
            && let Some(verdict) = boxes::verdict(&a, &b, [*half_a, *half_b])
        {
            return verdict;
        }
        if is_solid(a.shape.core()) && is_solid(b.shape.core()) {
            // An exact verdict does not depend on the order, and looking for one takes time.
            return self.meet(&a, &b);
        }
        if self.method == Method::Default
            && glance::is_worth_it(a.shape.core(), b.shape.core())
            && let Some(verdict) = glance::verdict(a.shape, b.shape, &Between::new(a.pose, b.pose))
        {
            return verdict;
        }
        self.ask(&a, &b, Want::Verdict).verdict
    }

    /// Distance, nearest points and normal of separate bodies. Of others the verdict, and of the separation only that it is
    /// not positive.
    pub fn distance(&mut self, a: PlacedShape, b: PlacedShape) -> Answer {
        self.ask(&a, &b, Want::Distance)
    }

    /// Signed separation, normal and the pair of points that realises it: distance or penetration depth.
    pub fn contact(&mut self, a: PlacedShape, b: PlacedShape) -> Answer {
        self.ask(&a, &b, Want::Contact)
    }

    /// The contact with all its points, where bodies are not farther apart than `gap` (≥ 0).
    pub fn manifold(&mut self, a: PlacedShape, b: PlacedShape, gap: f64) -> Manifold {
        self.manifold_in(a, b, gap, Manifold::default())
    }

    /// The same in the memory of another one, which is forgotten: shapes that are no unions take no memory of their own then.
    #[must_use]
    pub fn manifold_in(&mut self, a: PlacedShape, b: PlacedShape, gap: f64, memory: Manifold) -> Manifold {
        self.patience.renew();
        let mut scratch = std::mem::take(&mut self.scratch);
        let manifold = manifold_in(self, &mut scratch, [a, b], gap, memory);
        self.scratch = scratch;
        manifold
    }

    #[inline]
    fn ask(&mut self, a: &PlacedShape, b: &PlacedShape, want: Want) -> Answer {
        self.patience.renew();
        if self.method == Method::Default
            && let Some(answer) = of_points(a, b)
        {
            return answer;
        }
        if in_other_order(a, b) { self.ordered(b, a, want).swapped() } else { self.ordered(a, b, want) }
    }

    fn ordered(&mut self, a: &PlacedShape, b: &PlacedShape, want: Want) -> Answer {
        ordered(self, a, b, want)
    }
}

/// The answer where a core is a point and the other one simple: there is nothing to iterate.
#[inline]
fn of_points(a: &PlacedShape, b: &PlacedShape) -> Option<Answer> {
    match (a.shape.core(), b.shape.core()) {
        (Core::Point, Core::Point) => two_points::answer(a, b),
        (Core::Box(half), Core::Point) => point_and_box::answer(a, *half, b),
        (Core::Point, Core::Box(half)) => point_and_box::answer(b, *half, a).map(Answer::swapped),
        _ => None,
    }
}

fn is_union(body: &PlacedShape) -> bool {
    matches!(body.shape.core(), Core::Union(_))
}
