//! What was typed after `kontakt take-out`.

use super::path::positive;
use super::{Reading, TimeLimit};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct TakeOut {
    /// What is to come out: `FILE:NAME`, or a FILE of its own; several come out as one
    #[arg(required = true, value_name = "FILE[:NAME]")]
    pub(crate) moving: Vec<PathBuf>,
    /// What stands around: FILE or `FILE:NAME` [default: all other bodies of the files that a body is named of]
    #[arg(long, value_name = "FILE[:NAME]", num_args = 1..)]
    pub(crate) against: Vec<PathBuf>,
    /// How far it must come [default: until it is clear of the box around everything else]
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) distance: Option<f64>,
    /// Try every way, even after a free one was found
    #[arg(long)]
    pub(crate) all: bool,
    /// Largest width of the bounds of how far a way goes [default: a millionth of it]
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Do not look at these pairs (may be repeated)
    #[arg(long, value_name = "A:B")]
    pub(crate) ignore: Vec<String>,
    /// Let these pairs touch, and overlap up to DEPTH (may be repeated)
    #[arg(long, value_name = "A:B=DEPTH")]
    pub(crate) allow: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

const HELP: &str = "\
Straight ways are tried one after the other: +x, -x, +y, -y, +z, -z, then both ways along the axes of cylinders found on what is to
come out, most prominent first. The first that is proven free is the answer. Of every way before it the report tells how far it goes
(proven free up to there) and what holds the part.
A touch at the start that is left at once does not count; sliding along something in touch does: --allow A:B=DEPTH with a small depth
lets a fit slide, and a bolt that is up to DEPTH too wide leave its hole. What starts in more overlap is held from the beginning;
`kontakt check` tells by how much.
The exit code is 0 if a free way was found, 1 if none of those tried is proven free, 2 for an error. That none was found does not
mean that there is none: bent ways are not tried.

Example: kontakt take-out assembly.glb:plug
         kontakt take-out plug.stl --against housing.stl --distance 50 --allow plug.stl:housing.stl=0.01";
