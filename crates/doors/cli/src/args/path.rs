//! What was typed after `kontakt path`.

use super::moving::{Between, point};
use super::{Reading, TimeLimit, length};
use clap::Args as ClapArgs;
use kontakt::math::DVec3;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Path {
    /// What moves: .obj .stl .ply .off .gltf .glb .kh; several bodies of a file move as one
    #[arg(long, value_name = "FILE")]
    pub(crate) moving: Vec<PathBuf>,
    /// Its poses in the world, one a line: t tx ty tz qx qy qz qw, t growing from line to line
    #[arg(long, value_name = "FILE")]
    pub(crate) motion: PathBuf,
    /// What stands around
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) against: Vec<PathBuf>,
    /// Largest width of the bounds of a time of contact, in the file's time [default: a millionth of its segment]
    #[arg(long, value_name = "T", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Largest width of the bounds of the least clearance [default: a thousandth of the moving body's size]
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) distance_tolerance: Option<f64>,
    /// What happens between two poses
    #[arg(long, value_enum, value_name = "HOW", default_value = "slerp")]
    pub(crate) interpolate: Between,
    /// The point of the moving body, in its own coordinates, that goes straight (slerp, nlerp)
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = point, allow_hyphen_values = true)]
    pub(crate) pivot: DVec3,
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

fn positive(text: &str) -> Result<f64, String> {
    match length(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err("it must be above 0".into()),
    }
}

const HELP: &str = "\
Every segment, from one pose to the next, is judged on its own, so that later trouble shows too:
  free       proven: no contact from t0 to t1. A touch at t0 that is left at once does not count (`initial` says touching)
  contact    no contact before t_lo, contact by t_hi. A touch at t1 counts, even if the next segment leaves it; so does
             resting or sliding in touch, from t0 on
  overlap    the segment starts in overlap (t_lo = t_hi = t0), or the overlap exceeds what is allowed
  undecided  free before t_lo, open after it: the work allowed or --time-limit did not settle it
`path` is a check: the exit code is 0 if all segments are free, 1 if one is not (contact, overlap, undecided), 2 for an error. `static_verdict` is what a test at the poses alone says: where it is free
and the verdict is not, the body went through something between two poses.

A and B are a moving body and one at rest, in either order, as the report shows them (file:object), or the object's or the
file's part alone; `*` stands for any characters, `?` for one. --allow lets a pair be closer than touching as long as a
shift of DEPTH would free it, proven for the whole segment; for parts that slide in touch give a small depth, not 0. The
least clearance leaves out pairs that are ignored or allowed. `features`, `point` and `normal` go from the moving body to
the one at rest; `contacts` lists all pairs that meet in a segment, each at its first time.

Example: kontakt path --moving gripper.stl --motion run.txt --against cell.glb table.obj --ignore gripper.stl:part --json";
