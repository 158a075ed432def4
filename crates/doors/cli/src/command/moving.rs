//! `kontakt moving`: first contact of two moving bodies, for many motions.

mod report;

use crate::args::{CERTIFIED, Common, Moving, MovingBetween};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::input::pose;
use crate::progress;
use crate::timing::{Lap, SecondsPerQuery, reading_cost};
use kontakt::answers::{Impact, Initial, Range};
use kontakt::convex::Shape;
use kontakt::io::read_convex_shape_until;
use kontakt::math::{Motion, Pose};
use kontakt::pair::{self, Placed, Query, with_start};
use kontakt::rigid_ccd::{self, MotionOptions, MotionQuery, MovingShape};
use kontakt::schedule::Deadline;
use kontakt_lab_motion::rigid::{Method, Opinion};
use kontakt_load::Remarks;
use kontakt_load::ready::Whole;
use kontakt_load::units;
use rayon::prelude::*;
pub(crate) use report::MovingReport;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::Path;

pub(crate) fn run(moving: &Moving, common: &Common) -> Result<MovingReport, Failure> {
    let [motions_a, motions_b] =
        [&moving.motions_a, &moving.motions_b].map(|path| motions(path, moving, common.deadline));
    let (motions_a, motions_b) = (motions_a?, motions_b?);
    if motions_a.len() != motions_b.len() {
        return Err(Failure::Usage(format!(
            "{} motions in {} but {} in {}",
            motions_a.len(),
            moving.motions_a.display(),
            motions_b.len(),
            moving.motions_b.display()
        )));
    }
    let method = (moving.method != CERTIFIED).then(|| Method::named(&moving.method)).flatten();
    let bodies = [&moving.a, &moving.b].map(|path| Body::load(path, moving, common.deadline));
    let [a, b] = bodies;
    let bodies = [a?, b?];
    if method.is_some() && bodies.iter().any(|body| matches!(body, Body::Shape { .. })) {
        return Err(Failure::Usage(format!("--method {} is for meshes", moving.method)));
    }
    let scene = Scene {
        bodies: &bodies,
        method,
        motions: [&motions_a, &motions_b],
        options: MotionOptions {
            tolerance: moving.tolerance,
            deadline: common.deadline,
            ..MotionOptions::default()
        },
        workers: common.threads.map_or(1, NonZeroUsize::get),
    };
    let (mut impacts, times) = scene.measure();
    if impacts.is_empty() {
        return Err(Failure::NoAnswer("motion"));
    }
    let of_bodies = scene.curved_pair().is_some();
    for impact in &mut impacts {
        count_through_files(impact, &bodies, of_bodies);
    }
    let mut remarks = Remarks::default();
    let mut warnings = Vec::new();
    let meshes = || bodies.iter().filter_map(Body::mesh);
    for (path, body) in [&moving.a, &moving.b].into_iter().zip(&bodies) {
        if let Some(mesh) = body.mesh() {
            remarks.add(path, mesh.about.clone());
        }
    }
    if bodies.iter().any(Body::is_curved) && scene.curved_pair().is_none() {
        warnings.push(
            "times are those of triangles; name single bodies, FILE:NAME, for times proven for curved faces"
                .into(),
        );
    }
    warnings.extend(units::warning(meshes().map(|mesh| (mesh.name.as_str(), mesh.size()))));
    Ok(MovingReport {
        names: [bodies[0].name().to_owned(), bodies[1].name().to_owned()],
        method: moving.method.clone(),
        certified: method.is_none(),
        motions: motions_a.len(),
        impacts,
        times,
        remarks,
        warnings,
    })
}

/// What moves.
enum Body {
    Mesh(Box<Whole>),
    Shape { name: String, shape: Box<Shape> },
}

impl Body {
    /// A file of JSON holds a convex shape, all others meshes.
    fn load(path: &Path, moving: &Moving, deadline: Deadline) -> Result<Body, Failure> {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            return Ok(Body::Shape { name, shape: Box::new(read_convex_shape_until(path, deadline)?) });
        }
        Ok(Body::Mesh(Box::new(Whole::load(path, &moving.reading.options(deadline))?)))
    }

    fn mesh(&self) -> Option<&Whole> {
        match self {
            Body::Mesh(mesh) => Some(mesh),
            Body::Shape { .. } => None,
        }
    }

    /// Whether its triangles stand for curved faces.
    fn is_curved(&self) -> bool {
        self.mesh().is_some_and(|mesh| mesh.deviation > 0.0)
    }

    /// The one body that it is, and its place.
    fn single(&self) -> Option<(pair::Body, Pose)> {
        match self {
            Body::Mesh(mesh) => mesh.single(),
            Body::Shape { shape, .. } => Some((pair::Body::convex((**shape).clone()), Pose::IDENTITY)),
        }
    }

    /// How many bodies move as one.
    fn count(&self) -> usize {
        self.mesh().map_or(1, Whole::body_count)
    }

    /// Its bodies one by one.
    fn solids(&self) -> Option<Cow<'_, [pair::Body]>> {
        match self {
            Body::Mesh(mesh) => mesh.solids().map(Cow::Borrowed),
            Body::Shape { shape, .. } => Some(Cow::Owned(vec![pair::Body::convex((**shape).clone())])),
        }
    }

    fn name(&self) -> &str {
        match self {
            Body::Mesh(mesh) => &mesh.name,
            Body::Shape { name, .. } => name,
        }
    }
}

