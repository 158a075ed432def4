//! Checkpoints: the state of all ranks at a step, kept so that a run that was ended, however, goes on from it.
//!
//! ```
//! use kontakt_distributed::{Alone, Checkpoints, Comm, MemoryStore, Record};
//! # fn main() -> Result<(), kontakt_distributed::CheckpointError> {
//! let (comm, store) = (Alone, MemoryStore::default());
//! // The number stands for what is simulated, and by which version: other states are refused.
//! let checkpoints = Checkpoints::new(&store, 0x5eed);
//! // Every rank calls it with the bodies that it keeps; `shared` is what all ranks know alike (a time, counters): rank 0's is stored.
//! let own = [Record { id: 7, bytes: vec![1, 2, 3] }];
//! checkpoints.save(&comm, 100, b"shared", &own)?;
//! // Any number of ranks resumes: each gets some of the bodies, to be brought home by `Territory::migrate`.
//! let resumed = checkpoints.resume(&comm)?.expect("one was saved");
//! assert_eq!((resumed.step, resumed.records), (100, own.to_vec()));
//! # Ok(())
//! # }
//! ```
//!
//! A checkpoint is a folder `step-N`: one part a rank, what all share, and a manifest with the length and checksum of each, written
//! last. **A manifest never speaks of files that are not there whole:** files appear under their names at once or not at all
//! ([`Store::put`]), and the manifest is put after every rank has said that its part is. So wherever a run is killed, the newest
//! checkpoint with a manifest is whole; the two newest are kept, for disks that lose what they said was written. Bytes that
//! changed later are found by their checksums, and the checkpoint before serves.

mod error;
mod manifest;
mod memory;
mod resume;
mod save;
mod store;

pub use error::{CheckpointError, Damage};
pub use memory::MemoryStore;
pub use resume::Resumed;
pub use store::{Store, StoreError};

/// How many checkpoints are kept.
pub const KEPT: usize = 2;

/// The checkpoints of one run in a store.
#[derive(Clone, Copy)]
pub struct Checkpoints<'a> {
    store: &'a dyn Store,
    scenario: u64,
}

impl<'a> Checkpoints<'a> {
    /// `scenario` stands for all that the states depend on: what is simulated and the form of the records.
    pub fn new(store: &'a dyn Store, scenario: u64) -> Checkpoints<'a> {
        Checkpoints { store, scenario }
    }
}

impl std::fmt::Debug for Checkpoints<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoints").field("scenario", &self.scenario).finish_non_exhaustive()
    }
}

const MANIFEST: &str = "manifest";
const SHARED: &str = "shared";

/// The folder of a step; names in the order of steps.
fn folder(step: u64) -> String {
    format!("step-{step:012}")
}

fn part(rank: usize) -> String {
    format!("part-{rank}")
}

/// The step of a folder's name, if it is one of ours.
fn step_of(name: &str) -> Option<u64> {
    let step = name.strip_prefix("step-")?.parse().ok()?;
    (folder(step) == name).then_some(step)
}
