//! What `study` takes.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Example: kontakt study hierarchies -o docs/studies")]
pub(crate) struct Study {
    /// Which study
    #[arg(value_enum, value_name = "NAME")]
    pub(crate) name: StudyName,
    /// Write NAME.md and its plots into DIR [default: only print]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Folder with public meshes (below mesh/) that join the study [default: `$KONTAKT_DATA`]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Small bodies and few steps: seconds instead of minutes, numbers without weight
    #[arg(long)]
    pub(crate) quick: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StudyName {
    /// Builders, volumes and traversals of the VR thesis, and today's, on machine parts
    Hierarchies,
    /// Tests and measurements of the GJK thesis: detection, black box, brute force, stop, speed
    Convex,
    /// Tables of the curved thesis: inversion of B-splines, the smallest ball and box, certified and by local search
    Curved,
    /// Pairs of many moving boxes: every broad phase by number, mix of sizes and share of movers
    Broad,
    /// Many pairs in one budget: what is known when it ends, by policy, and what the VR thesis's ends of a budget miss
    Budget,
    /// Table 8 of the GJK thesis: speeds of 64,000 elastic spheres, energy of springs in steps, a rod that falls
    Gas,
    /// A pile on many ranks: work, messages and copies, one state, and a model of far more ranks
    Ranks,
    /// Lamps taken out of an engine bay, a screw out of its nut: the VR thesis's motions, certified, and what its methods miss
    Motion,
    /// The DEF thesis's four scenes of bodies that deform: what its discrete method loses, what a step costs, how pairs are found
    Soft,
    /// Parts of the lamps dragged by a careless hand: they stop and slide, and what a sample of the hand costs
    Drag,
    /// Spheres, ellipsoids and cubes that fall into a box: the GJK thesis's solid fractions, contacts and depths
    Piles,
}
