//! `kind = "gas"`: hard spheres on a lattice that fly off at random and meet, event by event.

mod state;

use super::ranks::{as_first, on_ranks, together};
use super::saved::{History, Saved};
use super::scenario::Scenario;
use crate::args::{Common, Simulate};
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use kontakt::distributed::Comm;
use kontakt::event_driven::{Boundary, Domain, Ending, Gas, Restitution, Speeds, Sphere, Until};
use kontakt::io::{Cells, Field, Series, Snapshot, Values, VtuOptions};
use kontakt::math::DVec3;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Spheres that fit into the memory of a usual machine.
const MOST: u64 = 20_000_000;
/// Events between two looks at the clock: some milliseconds.
const PORTION: u64 = 10_000;
/// Bins of the histogram of speeds, over so many times the root of the mean square.
const BINS: usize = 40;
const WIDEST: f64 = 3.0;

/// The file's keys (docs/scenarios.md).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(rename = "kind")]
    _kind: serde::de::IgnoredAny,
    #[serde(default)]
    seed: u64,
    lattice: [u64; 3],
    spacing: f64,
    radius: f64,
    #[serde(default = "one")]
    mass: f64,
    speed: f64,
    #[serde(default)]
    boundary: Edges,
    #[serde(default = "one")]
    restitution: f64,
    wall_restitution: Option<f64>,
    collisions_per_sphere: Option<f64>,
    time: Option<f64>,
    #[serde(default)]
    frames: u32,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Edges {
    #[default]
    Periodic,
    Walled,
}

fn one() -> f64 {
    1.0
}

pub(super) fn run(
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
) -> Result<Box<dyn Report>, Failure> {
    on_ranks(asked, |comm| on_rank(comm, scenario, asked, common))
}

/// A gas has one order of events, so every rank computes all of it; files and checkpoints are shared among them, and they must agree.
fn on_rank(
    comm: &dyn Comm,
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
) -> Result<GasReport, Failure> {
    let form: Form = together(comm, scenario.parse())?;
    let end = together(comm, form.end(scenario))?;
    let (mut gas, mut files) = together(comm, start(comm, &form, scenario, asked))?;
    let before = mean_square(&gas);
    let mut saved = Saved::new(asked, comm, &form.physics(), form.count());
    if let Some(resumed) = saved.resume(asked)? {
        gas = together(comm, state::taken_up(comm, &form, scenario, &resumed, &mut files))?;
    }
    let share = |gas: &Gas| end.share(gas);
    let (ending, complete) = progress::over("simulating", 1000, |bar| -> Result<_, Failure> {
        loop {
            if files.is_due(share(&gas)) {
                together(comm, files.write(&gas))?;
            }
            // Always the same pauses, also after a resume: states for viewers are written there.
            let events = PORTION - gas.events() % PORTION;
            let collisions = end.until.collisions.min(saved.next());
            let ending = gas.run(&Until { events, collisions, ..end.until });
            if comm.rank() == 0 {
                bar.set_position((share(&gas) * 1000.0) as u64);
            }
            let pauses = ending == Ending::Collisions && gas.collisions() < end.until.collisions;
            if ending != Ending::Events && !pauses {
                return Ok((ending, true));
            }
            let late = common.time_limit.is_some() && as_first(comm, common.deadline.has_passed())?;
            if late || saved.is_due(gas.collisions()) {
                agree(comm, &gas)?;
                let (shared, own) = state::put_down(comm, &gas, &files.times);
                saved.save(gas.collisions(), &shared, &own)?;
            }
            if late {
                return Ok((Ending::Events, false));
            }
        }
    })?;
    agree(comm, &gas)?;
    together(comm, files.last(&gas))?;
    let speeds = Speeds::new(gas.spheres().map(|sphere| sphere.velocity.length()));
    let (ranks, history) = (comm.size(), saved.history);
    Ok(GasReport { gas, ending, complete, speeds, before, files: files.written, ranks, history })
}

fn start(
    comm: &dyn Comm,
    form: &Form,
    scenario: &Scenario,
    asked: &Simulate,
) -> Result<(Gas, Files), Failure> {
    let gas = form.gas(scenario)?;
    let folder = asked.output.as_deref().filter(|_| comm.rank() == 0);
    Ok((gas, Files::new(folder, form.frames)?))
}

/// The same program on sound machines comes to the same state.
fn agree(comm: &dyn Comm, gas: &Gas) -> Result<(), Failure> {
    if comm.size() == 1 {
        return Ok(());
    }
    let hashes = comm.gather_u64(gas.hash())?;
    match hashes.iter().position(|hash| *hash != hashes[0]) {
        Some(rank) => Err(Failure::Usage(format!(
            "rank {rank} is in another state than rank 0: another program, or memory that forgets"
        ))),
        None => Ok(()),
    }
}

/// When a run ends.
struct End {
    until: Until,
}

