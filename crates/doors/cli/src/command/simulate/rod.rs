//! `kind = "rod"`: a rod that falls on bodies at rest, from one certified contact to the next.

use super::geometry::geometry;
use super::ranks::on_ranks;
use super::scenario::Scenario;
use crate::args::{Common, Simulate};
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use kontakt::convex::Shape;
use kontakt::event_driven::{Bounce, Fall, Fell, Moving, Top};
use kontakt::io::{Cells, Field, Series, Snapshot, Values, VtuOptions};
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::pair::Body;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file's keys (docs/scenarios.md).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    #[serde(rename = "kind")]
    _kind: serde::de::IgnoredAny,
    length: f64,
    radius: f64,
    #[serde(default = "one")]
    mass: f64,
    place: [f64; 3],
    #[serde(default)]
    tilt_degrees: f64,
    #[serde(default)]
    velocity: [f64; 3],
    #[serde(default)]
    spin: [f64; 3],
    #[serde(default = "gravity")]
    gravity: [f64; 3],
    #[serde(default = "one")]
    restitution: f64,
    #[serde(default)]
    ground: Vec<Ground>,
    time: Option<f64>,
    bounces: Option<u64>,
    #[serde(default)]
    frames: u32,
}

/// A body at rest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ground {
    shape: Option<toml::Value>,
    mesh: Option<PathBuf>,
    #[serde(default)]
    place: [f64; 3],
    turn: Option<[f64; 4]>,
}

fn one() -> f64 {
    1.0
}

fn gravity() -> [f64; 3] {
    [0.0, 0.0, -10.0]
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Time,
    Bounces,
    Rest,
    TimeLimit,
}

pub(super) fn run(
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
) -> Result<Box<dyn Report>, Failure> {
    // Every rank computes all of it: one body has one order of events.
    on_ranks(asked, |comm| {
        let folder = asked.output.as_deref().filter(|_| comm.rank() == 0);
        fallen(scenario, asked, common, folder)
    })
}

fn fallen(
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
    folder: Option<&Path>,
) -> Result<RodReport, Failure> {
    if asked.resume || asked.checkpoint_every.is_some() {
        return Err(Failure::Usage("a rod has no checkpoints: its run always begins anew".into()));
    }
    let keys: Keys = scenario.parse()?;
    let wrong = |error: &dyn std::fmt::Display| scenario.wrong(&error.to_string());
    let (time, most) = keys.end(scenario)?;
    let rod = Body::convex(Shape::capsule(0.5 * keys.length, keys.radius).map_err(|error| wrong(&error))?);
    let ground = keys.ground(scenario)?;
    let placed: Vec<(&Body, Pose)> = ground.iter().map(|(body, pose)| (body, *pose)).collect();
    let top = Top::capsule(keys.mass, 0.5 * keys.length, keys.radius).map_err(|error| wrong(&error))?;
    let start = keys.start(&top, scenario)?;
    let gravity = DVec3::from_array(keys.gravity);
    let mut fall =
        Fall::new(&rod, top, &placed, gravity, keys.restitution, start).map_err(|error| wrong(&error))?;
    let first = fall.energy();
    let mut files = Files::new(folder, &keys, time)?;
    let mut bounces = Vec::new();
    let ending = progress::over("falling", 1000, |bar| -> Result<Ending, Failure> {
        loop {
            let before = fall.clone();
            let fell = fall.next_until(time, common.deadline).map_err(|error| wrong(&error))?;
            files.until(&before, fall.time())?;
            bar.set_position((1000.0 * (fall.time() / time).max(bounces.len() as f64 / most as f64)) as u64);
            match fell {
                Fell::Free => return Ok(Ending::Time),
                Fell::AtRest => return Ok(Ending::Rest),
                Fell::Late => return Ok(Ending::TimeLimit),
                Fell::Bounced(bounce) => bounces.push(bounce),
            }
            if bounces.len() as u64 >= most {
                return Ok(Ending::Bounces);
            }
            if common.deadline.has_passed() {
                return Ok(Ending::TimeLimit);
            }
        }
    })?;
    let written = files.last(&fall)?;
    Ok(RodReport {
        ending,
        time: fall.time(),
        state: *fall.state(),
        energy: [first, fall.energy()],
        bounces,
        written,
    })
}

