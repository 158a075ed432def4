//! A whole recorded motion of some bodies of a scene against the others.

use crate::curved_path::{self, CurvedPair};
use crate::exceptions::Exceptions;
use crate::extent::Extent;
use crate::related::Related;
use crate::rules::{Class, Rules};
use crate::scene::{Scene, SceneBody};
use crate::way::WayError;
use kontakt_math::Pose;
use kontakt_math::round::{add_down, add_up};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_pair::{Placed, Query, with_faces};
use kontakt_rigid_ccd::path::{self, PathOptions, PathReport, Rule, Segment, Watch};
use thiserror::Error;

/// Why a path cannot be checked.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PathError {
    /// A body that cannot be followed along a path.
    #[error("{name} is a curved or rounded shape; a path is checked for meshes and sharp polytopes only")]
    NoSurface {
        /// Which one.
        name: String,
    },
    /// A body that cannot be put where it starts.
    #[error("{name}: {problem}")]
    NotPlaced {
        /// Which one.
        name: String,
        /// Why.
        problem: String,
    },
    /// A path past a body that is not there is not free.
    #[error("{name}: {problem}; a path is proven for whole bodies only: name those meant, FILE:NAME")]
    Missing {
        /// Which one.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A path that nothing was looked at for is not free.
    #[error("nothing is left to look at: no pair of a moving body and one at rest, ignored ones left out")]
    NoPairs,
    /// Nor is one that does not move.
    #[error("nothing moves: a path needs two poses at least")]
    NoSegments,
    /// It leads nowhere.
    #[error(transparent)]
    Way(#[from] WayError),
}

/// Checks the path of the first `movers` bodies of a scene against the others, which stand: meshes, convex bodies that are sharp
/// polytopes, and curved bodies, of which what is free is proven for the true surfaces; where these start nearer to each other than their
/// triangles tell, they may stay so. With the report comes the number of pairs looked at, ignored ones left out; where
/// there is none, there is no report: nothing would be proven.
pub fn check_path(
    scene: &Scene,
    movers: usize,
    segments: &[Segment],
    exceptions: &Exceptions,
    options: &PathOptions,
    watch: &dyn Watch,
) -> Result<(usize, PathReport), PathError> {
    if let Some(missing) = scene.missing().first().cloned() {
        return Err(PathError::Missing { name: missing.name, problem: missing.problem });
    }
    let meshes = scene.bodies().iter().enumerate().map(surface).collect::<Result<Vec<_>, _>>()?;
    let (moving, still): (Vec<_>, Vec<_>) = meshes.into_iter().partition(|(place, _)| *place < movers);
    let carried = moving.iter().map(|(place, mesh)| carried(&scene.bodies()[*place], mesh));
    let carried: Vec<Option<(Mesh, f64)>> = carried.collect::<Result<_, _>>()?;
    let touching = segments.first().map(|first| Start::new(scene, first.motion().pose_at(0.0)));
    let off = |mover: usize| carried[mover].as_ref().map_or(0.0, |(_, off)| *off);
    let slack = |mover: usize, body: usize| {
        let [a, b] = [moving[mover].0, still[body].0].map(|place| scene.bodies()[place].body.deviation());
        if a + b > 0.0 { add_up(add_up(a, b), off(mover)) } else { 0.0 }
    };
    let rule = |mover: usize, body: usize| {
        let slack = slack(mover, body);
        let (mover, body) = (moving[mover].0, still[body].0);
        if exceptions.ignores(mover, body) {
            return Rule::Ignored;
        }
        // What triangles are allowed is what the true surfaces are, less what the triangles may lie off.
        let less = |depth: f64| if slack > 0.0 { add_down(depth, -slack) } else { depth };
        let allowed = exceptions.allowance(mover, body).map(less);
        let allowed = allowed.filter(|&depth| depth > 0.0 || slack <= 0.0);
        allowed.or_else(|| touching.as_ref()?.rounding(mover, body)).map_or(Rule::Apart, Rule::Allowed)
    };
    let own: Vec<&Mesh> = moving
        .iter()
        .zip(&carried)
        .map(|((_, mesh), carried)| carried.as_ref().map_or(*mesh, |(mesh, _)| mesh))
        .collect();
    let others: Vec<PlacedMesh> =
        still.iter().map(|(place, mesh)| PlacedMesh::new(mesh, scene.bodies()[*place].pose)).collect();
    let around = path::PathScene::new(&own, &others).with_rules(rule);
    if around.pair_count() == 0 {
        return Err(PathError::NoPairs);
    }
    if segments.is_empty() {
        return Err(PathError::NoSegments);
    }
    let pairs = (0..moving.len()).flat_map(|mover| (0..still.len()).map(move |body| [mover, body]));
    let apart = |places: &[usize; 2]| around.rule(places[0], places[1]) == Rule::Apart;
    let curved = |places: [usize; 2]| {
        let [mover, body] = [moving[places[0]].0, still[places[1]].0].map(|place| &scene.bodies()[place]);
        let (bodies, poses) = ([&mover.body, &body.body], [mover.pose, body.pose]);
        CurvedPair { places, bodies, poses, slack: slack(places[0], places[1]) }
    };
    let pairs: Vec<CurvedPair> = pairs.filter(apart).map(curved).filter(|pair| pair.slack > 0.0).collect();
    let mut report = path::check(&around, segments, options, watch);
    for segment in &mut report.segments {
        let end = segment.times[1];
        for finding in &mut segment.findings {
            let places = [moving[finding.mover].0, still[finding.body].0];
            let [mover, body] = places.map(|place| &scene.bodies()[place].body);
            finding.contact = finding.contact.map(|contact| with_faces(contact, mover, body));
            if slack(finding.mover, finding.body) > 0.0
                && let Some(depth) = exceptions.allowance(places[0], places[1])
            {
                curved_path::not_proven(finding, depth, end);
            }
        }
        curved_path::sum_up(segment);
    }
    curved_path::told(&mut report, segments, &pairs, watch);
    Ok((around.pair_count(), report))
}

/// The mesh of a mover in the frame that moves, where that is not its own, and how far rounding puts it off.
fn carried(body: &SceneBody, mesh: &Mesh) -> Result<Option<(Mesh, f64)>, PathError> {
    if body.pose == Pose::IDENTITY {
        return Ok(None);
    }
    let problem = |problem: String| PathError::NotPlaced { name: body.name.full.clone(), problem };
    curved_path::placed(mesh, &body.pose).map(Some).map_err(problem)
}

/// Where bodies stand when a motion starts.
struct Start<'a> {
    scene: &'a Scene,
    movers: Pose,
}