impl End {
    /// How much of the run is over.
    fn share(&self, gas: &Gas) -> f64 {
        let by_time = gas.time() / self.until.time;
        let by_collisions = gas.collisions() as f64 / self.until.collisions as f64;
        by_time.max(by_collisions).clamp(0.0, 1.0)
    }
}

impl Form {
    /// All that a state depends on, and the form in which it is kept.
    fn physics(&self) -> String {
        let Form {
            seed, lattice, spacing, radius, mass, speed, boundary, restitution, wall_restitution, ..
        } = self;
        let start = (seed, lattice, spacing, radius, mass, speed);
        format!("gas 1 {start:?} {boundary:?} {restitution:?} {wall_restitution:?}")
    }

    fn domain(&self) -> Domain {
        let size = DVec3::from_array(self.lattice.map(|side| side as f64 * self.spacing));
        let boundary = match self.boundary {
            Edges::Periodic => Boundary::Periodic,
            Edges::Walled => Boundary::Wall,
        };
        Domain { size, boundary: [boundary; 3] }
    }

    fn restitution(&self, scenario: &Scenario) -> Result<Restitution, Failure> {
        Restitution::new(self.restitution, self.wall_restitution.unwrap_or(self.restitution))
            .map_err(|error| scenario.wrong(&error.to_string()))
    }

    fn end(&self, scenario: &Scenario) -> Result<End, Failure> {
        let sound = |end: Option<f64>| end.is_none_or(|end| end.is_finite() && end > 0.0);
        if self.time.is_none() && self.collisions_per_sphere.is_none() {
            return Err(scenario.wrong("it needs an end: `time`, `collisions_per_sphere` or both"));
        }
        if !sound(self.time) || !sound(self.collisions_per_sphere) {
            return Err(scenario.wrong("`time` and `collisions_per_sphere` must be above 0"));
        }
        // A collision is one of each of its two spheres.
        let each = |each: f64| (0.5 * each * self.count() as f64).ceil() as u64;
        let collisions = self.collisions_per_sphere.map_or(u64::MAX, each);
        Ok(End { until: Until { time: self.time.unwrap_or(f64::INFINITY), collisions, events: u64::MAX } })
    }

    fn count(&self) -> u64 {
        self.lattice.iter().fold(1, |product, &side| product.saturating_mul(side))
    }

    fn gas(&self, scenario: &Scenario) -> Result<Gas, Failure> {
        let wrong = |problem: String| scenario.wrong(&problem);
        if self.count() > MOST {
            return Err(wrong(format!(
                "`lattice` has {} spheres, at most {MOST} are possible",
                self.count()
            )));
        }
        if !(self.spacing.is_finite() && self.spacing > 0.0 && self.speed.is_finite() && self.speed >= 0.0) {
            return Err(wrong("`spacing` must be above 0 and `speed` not negative".into()));
        }
        let mut random = fastrand::Rng::with_seed(self.seed);
        let [nx, ny, nz] = self.lattice;
        let places = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        let spheres: Vec<Sphere> = places
            .map(|place| Sphere {
                centre: DVec3::from_array(place.map(|k| (k as f64 + 0.5) * self.spacing)),
                velocity: self.speed * direction(&mut random),
                radius: self.radius,
                mass: self.mass,
            })
            .collect();
        Gas::new(self.domain(), self.restitution(scenario)?, &spheres)
            .map_err(|error| wrong(error.to_string()))
    }
}

