//! What is true of a half-space and a convex body.

use super::body::{Body, Posed, exact_points};
use super::truth::{Side, Truth};
use crate::rational::{Rational, dot, exact, integer, vector};
use crate::rigid;
use crate::twin::{Twin, TwinVector, inner, length, rounded};
use num_traits::Signed;
use std::cmp::Ordering;

/// All x with normal · x ≤ offset, grown by a margin, at a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfSpace {
    /// Points out of the set; any length but zero.
    pub normal: [f64; 3],
    /// In units of the normal's length.
    pub offset: f64,
    /// Grows it.
    pub margin: f64,
    /// x y z w, meant as q/|q|.
    pub rotation: [f64; 4],
    /// Where the origin goes.
    pub translation: [f64; 3],
}

/// The truth about a half-space (A) and a body (B). The verdict is exact for polytopes with radii.
///
/// With n the turned normal, t the translation and h the least n·x of the body's core, the separation is
/// (h − offset − n·t)/|n| minus all radii.
pub fn half_space_truth(space: &HalfSpace, body: &Body) -> Truth {
    let normal = rigid::rotate(&space.rotation.map(exact), &vector(space.normal));
    let shift = exact(space.offset) + dot(&normal, &vector(space.translation));
    let radius =
        body.radii.iter().chain([&space.margin]).map(|r| exact(*r)).fold(integer(0), |sum, r| sum + r);
    let squared = dot(&vector(space.normal), &vector(space.normal));
    let n: TwinVector = std::array::from_fn(|k| Twin::near(&normal[k]));
    let norm = Twin::near(&squared).sqrt();
    let posed = Posed::of(body);
    let lowest = inner(&n, &posed.support(&n.map(|x| -x)));
    let separation = (lowest - Twin::near(&shift)) / norm - Twin::near(&radius);
    let reach = posed.reach + (Twin::near(&shift) / norm).high.abs() + Twin::near(&radius).high;
    let error = 1e-27 * reach;
    let side = match exact_points(body).iter().map(|p| dot(&normal, p)).min() {
        Some(least) => exact_side(&(least - shift), &radius, &squared),
        None if separation.high > error => Side::Apart,
        None if separation.high < -error => Side::Overlapping,
        None => Side::Near,
    };
    let unit = length(&n).high;
    Truth { side, separation, error, normal: rounded(&n).map(|x| x / unit), lead: f64::INFINITY }
}

/// The sign of height/√squared − radius.
fn exact_side(height: &Rational, radius: &Rational, squared: &Rational) -> Side {
    let order = if height.is_negative() {
        Ordering::Less
    } else {
        (height * height).cmp(&(radius * radius * squared))
    };
    match order {
        Ordering::Greater => Side::Apart,
        Ordering::Equal => Side::Touching,
        Ordering::Less => Side::Overlapping,
    }
}
