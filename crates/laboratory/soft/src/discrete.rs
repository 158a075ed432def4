//! The discrete method: places at the end of a step alone are looked at.

mod depth;
mod hash;

pub use depth::{Penetration, penetrations};
pub use hash::{Hash, Inside, Lookups};

use kontakt_math::DVec3;
use kontakt_soft::{Forces, Loose};

/// What a step found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Vertices in tetrahedra of other bodies, or of their own.
    pub inside: usize,
    /// Of these, those that a depth was found for.
    pub answered: usize,
    /// What the hash cost.
    pub lookups: Lookups,
}

/// One step with response: bodies move by the model, then each vertex that is inside another tetrahedron is pushed back by its depth
/// along its direction, the corners of the tetrahedron the other way, by their masses, and velocities with them. Stronger than any penalty force that
/// a step resolves: what falls through here falls through with forces.
pub fn step(world: &mut Loose, seconds: f64, forces: &Forces, substeps: usize, hash: &Hash) -> Found {
    world.advance(seconds, forces, substeps);
    let (inside, lookups) = hash.vertices_inside(world);
    let found = penetrations(world, &inside);
    for penetration in &found {
        push(world, penetration, seconds);
    }
    Found { inside: inside.len(), answered: found.len(), lookups }
}

fn push(world: &mut Loose, found: &Penetration, seconds: f64) {
    let Inside { vertex, tetrahedron, weights } = found.inside;
    let corners = world.tetrahedra()[tetrahedron as usize];
    let mobility = world.mobility();
    let own = mobility[vertex as usize];
    let others: f64 = corners.iter().zip(weights).map(|(&c, w)| w * w * mobility[c as usize]).sum();
    let way = found.direction * (found.depth / (own + others));
    if !way.is_finite() {
        return;
    }
    let shares = corners.map(|c| mobility[c as usize]);
    moved(world, vertex, way * own, seconds);
    for ((&corner, weight), share) in corners.iter().zip(weights).zip(shares) {
        moved(world, corner, -way * (weight * share), seconds);
    }
}

fn moved(world: &mut Loose, vertex: u32, by: DVec3, seconds: f64) {
    let v = vertex as usize;
    world.places[v] += by;
    if seconds > 0.0 {
        world.velocities[v] += by / seconds;
    }
}
