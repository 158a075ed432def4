//! Named bodies, rules about all pairs of them, and motions among them.

use crate::body::{Body, rows_of_seven};
use crate::file;
use crate::pose::{Poses, interpolation};
use crate::question::unwritten;
use crate::workers;
use kontakt::io::SceneRules;
use kontakt::load::{Before, LoadOptions, Parts, SceneInput, warned};
use kontakt::math::Pose;
use kontakt::pair;
use kontakt::rigid_ccd::path::{PathOptions, Segment, Watch};
use kontakt::scene::{
    self, BodyName, Deviation, Exceptions, Limits, PathCheck, Rules, SceneBody, TakeOutOptions, TakenOut,
    TouchTolerance, check_path, take_out,
};
use kontakt::schedule::Deadline;
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// A part of a scene: its name, what, and where.
type Part<'py> = (String, PyRef<'py, Body>, Option<Bound<'py, PyAny>>);

/// What `kontakt.Scene` holds.
#[pyclass(frozen, module = "kontakt._kontakt")]
pub(crate) struct Stage {
    pub(crate) scene: scene::Scene,
    /// How many of the first bodies move.
    movers: usize,
    before: Vec<Before>,
    rules: SceneRules,
    files: Value,
    warnings: Vec<String>,
    /// Of a scene file, whose motions are read when they are followed.
    file: Option<(PathBuf, LoadOptions)>,
}

impl Stage {
    fn of_parts(parts: Parts) -> Stage {
        let Parts { scene, movers, before, remarks, warnings } = parts;
        Stage {
            scene,
            movers,
            before,
            rules: SceneRules::default(),
            files: remarks.json(),
            warnings,
            file: None,
        }
    }
}

#[pymethods]
impl Stage {
    /// Bodies with their names and poses.
    #[new]
    fn new(parts: Vec<Part<'_>>) -> PyResult<Stage> {
        let mut scene = scene::Scene::new();
        let mut before = Vec::new();
        for (name, body, pose) in parts {
            let pose = body.pose(Poses::one(pose.as_ref(), &format!("pose of {name}"))?);
            before.push(Before { faces: body.faces_before, ..Before::default() });
            scene.add_body(SceneBody {
                // Under its own name a body is still found as `FILE:NAME` and as `NAME`.
                name: match &body.name {
                    Some(own) if *own == name => BodyName { full: name, file: body.file },
                    _ => name.as_str().into(),
                },
                body: body.geometry.clone(),
                pose,
                faces_before: body.faces_before,
                precision: body.precision,
            });
        }
        let (rules, files) = (SceneRules::default(), Value::Array(Vec::new()));
        Ok(Stage { scene, movers: 0, before, rules, files, warnings: Vec::new(), file: None })
    }

    /// The bodies of files, `FILE` or `FILE:NAME`.
    #[staticmethod]
    fn of_files(py: Python<'_>, files: Vec<PathBuf>, split: &str, deviation: Option<f64>) -> PyResult<Stage> {
        let options = file::options(split, deviation)?;
        let parts = workers::run(py, || Parts::load(&files, &options));
        parts.map(Stage::of_parts).map_err(|error| file::wrong(&error))
    }

    /// Bodies that move, and those around them; where the latter are not named, all others of the files.
    #[staticmethod]
    fn in_motion(
        py: Python<'_>,
        moving: Vec<PathBuf>,
        against: Vec<PathBuf>,
        split: &str,
        deviation: Option<f64>,
    ) -> PyResult<Stage> {
        let options = file::options(split, deviation)?;
        let parts = workers::run(py, || Parts::in_motion(&moving, &against, &options));
        parts.map(Stage::of_parts).map_err(|error| file::wrong(&error))
    }

    /// A scene file.
    #[staticmethod]
    fn of_scene_file(py: Python<'_>, path: PathBuf, split: &str, deviation: Option<f64>) -> PyResult<Stage> {
        let options = file::options(split, deviation)?;
        let input =
            workers::run(py, || SceneInput::load(&path, &options)).map_err(|error| file::wrong(&error))?;
        let SceneInput { file, scene, before, remarks, warnings, .. } = input;
        let files = remarks.json();
        Ok(Stage {
            scene,
            movers: 0,
            before,
            rules: file.rules,
            files,
            warnings,
            file: Some((path, options)),
        })
    }

