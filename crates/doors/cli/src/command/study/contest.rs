//! One contestant: trees built by one plan over one kind of volume, walked in one way along a scene's poses.

use super::scene::Scene;
use crate::clock::Clock;
use crate::failure::Failure;
use kontakt::answers::Visits;
use kontakt::bounds::{Aabb, Bound, Dop14, Dop18, Dop26, Obb, Sphere, VolumeKind};
use kontakt::hierarchy::Faces;
use kontakt::mesh::face::{Between, meeting};
use kontakt::mesh::{MeshQuery, PlacedMesh};
use kontakt_lab_hierarchy::Tree;
use kontakt_lab_hierarchy::build::{self, BuildError, Candidate, Plan};
use kontakt_lab_hierarchy::measure::{CostMatrix, Grades, Quality, Summary};
use kontakt_lab_hierarchy::walk::{Front, PlacedTree, Strategy, Walked, face_pairs};
use std::ops::ControlFlow;

/// Repeats of which the least time of each step counts.
const REPEATS: usize = 3;

/// What a step cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub(super) visits: Visits,
    /// Seconds by the cost matrix and the cost of a face test: the thesis's comparison number.
    pub(super) model: f64,
    /// Processor time.
    pub(super) seconds: f64,
    pub(super) contact: bool,
}

/// What a test costs here.
pub(super) struct Costs {
    pub(super) matrix: CostMatrix,
    pub(super) face: f64,
}

/// Which volumes the nodes get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Volumes {
    Kind(&'static str),
    /// Sphere, axis-aligned or oriented box: at each node what is best.
    Mixed,
}

impl Volumes {
    pub(super) fn name(self) -> &'static str {
        match self {
            Volumes::Kind(name) => name,
            Volumes::Mixed => "mixed",
        }
    }
}

/// Trees of the two bodies of a scene, ready to be walked in any way.
pub(super) trait Contestant: Send {
    /// Every step from the roots, up to the first contact.
    fn walk(&self, scene: &Scene, strategy: Strategy, costs: &Costs) -> Vec<Step>;

    /// Every step from where the last one ended.
    fn walk_front(&self, scene: &Scene, strategy: Strategy, prune_every: u32, costs: &Costs) -> Vec<Step>;

    fn nodes(&self) -> usize;

    fn depth(&self) -> u32;

    /// Processor time of building both trees.
    fn build_seconds(&self) -> f64;
}

/// Builds the trees of both bodies.
pub(super) fn build(
    scene: &Scene,
    plan: &Plan,
    volumes: Volumes,
    costs: &Costs,
) -> Result<Box<dyn Contestant>, Failure> {
    let failed = |error: BuildError| Failure::Usage(format!("{}: {error}", scene.name));
    Ok(match volumes {
        Volumes::Kind("sphere") => pair::<Sphere>(scene, plan, costs).map_err(failed)?,
        Volumes::Kind("aabb") => pair::<Aabb>(scene, plan, costs).map_err(failed)?,
        Volumes::Kind("obb") => pair::<Obb>(scene, plan, costs).map_err(failed)?,
        Volumes::Kind("kdop14") => pair::<Dop14>(scene, plan, costs).map_err(failed)?,
        Volumes::Kind("kdop18") => pair::<Dop18>(scene, plan, costs).map_err(failed)?,
        Volumes::Kind("kdop26") => pair::<Dop26>(scene, plan, costs).map_err(failed)?,
        Volumes::Kind(other) => {
            return Err(Failure::Usage(format!("the study has no trees of {other}")));
        }
        Volumes::Mixed => {
            let candidates: Vec<Candidate> = ["sphere", "aabb", "obb"]
                .iter()
                .filter_map(|name| VolumeKind::named(name))
                .map(|kind| Candidate { kind, cost: costs.matrix.weight(kind.name, Summary::Mean) })
                .collect();
            with(scene, costs, |faces| build::build_mixed(faces, plan, &candidates).map(|(tree, _)| tree))
                .map_err(failed)?
        }
    })
}

fn pair<B: Bound + Clone + Send + 'static>(
    scene: &Scene,
    plan: &Plan,
    costs: &Costs,
) -> Result<Box<dyn Contestant>, BuildError> {
    with(scene, costs, |faces| build::build::<B>(faces, plan))
}

fn with<B: Bound + Send + 'static>(
    scene: &Scene,
    costs: &Costs,
    build: impl Fn(Faces) -> Result<Tree<B>, BuildError>,
) -> Result<Box<dyn Contestant>, BuildError> {
    let clock = Clock::start();
    let fixed = build(Faces::of(scene.fixed.faces()))?;
    let moving = build(Faces::of(scene.moving.faces()))?;
    let build_seconds = clock.seconds();
    let grades = |tree: &Tree<B>| {
        Grades::new(tree, &tree.measure_sizes(), Quality::Surface, &costs.matrix, Summary::Mean)
    };
    Ok(Box::new(Pair { grades: [grades(&fixed), grades(&moving)], fixed, moving, build_seconds }))
}

/// Trees of one volume type.
struct Pair<B> {
    fixed: Tree<B>,
    moving: Tree<B>,
    grades: [Grades; 2],
    build_seconds: f64,
}

