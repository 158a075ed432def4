//! `kontakt drag`: a recorded hand moves a body that stops and slides.

mod json;
mod table;

use crate::args::{Common, Drag as Asked};
use crate::failure::Failure;
use crate::progress;
use crate::report::{List, Report};
use kontakt::answers::Feature;
use kontakt::drag::{Drag, DragOptions, Ending, Obstacle, Sample};
use kontakt::io::{Trajectory, read_trajectory_until};
use kontakt::math::{DVec3, Pose};
use kontakt::scene::{Exceptions, Scene};
use kontakt_load::Remarks;
use kontakt_load::before::Before;
use kontakt_load::parts::Parts;
use kontakt_load::scene::SceneInput;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(asked: &Asked, common: &Common) -> Result<Dragged, Failure> {
    let hand = read_trajectory_until(&asked.hand, common.deadline)?;
    let Stage { scene, place, before, around, remarks, warnings } = Stage::load(asked, common)?;
    let names: Vec<String> = scene.names().into_iter().map(|name| name.full).collect();
    let bodies = scene.bodies();
    let obstacles = around.iter().map(|&other| Obstacle {
        name: names[other].clone(),
        body: bodies[other].body.clone(),
        pose: bodies[other].pose,
    });
    let options = DragOptions {
        skin: asked.skin,
        stiffness: asked.stiffness,
        turning: !asked.upright,
        ..DragOptions::default()
    };
    let own = &bodies[place];
    let drag = Drag::new(own.body.clone(), own.pose, obstacles.collect(), options)
        .map_err(|error| Failure::Body { name: names[place].clone(), problem: error.to_string() })?;
    let course = Course::follow(drag, &hand, common);
    let dragged = Dragged { names, place, before, around, start: own.pose, course, remarks, warnings };
    if let Some(file) = &asked.output {
        dragged.write_motion(file).map_err(|error| Failure::Report { path: file.clone(), error })?;
    }
    Ok(dragged)
}

/// What is dragged, and among what.
struct Stage {
    scene: Scene,
    /// Which body is dragged.
    place: usize,
    before: Vec<Before>,
    /// The bodies that stand in its way.
    around: Vec<usize>,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl Stage {
    fn load(asked: &Asked, common: &Common) -> Result<Stage, Failure> {
        let mut ignore = asked.ignore.clone();
        let mut unseen = Vec::new();
        let (scene, place, before, remarks, warnings) = if let Some(file) = &asked.scene {
            let input = SceneInput::load(file, &asked.reading.options(common.deadline))?;
            let place = named(&input, asked.body.as_deref().unwrap_or(""))?;
            ignore.extend(input.file.rules.ignore.iter().cloned());
            unseen = input.unseen_by(place);
            (input.scene, place, input.before, input.remarks, input.warnings)
        } else {
            let moving: Vec<_> = asked.moving.iter().cloned().collect();
            let parts = Parts::in_motion(&moving, &asked.against, &asked.reading.options(common.deadline))?;
            if parts.movers != 1 {
                let problem = format!("--moving names {} bodies; one is dragged", parts.movers);
                return Err(Failure::Usage(problem));
            }
            (parts.scene, 0, parts.before, parts.remarks, parts.warnings)
        };
        if let Some(missing) = scene.missing().first() {
            return Err(Failure::Body { name: missing.name.clone(), problem: missing.problem.clone() });
        }
        let names = scene.names();
        let exceptions =
            Exceptions::among(&names, &ignore, &[]).map_err(|error| Failure::Usage(error.to_string()))?;
        let around: Vec<usize> = (0..names.len())
            .filter(|&other| other != place && !exceptions.ignores(place, other) && !unseen.contains(&other))
            .collect();
        Ok(Stage { scene, place, before, around, remarks, warnings })
    }
}

/// The body of a scene that has a name.
fn named(input: &SceneInput, name: &str) -> Result<usize, Failure> {
    let names = input.scene.names();
    let found = names.iter().position(|own| own.full == name);
    found.ok_or_else(|| {
        const SHOWN: usize = 8;
        let known: Vec<&str> = names.iter().take(SHOWN).map(|name| name.full.as_str()).collect();
        let more = if names.len() > SHOWN { ", …" } else { "" };
        let problem = format!("there is no body `{name}`; there are {}{more}", known.join(", "));
        Failure::Unusable { path: input.path.clone(), problem }
    })
}

/// What became of all samples of the hand.
struct Course {
    times: Vec<f64>,
    poses: Vec<Pose>,
    samples: Vec<Sample>,
    /// Where the body was after each sample.
    after: Vec<Pose>,
    skin: f64,
    pivot: DVec3,
    /// Whether the time limit left the whole hand to be followed.
    complete: bool,
}

impl Course {
    fn follow(mut drag: Drag, hand: &Trajectory, common: &Common) -> Course {
        let (skin, pivot) = (drag.skin(), drag.pivot());
        let (mut samples, mut after) = (Vec::new(), Vec::new());
        progress::over("dragging", hand.poses.len() as u64, |bar| {
            for &pose in &hand.poses {
                if common.deadline.has_passed() {
                    break;
                }
                samples.push(drag.follow(pose).clone());
                after.push(drag.pose());
                bar.inc(1);
            }
        });
        let complete = samples.len() == hand.poses.len();
        Course { times: hand.times.clone(), poses: hand.poses.clone(), samples, after, skin, pivot, complete }
    }

