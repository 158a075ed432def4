//! What can be wrong with checkpoints.

use super::store::StoreError;
use crate::comm::CommError;
use thiserror::Error;

/// Why a state was not saved, or none resumed. Whole checkpoints stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// Ranks could not talk.
    #[error(transparent)]
    Comm(#[from] CommError),
    /// A file could not be written, read or removed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file is not what was written.
    #[error("{file}: {damage}")]
    Damaged {
        /// Which.
        file: String,
        /// What is wrong with it.
        damage: Damage,
    },
    /// The same on another rank, in its words.
    #[error("rank {rank}: {why}")]
    Elsewhere {
        /// Which one.
        rank: usize,
        /// Its message.
        why: String,
    },
    /// The state of something else.
    #[error(
        "{file}: the checkpoint is of another scenario or version ({found:016x}, not {meant:016x}): nothing is resumed from it"
    )]
    OtherScenario {
        /// The manifest.
        file: String,
        /// What it was made of.
        found: u64,
        /// What is to be simulated.
        meant: u64,
    },
    /// There are checkpoints, but none is whole.
    #[error("no checkpoint is whole: {}", .0.join("; "))]
    NoneWhole(
        /// Why not, the newest first.
        Vec<String>,
    ),
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// Shorter or longer than written.
    #[error("it has {found} bytes instead of {meant}")]
    Length {
        /// Bytes that are there.
        found: u64,
        /// Bytes that were written.
        meant: u64,
    },
    /// Other bytes than written.
    #[error("its checksum is {found:08x} instead of {meant:08x}: bytes have changed")]
    Checksum {
        /// Of the bytes that are there.
        found: u32,
        /// Of those that were written.
        meant: u32,
    },
    /// Records that are none, under a right checksum: another program wrote them.
    #[error("byte {0}: no record begins here")]
    Record(
        /// Where.
        usize,
    ),
    /// More or fewer records than counted.
    #[error("it has {found} records instead of {meant}")]
    Count {
        /// Records that are there.
        found: u64,
        /// Records that were counted.
        meant: u64,
    },
    /// A manifest that cannot be read.
    #[error("line {0} is not that of a manifest")]
    Manifest(
        /// Which line, from 1.
        usize,
    ),
}
