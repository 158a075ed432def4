//! kontakt's side of the questions about worlds.

use crate::clock::timed;
use crate::contest::{Contender, Sample};
use crate::data::bustle::Bustle;
use kontakt::pair::Body;
use kontakt::scene::{NodeId, StepOptions, World};
use kontakt_math::{DVec3, Motion};
use std::error::Error;

/// What steps came to, together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steps {
    pub(crate) candidates: usize,
    pub(crate) stopped: usize,
    /// CPU seconds of the slowest.
    pub(crate) slowest: f64,
}

struct Wanderers {
    bustle: Bustle,
    world: World,
    movers: Vec<NodeId>,
    stopped: Vec<bool>,
}

/// Certified continuous steps, movers stopped at contacts; a call is so many steps, its time the mean of one.
pub(crate) fn contender(pressing: bool, steps: usize) -> Result<Contender<'static, Steps>, Box<dyn Error>> {
    let bustle = Bustle::new(pressing)?;
    let body = Body::mesh(bustle.mesh.clone());
    let mut world = World::new();
    let mut nodes = Vec::new();
    for (k, place) in bustle.places.iter().enumerate() {
        nodes.push(world.add_body(&format!("body {k}"), None, body.clone(), *place)?);
    }
    // The first step looks at all pairs; it is not measured.
    world.step(&StepOptions::default())?;
    let movers: Vec<NodeId> = bustle.movers.iter().map(|&mover| nodes[mover]).collect();
    let stopped = vec![false; movers.len()];
    let mut wanderers = Wanderers { bustle, world, movers, stopped };
    let run = move || wanderers.run(steps).map_err(|error| error.to_string());
    Ok(Contender::new("kontakt", run))
}

impl Wanderers {
    fn run(&mut self, steps: usize) -> Result<Sample<Steps>, Box<dyn Error>> {
        let (mut seconds, mut sum) = (0.0, Steps::default());
        for _ in 0..steps {
            for (place, &node) in self.movers.iter().enumerate() {
                let start = self.world.pose(node)?;
                let end = self.bustle.next(place, &start, self.stopped[place]);
                self.world.set_motion(node, &Motion::slerp(start, end, DVec3::ZERO)?)?;
            }
            self.bustle.end_step();
            let (spent, report) = timed(|| self.world.step(&StepOptions::default()));
            let report = report?;
            seconds += spent;
            sum.slowest = sum.slowest.max(spent);
            sum.candidates += report.counts.candidates;
            for (place, node) in self.movers.iter().enumerate() {
                let own = report.groups.iter().find(|group| group.node == *node);
                self.stopped[place] = own.is_some_and(|group| group.reached < 1.0);
                sum.stopped += usize::from(self.stopped[place]);
            }
        }
        Ok((seconds / steps as f64, sum))
    }
}
