//! The keys of a scenario of soft bodies (docs/scenarios.md), and what they mean as numbers.

use super::super::scenario::Scenario;
use crate::failure::Failure;
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::soft::{Material, Options};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    #[serde(rename = "kind")]
    _kind: serde::de::IgnoredAny,
    pub(super) dt: f64,
    pub(super) steps: u64,
    #[serde(default = "ten")]
    substeps: usize,
    #[serde(default = "eight")]
    rounds: usize,
    #[serde(default = "earth")]
    pub(super) gravity: [f64; 3],
    pub(super) wind: Option<WindForm>,
    #[serde(default)]
    pub(super) frames: u64,
    #[serde(default = "one")]
    pub(super) checkpoint_every: u64,
    #[serde(default)]
    pub(super) move_apart: bool,
    #[serde(default, rename = "material")]
    materials: BTreeMap<String, MaterialForm>,
    #[serde(rename = "body")]
    pub(super) bodies: Vec<BodyForm>,
    #[serde(default, rename = "pull")]
    pub(super) pulls: Vec<PullForm>,
}

fn one() -> u64 {
    1
}

fn ten() -> usize {
    10
}

fn eight() -> usize {
    8
}

fn earth() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WindForm {
    pub(super) velocity: [f64; 3],
    pub(super) drag: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MaterialForm {
    #[serde(default)]
    like: Known,
    density: Option<f64>,
    stiffness: Option<f64>,
    volume_stiffness: Option<f64>,
    bending_stiffness: Option<f64>,
    damping: Option<f64>,
    friction: Option<f64>,
    restitution: Option<f64>,
    skin: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Known {
    #[default]
    Rubber,
    Cotton,
}

/// A body: one of the shapes, then where it is and what is done to it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyForm {
    pub(super) name: Option<String>,
    // Shapes.
    pub(super) file: Option<String>,
    pub(super) slab: Option<SlabForm>,
    pub(super) tetrahedron: Option<f64>,
    pub(super) bear: Option<f64>,
    pub(super) sheet: Option<SheetForm>,
    pub(super) ball: Option<BallForm>,
    pub(super) figure: Option<FigureForm>,
    pub(super) knot: Option<KnotForm>,
    /// The lattice's cells that a closed surface is filled on.
    pub(super) fill: Option<f64>,
    pub(super) material: Option<String>,
    // Where it is.
    #[serde(default = "unit")]
    pub(super) scale: f64,
    turn: Option<TurnForm>,
    quaternion: Option<[f64; 4]>,
    #[serde(default)]
    pub(super) at: [f64; 3],
    #[serde(default)]
    pub(super) velocity: [f64; 3],
    pub(super) copies: Option<CopiesForm>,
    // What holds and leads it.
    #[serde(default)]
    pub(super) fixed: bool,
    #[serde(default)]
    pub(super) pinned: Vec<BoxForm>,
    pub(super) drive: Option<DriveForm>,
}

fn unit() -> f64 {
    1.0
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SlabForm {
    pub(super) cells: [u32; 3],
    pub(super) size: [f64; 3],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SheetForm {
    pub(super) cells: [u32; 2],
    pub(super) size: [f64; 2],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BallForm {
    pub(super) frequency: u32,
    #[serde(default)]
    pub(super) bump: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureForm {
    pub(super) frequency: u32,
    pub(super) knobs: u32,
    #[serde(default)]
    pub(super) seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnotForm {
    pub(super) along: u32,
    pub(super) around: u32,
    pub(super) thickness: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnForm {
    axis: [f64; 3],
    degrees: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CopiesForm {
    pub(super) count: u32,
    pub(super) by: [f64; 3],
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoxForm {
    from: [f64; 3],
    to: [f64; 3],
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DriveForm {
    pub(super) velocity: [f64; 3],
    #[serde(default)]
    pub(super) from: f64,
    pub(super) until: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PullForm {
    pub(super) body: String,
    pub(super) near: [f64; 3],
    pub(super) to: [f64; 3],
    pub(super) stiffness: f64,
    #[serde(default)]
    pub(super) from: f64,
    pub(super) until: Option<f64>,
}

impl BoxForm {
    pub(super) fn holds(&self, p: DVec3) -> bool {
        let (from, to) = (DVec3::from_array(self.from), DVec3::from_array(self.to));
        from.min(to).cmple(p).all() && p.cmple(from.max(to)).all()
    }
}

impl Form {
    /// What can be told without making bodies.
    pub(super) fn check(&self, scenario: &Scenario) -> Result<(), Failure> {
        if !(self.dt.is_finite() && self.dt >= 0.0) {
            return Err(scenario.wrong("`dt`, the seconds of a step, must be finite and not negative"));
        }
        if self.substeps == 0 || self.checkpoint_every == 0 {
            return Err(scenario.wrong("`substeps` and `checkpoint_every` must be above 0"));
        }
        if self.bodies.is_empty() {
            return Err(scenario.wrong("it needs a [[body]]"));
        }
        Ok(())
    }

    pub(super) fn options(&self) -> Options {
        Options { substeps: self.substeps, rounds: self.rounds }
    }

    /// The material of that name; without one what suits the body.
    pub(super) fn material(
        &self,
        name: Option<&str>,
        is_solid: bool,
        scenario: &Scenario,
    ) -> Result<Material, Failure> {
        let name = name.unwrap_or(if is_solid { "rubber" } else { "cotton" });
        if let Some(own) = self.materials.get(name) {
            return Ok(own.material());
        }
        match name {
            "rubber" => Ok(Material::rubber()),
            "cotton" => Ok(Material::cotton()),
            _ => {
                let known = self.materials.keys().map(String::as_str).chain(["rubber", "cotton"]);
                let known = known.collect::<Vec<_>>().join(", ");
                Err(scenario.wrong(&format!("there is no material `{name}`; there are: {known}")))
            }
        }
    }
}

impl MaterialForm {
    fn material(&self) -> Material {
        let like = match self.like {
            Known::Rubber => Material::rubber(),
            Known::Cotton => Material::cotton(),
        };
        Material {
            density: self.density.unwrap_or(like.density),
            stiffness: self.stiffness.unwrap_or(like.stiffness),
            volume_stiffness: self.volume_stiffness.unwrap_or(like.volume_stiffness),
            bending_stiffness: self.bending_stiffness.unwrap_or(like.bending_stiffness),
            damping: self.damping.unwrap_or(like.damping),
            friction: self.friction.unwrap_or(like.friction),
            restitution: self.restitution.unwrap_or(like.restitution),
            skin: self.skin.or(like.skin),
        }
    }
}

impl BodyForm {
    /// Where the first copy is.
    pub(super) fn pose(&self) -> Result<Pose, String> {
        let at = DVec3::from_array(self.at);
        let pose = match (&self.turn, self.quaternion) {
            (Some(_), Some(_)) => return Err("`turn` or `quaternion`, not both".into()),
            (None, None) => Pose::new(DQuat::IDENTITY, at),
            (Some(turn), None) => {
                Pose::from_axis_angle(DVec3::from_array(turn.axis), turn.degrees.to_radians(), at)
            }
            (None, Some(q)) => Pose::new(DQuat::from_array(q), at),
        };
        pose.map_err(|error| error.to_string())
    }
}
