//! A local maximum of the gap with a neighbourhood in which nothing is higher.

use super::ascent::Stand;
use super::pair::{Pair, tangents};

/// A direction and a cap of directions around it in which the gap is nowhere more than `ceiling`.
#[derive(Clone, Debug)]
pub(super) struct Cap {
    pub(super) stand: Stand,
    /// In chords of the unit sphere; 0 when nothing is known.
    pub(super) radius: f64,
    /// Noise not added.
    pub(super) ceiling: f64,
    /// **Never less** than the angle between the direction and the maximum in the cap.
    pub(super) spread: f64,
}

impl Cap {
    /// The largest cap for which the quadratic model proves it.
    ///
    /// Proof: with the bound of [`highest_within`](super::cells): f(n+δ) ≤ f + |τ|ρ − ½μ'ρ². For μ' > 0 this is at most
    /// f + |τ|²/(2μ'), and below f for ρ > 2|τ|/μ'.
    pub(super) fn new(pair: &Pair, stand: Stand) -> Cap {
        let (e, f) = tangents(stand.n);
        let w = stand.view.w;
        let steepness = (w.dot(e).powi(2) + w.dot(f).powi(2)).sqrt() + pair.noise;
        let bends = pair.bends(&stand.view, stand.n, e, f);
        let mut radius = 1.0;
        for _ in 0..40 {
            let (low, _) = bends.kept(radius).eigenvalues();
            let curve = low.max(0.0) * (1.0 - 0.25 * radius * radius) + stand.gap;
            if curve > 0.0 && 2.0 * steepness < curve * radius {
                let ceiling = stand.gap + steepness * steepness / (2.0 * curve);
                return Cap { stand, radius, ceiling, spread: 2.0 * steepness / curve * 1.01 };
            }
            radius *= 0.7;
        }
        Cap { stand, radius: 0.0, ceiling: stand.gap, spread: 0.0 }
    }
}
