//! A whole recorded motion of some bodies of a scene against the others.

use crate::exceptions::Exceptions;
use crate::scene::{Scene, SceneBody};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_rigid_ccd::path::{self, PathOptions, PathReport, Rule, Segment, Watch};
use thiserror::Error;

/// A body that cannot be followed along a path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name} is a curved or rounded shape; a path is checked for meshes and sharp polytopes only")]
pub struct NoSurface {
    /// Which one.
    pub name: String,
}

/// Checks the path of the first `movers` bodies of a scene against the others, which stand: meshes, and convex bodies that are sharp
/// polytopes. With the report comes the number of pairs looked at, ignored ones left out.
pub fn check_path(
    scene: &Scene,
    movers: usize,
    segments: &[Segment],
    exceptions: &Exceptions,
    options: &PathOptions,
    watch: &dyn Watch,
) -> Result<(usize, PathReport), NoSurface> {
    let meshes = scene.bodies().iter().enumerate().map(surface).collect::<Result<Vec<_>, _>>()?;
    let (moving, still): (Vec<_>, Vec<_>) = meshes.into_iter().partition(|(place, _)| *place < movers);
    let rule = |mover: usize, body: usize| {
        let (mover, body) = (moving[mover].0, still[body].0);
        match exceptions.allowance(mover, body) {
            _ if exceptions.ignores(mover, body) => Rule::Ignored,
            Some(depth) => Rule::Allowed(depth),
            None => Rule::Apart,
        }
    };
    let own: Vec<&Mesh> = moving.iter().map(|(_, mesh)| *mesh).collect();
    let others: Vec<PlacedMesh> =
        still.iter().map(|(place, mesh)| PlacedMesh::new(mesh, scene.bodies()[*place].pose)).collect();
    let around = path::PathScene::new(&own, &others).with_rules(rule);
    Ok((around.pair_count(), path::check(&around, segments, options, watch)))
}

/// A body's place in the scene and its boundary.
fn surface((place, body): (usize, &SceneBody)) -> Result<(usize, &Mesh), NoSurface> {
    let missing = || NoSurface { name: body.name.full.clone() };
    body.body.surface().map(|mesh| (place, mesh)).ok_or_else(missing)
}