/// Features by their numbers in the files, of which only some bodies may be meant; `of_bodies` where they are those of single bodies, not of
/// the triangles of all.
fn count_through_files(impact: &mut Impact, bodies: &[Body; 2], of_bodies: bool) {
    let Impact::Contact { contact: Some(contact), .. } = impact else { return };
    for (feature, body) in [&mut contact.feature_a, &mut contact.feature_b].into_iter().zip(bodies) {
        if let (Some(feature), Some(mesh)) = (feature.as_mut(), body.mesh()) {
            *feature = if of_bodies { mesh.own_feature(*feature) } else { mesh.feature(*feature) };
        }
    }
}

/// Motions between the poses (0, 1), (2, 3), … of a file.
fn motions(path: &Path, moving: &Moving, deadline: Deadline) -> Result<Vec<Motion>, Failure> {
    let poses = pose::read(path, deadline)?;
    let unusable = |problem: String| Failure::Unusable { path: path.to_owned(), problem };
    let (pairs, rest) = poses.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(unusable(format!("{} poses; a motion needs two, its start and its end", poses.len())));
    }
    let motion = |[start, end]: [Pose; 2]| match moving.interpolate {
        MovingBetween::Slerp => Motion::slerp(start, end, moving.pivot),
        MovingBetween::Nlerp => Motion::nlerp(start, end, moving.pivot),
        MovingBetween::Screw => Ok(Motion::screw(start, end)),
    };
    let name = |(index, pair): (usize, &[Pose; 2])| {
        motion(*pair).map_err(|error| unusable(format!("motion {index}: {error}")))
    };
    pairs.iter().enumerate().map(name).collect()
}

struct Scene<'a> {
    bodies: &'a [Body; 2],
    /// One of the laboratory instead of the certified one.
    method: Option<Method>,
    motions: [&'a [Motion]; 2],
    options: MotionOptions,
    workers: usize,
}

/// Motions asked about between two looks at the processor's clock.
const BLOCK: usize = 256;
/// Questions asked in vain first, so that code, data and scratch memory are in place when the clock starts.
const WARM_UP: usize = 4;

/// Answers about a run of motions, in order.
#[derive(Default)]
struct Block {
    impacts: Vec<Impact>,
    seconds: Vec<f32>,
    processor: f64,
}

