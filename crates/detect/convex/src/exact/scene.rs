//! The exact difference of two placed polytopes, and its exact support map.

use super::simplex::ExactSpot;
use crate::difference::Pair;
use crate::difference::corners::Corners;
use kontakt_math::exact_vector::{Vector, dot, rounded_direction, scale, sub, vector};
use kontakt_math::{DVec3, Dyadic, U};

/// A pair with the weight that all its exact places are multiplied by.
pub(crate) struct Scene<'a, A, B> {
    pair: &'a Pair<'a, A, B>,
    weight: Dyadic,
}

impl<'a, A: Corners, B: Corners> Scene<'a, A, B> {
    /// Of this pair.
    pub(crate) fn new(pair: &'a Pair<'a, A, B>) -> Self {
        let [_, _, _, weight] = pair.between.exact_b(DVec3::ZERO);
        Scene { pair, weight }
    }

    /// What all exact places are multiplied by; positive.
    pub(crate) fn weight(&self) -> &Dyadic {
        &self.weight
    }

    /// The pair itself.
    pub(crate) fn pair(&self) -> &Pair<'a, A, B> {
        self.pair
    }

    /// A corner of A in A's frame, times the weight.
    pub(crate) fn place_a(&self, id: u32) -> Vector {
        scale(&self.weight, &vector(self.pair.a.corner(id)))
    }

    /// A corner of B in A's frame, times the weight.
    pub(crate) fn place_b(&self, id: u32) -> Vector {
        let [x, y, z, _] = self.pair.between.exact_b(self.pair.b.corner(id));
        [x, y, z]
    }

    /// The vertex of the difference made of these corners.
    pub(crate) fn spot(&self, pair: [u32; 2]) -> ExactSpot {
        ExactSpot { place: sub(&self.place_a(pair[0]), &self.place_b(pair[1])), pair }
    }

    /// The direction against one of A's frame, in B's frame, times the weight.
    fn against_in_b(&self, direction: &Vector) -> Vector {
        let rows = &self.pair.between.exact().rows;
        std::array::from_fn(|j| -dot(direction, &std::array::from_fn(|i| rows[i][j].clone())))
    }

    /// A vertex of the difference with the least `direction · x`, exactly.
    ///
    /// Doubles leave few candidates. With |d|∞ = 1, d off by 4u in each coordinate, d·a errs by (4 + 4)u|a|₁; the slack of
    /// 16u|a|₁ is twice that. Turned back to B's frame (the turn errs by at most e, its product with d by 3·3u) d has a
    /// length of at most √3, so d·b errs by (√3·e + (9 + 7 + 7)u)|b|, less than (2e + 32u)|b|₁. Underflows fit into the
    /// smallest normal double. What is not a finite number stays a candidate.
    pub(crate) fn lowest(&self, direction: &Vector) -> [u32; 2] {
        let rounded = rounded_direction(direction);
        let slack_a = 16.0 * U * self.pair.a.reach() + f64::MIN_POSITIVE;
        let turn = 2.0 * self.pair.between.turn_error() + 32.0 * U;
        let slack_b = turn * self.pair.b.reach() + f64::MIN_POSITIVE;
        let back = self.pair.between.turn().transpose() * rounded;
        let a = least(&self.pair.a, rounded, slack_a, || direction.clone());
        let b = least(&self.pair.b, -back, slack_b, || self.against_in_b(direction));
        [a, b]
    }
}

/// The corner with the least product with an exact direction; `direction · corner` estimates the products within `slack`, up to a factor.
fn least<C: Corners>(corners: &C, direction: DVec3, slack: f64, exact: impl Fn() -> Vector) -> u32 {
    let estimate = |id: u32| direction.dot(corners.corner(id));
    let lowest = (0..corners.count()).map(estimate).fold(f64::INFINITY, f64::min);
    let limit = lowest + 2.0 * slack + 4.0 * U * lowest.abs();
    let is_candidate = |id: &u32| {
        let value = estimate(*id);
        !(value.is_finite() && limit.is_finite() && value > limit)
    };
    let mut candidates = (0..corners.count()).filter(is_candidate);
    let Some(first) = candidates.next() else { return 0 };
    let Some(second) = candidates.next() else { return first };
    let exact = exact();
    let product = |id: u32| dot(&exact, &vector(corners.corner(id)));
    let mut best = (product(first), first);
    for id in std::iter::once(second).chain(candidates) {
        let value = product(id);
        if value < best.0 {
            best = (value, id);
        }
    }
    best.1
}
