//! Why a tree cannot be built.

use kontakt_bounds::FitError;
use kontakt_schedule::Expired;
use thiserror::Error;

/// Why a tree cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BuildError {
    /// There is nothing to build over.
    #[error("no triangles to build a hierarchy over")]
    Empty,
    /// Ids are 32 bits wide.
    #[error("{count} triangles: a hierarchy holds at most 2^31")]
    TooMany {
        /// How many were given.
        count: usize,
    },
    /// A setting is out of its range.
    #[error("{what}")]
    Plan {
        /// What is wrong, naming the setting and its value.
        what: String,
    },
    /// A node's faces have no volume of the kind asked for.
    #[error("no {volume} around {count} triangles starting with {first}: {source}")]
    Fit {
        /// Kind of volume.
        volume: &'static str,
        /// Number of triangles of the node.
        count: usize,
        /// The first of them.
        first: u32,
        /// Why not.
        source: FitError,
    },
    /// A node's volume has no measures.
    #[error(transparent)]
    Measure(#[from] FitError),
    /// The deadline came first.
    #[error("{0} while the hierarchy was built")]
    Expired(#[from] Expired),
}
