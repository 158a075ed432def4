//! The loop of GJK in doubles.

use super::enclosure::{inside_octahedron, inside_tetrahedron};
use super::errors::Errors;
use crate::Warm;
use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Spot};
use crate::simplex::Simplex;
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

impl Walk {
    /// From the simplex of the last query, or from the vertex farthest towards the origin.
    #[inline(always)]
    pub(super) fn start<A: Corners, B: Corners>(pair: &Pair<'_, A, B>, warm: &Warm) -> Walk {
        if !warm.pairs().is_empty() {
            return Walk::resume(pair, warm);
        }
        let towards = if warm.direction == DVec3::ZERO { -pair.middle() } else { warm.direction };
        Walk::at(pair.support(towards))
    }

    /// At a single vertex.
    #[inline(always)]
    fn at(spot: Spot) -> Walk {
        let (simplex, nearest, bounds) = (Simplex::point(spot), spot.w, [0.0, f64::INFINITY]);
        let squared = nearest.length_squared();
        Walk { simplex, nearest, squared, length: squared.sqrt(), bounds }
    }

    /// With those vertices of the last query that still make a simplex.
    #[inline(never)]
    fn resume<A: Corners, B: Corners>(pair: &Pair<'_, A, B>, warm: &Warm) -> Walk {
        let known = |[a, b]: &&[u32; 2]| *a < pair.a.count() && *b < pair.b.count();
        let mut spots = warm.pairs().iter().filter(known).map(|&[a, b]| pair.spot(a, b));
        let first = spots.next().unwrap_or_else(|| pair.support(warm.direction));
        let mut walk = Walk::at(first);
        for spot in spots {
            // Only vertices before the plane across v widen a simplex.
            if walk.nearest.dot(spot.w) < walk.squared {
                let nearest = walk.simplex.widen(spot);
                walk.move_to(nearest);
            }
        }
        if walk.squared.is_finite() { walk } else { Walk::at(first) }
    }

    /// Walks down to the point v of the difference nearest to the origin; `enough` may stop it earlier, given bounds of the
    /// distance.
    ///
    /// Each round asks for the vertex farthest against v. If it lies no nearer than v itself, up to what rounding can
    /// hide, v is the nearest point. Otherwise the simplex is widened by it. Every round must shorten v, so the loop ends; when
    /// doubles fail to shorten it, the bounds found so far tell what v is worth.
    #[inline(always)]
    pub(super) fn descend<A: Corners, B: Corners>(
        &mut self,
        pair: &Pair<'_, A, B>,
        errors: &Errors,
        enough: impl Fn([f64; 2]) -> bool,
    ) -> End {
        if !TAME.contains(&errors.size) {
            return End::Open;
        }
        loop {
            if self.length <= errors.nearest {
                return if inside_octahedron(pair, errors) { End::Inside } else { End::Open };
            }
            let mut spot = pair.climb(-self.nearest, &self.simplex.spots()[0]);
            if self.ends_at(&spot, errors) || enough(self.bounds_by(&spot, errors)) {
                // A walk over edges does not see all vertices, and only all of them prove a bound.
                spot = self.certify(pair, spot, errors);
                if self.ends_at(&spot, errors) || enough(self.bounds) {
                    return End::Bounded;
                }
            }
            let nearest = self.simplex.widen(spot);
            if self.simplex.is_whole() {
                let inside = inside_tetrahedron(&self.simplex, errors) || inside_octahedron(pair, errors);
                return if inside { End::Inside } else { End::Open };
            }
            // NaN is not shorter, and ends the loop too.
            let is_shorter = nearest.length_squared() < self.squared;
            self.move_to(nearest);
            if !is_shorter {
                let lowest = pair.support(-nearest);
                self.bounds = self.bounds_by(&lowest, errors);
                return End::Bounded;
            }
        }
    }

    /// Takes the point nearest to the origin.
    #[inline(always)]
    fn move_to(&mut self, nearest: DVec3) {
        self.nearest = nearest;
        self.squared = nearest.length_squared();
        self.length = self.squared.sqrt();
    }

    /// Whether widening by this vertex would bring v no nearer: it is known, or lies behind v's own plane up to rounding.
    #[inline(always)]
    fn ends_at(&self, spot: &Spot, errors: &Errors) -> bool {
        let noise = if self.simplex.is_face() { errors.finest_on_face } else { errors.finest * self.length };
        self.squared - self.nearest.dot(spot.w) <= noise || self.simplex.has(spot)
    }

    /// Bounds of the distance if this vertex is the farthest against v.
    #[inline(always)]
    fn bounds_by(&self, spot: &Spot, errors: &Errors) -> [f64; 2] {
        errors.bounds(self.nearest.dot(spot.w), self.length)
    }

    /// Takes the bounds from the vertex that is surely farthest against v, and returns it.
    #[inline(always)]
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
