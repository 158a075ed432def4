//! kontakt's side of each question: one file, one or two functions each, so that a change of its API shows here only.

pub(crate) mod broad;
pub(crate) mod check;
pub(crate) mod convex;
pub(crate) mod curved;
pub(crate) mod gas;
pub(crate) mod laboratory;
pub(crate) mod mesh;
pub(crate) mod moving;
pub(crate) mod overlap;
pub(crate) mod pile;
pub(crate) mod read;
pub(crate) mod small_box;
pub(crate) mod soft;
pub(crate) mod sphere;
pub(crate) mod world;

use kontakt::math::DVec3;

/// Points as kontakt takes them.
pub(crate) fn vectors(points: &[[f64; 3]]) -> Vec<DVec3> {
    points.iter().copied().map(DVec3::from_array).collect()
}
