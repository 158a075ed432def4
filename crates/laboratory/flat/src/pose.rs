//! A rigid placement in the plane.

use kontakt_bounds::FitError;
use kontakt_math::DVec2;

/// A rigid map x ↦ R·x + t of the plane, R the turn that takes (1, 0) to `heading`/|heading|.
/// The heading stored is of unit length to rounding (4·2⁻⁵³).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatPose {
    heading: DVec2,
    translation: DVec2,
}

impl FlatPose {
    /// The map that changes nothing.
    pub const IDENTITY: FlatPose = FlatPose { heading: DVec2::X, translation: DVec2::ZERO };

    /// Turn by the angle (radians, counter-clockwise) about the origin, then shift.
    pub fn new(angle_rad: f64, translation: DVec2) -> Result<FlatPose, FitError> {
        if !angle_rad.is_finite() || !translation.is_finite() {
            return Err(FitError::Parameter {
                what: format!(
                    "plane pose with angle {angle_rad} and translation {translation} is not finite"
                ),
            });
        }
        Ok(FlatPose { heading: DVec2::from_angle(angle_rad).normalize(), translation })
    }

    /// Image of (1, 0) under the turn.
    pub fn heading(&self) -> DVec2 {
        self.heading
    }

    /// Where the origin goes.
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// Image of a direction, rounded to nearest.
    pub fn rotate(&self, direction: DVec2) -> DVec2 {
        self.heading.rotate(direction)
    }

    /// Image of a point, rounded to nearest.
    pub fn apply(&self, point: DVec2) -> DVec2 {
        self.rotate(point) + self.translation
    }

    /// The direction turned back, rounded to nearest.
    pub fn rotate_back(&self, direction: DVec2) -> DVec2 {
        DVec2::new(self.heading.x, -self.heading.y).rotate(direction)
    }

    /// Bound of the error of each component of [`rotate`](Self::rotate) and [`rotate_back`](Self::rotate_back),
    /// as a multiple of |x| + |y| of the direction; 0 when the turn is exactly a quarter, half or no turn.
    ///
    /// Proof: `normalize` leaves each heading component with a relative error below 5u (squared sum 2u, root
    /// u/2·2+u, reciprocal u, product u); each image component is a sum of two products, 2u more. 8u covers it.
    /// With a heading of ±(1, 0) or ±(0, 1) all products are by 0 or ±1 and exact.
    pub fn turn_error(&self) -> f64 {
        if self.heading.x == 0.0 || self.heading.y == 0.0 { 0.0 } else { 4.0 * f64::EPSILON }
    }
}
