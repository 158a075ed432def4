//! A whole recorded motion of some bodies of a scene against the others.

use crate::exceptions::Exceptions;
use crate::scene::Scene;
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_pair::Body;
use kontakt_rigid_ccd::path::{self, PathOptions, PathReport, Rule, Segment, Watch};

/// Checks the path of the first `movers` bodies of a scene against the others, which stand; all must be meshes, others are left out.
/// With the report comes the number of pairs looked at, ignored ones left out.
pub fn check_path(
    scene: &Scene,
    movers: usize,
    segments: &[Segment],
    exceptions: &Exceptions,
    options: &PathOptions,
    watch: &dyn Watch,
) -> (usize, PathReport) {
    let meshes: Vec<(usize, &Mesh)> = scene
        .bodies()
        .iter()
        .enumerate()
        .filter_map(|(place, body)| match &body.body {
            Body::Mesh(mesh) => Some((place, &**mesh)),
            Body::Convex(_) => None,
        })
        .collect();
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
    (around.pair_count(), path::check(&around, segments, options, watch))
}
