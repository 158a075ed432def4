//! `study drag`: parts of the lamps in a careless hand that presses them against what is around, and what a sample of it costs.

use super::super::page::{Cell, Page, Table};
use super::bay::{Bay, Part, unusable};
use super::lathe::Fineness;
use super::removal::{self, Hand, Steps};
use crate::clock::Clock;
use crate::command::study::hand::{eased, unsteady};
use crate::failure::Failure;
use crate::plot::{Bars, Spacing};
use kontakt::drag::{Drag, DragOptions, Ending, Obstacle};
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::mesh::Mesh;
use kontakt::pair::{Body, Placed, Query};
use kontakt::shapes::{FaceSet, make};

/// How large the study is.
#[derive(Clone, Copy)]
pub(in crate::command::study) struct Extent {
    fineness: Fineness,
    /// Samples of the hand, a millisecond apart: seconds of a person's work.
    steps: Steps,
}

impl Extent {
    pub(in crate::command::study) const FULL: Extent = Extent {
        fineness: Fineness { around: 110, step: 5.0 },
        steps: Steps { turn: 700, pull: 700, away: 700 },
    };
    pub(in crate::command::study) const QUICK: Extent = Extent {
        fineness: Fineness { around: 36, step: 25.0 },
        steps: Steps { turn: 30, pull: 30, away: 30 },
    };
}

const WORDS: &str = "\
A dragged body follows a *hand*, a pose every millisecond. It stops at contact and slides along what it touches; every piece of its motion is proven free before \
it is taken, so that it never enters anything. *Careful* is the hand that takes the parts out freely; *careless* goes the same way but off by more than the bayonet's play, to one side \
and askew, so that the part is pressed against its surroundings all the time; *forcing* pulls without turning, *hasty* jerks. A sample *arrived* if the body is where the hand wants \
it, was *held* if contacts kept it from there, and *lags* if the work allowed was not enough. Poses inside anything are counted by an exact test of every pose at which \
a piece ends. Times are processor time of one thread for a sample.";

/// A hand that is to move a body.
struct Trial {
    name: String,
    own: Body,
    around: Body,
    start: Pose,
    hand: Vec<Pose>,
}

/// Off the careful way by more than the play of the bayonets, slowly from side to side.
fn careless(poses: &[Pose], off: f64) -> Result<Vec<Pose>, Failure> {
    let count = poses.len().max(2) as f64;
    poses
        .iter()
        .enumerate()
        .map(|(k, pose)| {
            let t = k as f64 / count;
            let rise = (20.0 * t).min(1.0);
            let aside = DVec3::new((9.0 * t).cos(), (9.0 * t).sin(), -0.5) * off + unsteady(t) * (0.1 * off);
            let askew = DQuat::from_scaled_axis(DVec3::new(0.02, 0.015, 0.0) * rise);
            Pose::new(askew * pose.rotation(), pose.translation() + aside * rise).map_err(unusable)
        })
        .collect()
}

fn lamps(bay: &Bay, steps: Steps) -> Result<Vec<Trial>, Failure> {
    let mut trials = Vec::new();
    for part in Part::ALL {
        let (own, around) = (Body::mesh(bay.part(part)?), Body::mesh(bay.around(part)?));
        let free = removal::poses(part, Hand::Careful, steps)?;
        let mut trial = |words: &str, hand: Vec<Pose>| {
            let (own, around) = (own.clone(), around.clone());
            trials.push(Trial {
                name: format!("{}, {words}", part.name()),
                own,
                around,
                start: part.place(),
                hand,
            });
        };
        trial("careless", careless(&free, 2.5 * part.lamp().scale)?);
        if part == Part::Cover {
            trial("careful", free);
            trial("forcing", removal::poses(part, Hand::Forcing, steps)?);
            trial("hasty", removal::poses(part, Hand::Hasty, steps)?);
        }
    }
    Ok(trials)
}

fn body(faces: Result<FaceSet, impl std::fmt::Display>) -> Result<Body, Failure> {
    Ok(Body::mesh(Mesh::new(faces.map_err(unusable)?).map_err(unusable)?))
}

/// A block on a runway and a nut on its rod.
fn small(steps: Steps) -> Result<Vec<Trial>, Failure> {
    let count = steps.turn + steps.pull;
    let way = |place: &dyn Fn(f64) -> (f64, DVec3)| -> Result<Vec<Pose>, Failure> {
        let at = |k: u32| {
            let (angle, place) = place(eased(f64::from(k) / f64::from(count)));
            Pose::from_axis_angle(DVec3::Z, angle, place).map_err(unusable)
        };
        (1..=count).map(at).collect()
    };
    let shift = |x: f64, y: f64, z: f64| Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).map_err(unusable);
    let block = |half: DVec3| body(super::lathe::block(-half, half));
    let runway = Trial {
        name: "block on a runway".into(),
        own: block(DVec3::ONE)?,
        around: block(DVec3::new(30.0, 30.0, 1.0))?,
        start: shift(0.0, 0.0, 2.1)?,
        hand: way(&|t| (0.3 * t, DVec3::new(12.0 * t, 3.0 * t, 2.1 - 3.0 * t)))?,
    };
    let nut = Trial {
        name: "nut turned on its rod".into(),
        own: body(make::threaded_nut(3, 0.2, 0.02, 32))?,
        around: body(make::threaded_rod(10, 0.2, 32))?,
        start: shift(0.0, 0.0, 0.6)?,
        hand: way(&|t| (1.5 * t, DVec3::Z * 0.6))?,
    };
    Ok(vec![runway, nut])
}

