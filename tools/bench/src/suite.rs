//! The benchmarks there are.

use crate::bench::Question;
use crate::questions;
use std::path::{Path, PathBuf};

/// A benchmark: a list of questions with peers and a document of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suite {
    /// Bounding volumes and files.
    Bounds,
    /// Two meshes at many poses.
    Mesh,
    /// Building and loading hierarchies.
    Build,
    /// Pairs of convex bodies.
    Convex,
    /// Moving vertex–face and edge–edge pairs.
    Ccd,
    /// Two moving bodies.
    Moving,
    /// Bodies with curved faces.
    Curved,
    /// Many moving boxes.
    Broad,
    /// Steps of worlds of many bodies.
    World,
    /// Piles and gases of rigid bodies.
    Piles,
    /// Whole assemblies at rest.
    Check,
    /// Bodies that deform.
    Soft,
}

impl Suite {
    /// All there are.
    pub(crate) const ALL: [Suite; 12] = [
        Suite::Bounds,
        Suite::Mesh,
        Suite::Build,
        Suite::Convex,
        Suite::Ccd,
        Suite::Moving,
        Suite::Curved,
        Suite::Broad,
        Suite::World,
        Suite::Piles,
        Suite::Check,
        Suite::Soft,
    ];

    /// The benchmark typed.
    pub(crate) fn named(name: &str) -> Option<Suite> {
        Suite::ALL.into_iter().find(|suite| suite.name() == name)
    }

    /// As typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Suite::Bounds => "bounds",
            Suite::Mesh => "mesh",
            Suite::Build => "build",
            Suite::Convex => "convex",
            Suite::Ccd => "ccd",
            Suite::Moving => "moving",
            Suite::Curved => "curved",
            Suite::Broad => "broad",
            Suite::World => "world",
            Suite::Piles => "piles",
            Suite::Check => "check",
            Suite::Soft => "soft",
        }
    }

    /// Its questions, in the order of the report.
    pub(crate) fn questions(self) -> &'static [Question] {
        match self {
            Suite::Bounds => &questions::BOUNDS,
            Suite::Mesh => &questions::MESH,
            Suite::Build => &questions::BUILD,
            Suite::Convex => &questions::CONVEX,
            Suite::Ccd => &questions::CCD,
            Suite::Moving => &questions::MOVING,
            Suite::Curved => &questions::CURVED,
            Suite::Broad => &questions::BROAD,
            Suite::World => &questions::WORLD,
            Suite::Piles => &questions::PILES,
            Suite::Check => &questions::CHECK,
            Suite::Soft => &questions::SOFT,
        }
    }

    /// Where `--write` writes.
    pub(crate) fn document(self) -> PathBuf {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        match self {
            Suite::Bounds => docs.join("benchmarks.md"),
            Suite::Mesh => docs.join("benchmarks-mesh.md"),
            Suite::Build => docs.join("benchmarks-build.md"),
            Suite::Convex => docs.join("benchmarks-convex.md"),
            Suite::Ccd => docs.join("benchmarks-ccd.md"),
            Suite::Moving => docs.join("benchmarks-moving.md"),
            Suite::Curved => docs.join("benchmarks-curved.md"),
            Suite::Broad => docs.join("benchmarks-broad.md"),
            Suite::World => docs.join("benchmarks-world.md"),
            Suite::Piles => docs.join("benchmarks-piles.md"),
            Suite::Check => docs.join("benchmarks-check.md"),
            Suite::Soft => docs.join("benchmarks-soft.md"),
        }
    }
}
