//! What was typed after `kontakt query`.

use super::{Reading, TimeLimit};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Query {
    /// The bodies asked: FILE or `FILE:NAME`; .obj .stl .ply .off .gltf .glb .kh .step .stp .sat
    #[arg(value_name = "FILE[:NAME]")]
    pub(crate) file: PathBuf,
    /// Rays, one a line: ox oy oz dx dy dz; this or --points
    #[arg(long, value_name = "FILE", conflicts_with = "points")]
    pub(crate) rays: Option<PathBuf>,
    /// Points, one a line: x y z
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

const HELP: &str = "\
A line holds the numbers with spaces or commas between; `#` starts a comment. Results come in the order of the lines.
A ray starts at o and goes along d without end; `t` counts in lengths of d, the point hit is o + t·d. A point gets its nearest
point on the surface, and whether it is inside: for a closed body that is exact; with holes it is a verdict of the winding number.
All bodies of a file are asked. `body` is the one that holds the point (`held_by` names all that do), outside of all the nearest;
distance, point and `face` are those of the nearest surface, which is that of `nearest_body`. `face` counts the faces of the file from 0 in its order, through
all bodies, `triangle` the triangles they are made of. Which face a ray meets first is decided exactly, at every scale.

Example: kontakt query part.stl --points probes.txt --json";
