//! kontakt's side of the questions about bodies that deform.

use crate::clock::timed;
use crate::contest::{Contender, Sample};
use kontakt::math::DVec3;
use kontakt::soft::free::meetings;
use kontakt::soft::{Body, Forces, Options, Report, System};
use kontakt::soft_ccd::mesh::Surface;
use kontakt_lab_soft::passage::Passage;

/// Seconds of a step.
pub(crate) const DT: f64 = 0.01;
/// Meetings that are counted.
const COUNTED: usize = 1_000_000;

/// What steps came to, together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Falls {
    /// CPU seconds of the slowest.
    pub(crate) slowest: f64,
    /// Vertices that went in on one side of the first body and out on the other.
    pub(crate) through: usize,
    /// Edges that meet faces at the end.
    pub(crate) meetings: usize,
    /// The most of any step; stops in zones of all.
    pub(crate) most: Report,
}

/// Follows who falls through.
pub(crate) struct Watch {
    passage: Passage,
    before: Vec<DVec3>,
}

impl Watch {
    pub(crate) fn new(surface: &Surface, places: &[DVec3]) -> Watch {
        Watch { passage: Passage::new(surface, places, 0), before: places.to_vec() }
    }

    pub(crate) fn follow(&mut self, surface: &Surface, places: Vec<DVec3>) -> Result<(), String> {
        self.passage.follow(surface, &self.before, &places).map_err(|problem| problem.to_string())?;
        self.before = places;
        Ok(())
    }

    pub(crate) fn end(&self, surface: &Surface, falls: &mut Falls) -> Result<(), String> {
        falls.through = self.passage.passed();
        let met = meetings(surface, &self.before, COUNTED).map_err(|problem| problem.to_string())?;
        falls.meetings = met.len();
        Ok(())
    }
}

/// Proven steps; a call is so many from the start, its time the mean of one.
pub(crate) fn contender(bodies: &[Body], steps: usize) -> Result<Contender<'_, Falls>, String> {
    let start = System::new(bodies).map_err(|problem| problem.to_string())?;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|problem| problem.to_string())?;
    Ok(Contender::new("kontakt", move || pool.install(|| run(start.clone(), steps))))
}

fn run(mut system: System, steps: usize) -> Result<Sample<Falls>, String> {
    let mut watch = Watch::new(system.surface(), system.places());
    let (mut seconds, mut falls) = (0.0, Falls::default());
    for _ in 0..steps {
        let (spent, report) = timed(|| system.step(DT, &Forces::default(), &Options::default()));
        let report = report.map_err(|problem| problem.to_string())?;
        seconds += spent;
        falls.slowest = falls.slowest.max(spent);
        falls.most.rounds = falls.most.rounds.max(report.rounds);
        falls.most.contacts = falls.most.contacts.max(report.contacts);
        falls.most.stopped += report.stopped;
        watch.follow(system.surface(), system.places().to_vec())?;
    }
    watch.end(system.surface(), &mut falls)?;
    Ok((seconds / steps as f64, falls))
}
