//! Other ways to find pairs of boxes, to compare with: those of the thesis that do not win.
//!
//! Each is a [`kontakt_broad::Finder`] that a [`kontakt_broad::BroadPhase`] can be made with, so that fat boxes, kept pairs and exact
//! comparison are the same for all and only the looking up differs.
//!
//! ```
//! use kontakt_broad::BroadPhase;
//! use kontakt_lab_broad::Other;
//! let boxes = BroadPhase::with_finder(Other::SweepAndPrune.finder());
//! assert!(boxes.is_empty());
//! ```

mod brute_force;
mod crowd;
mod each;
mod hash_grid;
mod octree;
mod other;
mod sweep_and_prune;
mod uniform_grid;

pub use brute_force::BruteForce;
pub use crowd::{Crowd, Mix};
pub use hash_grid::HashGrid;
pub use octree::{Octree, Split};
pub use other::Other;
pub use sweep_and_prune::SweepAndPrune;
pub use uniform_grid::UniformGrid;
