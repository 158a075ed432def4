//! The loop of GJK in doubles.

use super::errors::Errors;
use super::simplex::Simplex;
use crate::Warm;
use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Spot};
use kontakt_math::DVec3;

/// Where the loop stands: a simplex of the difference and its point nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Vertices around v.
    pub(super) simplex: Simplex,
    /// v.
    pub(super) nearest: DVec3,
    /// |v|
    pub(super) length: f64,
    /// Bounds of the cores' distance.
    pub(super) bounds: [f64; 2],
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// The bounds say what doubles can, or what was asked.
    Bounded,
    /// The simplex, a tetrahedron, surely holds the origin inside.
    Inside,
    /// Doubles cannot tell.
    Open,
}

/// Sizes whose sixth powers (the squares of volumes) are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-45..1e45;

/// Walks down to the point v of the difference nearest to the origin; `enough` may stop it earlier, given bounds of the
/// distance.
///
/// Each round asks for the vertex farthest against v. If it lies no nearer than v itself, up to what rounding can
/// hide, v is the nearest point. Otherwise the simplex is widened by it. Every round must shorten v, so the loop ends; when
/// doubles fail to shorten it, the bounds found so far tell what v is worth.
#[inline]
pub(super) fn descend<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    errors: &Errors,
    warm: &Warm,
    enough: impl Fn([f64; 2]) -> bool,
) -> (Walk, End) {
    let towards = if warm.direction == DVec3::ZERO { -pair.middle() } else { warm.direction };
    let first = pair.support(towards);
    let mut squared = first.w.length_squared();
    let mut walk = Walk {
        simplex: Simplex::point(first),
        nearest: first.w,
        length: squared.sqrt(),
        bounds: [0.0, f64::INFINITY],
    };
    if !TAME.contains(&errors.size) {
        return (walk, End::Open);
    }
    loop {
        if walk.length <= errors.nearest {
            return (walk, End::Open);
        }
        let spot = pair.support(-walk.nearest);
        let along = walk.nearest.dot(spot.w);
        walk.bounds = errors.bounds(along, walk.length);
        // How much nearer than v's own plane that vertex is, times |v|. What is below rounding brings nothing.
        let gain = squared - along;
        if gain <= errors.finest * walk.length || walk.simplex.has(&spot) || enough(walk.bounds) {
            return (walk, End::Bounded);
        }
        let mut widened = walk.simplex;
        let nearest = widened.widen(spot);
        if widened.spots().len() == 4 {
            walk.simplex = widened;
            return (walk, if surely_inside(&widened, errors) { End::Inside } else { End::Open });
        }
        let shorter = nearest.length_squared();
        // Written so that NaN ends the loop too.
        if !(shorter < squared) {
            return (walk, End::Bounded);
        }
        (walk.simplex, walk.nearest, squared) = (widened, nearest, shorter);
        walk.length = squared.sqrt();
    }
}

/// Whether the origin is inside the tetrahedron of the exact vertices.
///
/// It is when the four volumes that it spans with the faces have the sign that they were found to have. Each is a product of three
/// vectors of at most `size`, off by `vertex` each, and rounded by less than 16u·size³.
fn surely_inside(tetrahedron: &Simplex, errors: &Errors) -> bool {
    let [a, b, c, d] = *tetrahedron.spots() else { return false };
    let volume = |p: &Spot, q: &Spot, r: &Spot| p.w.dot(q.w.cross(r.w)).abs();
    let least = volume(&b, &c, &d).min(volume(&a, &c, &d)).min(volume(&a, &b, &d)).min(volume(&a, &b, &c));
    least > (4.0 * errors.vertex + 16.0 * f64::EPSILON * errors.size) * errors.size * errors.size
}
