//! What is true of two convex bodies.

use super::body::{Body, Posed, exact_radius};
use super::exact::{core_distance_squared, exact_side};
use super::facets::least_reach;
use super::inner::depth;
use super::nearest::nearest;
use crate::twin::{Twin, TwinVector, length, minus, rounded, times};

/// Where the origin lies to the difference of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Outside: no common point.
    Apart,
    /// On the boundary.
    Touching,
    /// Inside.
    Overlapping,
    /// Within rounding of the boundary, for bodies that are no polytopes with radii.
    Near,
}

/// The verdict, exact for polytopes with radii; numbers with their error.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// The verdict.
    pub side: Side,
    /// The distance, or minus the depth.
    pub separation: Twin,
    /// The true separation is within this of `separation`.
    pub error: f64,
    /// Unit vector from A to B along the shortest line, or along the least translation of B that separates.
    pub normal: [f64; 3],
    /// How much deeper than the depth is the depth along the best other normal; infinite for bodies apart, whose normal
    /// is unique, NaN where nothing is known.
    pub lead: f64,
}

/// Below this part of the pair's reach rationals decide.
const DOUBT: f64 = 1e-25;
/// With more pairs of edges than this the depth is found by growing a polytope, not over all directions.
const MANY: usize = 4000;
/// Points added to find the depth of round bodies.
const ROUNDS: usize = 600;

/// The truth about two bodies; `None` where no reference exists (round bodies that cannot be told from touching, flat round
/// bodies).
pub fn truth(a: &Body, b: &Body) -> Option<Truth> {
    truth_to(a, b, 1e-17, ROUNDS)
}

/// The same with the depth of round bodies found to `precision` of the pair's reach with at most `rounds` points: their normal
/// is good to the root of that.
pub fn truth_to(a: &Body, b: &Body, precision: f64, rounds: usize) -> Option<Truth> {
    let polytopes = a.core.is_polytope() && b.core.is_polytope();
    let (posed_a, posed_b) = (Posed::of(a), Posed::of(b));
    let radius = Twin::near(&exact_radius(a, b));
    let reach = (posed_a.reach + posed_b.reach).max(radius.high).max(f64::MIN_POSITIVE);
    let lowest = |x: &TwinVector| minus(&posed_a.support(&x.map(|c| -c)), &posed_b.support(x));
    let start = minus(&posed_a.support(&[Twin::ONE; 3]), &posed_b.support(&[Twin::ONE; 3]));
    let found = nearest(start, if polytopes { 1e-27 } else { 1e-3 * precision } * reach, lowest);
    let doubt = if polytopes { DOUBT * reach } else { 1e-17 * reach };
    if found.lower.high > doubt {
        let middle = (found.lower + found.upper) * Twin::from(0.5);
        let separation = middle - radius;
        let error = 0.5 * (found.upper - found.lower).high.abs() + 1e-27 * reach;
        let side = side_of(separation, error.max(doubt), a, b, polytopes);
        let inverse = Twin::ONE / length(&found.point);
        let normal = rounded(&times(-inverse, &found.point));
        return Some(Truth { side, separation, error, normal, lead: f64::INFINITY });
    }
    let pairs_of_edges = posed_a.edges().len() * posed_b.edges().len();
    if polytopes && pairs_of_edges <= MANY {
        return Some(of_polytopes_in_contact(a, b, &posed_a, &posed_b, radius, reach));
    }
    let highest = |x: &TwinVector| minus(&posed_a.support(x), &posed_b.support(&x.map(|c| -c)));
    let found = depth(precision * reach, reach, rounds, highest)?;
    let middle = (found.lower + found.upper) * Twin::from(0.5);
    let error = 0.5 * (found.upper - found.lower).high.abs() + 1e-25 * reach;
    let separation = -(middle + radius);
    let side = side_of(separation, error.max(doubt), a, b, false);
    let lead = (found.rival - found.upper.high).max(0.0);
    Some(Truth { side, separation, error, normal: rounded(&found.direction), lead })
}

fn side_of(separation: Twin, doubt: f64, a: &Body, b: &Body, polytopes: bool) -> Side {
    if separation.high > doubt {
        Side::Apart
    } else if separation.high < -doubt {
        Side::Overlapping
    } else if polytopes {
        exact_side(a, b)
    } else {
        Side::Near
    }
}

fn of_polytopes_in_contact(
    a: &Body,
    b: &Body,
    posed_a: &Posed,
    posed_b: &Posed,
    radius: Twin,
    reach: f64,
) -> Truth {
    let least = least_reach(posed_a, posed_b);
    let core = least.map_or(Twin::ZERO, |least| least.reach.max(Twin::ZERO));
    let doubt = DOUBT * reach + least.map_or(0.0, |least| least.error);
    let sure = core.high > doubt;
    let side = if sure { Side::Overlapping } else { exact_side(a, b) };
    let gap = if sure { Twin::ZERO } else { Twin::near(&core_distance_squared(a, b)).sqrt() };
    if gap > Twin::ZERO {
        return Truth {
            side,
            separation: gap - radius,
            error: 1e-25 * reach,
            normal: least.map_or([f64::NAN; 3], |least| rounded(&least.direction)),
            lead: f64::NAN,
        };
    }
    Truth {
        side,
        separation: -(core + radius),
        error: 2.0 * doubt,
        normal: least.map_or([f64::NAN; 3], |least| rounded(&least.direction)),
        lead: least.map_or(f64::NAN, |least| least.rival - least.reach.high),
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::{Family, Mode, pair};
    use super::*;

    /// Two ways to the same number: the facets of the difference, and a polytope grown inside it.
    #[test]
    fn facets_and_growing_agree_and_rationals_confirm() {
        let mut sides = [0; 3];
        for mode in [Mode::Free, Mode::Grid, Mode::Thin] {
            for number in 0..120 {
                let [a, b] = pair(Family::Polytopal, mode, number).map(|item| item.body());
                let found = truth(&a, &b).unwrap();
                assert_eq!(found.side, exact_side(&a, &b), "{mode:?} {number}");
                sides[found.side as usize] += 1;
                let (posed_a, posed_b) = (Posed::of(&a), Posed::of(&b));
                let highest = |x: &TwinVector| minus(&posed_a.support(x), &posed_b.support(&x.map(|c| -c)));
                let reach = posed_a.reach + posed_b.reach;
                let Some(grown) = depth(1e-22 * reach, reach, 500, highest) else { continue };
                let radius = Twin::near(&exact_radius(&a, &b));
                let off = (-(grown.upper + radius) - found.separation).high.abs();
                assert!(off <= 1e-20 * reach, "{mode:?} {number}: {off:e}");
            }
        }
        assert!(sides.iter().all(|count| *count > 8), "{sides:?}");
    }

    #[test]
    fn spheres_as_ellipsoids_have_the_depth_of_spheres() {
        for distance in [0.5, 1.5, 1.999, 2.5] {
            let ball = |x: f64| Body {
                core: super::super::Core::Ellipsoid([1.0; 3]),
                radii: [0.0; 2],
                rotation: [0.0, 0.6, 0.0, 0.8],
                translation: [x, 0.0, 0.0],
            };
            let found = truth(&ball(0.0), &ball(distance)).unwrap();
            let off = found.separation.high - (distance - 2.0);
            assert!(
                off.abs() <= found.error + 1e-15 && found.error < 1e-12,
                "{distance}: {off:e}, {:e}",
                found.error
            );
        }
    }
}
