//! What ends a command with exit code 2: a message that names the culprit.

use kontakt::bounds::FitError;
use kontakt::distributed::{CheckpointError, CommError};
use kontakt::dynamics::rigid::RankError;
use kontakt::io::{ReadError, WriteError};
use kontakt::mesh::MeshError;
use kontakt::schedule::Expired;
use kontakt_load::LoadError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("{}: {error}", path.display())]
    Write { path: PathBuf, error: WriteError },
    #[error("{}: cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("{}, line {line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: String },
    #[error("{}: {problem}", path.display())]
    Unusable { path: PathBuf, problem: String },
    #[error("{name}: {error}")]
    Fit { name: String, error: FitError },
    #[error("{name}: {error}")]
    Mesh { name: String, error: MeshError },
    #[error("{name}: {problem}; FILE:NAME names the bodies meant")]
    Body { name: String, problem: String },
    #[error("{name}: {problem}")]
    Hierarchy { name: String, problem: String },
    #[error("{name}: {expired} before it was looked at")]
    Late { name: String, expired: Expired },
    #[error("{Expired} before the first {0} was looked at")]
    NoAnswer(&'static str),
    #[error("cannot write the report to {}: {error}", path.display())]
    Report { path: PathBuf, error: io::Error },
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Ranks(#[from] CommError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Pile(#[from] RankError),
    #[error("{0}")]
    Usage(String),
    /// Of several things asked for, these failed; the others were reported.
    #[error("{}", .0.join("; "))]
    Several(Vec<String>),
}

impl Failure {
    /// The reader of our output went away (`kontakt … | head`): not worth a word.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
