//! Pairs of moving bodies that share a budget: steps of the lamp's removals, and a crowd.

use super::super::motion::{Taken, taken};
use crate::failure::Failure;
use kontakt::answers::{Impact, Initial};
use kontakt::math::{DQuat, DVec3, Motion, Pose};
use kontakt::mesh::Mesh;
use kontakt::pair::{Body, DistanceSearch, ImpactSearch, Moving, Placed, Query};
use kontakt::rigid_ccd::MotionOptions;
use kontakt::schedule::nearness;
use kontakt::shapes::{FaceSet, make};
use kontakt_lab_budget::{Search, Tree};

/// A body and its hierarchy of the thesis.
pub(super) struct Part {
    body: Body,
    tree: Tree,
}

impl Part {
    fn new(mesh: Mesh) -> Part {
        Part { tree: Tree::new(&mesh), body: Body::mesh(mesh) }
    }
}

/// Two of the bodies on their motions.
pub(super) struct Pair {
    parts: [usize; 2],
    motions: [Motion; 2],
    /// Its share for a viewer at the corner of the scene.
    pub(super) weight: f64,
    /// The certified answer.
    pub(super) answer: Impact,
}

/// Pairs that share a budget.
pub(super) struct Scene {
    pub(super) name: &'static str,
    parts: Vec<Part>,
    pub(super) pairs: Vec<Pair>,
    /// Pairs that were left out: they start in contact, or the answer is open.
    pub(super) left_out: usize,
}

impl Scene {
    pub(super) fn faces(&self) -> usize {
        let count = |part: &Part| part.body.surface().map_or(0, |mesh| mesh.faces().triangles().len());
        self.parts.iter().map(count).sum()
    }

    fn moving<'a>(&'a self, pair: &'a Pair) -> [Moving<'a>; 2] {
        [0, 1].map(|k: usize| Moving::new(&self.parts[pair.parts[k]].body, &pair.motions[k]))
    }

    /// First contacts, to be searched for.
    pub(super) fn impacts(&self) -> Vec<ImpactSearch> {
        let search = |pair: &Pair| {
            let [a, b] = self.moving(pair);
            ImpactSearch::new(a, b, &MotionOptions::default())
        };
        self.pairs.iter().map(search).collect()
    }

    /// Distances where the motions begin, to be searched for.
    pub(super) fn distances(&self) -> Vec<DistanceSearch> {
        let search = |pair: &Pair| {
            let [a, b] = self.moving(pair).map(|moving| Placed::new(moving.body, moving.motion.pose_at(0.0)));
            DistanceSearch::new(a, b)
        };
        self.pairs.iter().map(search).collect()
    }

    /// First contacts, to be searched for as in the thesis.
    pub(super) fn approximate(&self) -> Vec<Search<'_>> {
        let trees = |pair: &Pair| pair.parts.map(|part| &self.parts[part].tree);
        self.pairs.iter().map(|pair| Search::new(trees(pair), [&pair.motions[0], &pair.motions[1]])).collect()
    }

    /// Takes a pair that starts apart and has a certified answer.
    fn add(&mut self, query: &mut Query, parts: [usize; 2], motions: [Motion; 2], viewer: (DVec3, f64)) {
        let place = motions[1].pose_at(0.5).translation();
        let weight = nearness(place.distance(viewer.0), viewer.1);
        let mut pair =
            Pair { parts, motions, weight, answer: Impact::Undecided { initial: None, free_until: 0.0 } };
        let [a, b] = self.moving(&pair);
        pair.answer = query.first_contact(a, b, &MotionOptions::default());
        match pair.answer {
            Impact::Free { initial: Initial::Separate }
            | Impact::Contact { initial: Initial::Separate, .. } => {
                self.pairs.push(pair);
            }
            _ => self.left_out += 1,
        }
    }
}

/// Steps of the removals of a lamp's parts, each a pair of the part and all that is around it.
pub(super) fn lamp(around: u32, steps: u32) -> Result<Scene, Failure> {
    let mut scene = Scene { name: "lamp", parts: Vec::new(), pairs: Vec::new(), left_out: 0 };
    let mut query = Query::new();
    for Taken { part, around, motions } in taken(around, steps)? {
        let first = scene.parts.len();
        scene.parts.extend([Part::new(around), Part::new(part)]);
        for motion in motions {
            let rest = Motion::Rest(Pose::IDENTITY);
            scene.add(&mut query, [first, first + 1], [rest, motion], (DVec3::new(0.0, 0.0, 150.0), 40.0));
        }
    }
    Ok(scene)
}

/// Bodies of three kinds on a shaken grid, all moving and turning a little; the pairs are neighbours.
pub(super) fn crowd(side: u32, fineness: u32) -> Result<Scene, Failure> {
    let kinds = [
        make::bumpy_ball(fineness, 0.1),
        make::knobbly(fineness, 12, 5),
        make::gear(16, 0.15, fineness.max(2)),
    ];
    let mesh =
        |faces: FaceSet| Mesh::new(faces).map_err(|error| Failure::Mesh { name: "crowd".to_owned(), error });
    let parts = kinds.into_iter().map(|faces| {
        let faces = faces.map_err(|error| Failure::Usage(format!("the study's own body: {error}")))?;
        Ok(Part::new(mesh(faces)?))
    });
    let mut scene = Scene {
        name: "crowd",
        parts: parts.collect::<Result<_, Failure>>()?,
        pairs: Vec::new(),
        left_out: 0,
    };
    let mut dice = fastrand::Rng::with_seed(7);
    let mut vector = |size: f64| (DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0) * size;
    let mut bodies = Vec::new();
    for k in 0..side.pow(3) {
        let cell = DVec3::new(f64::from(k % side), f64::from(k / side % side), f64::from(k / side / side));
        let turn = DQuat::from_scaled_axis(vector(3.0));
        let place = cell * SPACING + vector(0.25);
        let (ahead, way) = (DQuat::from_scaled_axis(vector(0.5)), vector(0.45));
        let ends = [Pose::new(turn, place), Pose::new(ahead * turn, place + way)];
        let [Ok(start), Ok(end)] = ends else { continue };
        if let Ok(motion) = Motion::slerp(start, end, DVec3::ZERO) {
            bodies.push((k as usize % scene.parts.len(), motion));
        }
    }
    let mut query = Query::new();
    for (i, (part_a, a)) in bodies.iter().enumerate() {
        for (part_b, b) in &bodies[i + 1..] {
            if a.pose_at(0.0).translation().distance(b.pose_at(0.0).translation()) < NEAR {
                let viewer = (DVec3::ZERO, 0.5 * SPACING);
                scene.add(&mut query, [*part_a, *part_b], [a.clone(), b.clone()], viewer);
            }
        }
    }
    Ok(scene)
}

/// From cell to cell; bodies have a radius of about 1.
const SPACING: f64 = 2.3;
/// Centres of neighbours are nearer than this.
const NEAR: f64 = 2.9;
