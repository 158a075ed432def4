//! How far the numbers that GJK computes in doubles may be off.

use crate::difference::Pair;
use crate::difference::corners::Corners;
use kontakt_math::U;

/// Error bounds of a pair: lengths in its unit, each **never less** than the error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    /// Not an error: |a| + |b| of any two points about the origin of A's frame, and with it the length of any vertex.
    pub(super) size: f64,
    /// Of a vertex of the difference.
    pub(super) vertex: f64,
    /// Of v: the vertices', and the roundings of the mean.
    pub(super) nearest: f64,
    /// Of the least n·x over the difference when taken at the computed support vertex.
    pub(super) plane: f64,
    /// What the loop does not try to gain.
    pub(super) finest: f64,
    /// The same, multiplied by |v|, once v is a mean of three vertices: such a v is off by roundings of the mean, and the plane
    /// across it is off the more at the far end of a facet, the nearer the origin is.
    pub(super) finest_on_face: f64,
    /// Of the direction and length of an edge, relative to its length.
    pub(super) edge: f64,
}

impl Errors {
    /// Of a pair, where |turn·x| ≤ |x|₁ up to roundings.
    ///
    /// `vertex`: the place of b, and u(|a| + |b|) for the subtraction. `nearest`: the mean of exact vertices with the computed weights
    /// (whose sum is 1 ± 5u) is off by the vertices' error and by 7u·size + 5u·size of rounding. `plane`: the chosen
    /// vertex of A loses 2·3u|a|₁ against the best one; that of B the same and twice the error of the direction turned back, at most that of
    /// turning |b|; then the vertex's own error and 4u·size for the product and the quotient by |v|. `edge`: the
    /// turn, u for the subtraction, 3u for a product with a unit vector that is off by 4u itself.
    #[inline(always)]
    pub(super) fn new<A: Corners, B: Corners>(pair: &Pair<'_, A, B>) -> Errors {
        let (reach_a, reach_b) = (pair.a.reach(), pair.b.reach());
        let shift = pair.between.shift().abs().element_sum();
        let size = (reach_a + reach_b + shift) * (1.0 + 256.0 * U);
        let vertex = pair.between.error_within(reach_b) + 2.0 * U * size;
        let turn = pair.between.turn_error();
        Errors {
            size,
            vertex,
            nearest: vertex + 14.0 * U * size,
            plane: vertex + (2.1 * turn + 8.0 * U) * reach_b + 8.0 * U * reach_a + 6.0 * U * size,
            finest: U * size,
            finest_on_face: 12.0 * U * size * size,
            edge: turn + 16.0 * U,
        }
    }

    /// Bounds of the distance from the length of v and its least product with vertices.
    #[inline(always)]
    pub(super) fn bounds(&self, along: f64, length: f64) -> [f64; 2] {
        [along / length - self.plane, length * (1.0 + 4.0 * U) + self.nearest]
    }
}
