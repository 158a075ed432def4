//! What was typed after `kontakt distance`.

use super::{Reading, TimeLimit};
use crate::input::pose;
use clap::Args as ClapArgs;
use kontakt::math::Pose;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Distance {
    /// The one file, or one of its bodies: FILE or `FILE:NAME`; .obj .stl .ply .off .gltf .glb .kh .step .stp .sat
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// The other, likewise
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Where A is put: seven numbers in one argument [default: where its file has it]
    #[arg(long, value_name = "POSE", value_parser = pose::parse, allow_hyphen_values = true)]
    pub(crate) pose_a: Option<Pose>,
    /// Where B is put
    #[arg(long, value_name = "POSE", value_parser = pose::parse, allow_hyphen_values = true)]
    pub(crate) pose_b: Option<Pose>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

const HELP: &str = "\
A pose is `tx ty tz qx qy qz qw`, spaces or commas between; the quaternion must have length 1 within 1e-3.
All bodies of a file count as one. The distance is that of the surfaces, [0, 0] in contact; a body that lies inside
the other without touching it has a distance too, and the report says that it is inside. face_a and face_b name the body;
`face` counts the faces of the file from 0 in its order, through all bodies.

Example: kontakt distance assembly.glb:housing assembly.glb:shaft
         kontakt distance housing.stl shaft.stl --pose-b '0 0 12.5 0 0 0 1' --json";
