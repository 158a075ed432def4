//! What is refused, and why.

use crate::meeting::Meeting;
use kontakt_soft_ccd::mesh::{StepError as PathError, SurfaceError};
use thiserror::Error;

/// Why something is no body or no system of bodies.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SoftError {
    /// A property of a material that is NaN, infinite or out of its range.
    #[error("{what} of {value} is not {wanted}")]
    Material {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
        /// What it should be.
        wanted: &'static str,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a {what} that is not finite")]
    NotFinite {
        /// Place or velocity.
        what: &'static str,
        /// 0-based.
        vertex: usize,
    },
    /// A corner that does not exist.
    #[error("triangle {triangle} uses vertex {index}, but there are {vertices} vertices")]
    IndexOutOfRange {
        /// 0-based.
        triangle: usize,
        /// As given.
        index: u32,
        /// How many there are.
        vertices: usize,
    },
    /// Three corners on one line.
    #[error("triangle {triangle} is flat")]
    Flat {
        /// 0-based.
        triangle: usize,
    },
    /// Nothing gives this vertex a mass.
    #[error("vertex {vertex} has no mass: it belongs to nothing, or to nothing but slivers")]
    NoMass {
        /// 0-based.
        vertex: usize,
    },
    /// More than two triangles of a cloth on an edge.
    #[error("{triangles} triangles share the edge of vertices {a} and {b}")]
    NonManifold {
        /// An end.
        a: u32,
        /// The other.
        b: u32,
        /// How many triangles.
        triangles: usize,
    },
    /// A vertex that a call names does not exist.
    #[error("there is no vertex {vertex}: there are {vertices}")]
    NoVertex {
        /// As given.
        vertex: usize,
        /// How many there are.
        vertices: usize,
    },
    /// A body that a call names does not exist.
    #[error("there is no body {body}: there are {bodies}")]
    NoBody {
        /// As given.
        body: usize,
        /// How many there are.
        bodies: usize,
    },
    /// The bodies touch, or go through one another or themselves.
    #[error("the start is not free: {} {}", .0.len(), first_of(.0))]
    NotFree(Vec<Meeting>),
    /// The bodies together are no surface.
    #[error("the bodies' surfaces: {0}")]
    Surface(#[from] SurfaceError),
    /// A step's length or options.
    #[error("{what} of {value} is not {wanted}")]
    Step {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
        /// What it should be.
        wanted: &'static str,
    },
    /// A state saved by another system.
    #[error("a state of {given} vertices for {vertices}")]
    StateSize {
        /// In the state.
        given: usize,
        /// In the system.
        vertices: usize,
    },
    /// Places that are no path; a defect of this crate should it ever come up.
    #[error("the path of a step: {0}")]
    Path(#[from] PathError),
}

fn first_of(meetings: &[Meeting]) -> String {
    meetings.first().map_or_else(|| "meetings".to_owned(), |first| format!("meetings, the first of {first}"))
}