    /// The bodies of one scene as movers before those of another.
    fn among(&self, others: &Stage) -> Stage {
        let bodies = self.scene.bodies().iter().chain(others.scene.bodies()).cloned();
        let mut scene: scene::Scene = bodies.collect();
        for missing in self.scene.missing().iter().chain(others.scene.missing()) {
            scene.miss(missing.clone());
        }
        let mut files = self.files.as_array().cloned().unwrap_or_default();
        files.extend(others.files.as_array().cloned().unwrap_or_default());
        Stage {
            scene,
            movers: self.scene.bodies().len(),
            before: [self.before.as_slice(), &others.before].concat(),
            rules: SceneRules::default(),
            files: Value::Array(files),
            warnings: [self.warnings.as_slice(), &others.warnings].concat(),
            file: None,
        }
    }

    /// The names of all bodies, in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.scene.names().into_iter().map(|name| name.full).collect()
    }

    /// Where they stand, (n, 7).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let poses: Vec<Pose> = self.scene.bodies().iter().map(|body| body.pose).collect();
        rows_of_seven(py, &poses)
    }

    /// The bodies that are missing or not whole, and why.
    #[getter]
    fn missing(&self) -> Vec<(String, String)> {
        self.scene.missing().iter().map(|one| (one.name.clone(), one.problem.clone())).collect()
    }

    /// The bodies where they stand, in order.
    fn bodies(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let one = |body: &SceneBody| {
            let pose = body.pose;
            let made = Body {
                geometry: body.body.clone(),
                name: Some(body.name.full.clone()),
                file: body.name.file,
                place: (pose != Pose::IDENTITY).then_some(pose),
                faces_before: body.faces_before,
                precision: body.precision,
            };
            match &body.body {
                pair::Body::Convex(_) => Ok(Py::new(py, made)?.into_any()),
                _ => Ok(made.into_python(py)?.into_any()),
            }
        };
        self.scene.bodies().iter().map(one).collect()
    }
}

/// The report of a check as the command line's JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python call")]
pub(crate) fn check_json(
    py: Python<'_>,
    stage: &Stage,
    clearance: Option<f64>,
    ignore: Vec<String>,
    allow: Vec<String>,
    touch_tolerance: Option<f64>,
    deviation: Option<&Bound<'_, PyAny>>,
    strict: bool,
    all_distances: bool,
    time_limit: Option<f64>,
) -> PyResult<String> {
    lengths([("clearance", clearance), ("touch_tolerance", touch_tolerance)])?;
    let written = &stage.rules;
    let (ignore, allow) =
        ([ignore, written.ignore.clone()].concat(), [allow, written.allow.clone()].concat());
    let exceptions = Exceptions::among(&stage.scene.names(), &ignore, &allow);
    let rules = Rules {
        clearance: clearance.or(written.clearance).unwrap_or(0.0),
        touch_tolerance: touch_tolerance
            .or(written.touch_tolerance)
            .map_or(TouchTolerance::Rounding, TouchTolerance::Within),
        deviation: tessellation(deviation)?,
        strict: strict || written.strict,
        exceptions: exceptions.map_err(|error| invalid(&error))?,
    };
    let limits = Limits { deadline: deadline(time_limit)?, all_distances, ..Limits::NONE };
    workers::run(py, || {
        let report = stage.scene.check(rules, &limits);
        let mut json = report.json();
        json["pairs"] = report.pairs_json().collect();
        json["files"] = stage.files.clone();
        json["warnings"] = [stage.warnings.clone(), warned::warned(&stage.scene)].concat().into();
        serde_json::to_string(&json)
    })
    .map_err(|error| unwritten(&error))
}

/// The report of a path as the command line's JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python call")]
pub(crate) fn path_json(
    py: Python<'_>,
    stage: &Stage,
    motion: &Bound<'_, PyAny>,
    times: Option<Vec<f64>>,
    clearance: Option<f64>,
    ignore: Vec<String>,
    allow: Vec<String>,
    tolerance: Option<f64>,
    distance_tolerance: Option<f64>,
    interpolate: &str,
    pivot: Option<&Bound<'_, PyAny>>,
    time_limit: Option<f64>,
) -> PyResult<String> {
    lengths([
        ("clearance", clearance),
        ("tolerance", tolerance),
        ("distance_tolerance", distance_tolerance),
    ])?;
    let Poses::Many(poses) = Poses::of(Some(motion), "motion")? else {
        return Err(PyValueError::new_err("motion: one pose where (n, 7) or (n, 4, 4) is needed"));
    };
    let times = times.unwrap_or_else(|| (0..poses.len()).map(|index| index as f64).collect());
    let how = interpolation(interpolate, pivot)?;
    let segments = Segment::between(&times, &poses, how)
        .map_err(|error| PyValueError::new_err(format!("motion: {error}")))?;
    let Stage { scene, movers, .. } = stage;
    let exceptions =
        Exceptions::across(&scene.names(), *movers, &ignore, &allow).map_err(|error| invalid(&error))?;
    let options = PathOptions { tolerance, distance_tolerance, ..PathOptions::default() };
    let watch = Until(deadline(time_limit)?);
    let checked = workers::run(py, || check_path(scene, *movers, &segments, &exceptions, &options, &watch));
    let (pairs, mut report) = checked.map_err(|error| invalid(&error))?;
    Before::count_path(&stage.before, *movers, &mut report);
    let check = PathCheck { names: scene.names(), movers: *movers, pairs, report };
    let mut json = check.json();
    json["segments"] = check.segments_json().collect();
    json["files"] = stage.files.clone();
    json["warnings"] = stage.warnings.as_slice().into();
    if let Some(clearance) = clearance {
        json["clearance"] = clearance.into();
        json["keeps_clearance"] = check.keeps(clearance).into();
    }
    serde_json::to_string(&json).map_err(|error| unwritten(&error))
}