/// A unit vector, all directions alike.
fn direction(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::new(random.f64(), random.f64(), random.f64()) * 2.0 - 1.0;
        if (1e-4..=1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

fn mean_square(gas: &Gas) -> f64 {
    Speeds::new(gas.spheres().map(|sphere| sphere.velocity.length())).mean_square
}

/// States for viewers, evenly over the run; of all ranks rank 0 writes them.
struct Files {
    folder: Option<PathBuf>,
    series: Option<Series>,
    frames: u32,
    /// The states that there are, by time.
    times: Vec<f64>,
    written: Vec<PathBuf>,
}

impl Files {
    fn new(folder: Option<&Path>, frames: u32) -> Result<Files, Failure> {
        let mut files = Files {
            folder: folder.map(Path::to_owned),
            series: None,
            frames,
            times: Vec::new(),
            written: Vec::new(),
        };
        files.go_on(&[])?;
        Ok(files)
    }

    /// After states of these times, which were written before a checkpoint.
    fn go_on(&mut self, times: &[f64]) -> Result<(), Failure> {
        self.times = times.to_vec();
        if let Some(folder) = &self.folder {
            let series = Series::resumed(folder, "gas", VtuOptions::default(), times);
            self.series = Some(series.map_err(|error| Failure::Write { path: folder.clone(), error })?);
            self.written = (0..times.len()).map(|state| folder.join(format!("gas_{state:06}.vtu"))).collect();
        }
        Ok(())
    }

    /// Whether the time of the next state has come; the last one is not among them. All ranks know.
    fn is_due(&self, share: f64) -> bool {
        let due = share * f64::from(self.frames) >= self.times.len() as f64;
        due && self.times.len() < self.frames as usize
    }

    /// The state at the end, and the list of all.
    fn last(&mut self, gas: &Gas) -> Result<(), Failure> {
        self.write(gas)?;
        self.written.extend(self.series.as_ref().map(Series::list));
        Ok(())
    }

    fn write(&mut self, gas: &Gas) -> Result<(), Failure> {
        self.times.push(gas.time());
        let Some(series) = &mut self.series else { return Ok(()) };
        let spheres: Vec<Sphere> = gas.spheres().collect();
        let points: Vec<DVec3> = spheres.iter().map(|sphere| sphere.centre).collect();
        let velocities: Vec<DVec3> = spheres.iter().map(|sphere| sphere.velocity).collect();
        let radii: Vec<f64> = spheres.iter().map(|sphere| sphere.radius).collect();
        let snapshot = Snapshot {
            points: &points,
            cells: &[Cells::Points],
            point_data: &[
                Field { name: "velocity", values: Values::Vectors(&velocities) },
                Field { name: "radius", values: Values::Scalars(&radii) },
            ],
            cell_data: &[],
        };
        let path = series
            .push(gas.time(), &snapshot)
            .map_err(|error| Failure::Write { path: series.list(), error })?;
        self.written.push(path);
        Ok(())
    }
}

struct GasReport {
    gas: Gas,
    ending: Ending,
    complete: bool,
    speeds: Speeds,
    /// The mean square of the speeds where the run began.
    before: f64,
    files: Vec<PathBuf>,
    ranks: usize,
    history: History,
}

impl GasReport {
    fn ending(&self) -> &'static str {
        match self.ending {
            Ending::Time => "time",
            Ending::Collisions => "collisions",
            Ending::Events => "time limit",
            Ending::Quiet => "quiet",
            Ending::Collapse { .. } => "collapse",
        }
    }

    fn collisions_per_sphere(&self) -> f64 {
        2.0 * self.gas.collisions() as f64 / self.gas.len().max(1) as f64
    }

    /// Of the energy that there was: what the run lost (negative: gained).
    fn lost(&self) -> f64 {
        if self.before > 0.0 { 1.0 - self.speeds.mean_square / self.before } else { 0.0 }
    }

    fn bin(&self) -> f64 {
        WIDEST * self.speeds.mean_square.sqrt() / BINS as f64
    }
}

impl Report for GasReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (gas, speeds) = (&self.gas, &self.speeds);
        writeln!(out, "  spheres      {}", gas.len())?;
        writeln!(out, "  ended        {} at {:.6}", self.ending(), gas.time())?;
        if let Ending::Collapse { sphere } = self.ending {
            writeln!(
                out,
                "               sphere {sphere} collides without end: contacts that lose energy can do so"
            )?;
        }
        writeln!(
            out,
            "  collisions   {} ({:.3} per sphere), {} with walls",
            gas.collisions(),
            self.collisions_per_sphere(),
            gas.wall_hits()
        )?;
        writeln!(out, "  energy lost  {:.3e} of it", self.lost())?;
        writeln!(
            out,
            "  speeds       mean {:.4}, variance {:.4}, median {:.4}, skewness {:.4}",
            speeds.mean, speeds.variance, speeds.median, speeds.skewness
        )?;
        let distance = speeds.distance_from_equilibrium(speeds.mean_square);
        writeln!(out, "  equilibrium  {distance:.5} away from Maxwell and Boltzmann (Kolmogorov–Smirnov)")?;
        writeln!(out, "  hash         {:016x}", gas.hash())?;
        self.history.text(out)?;
        for file in &self.files {
            writeln!(out, "  written      {}", file.display())?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let (gas, speeds) = (&self.gas, &self.speeds);
        json!({
            "kind": "gas",
            "complete": self.complete,
            "ending": self.ending(),
            "time": gas.time(),
            "ranks": self.ranks,
            "spheres": gas.len(),
            "collisions": gas.collisions(),
            "collisions_per_sphere": self.collisions_per_sphere(),
            "wall_hits": gas.wall_hits(),
            "energy_lost": self.lost(),
            "speeds": {
                "mean": speeds.mean,
                "mean_square": speeds.mean_square,
                "variance": speeds.variance,
                "median": speeds.median,
                "skewness": speeds.skewness,
                "from_equilibrium": speeds.distance_from_equilibrium(speeds.mean_square),
                "bin": self.bin(),
                "histogram": speeds.histogram(self.bin(), BINS),
            },
            "hash": format!("{:016x}", gas.hash()),
            "checkpoints": self.history.json(),
            "files": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }

    /// A gas that collapsed has no state at the time that was asked for.
    fn forbidden(&self) -> bool {
        matches!(self.ending, Ending::Collapse { .. })
    }
}
