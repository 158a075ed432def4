//! Judges an answer about two convex bodies.

use super::body::{Body, Posed, exact_radius};
use super::nearest::nearest;
use super::truth::{Side, Truth, truth_to};
use crate::twin::{Twin, TwinVector, inner, length, minus, rounded, twins};
use std::fmt::Write;

/// An answer as plain numbers, in world coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The verdict; none if undecided.
    pub side: Option<Side>,
    /// Lower end of the signed separation.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// From A to B.
    pub normal: [f64; 3],
    /// Bound of its angle's error; π if unknown.
    pub normal_error: f64,
    /// On A.
    pub point_a: [f64; 3],
    /// On B.
    pub point_b: [f64; 3],
    /// Bound of the points' error; infinite if unknown.
    pub point_error: f64,
}

/// What is wrong with a claim, in words; empty if nothing is.
///
/// Bounds must hold the truth; the verdict must be the exact one (for round bodies: any within the truth's own error); the
/// normal must be as near as claimed to the exact one where that is unique; the points must lie on the bodies and realise
/// the separation as well as claimed.
pub fn faults(a: &Body, b: &Body, truth: &Truth, claim: &Claim) -> String {
    let mut faults = String::new();
    let posed = [Posed::of(a), Posed::of(b)];
    let radius = Twin::near(&exact_radius(a, b)).high;
    let reach = posed[0].reach + posed[1].reach + radius;
    let numbers = [claim.low, claim.high, claim.normal_error, claim.point_error];
    if numbers.iter().any(|x| x.is_nan()) {
        let _ = write!(faults, "not a number; ");
    }
    bounds(truth, claim, &mut faults);
    let round = !(a.core.is_polytope() && b.core.is_polytope());
    verdict(truth, claim, round, &mut faults);
    if claim.normal_error < 3.0 {
        normal([a, b], truth, claim, reach, &posed, radius, &mut faults);
    }
    if claim.point_error.is_finite() {
        points([a, b], truth, claim, reach, &posed, &mut faults);
    }
    faults
}

fn bounds(truth: &Truth, claim: &Claim, faults: &mut String) {
    let (low, high) = (claim.low, claim.high);
    let below = (truth.separation - Twin::from(low)).high;
    let above = (Twin::from(high) - truth.separation).high;
    if below < -truth.error || above < -truth.error {
        let s = truth.separation;
        let _ = write!(
            faults,
            "separation {:e} ± {:e} not in [{low:e}, {high:e}] (out by {:e}); ",
            s.high,
            truth.error,
            -below.min(above)
        );
    }
}

fn verdict(truth: &Truth, claim: &Claim, round: bool, faults: &mut String) {
    let Some(side) = claim.side else {
        let _ = write!(faults, "undecided, truth is {:?}; ", truth.side);
        return;
    };
    let fits = match side {
        Side::Apart => claim.low > 0.0,
        Side::Overlapping => claim.high < 0.0,
        Side::Touching | Side::Near => claim.low <= 0.0 && claim.high >= 0.0,
    };
    if !fits {
        let _ = write!(faults, "verdict {side:?} with bounds [{:e}, {:e}]; ", claim.low, claim.high);
    }
    let straddling = round && side == Side::Touching;
    if side != truth.side && truth.side != Side::Near && !straddling {
        let _ = write!(faults, "verdict {side:?}, truth is {:?} ({:e}); ", truth.side, truth.separation.high);
    }
}

