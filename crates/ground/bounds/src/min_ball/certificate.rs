//! The proof that no smaller ball exists, evaluated in plain doubles with all rounding accounted for.

use super::support::{Held, MOST};
use crate::ball::Sphere;
use kontakt_math::{DVec3, U};

/// 2⁻⁵⁰⁰: lesser weights are left out, since their products could underflow.
const LEAST_WEIGHT: f64 = f64::from_bits((1023 - 500) << 52);

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
/// itself. η is off by at most 4u·Λ, Λ by 4u·Λ; 12u·Λ covers both and the final operations. Weights are at least 2⁻⁵⁰⁰, so
/// underflowing products change S/Λ by less than 2⁻⁵⁷⁰, which matters only to radii below 2⁻⁵¹⁰: the search refuses those.
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
        let usable = pull.length() <= 1.0 - 4.0 * U && weight >= LEAST_WEIGHT && weight.is_finite();
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

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;
    use testkit::ball::smallest_radius;
    use testkit::rational::exact;

    /// Whatever pulls and weights are claimed, the bound holds; nearly balanced ones make it a close call.
    #[test]
    fn bad_pulls_prove_less_but_nothing_false() {
        let mut close = 0;
        for seed in 0..300 {
            let mut generator = if seed % 2 == 0 { Generator::grid(seed) } else { Generator::free(seed) };
            let count = 2 + seed as usize % 3;
            let ball = |generator: &mut Generator| {
                (generator.point(), if seed % 3 == 0 { 0.2 * generator.coordinate().abs() } else { 0.0 })
            };
            let balls: Vec<_> = (0..count).map(|_| ball(&mut generator)).collect();
            let spheres: Vec<Sphere> = balls
                .iter()
                .map(|(p, radius)| Sphere { centre: DVec3::from_array(*p), radius: *radius })
                .collect();
            let mut held = crate::min_ball::support::hold::<f64>(&spheres);
            let noise = [0.0, 1e-9, 0.1, 1.0][seed as usize / 3 % 4];
            for i in 0..count {
                held.members |= 1 << i;
                let pull = held.pulls[i] + DVec3::from_array(generator.point()) * noise;
                held.pulls[i] = pull.normalize_or_zero();
                held.weights[i] += noise * generator.unit();
            }
            let below = radius_below(&spheres, &held);
            let truth = smallest_radius(&balls);
            assert!(exact(below) <= &truth + exact(1e-50), "{held:?} of {spheres:?} claims {below}");
            close += usize::from(exact(below * (1.0 + 1e-7)) >= truth);
        }
        assert!((80..280).contains(&close), "generator drifted: {close} close calls");
    }
}
