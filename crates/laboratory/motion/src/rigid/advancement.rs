//! Plain conservative advancement: step by the distance over the largest speed.

use kontakt_math::DVec3;
use kontakt_mesh::{MeshQuery, PlacedMesh};
use kontakt_rigid_ccd::MovingMesh;

/// How an advancement ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// The bodies came within the distance asked for at this time.
    Near(f64),
    /// The end was reached.
    Free,
    /// The steps were used up at this time.
    GaveUp(f64),
}

/// From time to time by the distance over a bound of both bodies' speeds, until they are nearer than `near`. Early by up to `near` over
/// the speed; its poses are rounded and not accounted for.
pub fn conservative_advancement(a: MovingMesh, b: MovingMesh, near: f64, most_steps: u32) -> Advance {
    let speed: f64 = [a, b]
        .iter()
        .map(|body| {
            let tree = body.mesh.tree();
            let radius = DVec3::splat(2.0_f64.powi(tree.exponent())).length();
            body.motion.speed_bound(tree.origin(), radius)
        })
        .sum();
    let mut asker = MeshQuery::new();
    let mut t = 0.0;
    for _ in 0..most_steps {
        let placed = [a, b].map(|body| PlacedMesh::new(body.mesh, body.motion.pose_at(t)));
        let distance = asker.distance(placed[0], placed[1]).range.lo();
        if distance <= near {
            return Advance::Near(t);
        }
        t += distance / speed;
        // Also where nothing moves or no speed is told.
        if t.is_nan() || t >= 1.0 {
            return Advance::Free;
        }
        if speed.is_infinite() {
            return Advance::GaveUp(t);
        }
    }
    Advance::GaveUp(t)
}
