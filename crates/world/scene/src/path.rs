//! A whole recorded motion of some bodies of a scene against the others.

use crate::exceptions::Exceptions;
use crate::extent::Extent;
use crate::related::Related;
use crate::scene::{Scene, SceneBody};
use crate::way::WayError;
use kontakt_math::Pose;
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_pair::{Placed, Query};
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

/// Checks the path of the first `movers` bodies of a scene against the others, which stand: meshes, and convex bodies that are sharp
/// polytopes. With the report comes the number of pairs looked at, ignored ones left out; where
/// there is none, there is no report: nothing would be proven.
pub fn check_path(
    scene: &Scene,
    movers: usize,
    segments: &[Segment],
    exceptions: &Exceptions,
    options: &PathOptions,
    watch: &dyn Watch,
) -> Result<(usize, PathReport), PathError> {
    let meshes = scene.bodies().iter().enumerate().map(surface).collect::<Result<Vec<_>, _>>()?;
    let (moving, still): (Vec<_>, Vec<_>) = meshes.into_iter().partition(|(place, _)| *place < movers);
    let touching = segments.first().map(|first| Start::new(scene, first.motion().pose_at(0.0)));
    let rule = |mover: usize, body: usize| {
        let (mover, body) = (moving[mover].0, still[body].0);
        if exceptions.ignores(mover, body) {
            return Rule::Ignored;
        }
        let allowed = exceptions.allowance(mover, body);
        allowed.or_else(|| touching.as_ref()?.rounding(mover, body)).map_or(Rule::Apart, Rule::Allowed)
    };
    let own: Vec<&Mesh> = moving.iter().map(|(_, mesh)| *mesh).collect();
    let others: Vec<PlacedMesh> =
        still.iter().map(|(place, mesh)| PlacedMesh::new(mesh, scene.bodies()[*place].pose)).collect();
    let around = path::PathScene::new(&own, &others).with_rules(rule);
    if around.pair_count() == 0 {
        return Err(PathError::NoPairs);
    }
    if segments.is_empty() {
        return Err(PathError::NoSegments);
    }
    Ok((around.pair_count(), path::check(&around, segments, options, watch)))
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
        let placed = [Placed::new(&mover.body, self.movers), body.placed()];
        let extents = [Extent::of(&placed[0]), body.extent()];
        if extents[0].gap_below(&extents[1]) > 0.0 {
            return None;
        }
        let limit = mover.rounding(&extents[0]) + body.rounding(&extents[1]);
        let found = Related::of(&mut Query::new(), placed[0], placed[1], [0.0, 0.0]);
        let overlaps = found.solids && !found.is_coincident();
        (overlaps && found.interference()?.is_about_at_most(limit)).then_some(limit)
    }
}

/// A body's place in the scene and its boundary.
fn surface((place, body): (usize, &SceneBody)) -> Result<(usize, &Mesh), PathError> {
    let missing = || PathError::NoSurface { name: body.name.full.clone() };
    body.body.surface().map(|mesh| (place, mesh)).ok_or_else(missing)
}
