//! A point with its derivatives.

use kontakt_math::DVec3;

/// A point of a curve and its first two derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveJet {
    /// The point.
    pub point: DVec3,
    /// First derivative.
    pub d1: DVec3,
    /// Second derivative.
    pub d2: DVec3,
}

/// A point of a surface and its derivatives up to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceJet {
    /// The point.
    pub point: DVec3,
    /// By u.
    pub du: DVec3,
    /// By v.
    pub dv: DVec3,
    /// Twice by u.
    pub duu: DVec3,
    /// By u and v.
    pub duv: DVec3,
    /// Twice by v.
    pub dvv: DVec3,
}

impl SurfaceJet {
    /// Square to the surface, of any length; zero where the parametrisation is singular.
    pub fn normal(&self) -> DVec3 {
        self.du.cross(self.dv)
    }
}
