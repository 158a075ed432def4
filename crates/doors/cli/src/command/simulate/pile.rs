//! `kind = "pile"`: rigid bodies that fall, slide, bounce and come to rest.

mod files;
mod form;
mod statistics;

use super::ranks::{as_first, on_ranks, together};
use super::saved::{History, Saved, bytes_of, words_of};
use super::scenario::Scenario;
use crate::args::{Common, Simulate};
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use files::Files;
use form::Keys;
use kontakt::distributed::{Comm, Resumed};
use kontakt::dynamics::rigid::{ContactCount, Fill, RankError, RankWorld, StepError, World};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Gaps at which contacts are counted, in units of the least size.
const GAPS: [f64; 3] = [1e-8, 1e-6, 1e-4];
/// An overlap at the start that is told, in the same unit.
const OVERLAP: f64 = 1e-9;
/// Bins of the histogram of speeds, over so many times the root of the mean square.
const BINS: usize = 40;
const WIDEST: f64 = 3.0;
/// Rounds that push overlaps apart before the start.
const ROUNDS: u32 = 500;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
enum Ending {
    Rest,
    Time,
    TimeLimit,
    Left(String),
}

pub(super) fn run(
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
) -> Result<Box<dyn Report>, Failure> {
    on_ranks(asked, |comm| on_rank(comm, scenario, asked, common))
}

/// Every rank makes the whole start and keeps its part; each writes its own of the states for viewers.
fn on_rank(
    comm: &dyn Comm,
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
) -> Result<PileReport, Failure> {
    let keys: Keys = together(comm, scenario.parse())?;
    let (world, start) = together(comm, begun(&keys, scenario))?;
    let mut saved = Saved::new(asked, comm, &scenario.without(&ENDS)?, CHECKPOINT);
    let (mut part, times) = match saved.resume(asked)? {
        Some(resumed) => {
            let (clock, times) = together(comm, clock_of(&resumed, scenario))?;
            (RankWorld::resumed(comm, &world, clock, &resumed.records)?, times)
        }
        None => (RankWorld::new(comm, &world)?, Vec::new()),
    };
    let mut files = together(comm, Files::new(asked.output.as_deref(), keys.frames, &times, &part))?;
    let ending = progress::over("simulating", 1000, |bar| -> Result<Ending, Failure> {
        loop {
            let share = part.time() / keys.time;
            if files.is_due(share) {
                let mut whole = part.whole()?;
                together(comm, files.write(&part, &mut whole))?;
            }
            if comm.rank() == 0 {
                bar.set_position((share.min(1.0) * 1000.0) as u64);
            }
            if share >= 1.0 - 1e-12 {
                return Ok(Ending::Time);
            }
            if keys.until_rest && part.is_at_rest()? {
                return Ok(Ending::Rest);
            }
            let late = common.time_limit.is_some() && as_first(comm, common.deadline.has_passed())?;
            let [step, changed] = part.clock();
            if late || saved.is_due(step) {
                let shared =
                    [step, changed].into_iter().chain(files.times().iter().map(|time| time.to_bits()));
                saved.save(step, &bytes_of(shared), &part.records())?;
            }
            if late {
                return Ok(Ending::TimeLimit);
            }
            match part.step() {
                Ok(_) => {}
                // Alone there is a state to report; on many ranks all end.
                Err(RankError::Step(error @ (StepError::Left { .. } | StepError::NotFinite(_))))
                    if comm.size() == 1 =>
                {
                    return Ok(Ending::Left(error.to_string()));
                }
                Err(RankError::Step(error)) => return Err(scenario.wrong(&error.to_string())),
                Err(error) => return Err(error.into()),
            }
        }
    })?;
    let mut world = part.whole()?;
    together(comm, files.last(&part, &mut world))?;
    let mut report = PileReport::new(world, ending, start, &keys, files.written);
    (report.ranks, report.history) = (comm.size(), saved.history);
    Ok(report)
}

/// Substeps between two checkpoints, unless the user says otherwise.
const CHECKPOINT: u64 = 200;
/// Keys that say when a run ends and what is written, but nothing of its states.
const ENDS: [&str; 3] = ["time", "until_rest", "frames"];

fn begun(keys: &Keys, scenario: &Scenario) -> Result<(World, Start), Failure> {
    let mut world = made(keys, scenario)?;
    let overlaps = world.overlaps(OVERLAP);
    let (pairs, deepest) = (overlaps.len(), overlaps.first().copied());
    let left = separated(keys, &mut world, scenario)?;
    Ok((world, Start { pairs, deepest, left }))
}

/// What all ranks share in a checkpoint: the clock, and the times of the states written.
fn clock_of(resumed: &Resumed, scenario: &Scenario) -> Result<([u64; 2], Vec<f64>), Failure> {
    let shared = words_of(&resumed.shared);
    match shared.split_first_chunk() {
        Some((clock, times)) => Ok((*clock, times.iter().map(|&time| f64::from_bits(time)).collect())),
        None => Err(scenario.wrong(&format!("the checkpoint of step {} has no clock", resumed.step))),
    }
}

fn made(keys: &Keys, scenario: &Scenario) -> Result<World, Failure> {
    let scene = keys.arrange(scenario)?;
    let wrong = |error: kontakt::dynamics::rigid::WorldError| scenario.wrong(&error.to_string());
    let mut world = World::new(keys.settings(), scene.forms).map_err(wrong)?;
    for body in scene.bodies {
        world.add(body).map_err(wrong)?;
    }
    Ok(world)
}

/// The overlap that is left, in units of the least size, where separation was asked for.
fn separated(keys: &Keys, world: &mut World, scenario: &Scenario) -> Result<Option<f64>, Failure> {
    if !keys.separate {
        return Ok(None);
    }
    let left = world.separate(OVERLAP, ROUNDS).map_err(|error| scenario.wrong(&error.to_string()))?;
    Ok(Some(left))
}

