//! A local maximum of the gap with a neighbourhood in which nothing is higher.
//!
//! All proofs start from this: a piece p of the gap (a smooth piece of each support function) has f ≤ f_p everywhere, and
//! for a unit vector n + δ, ρ = |δ| ≤ r, f_p(n+δ) ≤ f_p + τ_p·δ − ½·f_p·ρ² − ½·δᵀH_pδ, where τ_p is the part of its w
//! across n and H_p what [`Bends::kept`](super::pair::Bends::kept) keeps at r. (w·δ = f_p·(n·δ) + τ_p·δ, and n·δ = −ρ²/2 on
//! the sphere.) The part of δ across n is ρ√(1 − ρ²/4) long.

use super::active::Active;
use super::ascent::Stand;
use super::pair::{Pair, tangents};
use kontakt_math::DVec3;

/// A direction and a cap of directions around it in which the gap is nowhere more than `ceiling`.
#[derive(Clone, Debug)]
pub(super) struct Cap {
    pub(super) stand: Stand,
    /// Points of A and B that realise the gap, in A's frame.
    pub(super) points: (DVec3, DVec3),
    /// In chords of the unit sphere; 0 when nothing is known.
    pub(super) radius: f64,
    /// Noise not added.
    pub(super) ceiling: f64,
    /// **Never less** than the angle between the direction and the maximum in the cap.
    pub(super) spread: f64,
}

/// What a proof found: radius, ceiling above the gap, distance of the maximum.
type Proof = (f64, f64, f64);

impl Cap {
    /// The largest cap that one of the proofs gives.
    pub(super) fn new(pair: &Pair, stand: Stand, active: &Active) -> Cap {
        let proof = match active.count {
            1 => smooth(pair, &stand),
            2 => ridge(pair, &stand, active),
            _ => None,
        };
        // A ceiling far above the gap means that the maximum is elsewhere.
        let tight = |proof: &Proof| proof.1 <= 8.0 * pair.noise;
        let proof = proof.filter(tight).or_else(|| facet(pair, &stand).filter(tight));
        let (radius, above, spread) = proof.unwrap_or((0.0, 0.0, 0.0));
        Cap { stand, points: active.points(), radius, ceiling: stand.gap + above, spread: 1.01 * spread }
    }
}

/// One smooth piece. f(n+δ) ≤ f + |τ|ρ − ½μρ² with μ = λ(1 − r²/4) + f for the smaller eigenvalue λ of H. For μ > 0 that is
/// at most f + |τ|²/(2μ), and below f for ρ > 2|τ|/μ.
fn smooth(pair: &Pair, stand: &Stand) -> Option<Proof> {
    let (e, f) = tangents(stand.n);
    let w = stand.view.w;
    let steepness = w.dot(e).hypot(w.dot(f)) + pair.noise;
    let bends = pair.bends(&stand.view, stand.n, e, f);
    let (low, _) = bends.total().eigenvalues();
    if low + stand.gap <= 0.0 {
        return None;
    }
    let mut radius = 1.0;
    for _ in 0..40 {
        let (low, _) = bends.kept(radius).eigenvalues();
        let curve = low.max(0.0) * (1.0 - 0.25 * radius * radius) + stand.gap;
        if curve > 0.0 && 2.0 * steepness < curve * radius {
            return Some((radius, steepness * steepness / (2.0 * curve), 2.0 * steepness / curve));
        }
        radius *= 0.7;
    }
    None
}

/// Two pieces that meet along a curve of directions. With x along τ₁ − τ₂ and y across it in the tangent plane, τ_p = (a_p, b),
/// and weights λ that balance, Σλ_p·a_p = 0. Weights shifted by s against the sign of x are still weights for s ≤ min λ, so
/// min over p of any bounds u_p is at most Σλ_p·u_p − s·|u₁ − u₂ in its linear part| + …: with F the larger f_p,
/// h = −f/(1 − r²/4), c = s·|a₁ − a₂|, f(n+δ) ≤ F − c|x| + ½hx² + |H_xy||x||y| + |b||y| − ½(H_yy − h)y²,
/// where H_yy = Σλ_p·H_p,yy − s·|H₁,yy − H₂,yy| and H_xy the larger one. Where c' = c − r(½h + |H_xy|) > 0 and
/// μ = H_yy − h > 0 it is at most F + b²/(2μ) − c'|x|, and a maximum, where it is not less than the smaller f_p, has
/// |x| ≤ (F − f + b²/(2μ))/c' and |y| ≤ (|b| + √(b² + 2μ(F − f)))/μ.
fn ridge(pair: &Pair, stand: &Stand, active: &Active) -> Option<Proof> {
    let (e, f) = tangents(stand.n);
    let [p, q, _] = active.views.map(|view| pair.look_again(&view, stand.n));
    let difference = p.w - q.w;
    let (x, y) = (difference.dot(e), difference.dot(f));
    let length = x.hypot(y);
    let (e, f) = ((e * x + f * y) / length, (f * x - e * y) / length);
    let slack = p.w.dot(stand.n).max(q.w.dot(stand.n)) - stand.gap + 2.0 * pair.noise;
    let side = p.w.dot(f).abs().max(q.w.dot(f).abs()) + pair.noise;
    let first = -q.w.dot(e) / length;
    let least = first.min(1.0 - first) - pair.noise / length;
    if !(least > 0.0) {
        return None;
    }
    let [bend_p, bend_q] = [p, q].map(|view| pair.bends(&view, stand.n, e, f));
    let mut radius = 1.0;
    for _ in 0..40 {
        let (h_p, h_q) = (bend_p.kept(radius), bend_q.kept(radius));
        let hollow = (-stand.gap).max(0.0) / (1.0 - 0.25 * radius * radius);
        let balanced = first * h_p.yy + (1.0 - first) * h_q.yy - hollow;
        let uneven = (h_p.yy - h_q.yy).abs();
        let shift = if uneven > 0.0 { least.min(0.5 * balanced / uneven) } else { least };
        let curve = balanced - shift * uneven;
        let left = shift * length - radius * (0.5 * hollow + h_p.xy.abs().max(h_q.xy.abs()));
        if curve > 0.0 && left > 0.0 {
            let above = slack + side * side / (2.0 * curve);
            let across = (side + (side * side + 2.0 * curve * slack).sqrt()) / curve;
            let spread = (above / left).hypot(across);
            if spread < radius {
                return Some((radius, above - 2.0 * pair.noise, spread));
            }
        }
        radius *= 0.7;
    }
    None
}

