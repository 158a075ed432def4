//! What OCCT is asked (protocol: `peers/occt.py`).

use crate::peer::{Peer, number, triple};
use kontakt::math::{DVec3, Pose};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What OCCT takes for one point, in the files' millimetres; a distance of less is none.
pub(crate) const CONFUSION: f64 = 1e-7;

/// A solid of a file that OCCT has loaded.
pub(crate) type Name = (PathBuf, usize);

/// A distance by OCCT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// CPU seconds.
    pub(crate) seconds: f64,
    /// How far apart.
    pub(crate) value: f64,
    /// The nearest points.
    pub(crate) points: [DVec3; 2],
}

/// A shape that OCCT made and wrote.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// What it is.
    pub(crate) name: String,
    /// Where it was written.
    pub(crate) file: PathBuf,
    /// Solids and faces.
    pub(crate) counts: [u64; 2],
    /// Whether OCCT itself finds it sound.
    pub(crate) valid: bool,
    /// Volume by OCCT.
    pub(crate) volume: f64,
}

/// Boxes by OCCT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    /// CPU seconds of the turned one.
    pub(crate) seconds: f64,
    /// Volume of the turned one.
    pub(crate) volume: f64,
    /// CPU seconds of the axis-parallel one.
    pub(crate) straight_seconds: f64,
    /// Volume of the axis-parallel one.
    pub(crate) straight_volume: f64,
}

/// What OCCT says of balls.
#[derive(Clone, Debug)]
pub(crate) struct Balls {
    /// CPU seconds of all distances.
    pub(crate) seconds: f64,
    /// CPU seconds of all common volumes.
    pub(crate) common_seconds: f64,
    /// How far each is apart.
    pub(crate) distances: Vec<Option<f64>>,
    /// What each has in common with the solid.
    pub(crate) volumes: Vec<f64>,
}

fn named((file, index): &Name) -> Value {
    json!([file.display().to_string(), index])
}

fn placed(pose: Option<&Pose>) -> Value {
    pose.map_or(Value::Null, |pose| {
        let (turn, shift) = (pose.rotation(), pose.translation());
        json!([turn.x, turn.y, turn.z, turn.w, shift.x, shift.y, shift.z])
    })
}

fn point(list: &Value) -> Result<DVec3, String> {
    triple(list).map(DVec3::from_array)
}

fn counts(answer: &Value) -> [u64; 2] {
    [0, 1].map(|k| answer["counts"][k].as_u64().unwrap_or(0))
}

fn list(answer: &Value, key: &str) -> Vec<Value> {
    answer[key].as_array().cloned().unwrap_or_default()
}

/// Has OCCT write its shapes into a folder.
pub(crate) fn make(peer: &mut Peer, folder: &Path) -> Result<Vec<Made>, String> {
    let answer = peer.ask(&json!({"do": "make", "folder": folder.display().to_string()}).to_string())?;
    let made = list(&answer, "made").into_iter().map(|shape| {
        Ok(Made {
            name: shape["name"].as_str().unwrap_or("?").to_owned(),
            file: shape["file"].as_str().ok_or("a shape without a file")?.into(),
            counts: counts(&shape),
            valid: shape["valid"] == true,
            volume: number(&shape, "volume")?,
        })
    });
    made.collect()
}

/// Reads a file and forgets it: CPU seconds, solids and faces.
pub(crate) fn read(peer: &mut Peer, file: &Path) -> Result<(f64, [u64; 2]), String> {
    let answer = peer.ask(&json!({"do": "read", "file": file.display().to_string()}).to_string())?;
    Ok((number(&answer, "seconds")?, counts(&answer)))
}

/// Reads and keeps a file: the axis-parallel box of each solid.
pub(crate) fn load(peer: &mut Peer, file: &Path) -> Result<Vec<[DVec3; 2]>, String> {
    let answer = peer.ask(&json!({"do": "load", "file": file.display().to_string()}).to_string())?;
    list(&answer, "boxes").iter().map(|corners| Ok([point(&corners[0])?, point(&corners[1])?])).collect()
}

/// How far two solids are apart, the second moved.
pub(crate) fn distance(peer: &mut Peer, a: &Name, b: &Name, by: Option<&Pose>) -> Result<Found, String> {
    let request = json!({"do": "distance", "a": named(a), "b": named(b), "pose": placed(by)});
    let answer = peer.ask(&request.to_string())?;
    let points = [point(&answer["points"][0])?, point(&answer["points"][1])?];
    Ok(Found { seconds: number(&answer, "seconds")?, value: number(&answer, "value")?, points })
}

/// The boxes about a solid.
pub(crate) fn boxes(peer: &mut Peer, (file, index): &Name) -> Result<Boxes, String> {
    let request = json!({"do": "box", "file": file.display().to_string(), "solid": index});
    let answer = peer.ask(&request.to_string())?;
    let straight = point(&answer["straight"][1])? - point(&answer["straight"][0])?;
    Ok(Boxes {
        seconds: number(&answer, "seconds")?,
        volume: number(&answer, "volume")?,
        straight_seconds: number(&answer, "straight_seconds")?,
        straight_volume: straight.element_product(),
    })
}

/// Distance and common volume of a solid with balls.
pub(crate) fn balls(peer: &mut Peer, (file, index): &Name, balls: &[(DVec3, f64)]) -> Result<Balls, String> {
    let balls: Vec<[f64; 4]> = balls.iter().map(|(x, radius)| [x.x, x.y, x.z, *radius]).collect();
    let request = json!({"do": "balls", "file": file.display().to_string(), "solid": index, "balls": balls});
    let answer = peer.ask(&request.to_string())?;
    Ok(Balls {
        seconds: number(&answer, "seconds")?,
        common_seconds: number(&answer, "common_seconds")?,
        distances: list(&answer, "distances").iter().map(Value::as_f64).collect(),
        volumes: list(&answer, "volumes").iter().map(|x| x.as_f64().unwrap_or(0.0)).collect(),
    })
}

/// How far a point is from the shells of a solid that is moved.
pub(crate) fn off(peer: &mut Peer, solid: &Name, at: DVec3, by: Option<&Pose>) -> Result<f64, String> {
    let request = json!({"do": "off", "solid": named(solid), "point": at.to_array(), "pose": placed(by)});
    number(&peer.ask(&request.to_string())?, "value")
}