impl<B: Bound + Send> Pair<B> {
    /// Walks every pose a few times and keeps the least time of each.
    fn measured(
        &self,
        scene: &Scene,
        costs: &Costs,
        mut start: impl FnMut() -> Box<WalkStep<B>>,
    ) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut fixed = PlacedTree::new(&self.fixed, &self.grades[0]);
        let mut moving = PlacedTree::new(&self.moving, &self.grades[1]);
        for repeat in 0..REPEATS {
            let mut walk = start();
            for (i, pose) in scene.poses.iter().enumerate() {
                let clock = Clock::start();
                moving.move_to(*pose);
                let mut visit = Contact::new(scene, pose);
                let walked = walk(&mut fixed, &mut moving, &mut |a, b| visit.test(a, b));
                let seconds = clock.seconds();
                if repeat == 0 {
                    let model = walked.cost + walked.visits.face_tests as f64 * costs.face;
                    steps.push(Step { visits: walked.visits, model, seconds, contact: walked.stopped });
                } else {
                    steps[i].seconds = steps[i].seconds.min(seconds);
                }
            }
        }
        steps
    }
}

/// One step of a walk, of whatever kind.
type WalkStep<B> =
    dyn FnMut(&mut PlacedTree<B>, &mut PlacedTree<B>, &mut dyn FnMut(u32, u32) -> ControlFlow<()>) -> Walked;

impl<B: Bound + Send> Contestant for Pair<B> {
    fn walk(&self, scene: &Scene, strategy: Strategy, costs: &Costs) -> Vec<Step> {
        self.measured(scene, costs, || Box::new(move |a, b, visit| face_pairs(a, b, strategy, visit)))
    }

    fn walk_front(&self, scene: &Scene, strategy: Strategy, prune_every: u32, costs: &Costs) -> Vec<Step> {
        self.measured(scene, costs, || {
            let mut front = Front::new(strategy, prune_every);
            Box::new(move |a, b, visit| front.step(a, b, visit))
        })
    }

    fn nodes(&self) -> usize {
        self.fixed.nodes.len() + self.moving.nodes.len()
    }

    fn depth(&self) -> u32 {
        self.fixed.depth().max(self.moving.depth())
    }

    fn build_seconds(&self) -> f64 {
        self.build_seconds
    }
}

/// The exact test of two faces; ends a walk at the first contact.
struct Contact<'a> {
    between: Between,
    fixed: Faces<'a>,
    moving: Faces<'a>,
    visits: Visits,
}

impl<'a> Contact<'a> {
    fn new(scene: &'a Scene, pose: &kontakt::math::Pose) -> Contact<'a> {
        Contact {
            between: Between::new(kontakt::math::Pose::IDENTITY, *pose),
            fixed: Faces::of(scene.fixed.faces()),
            moving: Faces::of(scene.moving.faces()),
            visits: Visits::default(),
        }
    }

    fn test(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let met =
            meeting(&self.between, self.fixed.corners(a), self.moving.corners(b), &mut self.visits).meets();
        if met { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The queries of the runtime form, as every user gets them.
pub(super) fn packed(scene: &Scene) -> Vec<Step> {
    let mut asker = MeshQuery::new();
    let mut steps: Vec<Step> = Vec::new();
    for repeat in 0..REPEATS {
        for (i, pose) in scene.poses.iter().enumerate() {
            asker.visits = Visits::default();
            let clock = Clock::start();
            let contact = asker
                .any_contact(PlacedMesh::at_rest(&scene.fixed), PlacedMesh::new(&scene.moving, *pose))
                .is_some();
            let seconds = clock.seconds();
            if repeat == 0 {
                steps.push(Step { visits: asker.visits, model: f64::NAN, seconds, contact });
            } else {
                steps[i].seconds = steps[i].seconds.min(seconds);
            }
        }
    }
    steps
}

/// Measures what tests of volumes and of faces cost on this machine.
pub(super) fn costs(kinds: &[&str], scene: &Scene) -> Result<Costs, Failure> {
    let kinds: Vec<&VolumeKind> = kinds.iter().filter_map(|name| VolumeKind::named(name)).collect();
    let clock = Clock::start();
    let matrix = CostMatrix::measured(&kinds, &mut || clock.seconds())
        .map_err(|error| Failure::Fit { name: "the study's own volumes".to_owned(), error })?;
    Ok(Costs { matrix, face: face_cost(scene)? })
}

/// Least mean time of the face test over pairs that a walk meets.
fn face_cost(scene: &Scene) -> Result<f64, Failure> {
    const PAIRS: usize = 4000;
    let unit = Costs { matrix: CostMatrix::uniform(), face: 0.0 };
    let failed = |error: BuildError| Failure::Usage(format!("{}: {error}", scene.name));
    let plan = Plan::default();
    let fixed = build::build::<Aabb>(Faces::of(scene.fixed.faces()), &plan).map_err(failed)?;
    let moving = build::build::<Aabb>(Faces::of(scene.moving.faces()), &plan).map_err(failed)?;
    let grades =
        |tree| Grades::new(tree, &tree.measure_sizes(), Quality::Surface, &unit.matrix, Summary::Mean);
    let (grades_fixed, grades_moving) = (grades(&fixed), grades(&moving));
    let mut least = f64::INFINITY;
    for pose in scene.poses.iter().take(5) {
        let mut pairs = Vec::new();
        let mut a = PlacedTree::new(&fixed, &grades_fixed);
        let mut b = PlacedTree::new(&moving, &grades_moving).at(*pose);
        let _ = face_pairs(&mut a, &mut b, Strategy::default(), &mut |one, two| {
            pairs.push((one, two));
            if pairs.len() < PAIRS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let mut contact = Contact::new(scene, pose);
        let clock = Clock::start();
        for (one, two) in &pairs {
            let _ = std::hint::black_box(contact.test(*one, *two));
        }
        if pairs.len() > 100 {
            least = least.min(clock.seconds() / pairs.len() as f64);
        }
    }
    Ok(if least.is_finite() { least } else { 0.0 })
}
