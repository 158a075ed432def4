//! The parameter of a B-spline curve nearest to a point.

use kontakt_curved::NurbsCurve;
use kontakt_math::DVec3;

/// Where a curve is nearest to a point, and how far that is. A search over samples of all spans and Newton's method from the best ones:
/// right for points near the curve, as vertices are; no proof.
pub(crate) fn nearest(curve: &NurbsCurve, knots: &[f64], point: DVec3) -> (f64, f64) {
    let samples = samples(curve, knots);
    let square: Vec<f64> = samples.iter().map(|&t| (curve.jet(t).point - point).length_squared()).collect();
    let mut order: Vec<usize> = (0..samples.len())
        .filter(|&i| {
            let less =
                |j: Option<usize>| j.and_then(|j| square.get(j)).is_none_or(|&other| square[i] <= other);
            less(i.checked_sub(1)) && less(Some(i + 1))
        })
        .collect();
    order.sort_by(|&a, &b| square[a].total_cmp(&square[b]));
    let mut best = (curve.domain()[0], f64::INFINITY);
    for &i in order.iter().take(4) {
        let bracket = [samples[i.saturating_sub(1)], samples[(i + 1).min(samples.len() - 1)]];
        let t = refined(curve, point, samples[i], bracket);
        let distance = (curve.jet(t).point - point).length();
        if distance < best.1 {
            best = (t, distance);
        }
    }
    best
}

/// Ends of the domain, and a few places inside each span.
fn samples(curve: &NurbsCurve, knots: &[f64]) -> Vec<f64> {
    let [from, to] = curve.domain();
    let inside = curve.degree() * 2;
    let mut samples = vec![from];
    for pair in knots.windows(2) {
        let (low, high) = (pair[0].max(from), pair[1].min(to));
        if low < high {
            samples.extend((1..=inside).map(|i| low + (high - low) * (i as f64 / inside as f64)));
        }
    }
    samples
}

/// Newton on the derivative of the squared distance, kept in its bracket; halving where it would leave.
fn refined(curve: &NurbsCurve, point: DVec3, start: f64, [mut low, mut high]: [f64; 2]) -> f64 {
    let mut t = start;
    for _ in 0..60 {
        let jet = curve.jet(t);
        let away = jet.point - point;
        let slope = away.dot(jet.d1);
        let bend = jet.d1.length_squared() + away.dot(jet.d2);
        if slope > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let newton = t - slope / bend;
        let next = if bend > 0.0 && newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= 4.0 * f64::EPSILON * t.abs().max(high - low) || slope == 0.0 {
            return next;
        }
        t = next;
    }
    t
}
