//! Why a saved hierarchy cannot be read.

use super::VERSION;
use crate::Flaw;
use kontakt_shapes::FaceSetError;
use thiserror::Error;

/// Why a saved hierarchy cannot be read, or is not the one wanted.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The first bytes are others.
    #[error("this is no saved hierarchy: the file does not begin as .kh files do")]
    NotAHierarchy,
    /// Written by another version of the format.
    #[error(
        "saved in version {found} of the format; this program reads version {VERSION}. Build it anew from the mesh"
    )]
    OtherVersion {
        /// The version in the file.
        found: u32,
    },
    /// The file ends too early.
    #[error("the file is cut short: {found} bytes of {expected}")]
    Truncated {
        /// Bytes there should be.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// A part of the file is damaged.
    #[error("damaged: the checksum of {section} of body {body} is wrong")]
    Checksum {
        /// Which part.
        section: &'static str,
        /// Of which body, 0-based.
        body: u32,
    },
    /// Checksums are right, but the content contradicts itself.
    #[error("implausible content in {section}: {what}")]
    Implausible {
        /// Which part.
        section: &'static str,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The hierarchy was saved with another mesh than the one beside it.
    #[error("the hierarchy belongs to another mesh")]
    OtherMesh,
    /// The mesh is none.
    #[error("implausible mesh: {0}")]
    Faces(#[from] FaceSetError),
    /// The tree is none.
    #[error("implausible hierarchy: {0}")]
    Tree(#[from] Flaw),
    /// There is not enough memory for it.
    #[error("not enough memory for {bytes} bytes of {section}")]
    Memory {
        /// Which part.
        section: &'static str,
        /// Its length.
        bytes: u64,
    },
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