impl Scene<'_> {
    /// Two single bodies, one of them with curved faces, for the certified method.
    fn curved_pair(&self) -> Option<[(pair::Body, Pose); 2]> {
        let curved = self.method.is_none() && self.bodies.iter().any(Body::is_curved);
        if !curved {
            return None;
        }
        Some([self.bodies[0].single()?, self.bodies[1].single()?])
    }

    /// First contact of the true surfaces.
    fn of_curved(&self, [a, b]: &[(pair::Body, Pose); 2], number: usize) -> Impact {
        let motion = |which: usize, pose: Pose| match &self.motions[which][number] {
            motion if pose == Pose::IDENTITY => motion.clone(),
            motion => motion.carrying(pose),
        };
        let motions = [motion(0, a.1), motion(1, b.1)];
        let (a, b) = (pair::Moving::new(&a.0, &motions[0]), pair::Moving::new(&b.0, &motions[1]));
        Query::new().with_limits(self.options.deadline, usize::MAX).first_contact(a, b, &self.options)
    }

    fn ask(&self, asker: &mut MotionQuery, number: usize) -> Impact {
        if let Some(pair) = self.curved_pair() {
            return self.of_curved(&pair, number);
        }
        let impact = self.followed(asker, number);
        if self.method.is_some() || self.bodies.iter().all(|body| body.count() == 1) {
            return impact;
        }
        with_start(impact, self.starts_in_overlap(number))
    }

    /// Whether bodies overlap at the start of a motion, asked one by one.
    fn starts_in_overlap(&self, number: usize) -> Option<bool> {
        let [a, b] = [&self.bodies[0], &self.bodies[1]].map(Body::solids);
        let (a, b) = (a?, b?);
        let [at, there] = self.motions.map(|motions| motions[number].pose_at(0.0));
        let a: Vec<Placed> = a.iter().map(|body| Placed::new(body, at)).collect();
        let b: Vec<Placed> = b.iter().map(|body| Placed::new(body, there)).collect();
        Query::new().with_limits(self.options.deadline, usize::MAX).groups_overlap(&a, &b)
    }

    /// First contact of all faces together.
    fn followed(&self, asker: &mut MotionQuery, number: usize) -> Impact {
        let [motion_a, motion_b] = self.motions.map(|motions| &motions[number]);
        match self.bodies {
            [Body::Mesh(a), Body::Mesh(b)] => {
                let (a, b) = (mesh(a, motion_a), mesh(b, motion_b));
                match self.method {
                    None => asker.impact(a, b, &self.options),
                    Some(method) => opinion(method.ask(a, b)),
                }
            }
            [Body::Shape { shape: a, .. }, Body::Shape { shape: b, .. }] => {
                let (a, b) =
                    (MovingShape { shape: a, motion: motion_a }, MovingShape { shape: b, motion: motion_b });
                asker.impact_of_shapes(a, b, &self.options)
            }
            [Body::Mesh(a), Body::Shape { shape, .. }] => {
                let shape = MovingShape { shape, motion: motion_b };
                asker.impact_of_mesh_and_shape(mesh(a, motion_a), shape, &self.options)
            }
            [Body::Shape { shape, .. }, Body::Mesh(b)] => {
                let shape = MovingShape { shape, motion: motion_a };
                asker.impact_of_mesh_and_shape(mesh(b, motion_b), shape, &self.options).swapped()
            }
        }
    }

    /// Asks about every motion; answers do not depend on the number of workers.
    fn measure(&self) -> (Vec<Impact>, Option<SecondsPerQuery>) {
        let cost = reading_cost();
        let count = self.motions[0].len();
        let mut asker = MotionQuery::new();
        if self.options.deadline == Deadline::NEVER {
            for number in 0..count.min(WARM_UP) {
                self.ask(&mut asker, number);
            }
        }
        let numbers: Vec<usize> = (0..count).collect();
        let blocks: Vec<Block> = progress::over("asking", count as u64, |bar| {
            let run = |asker: &mut MotionQuery, numbers: &[usize]| {
                let block = self.block(asker, numbers, cost);
                bar.inc(numbers.len() as u64);
                block
            };
            if self.workers == 1 {
                numbers.chunks(BLOCK).map(|numbers| run(&mut asker, numbers)).collect()
            } else {
                numbers
                    .par_chunks(BLOCK)
                    .map_init(MotionQuery::new, |asker, numbers| run(asker, numbers))
                    .collect()
            }
        });
        self.summed(blocks, cost)
    }

    fn block(&self, asker: &mut MotionQuery, numbers: &[usize], cost: f64) -> Block {
        let mut block = Block::default();
        let clock = Clock::start();
        let mut lap = Lap::start();
        for &number in numbers {
            if self.options.deadline.has_passed() {
                break;
            }
            block.impacts.push(self.ask(asker, number));
            block.seconds.push((lap.read().0 - cost).max(0.0) as f32);
        }
        block.processor = (clock.seconds() - cost * block.impacts.len() as f64).max(0.0);
        block
    }

    /// The blocks up to the first that the deadline cut short, so that the answers are those of the first motions.
    fn summed(&self, blocks: Vec<Block>, cost: f64) -> (Vec<Impact>, Option<SecondsPerQuery>) {
        let (mut impacts, mut seconds, mut processor) = (Vec::new(), Vec::new(), 0.0);
        for mut block in blocks {
            let full = block.impacts.len() == BLOCK;
            impacts.append(&mut block.impacts);
            seconds.append(&mut block.seconds);
            processor += block.processor;
            if !full {
                break;
            }
        }
        let mean = processor / impacts.len().max(1) as f64;
        let mut asker = MotionQuery::new();
        let times = SecondsPerQuery::of(mean, &mut seconds, self.options.deadline, |number| {
            let mut lap = Lap::start();
            self.ask(&mut asker, number);
            // What the deadline cuts short says nothing.
            if self.options.deadline.has_passed() { f64::INFINITY } else { (lap.read().0 - cost).max(0.0) }
        });
        (impacts, times)
    }
}

fn mesh<'a>(whole: &'a Whole, motion: &'a Motion) -> rigid_ccd::MovingMesh<'a> {
    rigid_ccd::MovingMesh { mesh: &whole.mesh, motion }
}

/// What a method of the laboratory says, in the words of certified answers; nothing of it is proven.
fn opinion(opinion: Opinion) -> Impact {
    match opinion {
        Opinion::Contact(t) => {
            let time = Range::new(t, t).unwrap_or(Range::ZERO);
            Impact::Contact { initial: Initial::Separate, time, contact: None }
        }
        Opinion::Free => Impact::Free { initial: Initial::Separate },
        Opinion::GaveUp(t) => Impact::Undecided { initial: None, free_until: t },
    }
}
