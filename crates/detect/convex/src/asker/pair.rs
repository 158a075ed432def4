//! Two convex shapes: which part of the room answers.

use super::ConvexQuery;
use crate::gjk::Cut;
use crate::{
    Answer, Core, Method, PlacedShape, Shape, Verdict, Want, Warm, analytic, balls, depth, gjk, half_space,
    smooth,
};
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3};

/// What the last question was about, and what it leaves for the next one about the same two shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// Addresses of the shapes. An address that was given to another shape since only makes a bad hint.
    about: [usize; 2],
    warm: Warm,
    /// Whether their cores met, where that was asked.
    were_deep: Option<bool>,
}

impl Memory {
    /// The memory for a question about these shapes; cold when the last one was about others.
    fn of(&mut self, a: &Shape, b: &Shape) -> &mut Memory {
        let about = [std::ptr::from_ref(a).addr(), std::ptr::from_ref(b).addr()];
        if self.about != about {
            *self = Memory { about, ..Memory::default() };
        }
        self
    }
}

/// An angle, in radians, that is good enough without a better proof.
const FINE: f64 = 1e-9;

/// The same where only the distance is asked for.
const FINE_FOR_DISTANCE: f64 = 1e-6;

/// Whether the core has an inside as a rule.
pub(super) fn is_solid(core: &Core) -> bool {
    matches!(core, Core::Box(_) | Core::Hull(_))
}

impl ConvexQuery {
    /// The verdict on two boxes or hulls.
    pub(super) fn meet(&mut self, a: &PlacedShape, b: &PlacedShape) -> Verdict {
        let between = Between::new(a.pose, b.pose);
        // More than half of all pairs need no vertices, and asking for them takes its time where none are in the caches.
        if self.method() == Method::Default
            && let Some(verdict) = balls::verdict(a, b, &between)
        {
            return verdict;
        }
        for body in [a, b] {
            if let Core::Hull(hull) = body.shape.core() {
                hull.prefetch_vertices();
            }
        }
        let memory = self.memory.of(a.shape, b.shape);
        gjk::verdict(a.shape, b.shape, &between, &mut memory.warm)
    }

    /// The answer about two convex shapes.
    pub fn convex(&mut self, a: &Shape, b: &Shape, between: &Between, want: Want) -> Answer {
        let is_half_space = |shape: &Shape| matches!(shape.core(), Core::HalfSpace { .. });
        if is_half_space(a) || is_half_space(b) {
            return half_space::answer(a, b, between);
        }
        let method = self.method();
        let memory = self.memory.of(a, b);
        if a.core().is_polytopal() && b.core().is_polytopal() {
            // Where the cores are so near that a formula loses sight of the normal, iteration has the better proof.
            if method == Method::Default
                && let Some(answer) = analytic::answer(a, b, between)
                && (want == Want::Verdict || answer.normal_error <= FINE)
            {
                return answer;
            }
            return polytopal(a, b, between, memory, (want, method));
        }
        smooth::answer_by(a, b, between, &mut memory.warm.direction, (want, method))
    }
}

/// GJK decides; where the cores meet and the depth is wanted, that is asked for next. Solids that seem to meet are asked for
/// their depth first, which falls back on GJK where it cannot prove one.
fn polytopal(
    a: &Shape,
    b: &Shape,
    between: &Between,
    memory: &mut Memory,
    (want, method): (Want, Method),
) -> Answer {
    let warm = &mut memory.warm;
    if want == Want::Verdict {
        return met(gjk::verdict(a, b, between, warm));
    }
    let solids = is_solid(a.core()) && is_solid(b.core());
    if want == Want::Contact
        && memory.were_deep.unwrap_or_else(|| solids && !seem_apart(a.core(), b.core(), between))
        && let Some(answer) = depth::penetration_by(a, b, between, warm, method)
    {
        memory.were_deep = Some(solids && answer.verdict != Verdict::Separate);
        return answer;
    }
    let cut = if want == Want::Distance {
        gjk::separation_with(a, b, between, warm, FINE_FOR_DISTANCE)
    } else {
        gjk::separation(a, b, between, warm)
    };
    match cut {
        Cut::Apart(answer) => answer,
        Cut::CoresMeet { verdict, .. } if want != Want::Contact => met(verdict),
        Cut::CoresMeet { verdict, .. } => {
            memory.were_deep = Some(solids);
            depth::penetration_by(a, b, between, warm, method).unwrap_or_else(|| met(verdict))
        }
        Cut::NotPolytopal => Answer::undecided(),
    }
}

/// Whether two solids are separated by the plane across the line of their middles, or across the line of the corners next to it; in
/// plain doubles, because it only decides what is tried first.
fn seem_apart(a: &Core, b: &Core, between: &Between) -> bool {
    let mut towards = between.b_in_a(middle(b)) - middle(a);
    for _ in 0..2 {
        let back = between.turn().transpose_mul_vec3(-towards);
        let gap = between.b_in_a(farthest(b, back)) - farthest(a, towards);
        if towards.dot(gap) > 0.0 {
            return true;
        }
        towards = gap;
    }
    false
}

fn middle(solid: &Core) -> DVec3 {
    if let Core::Hull(hull) = solid { hull.middle() } else { DVec3::ZERO }
}

fn farthest(solid: &Core, direction: DVec3) -> DVec3 {
    match solid {
        Core::Box(half) => half.copysign(direction),
        Core::Hull(hull) => hull.extreme(direction).1,
        _ => DVec3::ZERO,
    }
}

/// Only the verdict is known.
fn met(verdict: Verdict) -> Answer {
    let (lo, hi) = match verdict {
        Verdict::Separate => (f64::from_bits(1), f64::INFINITY),
        Verdict::Touching => (0.0, 0.0),
        Verdict::Overlapping => (f64::NEG_INFINITY, -f64::from_bits(1)),
        Verdict::Undecided => (f64::NEG_INFINITY, f64::INFINITY),
    };
    Answer { verdict, separation: Range::new(lo, hi).unwrap_or(Range::ZERO), ..Answer::undecided() }
}
