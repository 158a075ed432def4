//! Scene files: bodies from files or as convex shapes, groups that move together, motions and rules, as TOML.
//!
//! `docs/scene-files.md` has the schema with an example.

mod toml_form;

use crate::convex::read_convex_shape_bytes;
use crate::error::{Place, Problem, ReadError};
use crate::trajectory::read_trajectory_until;
use crate::whole::read_whole;
use kontakt_convex::Shape;
use kontakt_math::{DQuat, DVec3, Interpolation, Pose};
use kontakt_schedule::Deadline;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml_form as form;

/// Most names of layers: a bit each.
const MOST_LAYERS: usize = 32;

/// A scene file, checked: names are unique, groups known and free of cycles.
#[derive(Clone, Debug, Default)]
pub struct SceneFile {
    /// Groups, each after the one it hangs below.
    pub groups: Vec<SceneGroup>,
    /// Bodies, in the file's order.
    pub bodies: Vec<SceneEntry>,
    /// Motions, in the file's order.
    pub motions: Vec<SceneMotion>,
    /// What is forbidden.
    pub rules: SceneRules,
}

/// A group of a scene file.
#[derive(Clone, Debug)]
pub struct SceneGroup {
    /// Its name.
    pub name: String,
    /// The group it hangs below.
    pub parent: Option<String>,
    /// Its place there.
    pub pose: Pose,
}

/// A body of a scene file, or all bodies of a file that it names.
#[derive(Clone, Debug)]
pub struct SceneEntry {
    /// Its name; that of the file where none is given.
    pub name: String,
    /// The group it hangs below.
    pub parent: Option<String>,
    /// Its place there; what a file says is seen in this frame.
    pub pose: Pose,
    /// What it is.
    pub what: SceneSource,
    /// Layers it is on, a bit each.
    pub on: u32,
    /// Layers it is looked at with, a bit each.
    pub with: u32,
    /// Where it stands in the file.
    pub line: u64,
}

/// What a body of a scene file is.
#[derive(Clone, Debug)]
pub enum SceneSource {
    /// Of another file, `FILE` or `FILE:NAME`, seen from the scene file's folder.
    File(PathBuf),
    /// A convex shape.
    Shape(Shape),
}

/// A motion of a scene file.
#[derive(Clone, Debug)]
pub struct SceneMotion {
    /// The group or body that moves.
    pub of: String,
    /// How.
    pub way: SceneWay,
    /// Where it stands in the file.
    pub line: u64,
}

/// How something moves.
#[derive(Clone, Debug)]
pub enum SceneWay {
    /// From pose to pose in the world.
    Recorded {
        /// When.
        times: Vec<f64>,
        /// Where.
        poses: Vec<Pose>,
        /// How between them.
        how: Interpolation,
    },
    /// A shift and a turn from where it is, together a screw.
    Typed {
        /// How far.
        along: DVec3,
        /// About which axis (not of length 0), by which angle in radians, through which point of the world (its own origin where none
        /// is given).
        turn: Option<(DVec3, f64, Option<DVec3>)>,
        /// From when to when.
        times: [f64; 2],
    },
}

/// What a scene file forbids.
#[derive(Clone, Debug, Default)]
pub struct SceneRules {
    /// Bodies closer than this encroach on each other.
    pub clearance: Option<f64>,
    /// Gaps and interferences up to this count as touching.
    pub touch_tolerance: Option<f64>,
    /// Touching is forbidden too.
    pub strict: bool,
    /// Pairs `A:B` that are not looked at.
    pub ignore: Vec<String>,
    /// Pairs `A:B=DEPTH` that may interfere.
    pub allow: Vec<String>,
}

/// Reads a scene file; files of recorded motions that it names are read too, files of bodies are not.
pub fn read_scene_file(path: &Path) -> Result<SceneFile, ReadError> {
    read_scene_file_until(path, Deadline::NEVER)
}

/// The same until a deadline; small files are read in any case.
pub fn read_scene_file_until(path: &Path, deadline: Deadline) -> Result<SceneFile, ReadError> {
    let bytes = read_whole(path, deadline)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read_text(&bytes, &path.display().to_string(), folder, deadline)
}

