//! A scene by one method, timed step by step.

use super::Extent;
use super::scene::{DT, Scene};
use crate::clock::ProcessClock;
use crate::failure::Failure;
use crate::progress;
use kontakt::math::DVec3;
use kontakt::soft::free::meetings;
use kontakt::soft::{Loose, Options, System};
use kontakt::soft_ccd::mesh::Surface;
use kontakt_lab_soft::discrete::{self, Hash};
use kontakt_lab_soft::freeze;
use kontakt_lab_soft::passage::Passage;

const SUBSTEPS: usize = 10;
/// Meetings that are counted.
const COUNTED: usize = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Kontakt,
    ContinuousFrozen,
    Discrete,
    DiscreteFrozen,
}

impl Method {
    pub(super) const ALL: [Method; 4] =
        [Method::Kontakt, Method::ContinuousFrozen, Method::Discrete, Method::DiscreteFrozen];

    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Kontakt => "kontakt",
            Method::ContinuousFrozen => "continuous, frozen",
            Method::Discrete => "discrete",
            Method::DiscreteFrozen => "discrete, frozen",
        }
    }

    pub(super) fn slug(self) -> &'static str {
        match self {
            Method::Kontakt => "kontakt",
            Method::ContinuousFrozen => "continuous-frozen",
            Method::Discrete => "discrete",
            Method::DiscreteFrozen => "discrete-frozen",
        }
    }

    /// The thesis measured frozen bodies.
    pub(super) fn thesis(self, scene: Scene) -> [f64; 3] {
        match self {
            Method::ContinuousFrozen => scene.thesis[0],
            Method::DiscreteFrozen => scene.thesis[1],
            Method::Kontakt | Method::Discrete => [f64::NAN; 3],
        }
    }
}

/// Bodies that are moved by a method.
enum World {
    Proven(Box<System>),
    Loose(Box<Loose>, Hash),
}

pub(super) struct Run {
    world: World,
    pub(super) micros: Vec<f64>,
    /// The first step that a contact was found in, from 0.
    pub(super) first: Option<usize>,
    /// Of scenes with a membrane.
    pub(super) through: Option<usize>,
    pub(super) crossings: Option<u64>,
    pub(super) meetings: usize,
}

impl Run {
    pub(super) fn new(scene: Scene, method: Method, extent: Extent) -> Result<Run, Failure> {
        let wrong = |error: &dyn std::error::Error| Failure::Usage(format!("{}: {error}", scene.title));
        let bodies = scene.bodies(extent)?;
        let world = if method == Method::Kontakt {
            World::Proven(Box::new(System::new(&bodies).map_err(|e| wrong(&e))?))
        } else {
            let loose = Loose::new(&bodies).map_err(|e| wrong(&e))?;
            let hash = Hash::of(&loose);
            World::Loose(Box::new(loose), hash)
        };
        let mut run =
            Run { world, micros: Vec::new(), first: None, through: None, crossings: None, meetings: 0 };
        let mut passage = scene.speed.map(|_| Passage::new(run.surface(), run.places(), 0));
        let steps = scene.steps(extent);
        progress::over(
            &format!("{}, {}", scene.name, method.name()),
            steps as u64,
            |bar| -> Result<(), Failure> {
                for step in 0..steps {
                    let before = run.places().to_vec();
                    let clock = ProcessClock::start();
                    let found = run.step(scene, method).map_err(|e| wrong(&e))?;
                    run.micros.push(clock.seconds() * 1e6);
                    if found && run.first.is_none() {
                        run.first = Some(step);
                    }
                    if let Some(passage) = &mut passage {
                        passage.follow(run.surface(), &before, run.places()).map_err(|e| wrong(&e))?;
                    }
                    bar.inc(1);
                }
                Ok(())
            },
        )?;
        run.meetings = meetings(run.surface(), run.places(), COUNTED).map_err(|e| wrong(&e))?.len();
        run.through = passage.as_ref().map(Passage::passed);
        run.crossings = passage.map(|passage| passage.crossings);
        Ok(run)
    }

    /// Whether a contact was found.
    fn step(&mut self, scene: Scene, method: Method) -> Result<bool, kontakt::soft::SoftError> {
        let forces = scene.forces();
        Ok(match &mut self.world {
            World::Proven(system) => {
                let options = Options { substeps: SUBSTEPS, ..Options::default() };
                system.step(DT, &forces, &options)?.contacts > 0
            }
            World::Loose(world, hash) => match method {
                Method::ContinuousFrozen => {
                    !freeze::continuous(world, DT, &forces, SUBSTEPS).bodies.is_empty()
                }
                Method::DiscreteFrozen => {
                    !freeze::discrete(world, DT, &forces, SUBSTEPS, hash).bodies.is_empty()
                }
                Method::Kontakt | Method::Discrete => {
                    discrete::step(world, DT, &forces, SUBSTEPS, hash).inside > 0
                }
            },
        })
    }

    pub(super) fn surface(&self) -> &Surface {
        match &self.world {
            World::Proven(system) => system.surface(),
            World::Loose(world, _) => world.surface(),
        }
    }

    pub(super) fn places(&self) -> &[DVec3] {
        match &self.world {
            World::Proven(system) => system.places(),
            World::Loose(world, _) => &world.places,
        }
    }

    /// Least, most and mean.
    pub(super) fn summary(&self) -> [f64; 3] {
        let least = self.micros.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.micros.iter().copied().fold(0.0, f64::max);
        [least, most, self.micros.iter().sum::<f64>() / self.micros.len().max(1) as f64]
    }
}
