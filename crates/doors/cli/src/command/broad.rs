//! `kontakt broad`: a crowd of moving boxes, and all pairs of them after each step.

use crate::args::{Broad, Common};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::report::Report;
use kontakt::broad::{BoxId, BroadPhase, Way};
use kontakt_lab_broad::{Crowd, Mix, Other};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Boxes that fit into the memory of a usual machine.
const MOST: usize = 20_000_000;

pub(crate) fn run(broad: &Broad, common: &Common) -> Result<BroadReport, Failure> {
    if broad.bodies > MOST {
        return Err(Failure::Usage(format!("--bodies {}: at most {MOST}", broad.bodies)));
    }
    let mix = Mix::ALL.into_iter().find(|mix| mix.name() == broad.mix).unwrap_or(Mix::Even);
    let movers = broad.movers.unwrap_or(broad.bodies);
    let crowd = Crowd::new(mix, broad.bodies, movers, broad.seed);
    let mut course = Course::new(crowd, set_named(&broad.method))?;
    while course.steps < broad.steps && !common.deadline.has_passed() {
        course.step()?;
    }
    Ok(BroadReport { asked: broad.steps, method: broad.method.clone(), mix, course })
}

/// An empty set that finds pairs by a method as typed.
pub(super) fn set_named(name: &str) -> BroadPhase {
    match Other::ALL.into_iter().find(|other| other.name() == name) {
        Some(other) => BroadPhase::with_finder(other.finder()),
        None => BroadPhase::with_way(Way::ALL.into_iter().find(|way| way.name() == name).unwrap_or_default()),
    }
}

/// A crowd on its way, and what was counted and measured so far.
pub(super) struct Course {
    crowd: Crowd,
    set: BroadPhase,
    ids: Vec<BoxId>,
    pub(super) steps: usize,
    pub(super) pairs: usize,
    new: u64,
    lost: u64,
    /// Of the first search.
    pub(super) first: f64,
    /// Sums over the steps.
    update: f64,
    found: f64,
    /// Of the slowest step.
    pub(super) slowest: f64,
}

impl Course {
    pub(super) fn new(crowd: Crowd, mut set: BroadPhase) -> Result<Course, Failure> {
        let clock = Clock::start();
        let ids = crowd.boxes().iter().map(|b| set.insert(*b)).collect::<Result<Vec<_>, _>>();
        let ids = ids.map_err(|problem| Failure::Usage(problem.to_string()))?;
        let pairs = set.update().map_err(|problem| Failure::Usage(problem.to_string()))?.pairs.len();
        let first = clock.seconds();
        let (steps, new, lost) = (0, 0, 0);
        Ok(Course { crowd, set, ids, steps, pairs, new, lost, first, update: 0.0, found: 0.0, slowest: 0.0 })
    }

    pub(super) fn step(&mut self) -> Result<(), Failure> {
        self.crowd.advance();
        let clock = Clock::start();
        for (id, b) in self.ids.iter().zip(self.crowd.boxes()).take(self.crowd.movers()) {
            self.set.move_to(*id, *b).map_err(|problem| Failure::Usage(problem.to_string()))?;
        }
        let update = clock.seconds();
        let step = self.set.update().map_err(|problem| Failure::Usage(problem.to_string()))?;
        let both = clock.seconds();
        self.pairs = step.pairs.len();
        self.new += step.new.len() as u64;
        self.lost += step.lost.len() as u64;
        self.steps += 1;
        self.update += update;
        self.found += both - update;
        self.slowest = self.slowest.max(both);
        Ok(())
    }

    /// Mean of a step: telling the set, and finding the pairs.
    pub(super) fn means(&self) -> [f64; 2] {
        [self.update, self.found].map(|sum| sum / self.steps.max(1) as f64)
    }

    /// A number that two courses with other pairs hardly share.
    pub(super) fn fingerprint(&mut self) -> Result<u64, Failure> {
        let step = self.set.update().map_err(|problem| Failure::Usage(problem.to_string()))?;
        let mix = |hash: u64, id: &BoxId| (hash ^ id.index() as u64).wrapping_mul(0x0100_0000_01b3);
        let start = (self.new << 32 ^ self.lost) ^ 0xcbf2_9ce4_8422_2325;
        Ok(step.pairs.iter().flatten().fold(start, mix))
    }

    /// The way in use, by name.
    pub(super) fn way(&self) -> Option<&'static str> {
        self.set.way().map(Way::name)
    }
}

pub(crate) struct BroadReport {
    asked: usize,
    method: String,
    mix: Mix,
    course: Course,
}

impl Report for BroadReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let course = &self.course;
        let [update, found] = course.means();
        let way = course.way().unwrap_or(&self.method);
        writeln!(
            out,
            "  method   {}{}",
            self.method,
            if way == self.method { String::new() } else { format!(" ({way})") }
        )?;
        writeln!(
            out,
            "  boxes    {}, {} of them moving, {}",
            course.ids.len(),
            course.crowd.movers(),
            self.mix.name()
        )?;
        writeln!(out, "  steps    {} of {}", course.steps, self.asked)?;
        writeln!(
            out,
            "  pairs    {} at the end, {} new and {} lost on the way",
            course.pairs, course.new, course.lost
        )?;
        writeln!(
            out,
            "  a step   {:.3} ms to update, {:.3} ms to find the pairs",
            update * 1e3,
            found * 1e3
        )?;
        writeln!(out, "  slowest  {:.3} ms; first search {:.3} ms", course.slowest * 1e3, course.first * 1e3)
    }

    fn json(&self) -> Value {
        let course = &self.course;
        let [update, found] = course.means();
        json!({
            "method": self.method,
            "way": course.way(),
            "mix": self.mix.name(),
            "bodies": course.ids.len(),
            "movers": course.crowd.movers(),
            "steps": course.steps,
            "complete": course.steps == self.asked,
            "pairs": course.pairs,
            "new": course.new,
            "lost": course.lost,
            "seconds": { "update": update, "pairs": found, "slowest": course.slowest, "first": course.first },
        })
    }
}