/// Overlaps that the scenario began with.
#[derive(Clone, Copy, Debug)]
struct Start {
    pairs: usize,
    deepest: Option<([u64; 2], f64)>,
    left: Option<f64>,
}

struct PileReport {
    world: World,
    ending: Ending,
    start: Start,
    counts: [ContactCount; 3],
    fill: Option<Fill>,
    speeds: Vec<f64>,
    files: Vec<PathBuf>,
    ranks: usize,
    history: History,
}

impl PileReport {
    fn new(mut world: World, ending: Ending, start: Start, keys: &Keys, files: Vec<PathBuf>) -> PileReport {
        let counts = world.count_contacts(GAPS);
        let fill = keys.base().map(|base| world.fill(base));
        let free = world.bodies().iter().filter(|body| body.is_free());
        let speeds = free.map(|body| body.velocity.length()).collect();
        let (ranks, history) = (1, History::default());
        PileReport { world, ending, start, counts, fill, speeds, files, ranks, history }
    }

    fn ending(&self) -> &'static str {
        match self.ending {
            Ending::Rest => "rest",
            Ending::Time => "time",
            Ending::TimeLimit => "time limit",
            Ending::Left(_) => "left",
        }
    }

    fn mean_square(&self) -> f64 {
        self.speeds.iter().map(|speed| speed * speed).sum::<f64>() / self.speeds.len().max(1) as f64
    }

    fn bin(&self) -> f64 {
        WIDEST * self.mean_square().sqrt() / BINS as f64
    }

    fn histogram(&self) -> Vec<u64> {
        let (bin, mut bins) = (self.bin(), vec![0; BINS]);
        for speed in &self.speeds {
            let at = if bin > 0.0 { (speed / bin) as usize } else { 0 };
            bins[at.min(BINS - 1)] += 1;
        }
        bins
    }

    fn asleep(&self) -> usize {
        self.world.bodies().iter().filter(|body| body.asleep).count()
    }
}

impl Report for PileReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let world = &self.world;
        writeln!(out, "  bodies       {}, {} asleep", self.speeds.len(), self.asleep())?;
        if let Some(([first, second], depth)) = self.start.deepest {
            let pairs = self.start.pairs;
            writeln!(
                out,
                "  start        {pairs} pairs overlapped, the deepest {first} and {second} by {depth:.3e}"
            )?;
            match self.start.left {
                Some(left) => writeln!(out, "               pushed apart to {left:.1e} of the least size")?,
                None => writeln!(out, "               `separate = true` pushes them apart before the start")?,
            }
        }
        writeln!(out, "  ended        {} at {:.6}", self.ending(), world.time())?;
        if let Ending::Left(words) = &self.ending {
            writeln!(out, "               {words}")?;
        }
        writeln!(out, "  energy       {:.3e} of mass × gravity × size", world.energy().relative())?;
        writeln!(out, "  contacts     gap to   pairs  with several  points")?;
        for count in &self.counts {
            writeln!(
                out,
                "               {:<6.0e} {:>7}  {:>12}  {:>6}",
                count.within, count.pairs, count.several, count.points
            )?;
        }
        let deepest = &self.counts[2];
        writeln!(
            out,
            "  depths       mean {:.3e}, greatest {:.3e}",
            deepest.mean_depth, deepest.greatest_depth
        )?;
        if let Some(fill) = &self.fill {
            writeln!(
                out,
                "  solid        {:.2} % of the slab, {:.2} % from the floor, {:.2} % up to the top at {:.4}",
                100.0 * fill.slab,
                100.0 * fill.from_floor,
                100.0 * fill.up_to_top,
                fill.top
            )?;
        }
        writeln!(out, "  hash         {:016x}", world.hash())?;
        self.history.text(out)?;
        self.files.iter().try_for_each(|file| writeln!(out, "  written      {}", file.display()))
    }

    fn json(&self) -> Value {
        let world = &self.world;
        let count = |count: &ContactCount| {
            json!({
                "within": count.within,
                "pairs": count.pairs,
                "pairs_with_several": count.several,
                "points": count.points,
                "mean_depth": count.mean_depth,
                "greatest_depth": count.greatest_depth,
            })
        };
        json!({
            "kind": "pile",
            "complete": !matches!(self.ending, Ending::TimeLimit | Ending::Left(_)),
            "ending": self.ending(),
            "message": if let Ending::Left(words) = &self.ending { Some(words) } else { None },
            "time": world.time(),
            "ranks": self.ranks,
            "bodies": self.speeds.len(),
            "asleep": self.asleep(),
            "start": {
                "overlapping_pairs": self.start.pairs,
                "deepest": self.start.deepest.map(|(ids, depth)| json!({ "bodies": ids, "depth": depth })),
                "depth_after_separation": self.start.left,
            },
            "kinetic_energy": world.energy().kinetic,
            "relative_energy": world.energy().relative(),
            "contacts": self.counts.iter().map(count).collect::<Vec<_>>(),
            "solid_fraction": self.fill.map(|fill| json!({
                "slab": fill.slab,
                "from_floor": fill.from_floor,
                "up_to_top": fill.up_to_top,
                "top": fill.top,
            })),
            "speeds": { "mean_square": self.mean_square(), "bin": self.bin(), "histogram": self.histogram() },
            "hash": format!("{:016x}", world.hash()),
            "checkpoints": self.history.json(),
            "files": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }

    /// A body that left has ended the run before its time.
    fn forbidden(&self) -> bool {
        matches!(self.ending, Ending::Left(_))
    }
}