/// The value that a share of all is not above.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(place.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
}

/// A trial that was made.
struct Dragged {
    row: Vec<Cell>,
    /// Poses not proven free.
    inside: usize,
    /// Milliseconds: of all samples in the median, of those held, and of all but the slowest hundredth.
    took: [f64; 3],
}

const TOOK: [&str; 3] = ["median", "median held", "99th percentile"];

impl Trial {
    /// Drags, and counts poses that are not proven free.
    fn row(&self) -> Result<Dragged, Failure> {
        let obstacle = Obstacle { name: "around".into(), body: self.around.clone(), pose: Pose::IDENTITY };
        let mut drag = Drag::new(self.own.clone(), self.start, vec![obstacle], DragOptions::default())
            .map_err(unusable)?;
        let (mut times, mut endings, mut pieces, mut inside) = (Vec::new(), Vec::new(), 0, 0);
        let mut query = Query::new();
        for &hand in &self.hand {
            let clock = Clock::start();
            let sample = drag.follow(hand);
            times.push(clock.seconds() * 1e3);
            endings.push(sample.ending);
            pieces += sample.pieces.len();
            for &pose in &sample.pieces {
                let free = query.any_contact(Placed::new(&self.own, pose), Placed::at_rest(&self.around));
                inside += usize::from(free != Some(false));
            }
        }
        let is_held = |(_, ending): &(&f64, &Ending)| **ending == Ending::Held;
        let mut held: Vec<f64> = times.iter().zip(&endings).filter(is_held).map(|(time, _)| *time).collect();
        held.sort_unstable_by(f64::total_cmp);
        times.sort_unstable_by(f64::total_cmp);
        let share = |ending: Ending| {
            let count = endings.iter().filter(|&&other| other == ending).count();
            Cell::Number(100.0 * count as f64 / endings.len().max(1) as f64, 0)
        };
        let took = [quantile(&times, 0.5), quantile(&held, 0.5), quantile(&times, 0.99)];
        let faces = |body: &Body| body.surface().map_or(0, |mesh| mesh.faces().triangles().len()) as f64;
        let row = vec![
            self.name.clone().into(),
            Cell::Number(faces(&self.own), 0),
            Cell::Number(faces(&self.around), 0),
            Cell::Number(self.hand.len() as f64, 0),
            share(Ending::Arrived),
            share(Ending::Held),
            share(Ending::Lagging),
            Cell::Number(pieces as f64 / endings.len().max(1) as f64, 2),
            Cell::Number(inside as f64, 0),
            Cell::Number(took[0], 3),
            Cell::Number(took[1], 3),
            Cell::Number(took[2], 3),
            Cell::Number(quantile(&times, 1.0), 3),
        ];
        Ok(Dragged { row, inside, took })
    }
}

/// Runs the whole study.
pub(in crate::command::study) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("drag", "Parts that stop and slide");
    page.words(WORDS);
    let bay = Bay::new(extent.fineness)?;
    let mut table = Table::new(
        "Dragged by a hand",
        [
            "what",
            "faces",
            "around",
            "samples",
            "arrived %",
            "held %",
            "lagging %",
            "pieces a sample",
            "poses not free",
            "median ms",
            "median held ms",
            "p99 ms",
            "max ms",
        ],
    );
    let mut inside = 0;
    let (mut categories, mut series) = (Vec::new(), TOOK.map(|name| (name.to_owned(), Vec::new())).to_vec());
    for trial in lamps(&bay, extent.steps)?.into_iter().chain(small(extent.steps)?) {
        let dragged = trial.row()?;
        inside += dragged.inside;
        table.row(dragged.row);
        categories.push(trial.name);
        for ((_, values), took) in series.iter_mut().zip(dragged.took) {
            values.push(took);
        }
    }
    page.table(table);
    let bars = Bars {
        title: "A sample of the hand".into(),
        y_label: "ms".into(),
        spacing: Spacing::Logarithmic,
        categories,
        series,
    };
    page.figure("samples", "Time of a sample by what is dragged", bars.svg());
    let words = match inside {
        0 => "No pose at which a piece of motion ends is in contact with anything.".into(),
        _ => format!("{inside} poses at which a piece of motion ends are not proven free."),
    };
    page.summary(&[words]);
    Ok(page)
}
