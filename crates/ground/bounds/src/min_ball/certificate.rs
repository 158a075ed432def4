//! The proof that no smaller ball exists, evaluated in plain doubles with all rounding accounted for.

use super::support::{Held, MOST};
use crate::volume::Sphere;
use kontakt_math::DVec3;

/// u = 2⁻⁵³.
const U: f64 = f64::EPSILON / 2.0;

/// **Never more** than the radius of the smallest ball around `balls`, however bad the pulls and weights are.
///
/// Proof: let z be the optimal centre, R its radius, q the last ball's centre, λᵢ ≥ 0 with sum Λ, |gᵢ| ≤ 1. Then
/// Λ·R ≥ Σ λᵢ(|pᵢ − z| + ρᵢ) ≥ Σ λᵢ(gᵢ·(pᵢ − z) + ρᵢ) = S − η·(z − q), where S = Σ λᵢ(gᵢ·(pᵢ − q) + ρᵢ) and η = Σ λᵢgᵢ.
/// Since |z − q| ≤ R, R ≥ S / (Λ + |η|). The centre of the support's ball lies in the hull of the support, so pulls
/// towards the members balance, η ≈ 0, and the bound is the support's own radius to rounding. (For points this is
/// the old theorem: a ball whose centre lies in the convex hull of points on its boundary is their smallest.)
///
/// Rounding: gᵢ is the given pull shrunk by 12u, used only if its computed length is ≤ 1 − 4u; that length's relative error
/// is < 3u, so |gᵢ| ≤ 1. A term of S has relative error (difference 1u, dot 3u, sum 1u, product 1u) against
/// λᵢ(|pᵢ − q| + ρᵢ), and at most four additions follow: 10u of Σ λᵢ(|pᵢ − q| + ρᵢ) in all, 14u with the error of that sum
/// itself. η is off by at most 4u·Λ, Λ by 4u·Λ; 12u·Λ covers both and the final operations.
pub(super) fn radius_below(balls: &[Sphere], held: &Held) -> f64 {
    let mut below = 0.0_f64;
    let Some(base) = balls.last() else { return below };
    let (mut sum, mut size, mut total, mut balance) = (0.0, 0.0, 0.0, DVec3::ZERO);
    for (i, ball) in balls.iter().enumerate().take(MOST) {
        if held.members & (1 << i) == 0 {
            continue;
        }
        // Trivially no ball around this one is smaller than it.
        below = below.max(ball.radius);
        let pull = held.pulls[i] * (1.0 - 12.0 * U);
        let weight = held.weights[i];
        let usable = pull.length() <= 1.0 - 4.0 * U && weight > 0.0 && weight.is_finite();
        if usable {
            let edge = ball.centre - base.centre;
            sum += weight * (pull.dot(edge) + ball.radius);
            size += weight * (edge.length() + ball.radius);
            total += weight;
            balance += weight * pull;
        }
    }
    let divisor = (total + balance.length()) + 12.0 * U * total;
    let bound = ((sum - 14.0 * U * size) / divisor) * (1.0 - 4.0 * U);
    // NaN (no usable member) leaves the trivial bound.
    below.max(bound)
}
