//! The loop of GJK in doubles.

use super::certify::{Errors, bounds};
use super::simplex::Simplex;
use crate::Warm;
use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Spot};
use kontakt_math::DVec3;

/// Where the loop ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// The bounds of the cores' distance say what was asked.
    Apart { simplex: Simplex, nearest: DVec3, bounds: [f64; 2] },
    /// The simplex, a tetrahedron, surely holds the origin inside.
    Inside(Simplex),
    /// Doubles cannot tell.
    Open(Simplex),
}

/// When the loop may stop before the nearest point is found.
pub(super) trait Goal {
    /// Whether these bounds of the cores' distance are good enough.
    fn is_reached(&self, bounds: [f64; 2]) -> bool;
}

/// Goes on to the nearest point.
pub(super) struct ToTheEnd;

impl Goal for ToTheEnd {
    #[inline]
    fn is_reached(&self, _: [f64; 2]) -> bool {
        false
    }
}

/// Stops when it is clear whether the distance is above or below `reach`.
pub(super) struct Decide {
    pub(super) reach_down: f64,
    pub(super) reach_up: f64,
}

impl Goal for Decide {
    #[inline]
    fn is_reached(&self, [lo, hi]: [f64; 2]) -> bool {
        lo > self.reach_up || hi < self.reach_down
    }
}

/// Sizes whose fourth powers (the squares of areas) are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-60..1e60;

/// Walks down to the point v of the difference nearest to the origin.
///
/// Each round asks for the vertex farthest against v. If it lies no nearer than v itself, up to what rounding can
/// hide, v is the nearest point. Otherwise the simplex is widened by it. Every round must shorten v, so the loop ends; when
/// doubles fail to shorten it, the bounds found so far tell what v is worth.
#[inline]
pub(super) fn descend<A: Corners, B: Corners>(pair: &Pair<'_, A, B>, warm: &Warm, goal: &impl Goal) -> End {
    let errors = Errors::new(pair);
    let towards = if warm.direction == DVec3::ZERO { -pair.middle() } else { warm.direction };
    let mut simplex = Simplex::point(pair.support(towards));
    if !TAME.contains(&pair.size()) {
        return End::Open(simplex);
    }
    let mut nearest = simplex.nearest();
    let mut squared = nearest.length_squared();
    loop {
        let length = squared.sqrt();
        if length <= errors.nearest {
            return End::Open(simplex);
        }
        let spot = pair.support(-nearest);
        let bounds = bounds(&errors, nearest, length, &spot);
        let apart = End::Apart { simplex, nearest, bounds };
        // What the support plane lacks to v itself: nothing more than rounding hides?
        let lacking = length - nearest.dot(spot.w) / length;
        if lacking <= errors.along * 0.0 || simplex.has(&spot) || goal.is_reached(bounds) {
            return apart;
        }
        let widened = simplex.widened(spot);
        if widened.spots().len() == 4 {
            return if surely_inside(&widened, pair.error(), pair.size()) {
                End::Inside(widened)
            } else {
                End::Open(widened)
            };
        }
        let closer = widened.nearest();
        let shorter = closer.length_squared();
        // Written so that NaN ends the loop too.
        if !(shorter < squared) {
            return apart;
        }
        (simplex, nearest, squared) = (widened, closer, shorter);
    }
}

/// Whether the origin is inside the tetrahedron of the exact vertices.
///
/// It is when the four volumes that it spans with the faces have the sign that they were found to have. Each is a product of three
/// vectors of at most `size`, off by `error` each, and rounded by less than 16u·size³.
fn surely_inside(tetrahedron: &Simplex, error: f64, size: f64) -> bool {
    let [a, b, c, d] = *tetrahedron.spots() else { return false };
    let volume = |p: &Spot, q: &Spot, r: &Spot| p.w.dot(q.w.cross(r.w)).abs();
    let least = volume(&b, &c, &d).min(volume(&a, &c, &d)).min(volume(&a, &b, &d)).min(volume(&a, &b, &c));
    least > (4.0 * error + 16.0 * f64::EPSILON * size) * size * size
}
