//! Why files cannot be made ready: a message that names the culprit.

use kontakt_io::ReadError;
use kontakt_mesh::MeshError;
use kontakt_schedule::Expired;
use std::path::PathBuf;
use thiserror::Error;

/// Why bodies cannot be had from files.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file has not what is wanted of it.
    #[error("{}: {problem}", path.display())]
    Unusable {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The same, at a line.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Counts from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// No hierarchy can be built.
    #[error("{name}: {error}")]
    Mesh {
        /// Of which body.
        name: String,
        /// Why.
        error: MeshError,
    },
    /// A body is not there or not whole.
    #[error("{name}: {problem}; FILE:NAME names the bodies meant")]
    Body {
        /// Which.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// The time was up.
    #[error("{name}: {expired} before it was looked at")]
    Late {
        /// Which body was next.
        name: String,
        /// What is up.
        expired: Expired,
    },
    /// What was asked for makes no sense of the bodies there are.
    #[error("{0}")]
    Usage(String),
}
