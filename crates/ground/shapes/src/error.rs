//! Why faces are refused.

use crate::memory::OutOfMemory;
use thiserror::Error;

/// Why vertices and faces do not make a face set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaceSetError {
    /// There is no face.
    #[error("there are no faces")]
    NoFaces,
    /// A face lists no corner.
    #[error("face {face} has no corners")]
    NoCorners {
        /// 0-based, in the order given.
        face: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// 0-based, in the order given.
        vertex: usize,
    },
    /// A face uses a vertex that does not exist.
    #[error("face {face} uses vertex {index}, but there are {vertices} vertices")]
    IndexOutOfRange {
        /// 0-based, in the order given.
        face: usize,
        /// The index as given.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Saved lists contradict each other.
    #[error("the saved faces contradict each other: {what}")]
    Inconsistent {
        /// The first contradiction found.
        what: &'static str,
    },
    /// The faces do not fit into memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// Ids are 32 bits wide.
    #[error("{count} {what} are more than 32-bit ids can name")]
    TooMany {
        /// Vertices, corners or triangles.
        what: &'static str,
        /// How many.
        count: usize,
    },
}
