//! A local maximum of the gap with a neighbourhood in which nothing is higher.
//!
//! All proofs start from this: a piece p of the gap (a smooth piece of each support function) has f ≤ fₚ everywhere, and
//! for a unit vector n + δ, ρ = |δ| ≤ r, fₚ(n+δ) ≤ fₚ + τₚ·δ − ½·fₚ·ρ² − ½·δᵀHₚδ, where τₚ is the part of its w
//! across n and Hₚ what [`Bends::kept`](super::pair::Bends::kept) keeps at r. (w·δ = fₚ·(n·δ) + τₚ·δ, and n·δ = −ρ²/2 on
//! the sphere.) The part of δ across n is ρ√(1 − ρ²/4) long.

use super::active::Active;
use super::ascent::Stand;
use super::body::ALONE;
use super::pair::{Pair, View, tangents};
use kontakt_math::{DVec3, U};

/// A direction and a cap of directions around it in which the gap is nowhere more than `ceiling`.
#[derive(Clone, Debug)]
pub(super) struct Cap {
    pub(super) stand: Stand,
    /// Points of A and B that realise the gap, in A's frame.
    pub(super) points: Points,
    /// In chords of the unit sphere; 0 when nothing is known.
    pub(super) radius: f64,
    /// Noise not added.
    pub(super) ceiling: f64,
    /// **Never less** than the angle between the direction and the maximum in the cap.
    pub(super) spread: f64,
}

/// A point of A and one of B.
type Points = (DVec3, DVec3);

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
        let proof = proof.filter(tight).map(|proof| (proof, active.points()));
        let proof = proof.or_else(|| facet(pair, &stand).filter(|(proof, _)| tight(proof)));
        let ((radius, above, spread), points) = proof.unwrap_or(((0.0, 0.0, 0.0), active.points()));
        Cap { stand, points, radius, ceiling: stand.gap + above, spread: 1.01 * spread }
    }
}

/// How far directions may be off when a support point is taken: roundings and the turn into B's frame. The point moves by as much times
/// the curvature there, which is no mere rounding next to an edge of a flat body.
const LEAN: f64 = 128.0 * U;

/// One smooth piece. f(n+δ) ≤ f + |τ|ρ − ½μρ² with μ = λ(1 − r²/4) + f for the smaller eigenvalue λ of H. For μ > 0 that is
/// at most f + |τ|²/(2μ), and below f for ρ > 2|τ|/μ.
fn smooth(pair: &Pair, stand: &Stand) -> Option<Proof> {
    let (e, f) = tangents(stand.n);
    let w = stand.view.w;
    let bends = pair.bends(&stand.view, stand.n, e, f);
    let (low, high) = bends.total().eigenvalues();
    let steepness = w.dot(e).hypot(w.dot(f)) + pair.noise + LEAN * high;
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

/// Two pieces that meet along a curve of directions. With x along τ₁ − τ₂ and y across it in the tangent plane, τₚ = (aₚ, b),
/// and weights λ that balance, Σλₚ·aₚ = 0. Weights shifted by s against the sign of x are still weights for s ≤ min λ, so
/// min over p of any bounds uₚ is at most Σλₚ·uₚ − s·|u₁ − u₂ in its linear part| + …: with F the larger fₚ,
/// h = −f/(1 − r²/4), c = s·|a₁ − a₂|, f(n+δ) ≤ F − c|x| + ½hx² + |Hˣʸ||x||y| + |b||y| − ½(Hʸʸ − h)y²,
/// where Hʸʸ = Σλₚ·Hₚʸʸ − s·|H₁ʸʸ − H₂ʸʸ| and Hˣʸ the larger one. Where c' = c − r(½h + |Hˣʸ|) > 0 and
/// μ = Hʸʸ − h > 0 it is at most F + b²/(2μ) − c'|x|, and a maximum, where it is not less than the smaller fₚ, has
/// |x| ≤ (F − f + b²/(2μ))/c' and |y| ≤ (|b| + √(b² + 2μ(F − f)))/μ.
///
/// The root is avoided: along x the pieces' difference grows by |a₁ − a₂|, so within s = 2(F − f)/|a₁ − a₂| there is a direction
/// where they are exactly equal. There the same proof has F = f and a side slope of at most b + s·(H + |f|); all else changes
/// by less than a hundredth, which the cap's factor covers. So |y| ≤ 2b'/μ. Points that stand alone are not all of f near them, so that
/// F = f does not follow, and the root stays.
fn ridge(pair: &Pair, stand: &Stand, active: &Active) -> Option<Proof> {
    let (e, f) = tangents(stand.n);
    let [p, q, _] = active.views.map(|view| pair.look_again(&view, stand.n));
    let is_whole = [p, q].iter().all(|view| view.a.piece != ALONE && view.b.piece != ALONE);
    let difference = p.w - q.w;
    let (x, y) = (difference.dot(e), difference.dot(f));
    let length = x.hypot(y);
    let (e, f) = ((e * x + f * y) / length, (f * x - e * y) / length);
    let slack = p.w.dot(stand.n).max(q.w.dot(stand.n)) - stand.gap + 2.0 * pair.noise;
    let [bend_p, bend_q] = [p, q].map(|view| pair.bends(&view, stand.n, e, f));
    let bend = [bend_p, bend_q].map(|bends| bends.total()).map(|plane| plane.xx + plane.yy);
    let bend = bend[0].max(bend[1]);
    let side = p.w.dot(f).abs().max(q.w.dot(f).abs()) + pair.noise + LEAN * bend;
    let first = -q.w.dot(e) / length;
    let least = first.min(1.0 - first) - pair.noise / length;
    if least.is_nan() || least <= 0.0 {
        return None;
    }
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
            let even = 2.0 * slack / length;
            let steeper = side + even * (bend + stand.gap.abs());
            let along =
                if is_whole { 2.0 * steeper } else { side + (side * side + 2.0 * curve * slack).sqrt() };
            let spread = (above / left).hypot(along / curve) + even;
            if spread < radius {
                return Some((radius, above - 2.0 * pair.noise, spread));
            }
        }
        radius *= 0.7;
    }
    None
}