/// A facet: points w_j of the difference, seen from around n, whose parts across n surround zero with an inner radius c. Every
/// point bounds the gap: f(m) ≤ w_j·m. With F the largest w_j·n and h as before, f(n+δ) ≤ F − cσ + ½hσ² with σ the
/// part of δ across n, so at most F where c' = c − ½hr > 0, and a maximum has σ ≤ (F − f)/c'.
fn facet(pair: &Pair, stand: &Stand) -> Option<Proof> {
    let (e, f) = tangents(stand.n);
    let (corners, slack) = outline(pair, stand, e, f);
    let mut inner = f64::INFINITY;
    for (i, p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let side = (q.0 - p.0).hypot(q.1 - p.1);
        if side > pair.noise {
            inner = inner.min((p.0 * q.1 - p.1 * q.0) / side);
        }
    }
    let inner = inner - 4.0 * pair.noise;
    if !(inner > 0.0 && inner.is_finite()) {
        return None;
    }
    let slack = slack + 2.0 * pair.noise;
    let mut radius = 1.0;
    for _ in 0..40 {
        let hollow = (-stand.gap).max(0.0) / (1.0 - 0.25 * radius * radius);
        let left = inner - 0.5 * hollow * radius;
        if left > 0.0 && slack / left < radius {
            return Some((radius, slack - 2.0 * pair.noise, slack / left));
        }
        radius *= 0.7;
    }
    None
}

/// Points of the face seen along n, projected along it, in order around the face, and how much farther than the gap the
/// farthest of them is. Where the outline leaves the origin out, it is refined.
fn outline(pair: &Pair, stand: &Stand, e: DVec3, f: DVec3) -> (Vec<(f64, f64)>, f64) {
    const TILT: f64 = 1e-5;
    let mut slack: f64 = 0.0;
    // The point farthest in the direction (x, y): seen when n leans against it.
    let mut farthest = |x: f64, y: f64| {
        let leaned = pair.look((stand.n - (e * x + f * y) * TILT).normalize());
        // Smooth pieces are taken at n itself, lest the lean cost anything.
        let w = pair.look_again(&leaned, stand.n).w;
        slack = slack.max(w.dot(stand.n) - stand.gap);
        (w.dot(e), w.dot(f))
    };
    let mut corners = vec![farthest(1.0, 0.0), farthest(0.0, 1.0), farthest(-1.0, 0.0), farthest(0.0, -1.0)];
    for _ in 0..24 {
        // The worst side: the origin is least inside of it, or most outside.
        let depth = |i: usize| {
            let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
            let side = (q.0 - p.0).hypot(q.1 - p.1);
            if side > pair.noise { (p.0 * q.1 - p.1 * q.0) / side } else { f64::INFINITY }
        };
        let Some(worst) = (0..corners.len()).min_by(|&i, &j| depth(i).total_cmp(&depth(j))) else { break };
        let inside = depth(worst);
        let (p, q) = (corners[worst], corners[(worst + 1) % corners.len()]);
        let side = (q.0 - p.0).hypot(q.1 - p.1);
        if inside > 0.25 * side || !inside.is_finite() {
            break;
        }
        let (x, y) = ((q.1 - p.1) / side, (p.0 - q.0) / side);
        let new = farthest(x, y);
        if (new.0 - p.0) * x + (new.1 - p.1) * y <= 1e-3 * side {
            break;
        }
        corners.insert(worst + 1, new);
    }
    (corners, slack)
}
