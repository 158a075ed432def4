//! The ways there are.

use crate::{BruteForce, HashGrid, Octree, Split, SweepAndPrune, UniformGrid};
use kontakt_broad::Finder;

/// A way of the laboratory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Other {
    /// Three sorted lists of ends, kept by insertion.
    SweepAndPrune,
    /// One grid; a box is in every cell that it touches.
    UniformGrid,
    /// A grid for each octave of sizes, hashed; a box is in one cell.
    HashGrid,
    /// An octree whose boxes are halved.
    OctreeHalved,
    /// An octree whose boxes are cut so that either side has half of the content.
    OctreeMedian,
    /// All against all.
    BruteForce,
}

impl Other {
    /// All there are.
    pub const ALL: [Other; 6] = [
        Other::SweepAndPrune,
        Other::UniformGrid,
        Other::HashGrid,
        Other::OctreeHalved,
        Other::OctreeMedian,
        Other::BruteForce,
    ];

    /// As typed.
    pub fn name(self) -> &'static str {
        match self {
            Other::SweepAndPrune => "sweep-and-prune",
            Other::UniformGrid => "uniform-grid",
            Other::HashGrid => "hash-grid",
            Other::OctreeHalved => "octree-halved",
            Other::OctreeMedian => "octree-median",
            Other::BruteForce => "brute-force",
        }
    }

    /// Made anew.
    pub fn finder(self) -> Box<dyn Finder> {
        match self {
            Other::SweepAndPrune => Box::new(SweepAndPrune::default()),
            Other::UniformGrid => Box::new(UniformGrid::default()),
            Other::HashGrid => Box::new(HashGrid::default()),
            Other::OctreeHalved => Box::new(Octree::new(Split::Halves)),
            Other::OctreeMedian => Box::new(Octree::new(Split::Median)),
            Other::BruteForce => Box::new(BruteForce),
        }
    }
}
