//! Numbers from an exact nearest point, rounded at the very end.

use super::scene::Scene;
use super::simplex::Nearest;
use crate::difference::corners::Corners;
use kontakt_answers::Range;
use kontakt_math::exact_vector::{Vector, add, dot, exact, rounded_direction, scale, vector};
use kontakt_math::{DVec3, Dyadic};
use std::cmp::Ordering;

/// Relative error of the quotients and sums below, many times over.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// Σ of the radii, exactly.
fn sum(radii: [f64; 4]) -> Dyadic {
    radii.into_iter().fold(Dyadic::ZERO, |sum, r| &sum + &exact(r))
}

/// The squares of the core's distance and of the sum of the radii, both times (total · weight)².
fn squares<A: Corners, B: Corners>(
    scene: &Scene<'_, A, B>,
    nearest: &Nearest,
    radii: [f64; 4],
) -> [Dyadic; 2] {
    let place = nearest.weighted_place();
    let reach = &(&nearest.total * scene.weight()) * &sum(radii);
    [dot(&place, &place), &reach * &reach]
}

/// Exact comparison of the cores' distance with the sum of the radii.
pub(crate) fn compare_with_radii<A: Corners, B: Corners>(
    scene: &Scene<'_, A, B>,
    nearest: &Nearest,
    radii: [f64; 4],
) -> Ordering {
    let [distance, reach] = squares(scene, nearest, radii);
    distance.cmp(&reach)
}

/// What is known of bodies whose cores are apart, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// The cores' distance less the radii.
    pub(crate) separation: Range,
    /// Unit vector from A to B in A's frame, off by a few roundings.
    pub(crate) normal: DVec3,
    /// The cores' distance, off by a few roundings.
    pub(crate) distance: f64,
    /// The core's point of A in A's frame, each coordinate off by a few roundings.
    pub(crate) point: DVec3,
}

/// Distance, normal and point of cores that are apart.
///
/// With d the distance and r the sum of the radii, d − r = (d² − r²)/(d + r): the numerator is exact before it is rounded, so
/// nothing cancels.
pub(crate) fn measure<A: Corners, B: Corners>(
    scene: &Scene<'_, A, B>,
    nearest: &Nearest,
    radii: [f64; 4],
) -> Measured {
    let scaled = &nearest.total * scene.weight();
    let [distance_squared, reach_squared] = squares(scene, nearest, radii);
    let gap_squared = &distance_squared - &reach_squared;
    let unit = &scaled * &scaled;
    let direction = rounded_direction(&nearest.direction);
    let place = nearest.weighted_place();
    let distance = length(place.each_ref().map(|x| x.quotient(&scaled)));
    let both = distance + radii.iter().sum::<f64>();
    // (d² − r²)/(d + r) with the squares in units of (d + r)², lest they leave the range of doubles.
    let separation = match exact(both) {
        _ if !both.is_finite() => beyond_doubles(distance_squared.cmp(&reach_squared)),
        whole if whole.is_zero() => Range::ZERO,
        whole => around(gap_squared.quotient(&(&unit * &(&whole * &whole))) * both),
    };
    Measured {
        separation,
        normal: -direction.normalize_or_zero(),
        distance,
        point: mean(nearest, |pair| vector(scene.pair().a.corner(pair[0]))),
    }
}

/// The weighted mean of corners, rounded.
fn mean(nearest: &Nearest, corner: impl Fn([u32; 2]) -> Vector) -> DVec3 {
    let mut sum = [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO];
    for (spot, weight) in nearest.spots.iter().zip(&nearest.weights) {
        sum = add(&sum, &scale(weight, &corner(spot.pair)));
    }
    DVec3::from_array(sum.each_ref().map(|x| x.quotient(&nearest.total)))
}

/// The length, without overflow or underflow of the squares.
fn length(v: [f64; 3]) -> f64 {
    let v = DVec3::from_array(v);
    let largest = v.abs().max_element();
    if largest == 0.0 || !largest.is_finite() { largest } else { (v / largest).length() * largest }
}

/// Of lengths that doubles cannot hold only the sign is known.
fn beyond_doubles(sign: Ordering) -> Range {
    let tiny = f64::from_bits(1);
    let (lo, hi) = match sign {
        Ordering::Less => (f64::NEG_INFINITY, -tiny),
        Ordering::Equal => (0.0, 0.0),
        Ordering::Greater => (tiny, f64::INFINITY),
    };
    Range::new(lo, hi).unwrap_or(Range::ZERO)
}

/// All numbers within the slack; zero only for zero, and the sign always right.
fn around(value: f64) -> Range {
    if value == 0.0 {
        return Range::ZERO;
    }
    let ends = [value * (1.0 - SLACK), value * (1.0 + SLACK)];
    let (lo, hi) = (ends[0].min(ends[1]).next_down(), ends[0].max(ends[1]).next_up());
    let (lo, hi) =
        if value > 0.0 { (lo.max(f64::from_bits(1)), hi) } else { (lo, hi.min(-f64::from_bits(1))) };
    Range::new(lo, hi).unwrap_or(Range::ZERO)
}
