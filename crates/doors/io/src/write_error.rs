//! Why a file is not written.

use crate::watched;
use kontakt_hierarchy::BuildError;
use kontakt_schedule::Expired;
use thiserror::Error;

/// Why a file was not written. There is no half-written file then, and an older one is untouched.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The operating system refuses.
    #[error("cannot be written: {0}")]
    Io(std::io::Error),
    /// The deadline came first.
    #[error("{0} while it was written")]
    Expired(#[from] Expired),
    /// No writer for this ending.
    #[error("unknown ending; writable are .obj .stl .ply .kh")]
    UnknownFormat,
    /// There is nothing to write.
    #[error("no bodies to write")]
    NoBodies,
    /// Binary STL holds 32-bit floats.
    #[error("vertex {vertex} of {body} is beyond the range of binary STL; write text")]
    OutOfRange {
        /// Name of the body.
        body: String,
        /// 0-based.
        vertex: usize,
    },
    /// No hierarchy can be built of a body.
    #[error("{body}: {error}")]
    Build {
        /// Name of the body.
        body: String,
        /// Why not.
        error: BuildError,
    },
    /// Binary formats count in 32 bits.
    #[error("{count} {what} are too many for the format")]
    TooMany {
        /// Vertices or triangles.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A cell uses a point that does not exist.
    #[error("cell {cell} uses point {index}, but there are {points} points")]
    BadIndex {
        /// 0-based.
        cell: usize,
        /// As given.
        index: u32,
        /// How many points there are.
        points: usize,
    },
    /// A field has too few or too many values.
    #[error("field {name:?} has {values} values for {count} {of}")]
    FieldLength {
        /// The field's.
        name: String,
        /// How many it has.
        values: usize,
        /// How many it needs.
        count: usize,
        /// Points or cells.
        of: &'static str,
    },
    /// MSH knows triangles and quadrilaterals.
    #[error("cell {cell} is a polygon of {corners} corners; MSH has none beyond quadrilaterals")]
    Polygon {
        /// 0-based.
        cell: usize,
        /// How many.
        corners: usize,
    },
    /// A file of a series has a name that is no Unicode.
    #[error("{0} has a name that cannot be written into an XML file")]
    Name(String),
}

impl From<std::io::Error> for WriteError {
    fn from(error: std::io::Error) -> WriteError {
        watched::expired(&error).map_or(WriteError::Io(error), WriteError::Expired)
    }
}
