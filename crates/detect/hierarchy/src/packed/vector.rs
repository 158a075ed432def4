//! Four single-precision numbers that the compiler keeps in one register; the fourth is idle.

use std::ops::{Add, Mul, Sub};

/// A point or direction in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct Vector(pub(crate) [f32; 4]);

impl Vector {
    pub(crate) const ZERO: Vector = Vector([0.0; 4]);

    #[inline(always)]
    pub(crate) fn new(v: [f32; 3]) -> Vector {
        Vector([v[0], v[1], v[2], 0.0])
    }

    #[inline(always)]
    pub(crate) fn splat(x: f32) -> Vector {
        Vector([x; 4])
    }

    #[inline(always)]
    fn zip(self, other: Vector, f: impl Fn(f32, f32) -> f32) -> Vector {
        let (a, b) = (self.0, other.0);
        Vector([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }

    /// One instruction each, because NaN does not matter here.
    #[inline(always)]
    pub(crate) fn min(self, other: Vector) -> Vector {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    pub(crate) fn max(self, other: Vector) -> Vector {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    pub(crate) fn xyz(self) -> [f32; 3] {
        [self.0[0], self.0[1], self.0[2]]
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Vector) -> f32 {
        let p = (self * other).0;
        p[0] + p[1] + p[2]
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Vector) -> Vector {
        let (a, b) = (self.0, other.0);
        Vector([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0.0])
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f32 {
        self.dot(self).sqrt()
    }
}

impl Add for Vector {
    type Output = Vector;
    #[inline(always)]
    fn add(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Vector {
    type Output = Vector;
    #[inline(always)]
    fn sub(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Vector {
    type Output = Vector;
    #[inline(always)]
    fn mul(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a * b)
    }
}

impl Mul<f32> for Vector {
    type Output = Vector;
    #[inline(always)]
    fn mul(self, factor: f32) -> Vector {
        self * Vector::splat(factor)
    }
}

/// A box; empty when low > high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: Vector,
    pub(crate) high: Vector,
}

impl Bounds {
    pub(crate) const EMPTY: Bounds =
        Bounds { low: Vector([f32::INFINITY; 4]), high: Vector([f32::NEG_INFINITY; 4]) };

    /// Around the corners of a triangle.
    #[inline(always)]
    pub(crate) fn of(corners: &[Vector; 3]) -> Bounds {
        let [a, b, c] = *corners;
        Bounds { low: a.min(b).min(c), high: a.max(b).max(c) }
    }

    #[inline(always)]
    pub(crate) fn join(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    #[inline(always)]
    pub(crate) fn include(self, point: Vector) -> Bounds {
        Bounds { low: self.low.min(point), high: self.high.max(point) }
    }

    /// Twice the centre.
    #[inline(always)]
    pub(crate) fn key(self) -> Vector {
        self.low + self.high
    }

    /// Half surface plus `opponent` times the sides; 0 if empty.
    #[inline(always)]
    pub(crate) fn chance(self, opponent: f32) -> f32 {
        let [x, y, z] = (self.high - self.low).xyz();
        if x < 0.0 { 0.0 } else { x * y + y * z + z * x + opponent * (x + y + z) }
    }

    /// The longest side.
    #[inline(always)]
    pub(crate) fn longest(self) -> usize {
        let [x, y, z] = (self.high - self.low).xyz();
        if x >= y && x >= z {
            0
        } else if y >= z {
            1
        } else {
            2
        }
    }
}