impl Keys {
    /// The latest time, and the most bounces.
    fn end(&self, scenario: &Scenario) -> Result<(f64, u64), Failure> {
        if self.time.is_none() && self.bounces.is_none() {
            return Err(scenario.wrong("it needs an end: `time`, `bounces` or both"));
        }
        let time = self.time.unwrap_or(f64::MAX);
        if !(time.is_finite() && time > 0.0) {
            return Err(scenario.wrong("`time` must be finite and above 0"));
        }
        if self.frames > 0 && self.time.is_none() {
            return Err(scenario.wrong("`frames` are spread over `time`, which is missing"));
        }
        Ok((time, self.bounces.unwrap_or(u64::MAX)))
    }

    /// The bodies at rest; a floor at height 0 where none is named.
    fn ground(&self, scenario: &Scenario) -> Result<Vec<(Body, Pose)>, Failure> {
        if self.ground.is_empty() {
            let floor =
                Shape::half_space(DVec3::Z, 0.0).map_err(|error| scenario.wrong(&error.to_string()))?;
            return Ok(vec![(Body::convex(floor), Pose::IDENTITY)]);
        }
        let of = |(k, ground): (usize, &Ground)| {
            let what = format!("`ground` {}", k + 1);
            let body = geometry(ground.shape.as_ref(), ground.mesh.as_deref(), &what, scenario)?;
            let [x, y, z, w] = ground.turn.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            let pose = Pose::new(DQuat::from_xyzw(x, y, z, w), DVec3::from_array(ground.place));
            Ok((body, pose.map_err(|error| scenario.wrong(&format!("{what}: {error}")))?))
        };
        self.ground.iter().enumerate().map(of).collect()
    }

    /// Tilted against the vertical, in the plane of x and z.
    fn start(&self, top: &Top, scenario: &Scenario) -> Result<Moving, Failure> {
        let tilt = self.tilt_degrees.to_radians();
        let pose = Pose::from_axis_angle(DVec3::Y, tilt, DVec3::from_array(self.place))
            .map_err(|error| scenario.wrong(&error.to_string()))?;
        let momentum = top.momentum(DVec3::from_array(self.spin), pose.rotate(DVec3::Z));
        Ok(Moving { pose, velocity: DVec3::from_array(self.velocity), momentum })
    }
}

/// States for viewers, evenly over the time: both ends and the middle.
struct Files {
    series: Option<Series>,
    frames: u32,
    time: f64,
    made: u32,
    half: f64,
    radius: f64,
    written: Vec<PathBuf>,
}

impl Files {
    fn new(folder: Option<&Path>, keys: &Keys, time: f64) -> Result<Files, Failure> {
        let made = |folder: &Path| {
            Series::new(folder, "rod", VtuOptions::default())
                .map_err(|error| Failure::Write { path: folder.to_owned(), error })
        };
        Ok(Files {
            series: folder.map(made).transpose()?,
            frames: keys.frames,
            time,
            made: 0,
            half: 0.5 * keys.length,
            radius: keys.radius,
            written: Vec::new(),
        })
    }

    /// The states that are due before a time up to which it flies freely.
    fn until(&mut self, flying: &Fall, time: f64) -> Result<(), Failure> {
        while self.made < self.frames {
            let due = self.time * f64::from(self.made) / f64::from(self.frames);
            if due >= time {
                break;
            }
            self.made += 1;
            self.write(due, &flying.after(due - flying.time()))?;
        }
        Ok(())
    }

