//! What was typed after `kontakt check`.

use super::{PairLimit, Reading, TimeLimit, length};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Check {
    /// Files with the bodies, where they stand: .obj .stl .ply .off .gltf .glb .kh
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Bodies closer than D are reported as encroaching [default: 0, none]
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) clearance: Option<f64>,
    /// Gaps and overlaps up to D count as touching; the exact class is reported too
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) touch_tolerance: Option<f64>,
    /// Touching is forbidden too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Do not look at these pairs (may be repeated)
    #[arg(long, value_name = "A:B")]
    pub(crate) ignore: Vec<String>,
    /// Let these pairs overlap up to DEPTH (may be repeated)
    #[arg(long, value_name = "A:B=DEPTH")]
    pub(crate) allow: Vec<String>,
    /// Exact distances of all separate pairs, however many and far apart
    #[arg(long)]
    pub(crate) all_distances: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
    #[command(flatten)]
    pub(super) pairs: PairLimit,
}

const HELP: &str = "\
Relations: separate, encroaching (separate, but closer than --clearance), touching, overlapping (protruding or piercing, with
certified bounds of the depth: the least translation that separates), contained, duplicate, undecided. Overlapping means that
the interiors of closed bodies meet, or a part without volume (double wall, segment, point) reaches into one; open sheets overlap
when they cross, and have no depth. All but separate and touching are
forbidden (exit code 1); touching is with --strict. Ties are decided exactly: a gap that equals the clearance keeps it, one that
equals the touch tolerance is within it. One body alone is an error (exit code 2): there is no pair to check.
feature_a and feature_b of a contact are faces, counted from 0 in the file's order through all of its bodies.

A and B are body names as the report shows them (file:object), or the object's or the file's part alone; `*` stands for any
characters, `?` for one. Either order. Where colons in names leave A:B open, whole names win; what is still open is an error,
and so is a name that fits no body.

Up to 5000 pairs, distances of separate pairs are exact to rounding. With more, pairs whose boxes are farther apart than the
clearance get certified but wide bounds (box to box, corner to corner) unless --all-distances is given; with more than a million,
such pairs are counted instead of listed in --json.

Example: kontakt check assembly.glb --clearance 0.5 --ignore 'bolt*:housing' --allow pin:bush=0.02";