impl<'a> Start<'a> {
    fn new(scene: &'a Scene, movers: Pose) -> Start<'a> {
        Start { scene, movers }
    }

    /// How much rounding explains, where a mover starts in another body by no more: such a pair touches, as in a check, and may leave
    /// the touch.
    fn rounding(&self, mover: usize, body: usize) -> Option<f64> {
        let (mover, body) = (&self.scene.bodies()[mover], &self.scene.bodies()[body]);
        let placed = [Placed::new(&mover.body, self.movers.then_from(&mover.pose)), body.placed()];
        let extents = [Extent::of(&placed[0]), body.extent()];
        if extents[0].gap_below(&extents[1]) > 0.0 {
            return None;
        }
        let limit = mover.rounding(&extents[0]) + body.rounding(&extents[1]);
        let found = Related::of(&mut Query::new(), placed[0], placed[1], [0.0, 0.0], 0.0);
        let certified = [mover, body].map(|body| body.body.deviation());
        if certified[0] + certified[1] > 0.0 {
            let limits = Rules::default().pair_limits([limit, 0.0], certified);
            let class = Rules::default().judge(0, 1, &found, limits).class;
            // What triangles leave open may be a press fit: only what is known to touch may leave the touch.
            return (class == Class::Touching).then_some(add_up(limits.certified, limit));
        }
        let overlaps = found.solids && !found.is_coincident();
        (overlaps && found.interference()?.is_about_at_most(limit)).then_some(limit)
    }
}

/// A body's place in the scene and its boundary.
fn surface((place, body): (usize, &SceneBody)) -> Result<(usize, &Mesh), PathError> {
    let missing = || PathError::NoSurface { name: body.name.full.clone() };
    body.body.surface().map(|mesh| (place, mesh)).ok_or_else(missing)
}
