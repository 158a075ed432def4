//! The parameter of the nearest point of a curve, in plain doubles: nothing here is certified.

use super::descent::{Found, nearer, over_parts};
use crate::curve::Curve;
use crate::jet::CurveJet;
use kontakt_math::DVec3;
use std::f64::consts::TAU;

impl Curve {
    /// The parameter of a point of the curve nearest to a point, to rounding but **not certified**: of a B-spline it may be the place of a
    /// local minimum. With a guess the answer is near it, where the curve repeats itself or is a B-spline; else in one period from zero.
    pub fn invert_near(&self, point: DVec3, guess: Option<f64>) -> Option<f64> {
        let found = match self {
            Curve::Line { origin, direction } => {
                (point - *origin).dot(*direction) / direction.length_squared()
            }
            Curve::Ellipse { frame, radii } => {
                let local = frame.local(point);
                near_angle(on_ellipse([local.x, local.y], *radii, guess), guess)
            }
            Curve::Nurbs(_) => nearest(self, |jet| jet, point, guess)?.at,
        };
        found.is_finite().then_some(found)
    }

    /// Where a search over all of the curve begins: parameters of which every bend of it has some.
    pub(super) fn grid(&self) -> Vec<f64> {
        match self {
            Curve::Line { .. } => vec![0.0],
            Curve::Ellipse { .. } => (0..16).map(|k| f64::from(k) * TAU / 16.0).collect(),
            Curve::Nurbs(curve) => between(curve.breaks(), curve.degree()),
        }
    }
}

/// Values between breaks, the breaks among them: more for a higher degree.
pub(super) fn between(breaks: &[f64], degree: usize) -> Vec<f64> {
    let parts = 2 * degree.min(8);
    let span = |pair: &[f64]| {
        let (a, b) = (pair[0], pair[1]);
        (0..parts).map(move |k| a + (b - a) * k as f64 / parts as f64).collect::<Vec<_>>()
    };
    let mut values: Vec<f64> = breaks.windows(2).flat_map(span).collect();
    values.extend(breaks.last());
    values
}

/// The nearest point of what a map of points and derivatives makes of a curve.
pub(super) fn nearest(
    curve: &Curve,
    map: impl Fn(CurveJet) -> CurveJet,
    point: DVec3,
    guess: Option<f64>,
) -> Option<Found<f64>> {
    let jet = |t: f64| map(curve.jet(t));
    let parts = match curve {
        Curve::Nurbs(curve) => curve.smooth_parts(),
        Curve::Line { .. } | Curve::Ellipse { .. } => vec![curve.domain()],
    };
    let descend = |start: f64| over_parts(jet, point, start, &parts);
    if let Some(guess) = guess {
        return descend(guess);
    }
    let grid = curve.grid();
    let gaps: Vec<f64> = grid.iter().map(|&t| (jet(t).point - point).length_squared()).collect();
    // At a kink either side may have a minimum of its own.
    let is_kink = |t: f64| parts.iter().any(|part| part[0] == t);
    let mut starts: Vec<usize> =
        (0..grid.len()).filter(|&i| is_kink(grid[i]) || is_least(&gaps, i)).collect();
    starts.sort_by(|&a, &b| gaps[a].total_cmp(&gaps[b]));
    starts.into_iter().take(6 + parts.len()).map(|i| descend(grid[i])).fold(None, nearer)
}

/// Whether no neighbour is less.
fn is_least(values: &[f64], i: usize) -> bool {
    let at = |i: usize| values.get(i).copied().unwrap_or(f64::INFINITY);
    at(i) <= at(i.wrapping_sub(1)) && at(i) <= at(i + 1)
}

/// An angle moved by whole turns: nearest to the guess, or into [0, 2π).
pub(super) fn near_angle(angle: f64, guess: Option<f64>) -> f64 {
    if let Some(guess) = guess {
        return angle + ((guess - angle) / TAU).round() * TAU;
    }
    let turned = angle.rem_euclid(TAU);
    if turned < TAU { turned } else { 0.0 }
}

/// The parameter of the nearest point of the ellipse (a cos t, b sin t). At the centre of a circle any is: the guess.
pub(super) fn on_ellipse([x, y]: [f64; 2], [a, b]: [f64; 2], guess: Option<f64>) -> f64 {
    if a == b {
        return if x == 0.0 && y == 0.0 { guess.unwrap_or(0.0) } else { y.atan2(x) };
    }
    // In the quadrant of both positive, the longer axis first.
    let (long, short) = if a > b { ([a, x.abs()], [b, y.abs()]) } else { ([b, y.abs()], [a, x.abs()]) };
    let [cos, sin] = quadrant(long, short);
    let (on_x, on_y) = if a > b { (cos, sin) } else { (sin, cos) };
    on_y.copysign(y).atan2(on_x.copysign(x))
}

/// Eberly, "Distance from a point to an ellipse": with e₀ ≥ e₁ and y ≥ 0 the nearest point is (e₀²y₀/(s + e₀²), e₁²y₁/(s + e₁²)), s the
/// one root above −e₁² of (e₀y₀/(s + e₀²))² + (e₁y₁/(s + e₁²))² = 1; here divided by e₁² and halved, which cannot fail. Cosine and sine
/// of its parameter.
fn quadrant([e0, y0]: [f64; 2], [e1, y1]: [f64; 2]) -> [f64; 2] {
    let ratio = (e0 / e1) * (e0 / e1);
    let [z0, z1] = [y0 / e0 * ratio, y1 / e1];
    let [n0, n1] = [y0 / e0, y1 / e1];
    if z1 == 0.0 {
        // On the long axis: inside the evolute the nearest point is off it.
        let cos = y0 * e0 / (e0 * e0 - e1 * e1);
        return if cos < 1.0 { [cos, (1.0 - cos * cos).sqrt()] } else { [1.0, 0.0] };
    }
    let value = |s: f64| (z0 / (s + ratio)).powi(2) + (n1 / (s + 1.0)).powi(2) - 1.0;
    let (mut low, mut high) = (n1 - 1.0, (n0 * ratio).hypot(n1) - 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    let s = 0.5 * (low + high);
    [z0 / (s + ratio), n1 / (s + 1.0)]
}
