//! What every bounding volume answers, and which way each answer errs.

use kontakt_math::{DVec3, Pose};
use thiserror::Error;

/// Why a volume cannot be made from the data given.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// There is nothing to enclose.
    #[error("no points to enclose")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("point {index} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the first culprit.
        index: usize,
    },
    /// A parameter of the volume is out of its range.
    #[error("{what}")]
    Parameter {
        /// What is wrong, in words that name the parameter and its value.
        what: String,
    },
}

impl FitError {
    /// The points are finite, but the volume around them is not.
    pub(crate) fn too_large(volume: &str) -> FitError {
        FitError::Parameter { what: format!("the {volume} around the points is larger than doubles reach") }
    }
}

/// Size of a volume. Computed to nearest; for reports and heuristics, not for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Measure {
    /// Enclosed volume.
    pub volume: f64,
    /// Surface area.
    pub surface: f64,
    /// Largest distance of two points of the volume.
    pub diameter: f64,
}

impl Measure {
    /// Of a volume that is not bounded, or too large for doubles.
    pub(crate) const INFINITE: Measure =
        Measure { volume: f64::INFINITY, surface: f64::INFINITY, diameter: f64::INFINITY };

    /// The number that `objective` asks for.
    pub fn by(&self, objective: Objective) -> f64 {
        match objective {
            Objective::Volume => self.volume,
            Objective::Surface => self.surface,
            Objective::Diameter => self.diameter,
        }
    }
}

/// Product of factors that are not negative, to nearest, without over- or underflow on the way; 0 if one of them is 0.
///
/// The least factors while the product is large, the greatest while it is small: it leaves the range only with the result.
#[doc(hidden)]
pub fn product<const N: usize>(mut factors: [f64; N]) -> f64 {
    if factors.contains(&0.0) {
        return 0.0;
    }
    factors.sort_by(f64::total_cmp);
    let (mut low, mut high, mut product) = (0, N, 1.0);
    while low < high {
        if product >= 1.0 {
            product *= factors[low];
            low += 1;
        } else {
            high -= 1;
            product *= factors[high];
        }
    }
    product
}

/// What a fit makes small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Objective {
    /// Enclosed volume.
    #[default]
    Volume,
    /// Surface area.
    Surface,
    /// Largest distance of two points.
    Diameter,
}

/// A number that defines a volume, for reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// A length, a cosine, …
    Number(f64),
    /// Several of them.
    Numbers(Vec<f64>),
    /// A point or a direction.
    Vector(DVec3),
    /// Several of them.
    Vectors(Vec<DVec3>),
    /// Polygons as indices into a list of points.
    Faces(Vec<Vec<u32>>),
}

impl From<f64> for Parameter {
    fn from(number: f64) -> Parameter {
        Parameter::Number(number)
    }
}

impl From<DVec3> for Parameter {
    fn from(vector: DVec3) -> Parameter {
        Parameter::Vector(vector)
    }
}

/// A compact set seen through its support function (for a set that is not convex: that of its hull).
///
/// `reach` is the one certified primitive on which all separation proofs rest: if
/// `a.reach(d) + b.reach(-d) < 0`, evaluated upward, then the exact sets are disjoint.
pub trait Support {
    /// A point of the set, to rounding, farthest along `direction` (not necessarily unit; zero gives any point).
    fn farthest(&self, direction: DVec3) -> DVec3;

    /// **Never less** than the exact maximum of `direction · x` over the set, for the direction exactly as given.
    fn reach(&self, direction: DVec3) -> f64;

    /// Some point well inside, to rounding.
    fn centre(&self) -> DVec3;
}

/// A bounding volume. The *set* is what the stored doubles say exactly; "contains", "apart" and "below" refer to it.
///
/// Constructors and fits give finite volumes or an error. A union or an image that does not fit into doubles is an
/// infinite volume instead: it holds every point, its reach and measure are infinite.
pub trait Bound: Support + Sized {
    /// Name on the command line and in reports.
    const NAME: &'static str;

    /// Whether the fit is the one least set of this kind around the points, as for boxes and k-DOPs. Then points that it
    /// already holds do not change it, and `merge` is the fit around the points of both; to rounding.
    const IS_LEAST: bool = false;

    /// Whether a fit around more points never has less volume, surface or diameter, up to rounding.
    const IS_MONOTONE: bool = Self::IS_LEAST;

    /// Encloses all points: **each point lies in the exact set**.
    fn fit(points: &[DVec3]) -> Result<Self, FitError>;

    /// Encloses all triangles (index triples into the points; without any, the points). A convex volume holds a
    /// triangle when it holds its corners, so only volumes that are not convex look at the triangles.
    fn fit_faces(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, FitError> {
        let _ = triangles;
        Self::fit(points)
    }

    /// The same as [`fit_faces`](Bound::fit_faces), of the kind that this volume has.
    fn fit_again(&self, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, FitError> {
        Self::fit_faces(points, triangles)
    }

    /// Name of this volume's kind: `NAME`, but for a type that holds volumes of several kinds.
    fn kind(&self) -> &'static str {
        Self::NAME
    }

    /// Encloses both volumes.
    #[must_use]
    fn merge(&self, other: &Self) -> Self;

    /// Encloses the exact image under the pose; as tight as the kind allows.
    #[must_use]
    fn transformed(&self, a_from_b: &Pose) -> Self;

    /// Volume, surface, diameter.
    fn measure(&self) -> Measure;

    /// The doubles that define the set, by name.
    fn parameters(&self) -> Vec<(&'static str, Parameter)>;

    /// Whether the point is in the volume. Decided for the exact set up to rounding, erring to `true`.
    fn contains(&self, point: DVec3) -> bool;

    /// `false` is a proof that the sets are disjoint; `true` is "maybe" within rounding of touching.
    fn may_overlap(&self, other: &Self) -> bool;

    /// **Never more** than the exact distance of the two sets; 0 when they may overlap.
    fn gap_below(&self, other: &Self) -> f64;
}

/// The first point that is not finite, or that there is none at all.
pub(crate) fn check_points(points: &[DVec3]) -> Result<(), FitError> {
    if points.is_empty() {
        return Err(FitError::Empty);
    }
    match points.iter().position(|p| !p.is_finite()) {
        Some(index) => Err(FitError::NotFinite { index }),
        None => Ok(()),
    }
}
