//! A place and three axes at right angles.

use kontakt_math::{DVec3, Pose};

/// An origin and a right-handed orthonormal basis, to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where the axes meet.
    pub origin: DVec3,
    /// First axis.
    pub x: DVec3,
    /// Second axis.
    pub y: DVec3,
    /// Third axis: of a cylinder, a cone, a torus its own; of a plane its normal.
    pub z: DVec3,
}

/// Why axes make no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A coordinate is not a finite number.
    #[error("a coordinate of the placement is not finite")]
    NotFinite,
    /// The axis has no length.
    #[error("the axis of the placement has no length")]
    NoAxis,
}

impl Frame {
    /// The axes of the space itself.
    pub const IDENTITY: Frame = Frame { origin: DVec3::ZERO, x: DVec3::X, y: DVec3::Y, z: DVec3::Z };

    /// From an axis and a direction that the first axis shall be near to, as STEP's `AXIS2_PLACEMENT_3D` gives them. A reference that is
    /// missing, or along the axis, is replaced by one square to it.
    pub fn new(origin: DVec3, axis: DVec3, reference: Option<DVec3>) -> Result<Frame, FrameError> {
        if !(origin.is_finite() && axis.is_finite() && reference.is_none_or(DVec3::is_finite)) {
            return Err(FrameError::NotFinite);
        }
        let z = unit(axis).ok_or(FrameError::NoAxis)?;
        let square = |r: DVec3| unit(r).and_then(|r| unit_above(r - z * r.dot(z), 1e-9));
        let x = reference.and_then(square).unwrap_or_else(|| any_square(z));
        Ok(Frame { origin, x, y: z.cross(x), z })
    }

    /// A point given in these axes, in space.
    pub fn point(&self, x: f64, y: f64, z: f64) -> DVec3 {
        self.origin + self.x * x + self.y * y + self.z * z
    }

    /// A point of space in these axes.
    pub fn local(&self, point: DVec3) -> DVec3 {
        self.turned_back(point - self.origin)
    }

    /// A direction of space in these axes.
    pub fn turned_back(&self, direction: DVec3) -> DVec3 {
        DVec3::new(direction.dot(self.x), direction.dot(self.y), direction.dot(self.z))
    }

    /// The frame elsewhere.
    #[must_use]
    pub fn moved(&self, pose: &Pose) -> Frame {
        Frame {
            origin: pose.apply(self.origin),
            x: pose.rotate(self.x),
            y: pose.rotate(self.y),
            z: pose.rotate(self.z),
        }
    }
}

/// A direction of length one, also for lengths whose square is not a double.
fn unit(v: DVec3) -> Option<DVec3> {
    unit_above(v, 0.0)
}

fn unit_above(v: DVec3, least: f64) -> Option<DVec3> {
    let size = v.abs().max_element();
    (size > least).then(|| (v / size).normalize())
}

/// Some direction square to a unit one.
fn any_square(z: DVec3) -> DVec3 {
    let away = if z.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
    (away - z * away.dot(z)).normalize()
}
