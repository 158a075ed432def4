//! What was typed after `kontakt moving`.

use super::{Reading, TimeLimit};
use clap::{Args as ClapArgs, ValueEnum};
use kontakt::math::DVec3;
use kontakt_lab_motion::rigid::Method;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Moving {
    /// The first body: a mesh, FILE or `FILE:NAME` (.obj .stl .ply .off .gltf .glb .kh .step .stp .sat), or a .json file with one convex shape, see below
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// The second body, likewise
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Poses of A, one a line: tx ty tz qx qy qz qw; the first motion goes from line 1 to line 2, the second from 3 to 4, …
    #[arg(long, value_name = "FILE")]
    pub(crate) motions_a: PathBuf,
    /// Poses of B, as many
    #[arg(long, value_name = "FILE")]
    pub(crate) motions_b: PathBuf,
    /// How the first contact is found, see below
    #[arg(
        long,
        value_name = "M",
        default_value = CERTIFIED,
        value_parser = method
    )]
    pub(crate) method: String,
    /// Largest width of the bounds of the time of contact
    #[arg(long, value_name = "T", default_value = "1e-6", value_parser = tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
    /// What happens between two poses
    #[arg(long, value_enum, value_name = "HOW", default_value = "slerp")]
    pub(crate) interpolate: Between,
    /// The point of the body, in its own coordinates, that goes straight (slerp, nlerp)
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = point, allow_hyphen_values = true)]
    pub(crate) pivot: DVec3,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

/// The method that proves what it says.
pub(crate) const CERTIFIED: &str = "certified";

fn method(text: &str) -> Result<String, String> {
    let known = text == CERTIFIED || Method::all().any(|(name, _)| name == text);
    if known { Ok(text.to_owned()) } else { Err("no such method; `kontakt moving --help` lists them".into()) }
}

/// Motion from one pose to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Between {
    /// The pivot straight, the shortest turn at constant speed
    Slerp,
    /// The pivot straight, the quaternions blended and normalised
    Nlerp,
    /// One screw
    Screw,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1.0 => Ok(value),
        _ => Err("a number above 0 and up to 1 is wanted".into()),
    }
}

pub(super) fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse::<f64>()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) if x.is_finite() && y.is_finite() && z.is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err("three finite numbers x,y,z are wanted".into()),
    }
}

const HELP: &str = "\
Time goes from 0 to 1 in every motion. `hit` is true where contact is proven: none before t_lo, one by t_hi. It is false where the
whole motion is proven free, and null where the work allowed did not settle it: free before t_lo, open after it.
A motion that starts in touch and leaves it is free; `initial` tells how it starts.
`features` are numbered from 0 in the file's order, faces by the file's faces. `point` and `normal` (from A to B) are those at t_lo:
around the point a plane across the normal is between the bodies then, and they do not part along it.

`moving` answers a question, like `distance` and `batch`: the exit code is 0 whatever it finds, 2 for an error. `path` is a check.
It asks in one thread, so that times are undisturbed, unless --threads N says otherwise; answers are the same. With --time-limit
the motion asked about then ends undecided, free before its t_lo, and later ones are left out (`complete` is false).

A convex shape in a .json file is written as in `kontakt convex`, for example {\"capsule\": {\"half_length\": 1, \"radius\": 0.3}}.

Methods: certified (default), and for meshes those of the laboratory, which prove nothing and miss contacts (`certified` is then
false, t_lo = t_hi is their time):
  linear, regula-falsi, quadratic, sampling, sampling-regula-falsi   corners against faces and edges against edges
  the same with -interpolated   inside test by coordinates interpolated between start and end
  mixed- before any of these    only triangles that meet at the end of the motion
  conservative-advancement      from distance to distance

Example: kontakt moving env.obj rob.obj --motions-a still.txt --motions-b moves.txt --tolerance 1e-9 --json";
