//! Adapters that make a [`Support`] of points, of a pair of sets, or of a set under a pose.

use crate::bound::Support;
use crate::probe::{farthest_of, reach_of};
use crate::volume::axial::length;
use kontakt_math::round::{add_up, dot_up, length_up, mul_up};
use kontakt_math::{DVec3, Pose};

/// The convex hull of points.
#[derive(Clone, Copy, Debug)]
pub struct PointSet<'a>(pub &'a [DVec3]);

impl Support for PointSet<'_> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        farthest_of(self.0, direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        reach_of(self.0, direction)
    }

    fn centre(&self) -> DVec3 {
        let count = self.0.len().max(1) as f64;
        self.0.iter().map(|p| *p / count).sum()
    }
}

/// The convex hull of two sets together.
#[derive(Clone, Copy, Debug)]
pub struct Both<'a, A, B>(pub &'a A, pub &'a B);

impl<A: Support, B: Support> Support for Both<'_, A, B> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        farthest_of(&[self.0.farthest(direction), self.1.farthest(direction)], direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.0.reach(direction).max(self.1.reach(direction))
    }

    fn centre(&self) -> DVec3 {
        self.0.centre() * 0.5 + self.1.centre() * 0.5
    }
}

/// The exact image of a set under a pose: in the frame `a`, when the pose is `a_from_b` and the set lives in `b`.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a, S> {
    set: &'a S,
    a_from_b: &'a Pose,
    farthest_from_origin: f64,
}

impl<'a, S: Support> Posed<'a, S> {
    /// The image of `set`.
    pub fn new(set: &'a S, a_from_b: &'a Pose) -> Posed<'a, S> {
        Posed { set, a_from_b, farthest_from_origin: farthest_from_origin(set) }
    }
}

impl<S: Support> Support for Posed<'_, S> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.a_from_b.apply(self.set.farthest(self.a_from_b.inverse().rotate(direction)))
    }

    fn reach(&self, direction: DVec3) -> f64 {
        // d·(Rx + t) = (Rᵀd)·x + d·t. The computed Rᵀd is within 64u|d| of the exact one (see `pose_error`), which
        // changes its product with x by at most 64u|d||x|; underflow adds some 2⁻¹⁰⁷⁴·|x|.
        let back = self.a_from_b.inverse().rotate(direction);
        let slack = mul_up(
            32.0 * f64::EPSILON * length_up(direction) + f64::from_bits(64),
            self.farthest_from_origin,
        );
        let rotated = add_up(self.set.reach(back), slack);
        add_up(rotated, dot_up(direction, self.a_from_b.translation()))
    }

    fn centre(&self) -> DVec3 {
        self.a_from_b.apply(self.set.centre())
    }
}

/// Least and greatest corner of a box around the set: **outward**.
pub(crate) fn box_around<S: Support + ?Sized>(set: &S) -> (DVec3, DVec3) {
    let high = DVec3::new(set.reach(DVec3::X), set.reach(DVec3::Y), set.reach(DVec3::Z));
    let low = -DVec3::new(set.reach(DVec3::NEG_X), set.reach(DVec3::NEG_Y), set.reach(DVec3::NEG_Z));
    (low, high)
}

/// **Never less** than the distance of any point of the set from the origin.
pub(crate) fn farthest_from_origin<S: Support + ?Sized>(set: &S) -> f64 {
    farthest_from(set, DVec3::ZERO)
}

/// **Never less** than the distance of any point of the set from `place`, at most √3 times it.
pub(crate) fn farthest_from<S: Support + ?Sized>(set: &S, place: DVec3) -> f64 {
    let (low, high) = box_around(set);
    let far = (high - place).abs().max((low - place).abs());
    // Subtraction and length together err by less than 8u.
    let bound = length(far) * (1.0 + 8.0 * f64::EPSILON);
    if bound.is_nan() { f64::INFINITY } else { bound.next_up() }
}
