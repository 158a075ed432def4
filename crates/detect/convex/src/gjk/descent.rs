//! The loop of GJK in doubles.

use super::enclosure::{inside_octahedron, inside_tetrahedron};
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
    /// |v|² and |v|.
    squared: f64,
    pub(super) length: f64,
    /// Bounds of the cores' distance.
    pub(super) bounds: [f64; 2],
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// The bounds say what doubles can, or what was asked.
    Bounded,
    /// The difference surely holds the origin inside.
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
    let mut walk = start(pair, warm);
    if !TAME.contains(&errors.size) {
        return (walk, End::Open);
    }
    loop {
        if walk.length <= errors.nearest {
            return (walk, if inside_octahedron(pair, errors) { End::Inside } else { End::Open });
        }
        let mut spot = pair.climb(-walk.nearest, &walk.simplex.spots()[0]);
        if walk.ends_at(&spot, errors) || enough(walk.bounds_by(&spot, errors)) {
            // A walk over edges does not see all vertices, and only all of them prove a bound.
            spot = walk.certify(pair, spot, errors);
            if walk.ends_at(&spot, errors) || enough(walk.bounds) {
                return (walk, End::Bounded);
            }
        }
        let nearest = walk.simplex.widen(spot);
        if walk.simplex.spots().len() == 4 {
            let inside = inside_tetrahedron(&walk.simplex, errors) || inside_octahedron(pair, errors);
            return (walk, if inside { End::Inside } else { End::Open });
        }
        // NaN is not shorter, and ends the loop too.
        let is_shorter = nearest.length_squared() < walk.squared;
        walk.move_to(nearest);
        if !is_shorter {
            let lowest = pair.support(-nearest);
            walk.bounds = walk.bounds_by(&lowest, errors);
            return (walk, End::Bounded);
        }
    }
}

impl Walk {
    /// Takes the point nearest to the origin.
    #[inline]
    fn move_to(&mut self, nearest: DVec3) {
        self.nearest = nearest;
        self.squared = nearest.length_squared();
        self.length = self.squared.sqrt();
    }

    /// Whether widening by this vertex would bring v no nearer: it is known, or lies behind v's own plane up to rounding.
    #[inline]
    fn ends_at(&self, spot: &Spot, errors: &Errors) -> bool {
        self.squared - self.nearest.dot(spot.w) <= errors.finest * self.length || self.simplex.has(spot)
    }

    /// Bounds of the distance if this vertex is the farthest against v.
    #[inline]
    fn bounds_by(&self, spot: &Spot, errors: &Errors) -> [f64; 2] {
        errors.bounds(self.nearest.dot(spot.w), self.length)
    }

    /// Takes the bounds from the vertex that is surely farthest against v, and returns it.
    #[inline]
    fn certify<A: Corners, B: Corners>(
        &mut self,
        pair: &Pair<'_, A, B>,
        spot: Spot,
        errors: &Errors,
    ) -> Spot {
        let lowest = if pair.climbs() { pair.support(-self.nearest) } else { spot };
        self.bounds = self.bounds_by(&lowest, errors);
        lowest
    }
}

/// The simplex of the last query, or the vertex farthest towards the origin.
#[inline(always)]
fn start<A: Corners, B: Corners>(pair: &Pair<'_, A, B>, warm: &Warm) -> Walk {
    let mut pairs = warm.pairs().iter().filter(|[a, b]| *a < pair.a.count() && *b < pair.b.count());
    let first = match pairs.next() {
        Some(&[a, b]) => pair.spot(a, b),
        None if warm.direction == DVec3::ZERO => pair.support(-pair.middle()),
        None => pair.support(warm.direction),
    };
    let unbounded = [0.0, f64::INFINITY];
    let simplex = Simplex::point(first);
    let mut walk = Walk { simplex, nearest: first.w, squared: 0.0, length: 0.0, bounds: unbounded };
    walk.move_to(first.w);
    for &[a, b] in pairs {
        let spot = pair.spot(a, b);
        // Only vertices before the plane across v widen a simplex.
        if walk.nearest.dot(spot.w) < walk.squared {
            let nearest = walk.simplex.widen(spot);
            walk.move_to(nearest);
        }
    }
    if !walk.squared.is_finite() {
        walk.simplex = Simplex::point(first);
        walk.move_to(first.w);
    }
    walk
}