/// A facet: points wⱼ of the difference, seen from around n, whose parts across n surround zero with an inner radius c. Every
/// point bounds the gap: f(m) ≤ wⱼ·m. With F the largest wⱼ·n and h as before, f(n+δ) ≤ F − cσ + ½hσ² with σ the
/// part of δ across n, so at most F where c' = c − ½hr > 0, and a maximum has σ ≤ (F − f)/c'.
fn facet(pair: &Pair, stand: &Stand) -> Option<(Proof, Points)> {
    let outline = Outline::new(pair, stand);
    let inner =
        (0..outline.corners.len()).map(|i| outline.inside(i, pair.noise)).fold(f64::INFINITY, f64::min);
    let inner = inner - 4.0 * pair.noise;
    if inner.is_nan() || inner <= 0.0 || inner.is_infinite() {
        return None;
    }
    let slack = outline.slack + 2.0 * pair.noise;
    let mut radius = 1.0;
    for _ in 0..40 {
        let hollow = (-stand.gap).max(0.0) / (1.0 - 0.25 * radius * radius);
        let left = inner - 0.5 * hollow * radius;
        if left > 0.0 && slack / left < radius {
            return Some(((radius, outline.slack, slack / left), outline.points()));
        }
        radius *= 0.7;
    }
    None
}

/// The face of the difference seen along a direction, projected along it: points in order around it.
struct Outline {
    corners: Vec<(f64, f64)>,
    points: Vec<Points>,
    /// How much farther than the gap the farthest of them is.
    slack: f64,
}

impl Outline {
    /// Where four corners leave the origin out or near a side, more are added.
    fn new(pair: &Pair, stand: &Stand) -> Outline {
        const TILT: f64 = 1e-5;
        let (e, f) = tangents(stand.n);
        let mut outline = Outline { corners: Vec::new(), points: Vec::new(), slack: 0.0 };
        // The point farthest in the direction (x, y): seen when n leans against it.
        let farthest = |x: f64, y: f64| {
            let leaned = pair.look((stand.n - (e * x + f * y) * TILT).normalize());
            // Smooth pieces are taken at n itself, lest the lean cost anything.
            pair.look_again(&leaned, stand.n)
        };
        let put = |outline: &mut Outline, at: usize, view: View| {
            outline.slack = outline.slack.max(view.w.dot(stand.n) - stand.gap);
            outline.corners.insert(at, (view.w.dot(e), view.w.dot(f)));
            outline.points.insert(at, (view.a.point, view.b_in_a));
        };
        for (i, (x, y)) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].into_iter().enumerate() {
            put(&mut outline, i, farthest(x, y));
        }
        for _ in 0..24 {
            let inside = |i: &usize| outline.inside(*i, pair.noise);
            let Some(worst) = (0..outline.corners.len()).min_by(|i, j| inside(i).total_cmp(&inside(j)))
            else {
                break;
            };
            let (p, q) = outline.side(worst);
            let side = (q.0 - p.0).hypot(q.1 - p.1);
            let depth = inside(&worst);
            if depth > 0.25 * side || !depth.is_finite() {
                break;
            }
            let (x, y) = ((q.1 - p.1) / side, (p.0 - q.0) / side);
            let view = farthest(x, y);
            let beyond = (view.w.dot(e) - p.0) * x + (view.w.dot(f) - p.1) * y;
            if beyond <= 1e-3 * side {
                break;
            }
            put(&mut outline, worst + 1, view);
        }
        outline
    }

    fn side(&self, i: usize) -> ((f64, f64), (f64, f64)) {
        (self.corners[i], self.corners[(i + 1) % self.corners.len()])
    }

    /// How far inside of a side the origin is; infinite for a side too short to tell.
    fn inside(&self, i: usize, noise: f64) -> f64 {
        let (p, q) = self.side(i);
        let side = (q.0 - p.0).hypot(q.1 - p.1);
        if side > noise { (p.0 * q.1 - p.1 * q.0) / side } else { f64::INFINITY }
    }

    /// The points of A and B whose difference projects to the origin: weights in a triangle of the fan from the first corner.
    fn points(&self) -> Points {
        let p = self.corners[0];
        let mut best = (f64::NEG_INFINITY, self.points[0]);
        for i in 1..self.corners.len() - 1 {
            let (q, r) = (self.corners[i], self.corners[i + 1]);
            let areas = [q.0 * r.1 - q.1 * r.0, r.0 * p.1 - r.1 * p.0, p.0 * q.1 - p.1 * q.0];
            let sum: f64 = areas.iter().sum();
            let weights = areas.map(|area| area / sum);
            let least = weights.iter().fold(f64::INFINITY, |m, w| m.min(*w));
            if sum > 0.0 && least > best.0 {
                let corners = [self.points[0], self.points[i], self.points[i + 1]];
                let blend = |of: fn(&Points) -> DVec3| {
                    corners.iter().zip(weights).fold(DVec3::ZERO, |sum, (c, w)| sum + of(c) * w)
                };
                best = (least, (blend(|c| c.0), blend(|c| c.1)));
            }
        }
        best.1
    }
}
