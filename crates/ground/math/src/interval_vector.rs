//! Boxes of vectors: three intervals, one a coordinate.

use crate::Interval;
use glam::DVec3;
use std::ops::{Add, Neg, Sub};

/// All vectors whose coordinates lie in the three intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalVector {
    /// Range of the first coordinate.
    pub x: Interval,
    /// Range of the second coordinate.
    pub y: Interval,
    /// Range of the third coordinate.
    pub z: Interval,
}

impl IntervalVector {
    /// From the three ranges.
    pub fn new(x: Interval, y: Interval, z: Interval) -> IntervalVector {
        IntervalVector { x, y, z }
    }

    /// Exactly `v`.
    pub fn point(v: DVec3) -> IntervalVector {
        IntervalVector { x: v.x.into(), y: v.y.into(), z: v.z.into() }
    }

    /// All vectors no coordinate of which exceeds `reach` in size.
    pub fn cube(reach: f64) -> IntervalVector {
        let side = Interval::new(-reach, reach);
        IntervalVector { x: side, y: side, z: side }
    }

    /// True when every coordinate of `v` is in its range.
    pub fn contains(&self, v: DVec3) -> bool {
        self.x.contains(v.x) && self.y.contains(v.y) && self.z.contains(v.z)
    }

    /// The coordinates' middles.
    pub fn middle(&self) -> DVec3 {
        DVec3::new(self.x.middle(), self.y.middle(), self.z.middle())
    }

    /// Common members.
    #[must_use]
    pub fn intersect(&self, other: IntervalVector) -> IntervalVector {
        IntervalVector {
            x: self.x.intersect(other.x),
            y: self.y.intersect(other.y),
            z: self.z.intersect(other.z),
        }
    }

    /// The least box that holds both.
    #[must_use]
    pub fn hull(&self, other: IntervalVector) -> IntervalVector {
        IntervalVector { x: self.x.hull(other.x), y: self.y.hull(other.y), z: self.z.hull(other.z) }
    }

    /// s · v for every s and v.
    #[must_use]
    pub fn scale(&self, s: Interval) -> IntervalVector {
        IntervalVector { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    /// v · w for every pair.
    pub fn dot(&self, other: IntervalVector) -> Interval {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// v × w for every pair.
    #[must_use]
    pub fn cross(&self, other: IntervalVector) -> IntervalVector {
        IntervalVector {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// |v|². Overflows to an infinite bound beyond 1e154; `length` does not.
    pub fn length_squared(&self) -> Interval {
        self.x.square() + self.y.square() + self.z.square()
    }

    /// |v|, without overflow or underflow of the squares.
    pub fn length(&self) -> Interval {
        let reach = self.x.magnitude().max(self.y.magnitude()).max(self.z.magnitude());
        if reach == 0.0 || !reach.is_finite() {
            return self.length_squared().sqrt();
        }
        // Any positive number may serve as the scale: the division is enclosed, the product too.
        let scale = Interval::point(reach);
        let unit = IntervalVector { x: self.x / scale, y: self.y / scale, z: self.z / scale };
        unit.length_squared().sqrt() * scale
    }

    /// Never less than the distance of any member from `v`.
    pub fn farthest_from(&self, v: DVec3) -> f64 {
        (*self - IntervalVector::point(v)).length().hi()
    }
}

impl Neg for IntervalVector {
    type Output = IntervalVector;
    fn neg(self) -> IntervalVector {
        IntervalVector { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl Add for IntervalVector {
    type Output = IntervalVector;
    fn add(self, other: IntervalVector) -> IntervalVector {
        IntervalVector { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for IntervalVector {
    type Output = IntervalVector;
    fn sub(self, other: IntervalVector) -> IntervalVector {
        self + (-other)
    }
}
