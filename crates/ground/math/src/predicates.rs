//! Exact orientation predicates: the sign returned is that of the exact determinant of the doubles given.

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// Sign of an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Exactly zero.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// Sign of a double that is known to carry the right sign.
    pub fn of(value: f64) -> Sign {
        if value > 0.0 {
            Sign::Positive
        } else if value < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }
}

/// Side of `d` of the plane through `a`, `b`, `c`: positive when (a−d)·((b−d)×(c−d)) > 0, that is when `d` lies
/// *below* the plane seen with a, b, c counter-clockwise from above.
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let p = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    Sign::of(robust::orient3d(p(a), p(b), p(c), p(d)))
}

/// Positive when `a`, `b`, `c` turn counter-clockwise.
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let p = |v: DVec2| Coord { x: v.x, y: v.y };
    Sign::of(robust::orient2d(p(a), p(b), p(c)))
}
