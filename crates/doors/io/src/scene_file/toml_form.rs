//! The tables of a scene file as TOML has them.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    #[serde(default)]
    pub(super) group: Vec<Spanned<Group>>,
    #[serde(default)]
    pub(super) body: Vec<Spanned<Body>>,
    #[serde(default)]
    pub(super) motion: Vec<Spanned<Motion>>,
    #[serde(default)]
    pub(super) rules: Rules,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) name: String,
    /// The group it hangs below.
    #[serde(rename = "group")]
    pub(super) parent: Option<String>,
    pub(super) at: Option<[f64; 3]>,
    pub(super) turn: Option<Turn>,
    pub(super) quaternion: Option<[f64; 4]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    pub(super) name: Option<String>,
    pub(super) group: Option<String>,
    pub(super) file: Option<String>,
    pub(super) shape: Option<BTreeMap<String, toml::Value>>,
    pub(super) at: Option<[f64; 3]>,
    pub(super) turn: Option<Turn>,
    pub(super) quaternion: Option<[f64; 4]>,
    /// Layers it is on.
    pub(super) on: Option<Vec<String>>,
    /// Layers it is looked at with.
    pub(super) with: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    pub(super) axis: [f64; 3],
    pub(super) degrees: f64,
    /// Of a motion: a point of the axis in the world.
    pub(super) through: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Motion {
    pub(super) of: String,
    pub(super) file: Option<String>,
    pub(super) along: Option<[f64; 3]>,
    pub(super) turn: Option<Turn>,
    pub(super) times: Option<[f64; 2]>,
    pub(super) interpolate: Option<Interpolate>,
    pub(super) pivot: Option<[f64; 3]>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Interpolate {
    Slerp,
    Nlerp,
    Screw,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    pub(super) clearance: Option<f64>,
    pub(super) touch_tolerance: Option<f64>,
    #[serde(default)]
    pub(super) strict: bool,
    #[serde(default)]
    pub(super) ignore: Vec<String>,
    #[serde(default)]
    pub(super) allow: Vec<String>,
}
