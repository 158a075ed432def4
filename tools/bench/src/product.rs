//! kontakt's side of each question: one file, one or two functions each, so that a change of its API shows here only.

pub mod overlap;
pub mod read;
pub mod small_box;
pub mod sphere;

use kontakt::math::DVec3;

/// Points as kontakt takes them.
pub fn vectors(points: &[[f64; 3]]) -> Vec<DVec3> {
    points.iter().copied().map(DVec3::from_array).collect()
}