/// The same from memory; `name` is what errors call the text, `folder` where its files are.
pub fn read_scene_bytes(bytes: &[u8], name: &str, folder: &Path) -> Result<SceneFile, ReadError> {
    read_text(bytes, name, folder, Deadline::NEVER)
}

fn read_text(bytes: &[u8], name: &str, folder: &Path, deadline: Deadline) -> Result<SceneFile, ReadError> {
    let reader = Reader { name, bytes, folder, deadline };
    let text = std::str::from_utf8(bytes)
        .map_err(|error| reader.fault(error.valid_up_to(), Problem::malformed("the text is not UTF-8")))?;
    let document: form::Document = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.fault(at, Problem::malformed(error.message().to_owned()))
    })?;
    reader.scene(document)
}

struct Reader<'a> {
    name: &'a str,
    bytes: &'a [u8],
    folder: &'a Path,
    /// Of the files that it names.
    deadline: Deadline,
}

impl Reader<'_> {
    fn line(&self, at: usize) -> u64 {
        let before = &self.bytes[..at.min(self.bytes.len())];
        1 + memchr::memchr_iter(b'\n', before).count() as u64
    }

    fn fault(&self, at: usize, problem: Problem) -> ReadError {
        ReadError { file: self.name.to_owned(), place: Place::Line(self.line(at)), problem }
    }

    fn wrong(&self, at: usize, problem: impl Into<String>) -> ReadError {
        self.fault(at, Problem::malformed(problem.into()))
    }

    fn scene(&self, document: form::Document) -> Result<SceneFile, ReadError> {
        let mut taken: HashMap<String, usize> = HashMap::new();
        let mut layers = Layers::default();
        let groups = document.group.into_iter().map(|group| self.group(group, &mut taken));
        let groups: Vec<(usize, SceneGroup)> = groups.collect::<Result<_, _>>()?;
        let bodies = document.body.into_iter().map(|body| self.body(body, &mut taken, &mut layers));
        let bodies: Vec<(usize, SceneEntry)> = bodies.collect::<Result<_, _>>()?;
        let known = |at: usize, parent: Option<&String>| match parent {
            Some(parent) if !groups.iter().any(|(_, group)| group.name == *parent) => Err(self.wrong(
                at,
                format!(
                    "there is no group `{parent}`{}",
                    near(groups.iter().map(|(_, group)| group.name.as_str()))
                ),
            )),
            _ => Ok(()),
        };
        for (at, group) in &groups {
            known(*at, group.parent.as_ref())?;
        }
        for (at, body) in &bodies {
            known(*at, body.parent.as_ref())?;
        }
        let motions = document.motion.into_iter().map(|motion| self.motion(motion));
        Ok(SceneFile {
            groups: self.parents_first(groups)?,
            bodies: bodies.into_iter().map(|(_, body)| body).collect(),
            motions: motions.collect::<Result<_, _>>()?,
            rules: self.rules(document.rules)?,
        })
    }

    fn claim(&self, taken: &mut HashMap<String, usize>, name: &str, at: usize) -> Result<(), ReadError> {
        if name.is_empty() {
            return Err(self.wrong(at, "a name is empty"));
        }
        match taken.insert(name.to_owned(), at) {
            None => Ok(()),
            Some(other) => {
                let line = self.line(other);
                Err(self.wrong(at, format!("the name `{name}` is taken already, in line {line}")))
            }
        }
    }

    fn group(
        &self,
        group: Spanned<form::Group>,
        taken: &mut HashMap<String, usize>,
    ) -> Result<(usize, SceneGroup), ReadError> {
        let at = group.span().start;
        let form::Group { name, parent, at: place, turn, quaternion } = group.into_inner();
        self.claim(taken, &name, at)?;
        let pose = self.pose(at, place, turn.as_ref(), quaternion)?;
        Ok((at, SceneGroup { name, parent, pose }))
    }

    fn body(
        &self,
        body: Spanned<form::Body>,
        taken: &mut HashMap<String, usize>,
        layers: &mut Layers,
    ) -> Result<(usize, SceneEntry), ReadError> {
        let at = body.span().start;
        let body = body.into_inner();
        let stem = |file: &str| Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = body.name.clone().or_else(|| stem(body.file.as_deref()?));
        let name = name.ok_or_else(|| self.wrong(at, "a body needs a `name`"))?;
        self.claim(taken, &name, at)?;
        let what = match (&body.file, &body.shape) {
            (Some(file), None) => SceneSource::File(self.folder.join(file)),
            (None, Some(shape)) => SceneSource::Shape(self.shape(at, &name, shape)?),
            _ => return Err(self.wrong(at, format!("`{name}` needs either a `file` or a `shape`"))),
        };
        let mut bits = |names: Option<&Vec<String>>, default: u32| match names {
            None => Ok(default),
            Some(names) => layers.bits(names).map_err(|problem| self.wrong(at, problem)),
        };
        let (on, with) = (bits(body.on.as_ref(), 1)?, bits(body.with.as_ref(), u32::MAX)?);
        let pose = self.pose(at, body.at, body.turn.as_ref(), body.quaternion)?;
        Ok((at, SceneEntry { name, parent: body.group, pose, what, on, with, line: self.line(at) }))
    }

    /// A shape is written as in lists of convex pairs.
    fn shape(
        &self,
        at: usize,
        name: &str,
        table: &std::collections::BTreeMap<String, toml::Value>,
    ) -> Result<Shape, ReadError> {
        let json = serde_json::to_vec(table)
            .map_err(|error| self.wrong(at, format!("the shape of `{name}`: {error}")))?;
        read_convex_shape_bytes(&json, name).map_err(|error| {
            let problem = match error.problem {
                Problem::Malformed(problem) => problem,
                other => other.to_string(),
            };
            self.wrong(at, format!("the shape of `{name}`: {problem}"))
        })
    }

    fn pose(
        &self,
        at: usize,
        place: Option<[f64; 3]>,
        turn: Option<&form::Turn>,
        quaternion: Option<[f64; 4]>,
    ) -> Result<Pose, ReadError> {
        let place = DVec3::from_array(place.unwrap_or_default());
        let pose = match (turn, quaternion) {
            (Some(_), Some(_)) => return Err(self.wrong(at, "give either `turn` or `quaternion`, not both")),
            (Some(form::Turn { through: Some(_), .. }), None) => {
                return Err(self.wrong(at, "`through` is for motions; a pose turns about its own origin"));
            }
            (Some(turn), None) => {
                Pose::from_axis_angle(DVec3::from_array(turn.axis), turn.degrees.to_radians(), place)
            }
            (None, Some(q)) => Pose::new(DQuat::from_array(q), place),
            (None, None) => Pose::new(DQuat::IDENTITY, place),
        };
        pose.map_err(|error| self.wrong(at, error.to_string()))
    }

    fn motion(&self, motion: Spanned<form::Motion>) -> Result<SceneMotion, ReadError> {
        let at = motion.span().start;
        let motion = motion.into_inner();
        let way = match &motion.file {
            Some(file) => self.recorded(at, file, &motion)?,
            None => self.typed(at, &motion)?,
        };
        Ok(SceneMotion { of: motion.of, way, line: self.line(at) })
    }

    fn recorded(&self, at: usize, file: &str, motion: &form::Motion) -> Result<SceneWay, ReadError> {
        if motion.along.is_some() || motion.turn.is_some() || motion.times.is_some() {
            return Err(self.wrong(at, "a motion has either a `file` or `along`, `turn` and `times`"));
        }
        let pivot = DVec3::from_array(motion.pivot.unwrap_or_default());
        let how = match motion.interpolate.unwrap_or(form::Interpolate::Slerp) {
            form::Interpolate::Slerp => Interpolation::Slerp { pivot },
            form::Interpolate::Nlerp => Interpolation::Nlerp { pivot },
            form::Interpolate::Screw => Interpolation::Screw,
        };
        let recorded = read_trajectory_until(&self.folder.join(file), self.deadline)?;
        Ok(SceneWay::Recorded { times: recorded.times, poses: recorded.poses, how })
    }

    fn typed(&self, at: usize, motion: &form::Motion) -> Result<SceneWay, ReadError> {
        if motion.interpolate.is_some() || motion.pivot.is_some() {
            return Err(self.wrong(at, "`interpolate` and `pivot` are for motions with a `file`"));
        }
        if motion.along.is_none() && motion.turn.is_none() {
            return Err(self.wrong(at, "a motion needs a `file`, `along` or `turn`"));
        }
        let along = DVec3::from_array(motion.along.unwrap_or_default());
        let turn = motion.turn.as_ref().map(|turn| {
            let through = turn.through.map(DVec3::from_array);
            (DVec3::from_array(turn.axis), turn.degrees.to_radians(), through)
        });
        let finite = turn.is_none_or(|(axis, angle, through)| {
            let axis_is_good = axis.is_finite() && axis.length_squared() > 0.0;
            axis_is_good && angle.is_finite() && through.is_none_or(DVec3::is_finite)
        });
        let times = motion.times.unwrap_or([0.0, 1.0]);
        let in_order = times[0].is_finite() && times[1].is_finite() && times[0] < times[1];
        match (along.is_finite() && finite, in_order) {
            (false, _) => Err(self.wrong(at, "numbers must be finite, and an axis not of length 0")),
            (_, false) => Err(self.wrong(at, "`times` are two finite numbers, the first below the second")),
            _ => Ok(SceneWay::Typed { along, turn, times }),
        }
    }

    fn rules(&self, rules: form::Rules) -> Result<SceneRules, ReadError> {
        let form::Rules { clearance, touch_tolerance, strict, ignore, allow } = rules;
        for (key, value) in [("clearance", clearance), ("touch_tolerance", touch_tolerance)] {
            if value.is_some_and(|value| !(value.is_finite() && value >= 0.0)) {
                let place = Place::Whole;
                let problem = Problem::malformed(format!("`{key}` must be finite and not negative"));
                return Err(ReadError { file: self.name.to_owned(), place, problem });
            }
        }
        Ok(SceneRules { clearance, touch_tolerance, strict, ignore, allow })
    }

    /// Every group after the one it hangs below; those that hang below themselves are never reached from outside.
    fn parents_first(&self, groups: Vec<(usize, SceneGroup)>) -> Result<Vec<SceneGroup>, ReadError> {
        let mut below: HashMap<Option<String>, Vec<(usize, SceneGroup)>> = HashMap::new();
        for (at, group) in groups {
            below.entry(group.parent.clone()).or_default().push((at, group));
        }
        let mut done: Vec<SceneGroup> = Vec::new();
        let outermost = below.remove(&None).unwrap_or_default();
        done.extend(outermost.into_iter().map(|(_, group)| group));
        let mut next = 0;
        while let Some(name) = done.get(next).map(|group| group.name.clone()) {
            let members = below.remove(&Some(name)).unwrap_or_default();
            done.extend(members.into_iter().map(|(_, group)| group));
            next += 1;
        }
        match below.into_values().flatten().min_by_key(|(at, _)| *at) {
            Some((at, group)) => Err(self.wrong(at, format!("group `{}` hangs below itself", group.name))),
            None => Ok(done),
        }
    }
}

/// Names of layers, a bit each.
#[derive(Default)]
struct Layers {
    names: Vec<String>,
}

impl Layers {
    fn bits(&mut self, names: &[String]) -> Result<u32, String> {
        let mut bits = 0;
        for name in names {
            let known = self.names.iter().position(|other| other == name);
            let bit = known.unwrap_or_else(|| {
                self.names.push(name.clone());
                self.names.len() - 1
            });
            // The first bit is that of bodies without layers.
            if bit + 1 >= MOST_LAYERS {
                return Err(format!("more than {} layers; `{name}` is one too many", MOST_LAYERS - 1));
            }
            bits |= 1 << (bit + 1);
        }
        Ok(bits)
    }
}

/// The names there are, for a message.
fn near<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.take(12).collect();
    if names.is_empty() { String::new() } else { format!("; there are: {}", names.join(", ")) }
}
