//! The question and the answer: which box, by which way, how small, how close to the smallest.

use crate::bound::Objective;
use crate::volume::Obb;
use std::time::Duration;

/// A way to a small box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BoxMethod {
    /// Descent from many starts, then a search of all orientations to a gap of 5e-7 within a fixed number of steps.
    #[default]
    Fast,
    /// Search of all orientations until the gap asked for is proven or time is up.
    Exact,
    /// Axes of the covariance of the points as given: depends on how densely they are sampled.
    Pca,
    /// Axes of the covariance of the hull's surface (Gottschalk 1996).
    HullCovariance,
    /// Best rectangle around the direction of least variance of the hull's surface.
    MinPrincipal,
    /// Best rectangle around the direction of greatest variance of the hull's surface.
    MaxPrincipal,
    /// Nelder–Mead over rotations, from many starts.
    NelderMead,
    /// Powell's directions over rotations, from many starts.
    Powell,
    /// Ditetrahedron on 14 extremal points (Larsson and Källberg 2011).
    Dito14,
}

impl BoxMethod {
    /// All methods.
    pub const ALL: [BoxMethod; 9] = [
        BoxMethod::Fast,
        BoxMethod::Exact,
        BoxMethod::Pca,
        BoxMethod::HullCovariance,
        BoxMethod::MinPrincipal,
        BoxMethod::MaxPrincipal,
        BoxMethod::NelderMead,
        BoxMethod::Powell,
        BoxMethod::Dito14,
    ];

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            BoxMethod::Fast => "fast",
            BoxMethod::Exact => "exact",
            BoxMethod::Pca => "pca",
            BoxMethod::HullCovariance => "hull-covariance",
            BoxMethod::MinPrincipal => "min-principal",
            BoxMethod::MaxPrincipal => "max-principal",
            BoxMethod::NelderMead => "nelder-mead",
            BoxMethod::Powell => "powell",
            BoxMethod::Dito14 => "dito-14",
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxRequest {
    /// What to make small.
    pub objective: Objective,
    /// By which way.
    pub method: BoxMethod,
    /// Relative gap at which the exact search may stop. Values below rounding (about 1e-12) are raised to it.
    pub target_gap: f64,
    /// Longest time of the exact search; what is proven by then is reported. `None`: no limit.
    pub time_limit: Option<Duration>,
    /// Whether to spend an exact search on the gap of a method that does not prove one itself.
    pub certify: bool,
}

impl Default for BoxRequest {
    fn default() -> Self {
        BoxRequest {
            objective: Objective::Volume,
            method: BoxMethod::Fast,
            target_gap: 1e-12,
            time_limit: Some(Duration::from_secs(60)),
            certify: false,
        }
    }
}

/// Why no gap is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGap {
    /// The method proves none, and `certify` was not set.
    NotAsked,
    /// Time or steps ran out before any was proven.
    Stopped,
}

/// What the search took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BoxCounts {
    /// Vertices of the convex hull.
    pub hull_vertices: usize,
    /// Cells of orientations looked at.
    pub cells: u64,
}

/// A small box around points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestBox {
    /// The box. **Every point lies in its exact set.**
    pub obb: Obb,
    /// By which way it was found.
    pub method: BoxMethod,
    /// What was made small.
    pub objective: Objective,
    /// The objective's value for `obb`, rounded to nearest.
    pub value: f64,
    /// **Proven:** no box around the points has a value less than (1 − gap) · `value`. Zero for sets whose smallest
    /// value is zero.
    pub gap: Result<f64, NoGap>,
    /// What it took.
    pub counts: BoxCounts,
}
