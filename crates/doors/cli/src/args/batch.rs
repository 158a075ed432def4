//! What was typed after `kontakt batch`.

use super::{PairLimit, Reading, TimeLimit, length};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Batch {
    /// What is at rest: FILE or `FILE:NAME`; .obj .stl .ply .off .gltf .glb .kh .step .stp .sat
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// What is put at each pose, likewise
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Poses of B, one a line: tx ty tz qx qy qz qw
    #[arg(long, value_name = "FILE")]
    pub(crate) poses: PathBuf,
    /// What to ask at each pose
    #[arg(long, value_enum, value_name = "Q")]
    pub(crate) query: BatchQuery,
    /// Distance that `--query clearance` asks about
    #[arg(
        long,
        value_name = "D",
        value_parser = length,
        allow_negative_numbers = true,
        required_if_eq("query", "clearance")
    )]
    pub(crate) clearance: Option<f64>,
    /// List the pairs of triangles of `--query pairs`, not only their number
    #[arg(long)]
    pub(crate) list_pairs: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
    #[command(flatten)]
    pub(super) pairs: PairLimit,
}

/// The questions of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BatchQuery {
    /// Whether the surfaces have a common point
    Contact,
    /// How many pairs of triangles have a common point
    Pairs,
    /// Distance of the surfaces, [0, 0] in contact
    Distance,
    /// Whether the distance is below --clearance
    Clearance,
}

impl BatchQuery {
    /// As typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            BatchQuery::Contact => "contact",
            BatchQuery::Pairs => "pairs",
            BatchQuery::Distance => "distance",
            BatchQuery::Clearance => "clearance",
        }
    }
}

const HELP: &str = "\
All bodies of a file count as one. Contact is exact: touching counts, and so does rounding nothing. A body inside the other
that does not touch its surface is not in contact. Clearance is exact too: a gap that equals it is not closer.
`faces` counts the faces of the files from 0 in their order, through all bodies; `triangles` and `list` count the triangles that
faces are made of.

A pose file has one pose a line, spaces or commas between the numbers, `#` starts a comment; the quaternion must have length 1
within 1e-3. Results come in the order of the lines. --json prints one document; --out FILE writes one JSON line a result.

Times are for one query without reading and building, in seconds: the mean from the processor time of the whole batch, after
a warm-up; median, p99 and max from the monotonic clock with its own cost removed, the max being the least of three repeats.
Queries run in one thread, so that nothing disturbs their times, unless --threads asks for more.

Example: kontakt batch env.obj rob.obj --poses poses.txt --query distance --json";