fn normal(
    bodies: [&Body; 2],
    truth: &Truth,
    claim: &Claim,
    reach: f64,
    posed: &[Posed; 2],
    radius: f64,
    faults: &mut String,
) {
    let n = twins(claim.normal);
    let norm = length(&n).high;
    if (norm - 1.0).abs() > 1e-12 {
        let _ = write!(faults, "normal of length {norm}; ");
        return;
    }
    let unique = truth.lead > 1e-9 * reach && truth.separation.high.abs() > 1e-9 * reach;
    if unique && truth.side != Side::Near {
        let mut off = angle(claim.normal, truth.normal);
        let mut own = 1e-13;
        // The reference's own normal of a round pair is good only to the root of its bounds, and to what rounding makes of the tiny
        // triangles it comes from, which shows in how far it moves between two precisions: look closer before complaining.
        if off > claim.normal_error + own {
            // Of the cores, whose normal it is.
            let root = |truth: &Truth| {
                let separation = truth.separation.high.abs().min((truth.separation.high + radius).abs());
                8.0 * (truth.error / separation).sqrt()
            };
            let closer = |precision: f64| truth_to(bodies[0], bodies[1], precision, 4000);
            if let (Some(fine), Some(finer)) = (closer(1e-22), closer(1e-25)) {
                off = off.min(angle(claim.normal, finer.normal));
                own += root(&finer) + 2.0 * angle(fine.normal, finer.normal);
            } else {
                own += root(truth);
            }
        }
        if off > claim.normal_error + own {
            let _ = write!(faults, "normal off by {off:e}, claimed {:e}; ", claim.normal_error);
        }
    }
    // Along the claimed normal the bodies are separated by the claimed length, up to the claimed error.
    let highest = minus(&posed[0].support(&n), &posed[1].support(&n.map(|x| -x)));
    let apart = -inner(&n, &highest).high - radius;
    let slack = 2.0 * reach * claim.normal_error + 1e-12 * reach;
    if apart < claim.low - slack {
        let _ = write!(faults, "along the normal the separation is {apart:e}, claimed {:e}; ", claim.low);
    }
}

fn points(
    bodies: [&Body; 2],
    truth: &Truth,
    claim: &Claim,
    reach: f64,
    posed: &[Posed; 2],
    faults: &mut String,
) {
    let points = [claim.point_a, claim.point_b];
    let rounding = 1e-14 * reach;
    for (who, body) in bodies.iter().enumerate() {
        let p = twins(points[who]);
        let lowest = |x: &TwinVector| minus(&posed[who].support(&x.map(|c| -c)), &p);
        let start = minus(&posed[who].support(&[Twin::ONE; 3]), &p);
        let away = nearest(start, 1e-20 * reach, lowest).upper.high - body.radii[0] - body.radii[1];
        if away > claim.point_error + rounding {
            let _ = write!(
                faults,
                "point {} is {away:e} off its body, claimed {:e}; ",
                ["a", "b"][who],
                claim.point_error
            );
        }
    }
    let span = rounded(&minus(&twins(claim.point_b), &twins(claim.point_a)));
    let off = (0..3).map(|k| (span[k] - truth.separation.high * claim.normal[k]).powi(2)).sum::<f64>().sqrt();
    let allowed = 2.0 * claim.point_error + truth.separation.high.abs() * claim.normal_error.min(2.0);
    if off > allowed + truth.error + rounding {
        let _ = write!(faults, "points realise the separation up to {off:e}, claimed {allowed:e}; ");
    }
}

/// The angle between two unit vectors.
pub fn angle(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (twins(a), twins(b));
    let apart = length(&minus(&a, &b)).high;
    if apart < 1.9 { 2.0 * (0.5 * apart).asin() } else { std::f64::consts::PI }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::{Family, Mode, pair};
    use super::super::truth::truth;
    use super::*;
    use crate::twin::{plus, times};

    /// A sphere deep in a cone, whose normal is known in closed form: good to 2e-16, where the reference's own is off by 1e-11.
    #[test]
    fn a_better_normal_than_the_reference_s_stands_and_a_worse_one_does_not() {
        let [a, b] = pair(Family::Round, Mode::Free, 717).map(|item| item.body());
        let found = truth(&a, &b).unwrap();
        let right = [0.155_393_097_356_377_46, -0.613_730_142_583_763_1, 0.774_072_540_126_637_7];
        let claim = |normal: [f64; 3], normal_error: f64| {
            let (low, high) = (found.separation.high - 1e-12, found.separation.high + 1e-12);
            let side = Some(found.side);
            Claim {
                side,
                low,
                high,
                normal,
                normal_error,
                point_a: [0.0; 3],
                point_b: [0.0; 3],
                point_error: f64::INFINITY,
            }
        };
        assert_eq!(faults(&a, &b, &found, &claim(right, 8e-13)), "");
        let turned = rounded(&{
            let tilted = plus(&twins(right), &times(Twin::from(1e-10), &twins([right[1], -right[0], 0.0])));
            times(Twin::ONE / length(&tilted), &tilted)
        });
        assert!(faults(&a, &b, &found, &claim(turned, 8e-13)).contains("normal off"));
        assert_eq!(faults(&a, &b, &found, &claim(turned, 1e-10)), "");
    }
}
