//! Other ways to look at an oriented box: corners, planes, slabs, angles.

use super::{Obb, columns};
use crate::bound::{FitError, Support};
use kontakt_math::{DMat3, DVec3};

/// The half-space {x : normal · x ≤ offset}.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObbPlane {
    /// Outward normal, unit to rounding.
    pub normal: DVec3,
    /// Largest value of normal · x on the box, rounded up.
    pub offset: f64,
}

/// The layer {x : min ≤ axis · x ≤ max}.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObbSlab {
    /// Normal of the layer, unit to rounding.
    pub axis: DVec3,
    /// Least value on the box, rounded down.
    pub min: f64,
    /// Greatest value on the box, rounded up.
    pub max: f64,
}

impl Obb {
    /// The eight corners, rounded to nearest; bit i of the index chooses the positive end of axis i.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            self.centre + self.axes * (self.half_extents * DVec3::new(sign(1), sign(2), sign(4)))
        })
    }

    /// Three slabs whose common part **encloses** the box.
    pub fn slabs(&self) -> [ObbSlab; 3] {
        columns(&self.axes).map(|axis| ObbSlab { axis, min: -self.reach(-axis), max: self.reach(axis) })
    }

    /// Six half-spaces whose common part **encloses** the box: +x, −x, +y, −y, +z, −z of its axes.
    pub fn planes(&self) -> [ObbPlane; 6] {
        let [x, y, z] = columns(&self.axes);
        [x, -x, y, -y, z, -z].map(|normal| ObbPlane { normal, offset: self.reach(normal) })
    }

    /// Angles (about x, y, z; radians) of the fixed-axes turn R = Rz·Ry·Rx that takes the coordinate axes to the
    /// box's, rounded to nearest. Where the y angle is ±90° the z angle is set to 0. A left-handed third
    /// axis is taken as its opposite, which spans the same box.
    pub fn fixed_angles(&self) -> DVec3 {
        let [x, y, _] = columns(&self.axes);
        let z = x.cross(y);
        let across = x.x.hypot(x.y);
        let about_y = (-x.z).atan2(across);
        if across > 1e-9 {
            DVec3::new(y.z.atan2(z.z), about_y, x.y.atan2(x.x))
        } else {
            DVec3::new((-z.y).atan2(y.y), about_y, 0.0)
        }
    }

    /// The box turned by fixed-axes angles (about x, then y, then z; radians); see
    /// [`fixed_angles`](Self::fixed_angles).
    pub fn from_fixed_angles(centre: DVec3, angles_rad: DVec3, half_extents: DVec3) -> Result<Obb, FitError> {
        if !angles_rad.is_finite() {
            return Err(FitError::Parameter { what: format!("box angles {angles_rad} are not finite") });
        }
        let axes = DMat3::from_rotation_z(angles_rad.z)
            * DMat3::from_rotation_y(angles_rad.y)
            * DMat3::from_rotation_x(angles_rad.x);
        Obb::new(centre, axes, half_extents)
    }
}
