//! Laboratory: bounding volumes of the plane, the contracts of [`kontakt_bounds::bound`] for `DVec2`, one file a volume. No product
//! crate uses them.

mod circle;
mod hull;
mod kdop;
mod oriented_rectangle;
mod polygon;
mod pose;
mod rectangle;

pub use circle::{Circle, min_circle};
pub use hull::FlatHull;
pub use kdop::FlatKDop;
pub use oriented_rectangle::OrientedRectangle;
pub use pose::FlatPose;
pub use rectangle::Rectangle;

use kontakt_bounds::FitError;
use kontakt_math::{DVec2, DVec3};

/// Size of a plane volume. Computed to nearest; for reports and heuristics, not for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FlatMeasure {
    /// Enclosed area.
    pub area: f64,
    /// Length of the boundary.
    pub perimeter: f64,
    /// Largest distance of two points of the volume.
    pub diameter: f64,
}

/// A compact plane set seen through its support function; see [`kontakt_bounds::Support`].
pub trait FlatSupport {
    /// A point of the set, to rounding, farthest along `direction` (not necessarily unit; zero gives any point).
    fn farthest(&self, direction: DVec2) -> DVec2;

    /// **Never less** than the exact maximum of `direction · x` over the set, for the direction exactly as given.
    fn reach(&self, direction: DVec2) -> f64;

    /// Some point well inside, to rounding.
    fn centre(&self) -> DVec2;
}

/// A bounding volume of the plane. The *set* is what the stored doubles say exactly; see [`kontakt_bounds::Bound`].
pub trait FlatBound: FlatSupport + Sized {
    /// Name on the command line and in reports.
    const NAME: &'static str;

    /// Encloses all points: **each point lies in the exact set**.
    fn fit(points: &[DVec2]) -> Result<Self, FitError>;

    /// Encloses both volumes.
    #[must_use]
    fn merge(&self, other: &Self) -> Self;

    /// Encloses the exact image under the pose; as tight as the kind allows.
    #[must_use]
    fn transformed(&self, a_from_b: &FlatPose) -> Self;

    /// Area, perimeter, diameter.
    fn measure(&self) -> FlatMeasure;

    /// Whether the point is in the volume. Decided for the exact set up to rounding, erring to `true`.
    fn contains(&self, point: DVec2) -> bool;

    /// `false` is a proof that the sets are disjoint; `true` is "maybe" within rounding of touching.
    fn may_overlap(&self, other: &Self) -> bool;

    /// **Never more** than the exact distance of the two sets; 0 when they may overlap.
    fn gap_below(&self, other: &Self) -> f64;
}

/// The first point that is not finite, or that there is none at all.
pub fn check_flat_points(points: &[DVec2]) -> Result<(), FitError> {
    if points.is_empty() {
        return Err(FitError::Empty);
    }
    match points.iter().position(|p| !p.is_finite()) {
        Some(index) => Err(FitError::NotFinite { index }),
        None => Ok(()),
    }
}

/// The vector in the plane z = 0, so that the directed rounding of `kontakt_math::round` serves here too.
pub fn lifted(v: DVec2) -> DVec3 {
    v.extend(0.0)
}