    fn count(&self, ending: Ending) -> usize {
        self.samples.iter().filter(|sample| sample.ending == ending).count()
    }

    fn pieces(&self) -> usize {
        self.samples.iter().map(|sample| sample.pieces.len()).sum()
    }
}

/// A body that followed a hand.
pub(crate) struct Dragged {
    names: Vec<String>,
    place: usize,
    before: Vec<Before>,
    /// The obstacles, in the order that the drag counts them.
    around: Vec<usize>,
    start: Pose,
    course: Course,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl Dragged {
    fn name(&self) -> &str {
        &self.names[self.place]
    }

    /// The name of an obstacle, as the drag counts them.
    fn obstacle(&self, number: usize) -> &str {
        self.around.get(number).map_or("", |&body| self.names[body].as_str())
    }

    /// A face counted through the whole file.
    fn counted(&self, body: usize, face: Option<Feature>) -> Option<Feature> {
        face.map(|face| self.before.get(body).map_or(face, |before| before.count_on(face)))
    }

    /// The proven motion: the start at the first sample's time less a step, then every piece; several pieces of a sample share its time.
    fn motion(&self) -> Vec<(f64, Pose)> {
        let Course { times, samples, .. } = &self.course;
        let step = times.get(1).map_or(1.0, |second| second - times[0]);
        let mut before = times[0] - step;
        let mut motion = vec![(before, self.start)];
        for (sample, &time) in samples.iter().zip(times) {
            let count = sample.pieces.len();
            for (k, &pose) in sample.pieces.iter().enumerate() {
                let share = (k + 1) as f64 / count as f64;
                let at = if k + 1 == count { time } else { before + share * (time - before) };
                motion.push((at, pose));
            }
            before = time;
        }
        motion
    }

    /// As `--hand` has them, with all digits.
    fn write_motion(&self, file: &Path) -> io::Result<()> {
        let mut text = String::from("# t tx ty tz qx qy qz qw\n");
        for (time, pose) in self.motion() {
            let (t, q) = (pose.translation(), pose.given_rotation());
            let numbers = [time, t.x, t.y, t.z, q.x, q.y, q.z, q.w].map(|x| format!("{x:?}"));
            text.push_str(&numbers.join(" "));
            text.push('\n');
        }
        std::fs::write(file, text)
    }
}

/// How a sample ended, in a word.
fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Arrived => "arrived",
        Ending::Held => "held",
        Ending::Lagging => "lagging",
        Ending::Stuck => "stuck",
    }
}

impl Report for Dragged {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, out)
    }

    fn json(&self) -> Value {
        json::head(self)
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("samples", json::samples(self)))
    }
}