    /// The state at the end; gives all files.
    fn last(mut self, fall: &Fall) -> Result<Vec<PathBuf>, Failure> {
        self.write(fall.time(), fall.state())?;
        self.written.extend(self.series.as_ref().map(Series::list));
        Ok(self.written)
    }

    fn write(&mut self, time: f64, state: &Moving) -> Result<(), Failure> {
        let Some(series) = &mut self.series else { return Ok(()) };
        let points = [-1.0, 0.0, 1.0].map(|side| state.pose.apply(DVec3::Z * (side * self.half)));
        let snapshot = Snapshot {
            points: &points,
            cells: &[Cells::Points],
            point_data: &[
                Field { name: "velocity", values: Values::Vectors(&[state.velocity; 3]) },
                Field { name: "radius", values: Values::Scalars(&[self.radius; 3]) },
            ],
            cell_data: &[],
        };
        let path =
            series.push(time, &snapshot).map_err(|error| Failure::Write { path: series.list(), error })?;
        self.written.push(path);
        Ok(())
    }
}

struct RodReport {
    ending: Ending,
    time: f64,
    state: Moving,
    /// At first and at the end.
    energy: [f64; 2],
    bounces: Vec<Bounce>,
    written: Vec<PathBuf>,
}

impl RodReport {
    fn ending(&self) -> &'static str {
        match self.ending {
            Ending::Time => "time",
            Ending::Bounces => "bounces",
            Ending::Rest => "lasting contact",
            Ending::TimeLimit => "time limit",
        }
    }

    /// The greatest doubt about a time of contact.
    fn doubt(&self) -> f64 {
        self.bounces.iter().map(|bounce| bounce.doubt).fold(0.0, f64::max)
    }

    /// Of the energy at first: what the run lost (negative: gained).
    fn lost(&self) -> f64 {
        let [first, last] = self.energy;
        if first == 0.0 { 0.0 } else { 1.0 - last / first }
    }

    /// FNV-1a over the bits of the state.
    fn hash(&self) -> u64 {
        let Moving { pose, velocity, momentum } = self.state;
        let vectors = [pose.translation(), velocity, momentum].map(|v| v.to_array());
        let numbers =
            vectors.as_flattened().iter().copied().chain(pose.rotation().to_array()).chain([self.time]);
        numbers
            .flat_map(|x| x.to_bits().to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

impl Report for RodReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  ended        {} at {:.6}", self.ending(), self.time)?;
        let count = self.bounces.len();
        writeln!(out, "  bounces      {count}, the time of each certain to {:.1e}", self.doubt())?;
        if let Some(last) = self.bounces.last() {
            let Bounce { time, speed, impulse, .. } = last;
            writeln!(out, "               the last at {time:.6}, speed {speed:.3e}, impulse {impulse:.3e}")?;
        }
        writeln!(out, "  energy lost  {:.3e} of it", self.lost())?;
        writeln!(out, "  hash         {:016x}", self.hash())?;
        self.written.iter().try_for_each(|file| writeln!(out, "  written      {}", file.display()))
    }

    fn json(&self) -> Value {
        let bounce = |bounce: &Bounce| {
            json!({
                "time": bounce.time,
                "doubt": bounce.doubt,
                "ground": bounce.ground,
                "point": bounce.point.to_array(),
                "speed": bounce.speed,
                "impulse": bounce.impulse,
            })
        };
        let Moving { pose, velocity, momentum } = self.state;
        json!({
            "kind": "rod",
            "complete": self.ending != Ending::TimeLimit,
            "ending": self.ending(),
            "time": self.time,
            "place": pose.translation().to_array(),
            "turn": pose.rotation().to_array(),
            "velocity": velocity.to_array(),
            "angular_momentum": momentum.to_array(),
            "energy": { "first": self.energy[0], "last": self.energy[1] },
            "energy_lost": self.lost(),
            "bounces": self.bounces.iter().map(bounce).collect::<Vec<_>>(),
            "hash": format!("{:016x}", self.hash()),
            "files": self.written.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }
}