/// The report of all motions of a scene file as the command line's JSON.
#[pyfunction]
pub(crate) fn follow_json(
    py: Python<'_>,
    stage: &Stage,
    ignore: Vec<String>,
    tolerance: Option<f64>,
    time_limit: Option<f64>,
) -> PyResult<String> {
    lengths([("tolerance", tolerance)])?;
    let Some((file, options)) = &stage.file else {
        return Err(PyValueError::new_err("this scene has no motions; a scene file (.toml) may have some"));
    };
    let deadline = deadline(time_limit)?;
    let followed = workers::run(py, || SceneInput::load(file, options)?.follow(&ignore, tolerance, deadline));
    let followed = followed.map_err(|error| file::wrong(&error))?;
    let mut json = followed.json();
    json["pairs"] = followed.pairs_json().collect();
    serde_json::to_string(&json).map_err(|error| unwritten(&error))
}

/// The report of ways out as the command line's JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python call")]
pub(crate) fn take_out_json(
    py: Python<'_>,
    stage: &Stage,
    distance: Option<f64>,
    all_ways: bool,
    ignore: Vec<String>,
    allow: Vec<String>,
    tolerance: Option<f64>,
    time_limit: Option<f64>,
) -> PyResult<String> {
    lengths([("distance", distance), ("tolerance", tolerance)])?;
    let Stage { scene, movers, .. } = stage;
    let names = scene.names();
    let exceptions = Exceptions::across(&names, *movers, &ignore, &allow).map_err(|error| invalid(&error))?;
    let path = PathOptions { tolerance, ..PathOptions::default() };
    let options = TakeOutOptions { distance, all: all_ways, path };
    let watch = Until(deadline(time_limit)?);
    let found = workers::run(py, || take_out(scene, *movers, &exceptions, &options, &watch));
    let taken = TakenOut { names, movers: *movers, found: found.map_err(|error| invalid(&error))? };
    let mut json = taken.json();
    json["ways"] = taken.ways_json().collect();
    json["files"] = stage.files.clone();
    json["warnings"] = stage.warnings.as_slice().into();
    serde_json::to_string(&json).map_err(|error| unwritten(&error))
}

/// Ends a check when the time is up.
struct Until(Deadline);

impl Watch for Until {
    fn deadline(&self) -> Deadline {
        self.0
    }
}

fn invalid(error: &dyn std::error::Error) -> PyErr {
    // The command line's names of options are those of Python's keywords, but for the dashes.
    PyValueError::new_err(error.to_string().trim_start_matches("--").to_owned())
}

fn lengths<const N: usize>(all: [(&str, Option<f64>); N]) -> PyResult<()> {
    for (what, length) in all {
        if let Some(length) = length.filter(|length| !(*length >= 0.0 && length.is_finite())) {
            return Err(PyValueError::new_err(format!("{what} is {length}, not a length")));
        }
    }
    Ok(())
}

fn deadline(seconds: Option<f64>) -> PyResult<Deadline> {
    let Some(seconds) = seconds else { return Ok(Deadline::NEVER) };
    Duration::try_from_secs_f64(seconds)
        .map(Deadline::after)
        .map_err(|_| PyValueError::new_err(format!("time_limit is {seconds}, no time in seconds")))
}

/// How far meshes may lie off the surfaces they stand for: a length, or "auto".
fn tessellation(given: Option<&Bound<'_, PyAny>>) -> PyResult<Deviation> {
    let Some(given) = given else { return Ok(Deviation::default()) };
    if let Ok(word) = given.extract::<String>() {
        return match word.as_str() {
            "auto" => Ok(Deviation::Estimated),
            _ => Err(PyValueError::new_err(format!("deviation is {word:?}, neither a length nor \"auto\""))),
        };
    }
    let length: f64 = given.extract()?;
    lengths([("deviation", Some(length))])?;
    Ok(Deviation::Within(length))
}
