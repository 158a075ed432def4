//! What was typed after `kontakt check`.

use super::{PairLimit, Reading, TimeLimit, length};
use crate::reading::Splitting;
use clap::Args as ClapArgs;
use kontakt::scene::Deviation;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Check {
    /// Files with the bodies, where they stand: .obj .stl .ply .off .gltf .glb .kh .step .stp .sat
    #[arg(required_unless_present = "scene", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A scene file instead: bodies, their places and rules (docs/scene-files.md); options add to its rules
    #[arg(long, value_name = "SCENE.toml", conflicts_with = "files")]
    pub(crate) scene: Option<PathBuf>,
    /// Bodies closer than D are reported as encroaching [default: 0, none]
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) clearance: Option<f64>,
    #[command(flatten)]
    pub(crate) tolerances: Tolerances,
    /// Touching is forbidden too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Do not look at these pairs (may be repeated)
    #[arg(long, value_name = "A:B")]
    pub(crate) ignore: Vec<String>,
    /// Let these pairs interfere by up to D (may be repeated)
    #[arg(long, value_name = "A:B=D")]
    pub(crate) allow: Vec<String>,
    /// No pair to look at is no error
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Exact distances of all separate pairs, however many and far apart
    #[arg(long)]
    pub(crate) all_distances: bool,
    #[command(flatten)]
    splitting: Splitting,
    #[command(flatten)]
    pub(super) time: TimeLimit,
    #[command(flatten)]
    pub(super) pairs: PairLimit,
}

impl Check {
    /// How files are read: curved faces as finely as meshes are said to be.
    pub(crate) fn reading(&self) -> Reading {
        let deviation = match self.tolerances.deviation {
            Some(Deviation::Within(deviation)) if deviation > 0.0 => Some(deviation),
            _ => None,
        };
        Reading { splitting: self.splitting, deviation }
    }
}

/// How near is touching, and how good are the tessellations.
#[derive(Debug, ClapArgs)]
pub(crate) struct Tolerances {
    /// Gaps and interferences up to D count as touching; the exact class is reported too
    /// [default: what the rounding of the files' numbers explains]
    #[arg(long, value_name = "D", value_parser = length, allow_negative_numbers = true)]
    pub(crate) touch_tolerance: Option<f64>,
    /// Touching is what touches exactly: the same as --touch-tolerance 0
    #[arg(long, conflicts_with = "touch_tolerance")]
    pub(crate) exact: bool,
    /// How far each tessellation may lie from the true surface (its chord error): what meshes are taken to be off by, and how finely bodies
    /// with curved faces (STEP) are tessellated, for which it is certified. Interference up to that of both bodies together is
    /// `within_tessellation`, no clash; `auto` estimates that of meshes from smooth edges [default: 0; curved faces: 5e-4 of each
    /// body's size]
    #[arg(long, value_name = "D|auto", value_parser = deviation, allow_negative_numbers = true)]
    pub(crate) deviation: Option<Deviation>,
}

/// A length, or `auto`.
fn deviation(text: &str) -> Result<Deviation, String> {
    match text {
        "auto" => Ok(Deviation::Estimated),
        _ => length(text).map(Deviation::Within),
    }
}

const HELP: &str = "\
Relations: separate, encroaching (separate, but closer than --clearance), touching, within_tessellation, overlapping (protruding or
piercing), contained, duplicate, undecided. Overlapping means that the interiors of closed bodies meet, or a part without volume
(double wall, segment, point) reaches into one; open sheets overlap when they cross, and have no interference.

An overlap has certified bounds of its interference (how deep one surface lies inside the other body: the largest distance of
a point of it from the other surface), of its volume, and of its release (the least shift that frees the bodies). Pairs are sorted by
interference, like pairs (the same names but for numbers, about as deep) are one line; --json lists all, with every region.

--touch-tolerance is about gaps and interference. Without it, touching is what the rounding of the files' own numbers explains: a
billionth of the size, and for single precision (STL, glTF) two units in the last place per body. --deviation is for tight
round fits, whose tessellations overlap though the parts do not.

Bodies with curved faces (STEP) are tessellated so that every triangle is proven to lie within a deviation of the true surface.
All numbers hold for the true surfaces: what is reported as apart is, what is reported as overlapping does, and what lies between, a
gap or an interference no larger than both deviations together, is within_tessellation. --deviation makes them finer. A body that
cannot be tessellated, or lacks faces, is named, and the verdict is then undecided.

All but separate, touching and within_tessellation are forbidden (exit code 1); touching is with --strict. A gap that
equals the clearance keeps it, one that equals the touch tolerance is within it. No pair to look at is an error (exit code 2)
unless --allow-empty is given.
feature_a and feature_b of a contact are faces, counted from 0 in the file's order through all of its bodies.

A and B are body names as the report shows them (file:object), or the object's or the file's part alone; `*` stands for any
characters, `?` for one. Either order. Where colons in names leave A:B open, whole names win; what is still open is an error,
and so is a name that fits no body.

Up to 1000 pairs, distances of separate pairs are exact to rounding. With more, pairs whose boxes are farther apart than the
clearance get certified but wide bounds (box to box, corner to corner) unless --all-distances is given; up to 5000 pairs the
closest of them are measured all the same. With more than a million, such pairs are counted instead of listed in --json.

Example: kontakt check gearbox.step --clearance 0.1 --deviation 0.01
         kontakt check gearbox.glb --deviation auto --clearance 0.5 --ignore 'bolt*:housing' --allow pin:bush=0.02";
