//! Space split over ranks, to the bit the same as on one.
//!
//! The unit of work is a global cell, fixed by the scene: ranks own whole cells, a stretch of the Hilbert curve each ([`Cut`]). Whoever
//! owns a cell has all bodies that reach into it, foreign ones as bit copies ([`Territory`]), finds the same contacts from the same
//! doubles and solves them in the same order; after each colour of cells changed bodies are told to all that have copies ([`Plan`]).
//! So nothing depends on the number of ranks. Ranks are threads ([`ThreadComm`]) or processes (`doors/mpi`).

mod alone;
mod cell;
mod checkpoint;
mod comm;
pub mod conformance;
mod cut;
mod hilbert;
mod plan;
mod record;
mod territory;
mod threads;

pub use alone::Alone;
pub use cell::{Cell, CellError, Extent, Grid};
pub use checkpoint::{CheckpointError, Checkpoints, Damage, KEPT, MemoryStore, Resumed, Store, StoreError};
pub use comm::{Comm, CommError};
pub use cut::{Cut, IMBALANCE, Weights};
pub use plan::{Change, Plan};
pub use record::{Record, Torn};
pub use territory::{Placed, Territory};
pub use threads::{PATIENCE, ThreadComm};
