//! The thesis's simplified response: bodies stop where a contact is found and stay there. The continuous method stops them at the
//! place of contact, the discrete one where the step ends.

use crate::discrete::{Hash, Lookups};
use kontakt_math::DVec3;
use kontakt_soft::{Forces, Loose};
use kontakt_soft_ccd::Kind;
use kontakt_soft_ccd::mesh::{MeshContact, Options, Search, Step};

/// Share of the way to a contact that is gone: the place of contact, and still before it.
const SHY: f64 = 0.999;

/// What a step found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frozen {
    /// Bodies that stopped in this step.
    pub bodies: Vec<u32>,
    /// Pairs looked at.
    pub candidates: u64,
    /// What the hash cost; of the discrete method.
    pub lookups: Lookups,
}

/// One step of the continuous method: bodies in contact stop together before it. Never leaves a state with an intersection, if it
/// began in one without.
pub fn continuous(world: &mut Loose, seconds: f64, forces: &Forces, substeps: usize) -> Frozen {
    let start = world.places.clone();
    world.advance(seconds, forces, substeps);
    let end = world.places.clone();
    let bodies = world.bodies().iter().max().map_or(0, |most| *most as usize + 1);
    let mut share = vec![1.0_f64; bodies];
    let mut frozen = Frozen::default();
    // Each round stops a body more or goes less far; after all have stopped nothing moves.
    for round in 0..=2 * bodies {
        let last = round == 2 * bodies;
        for v in 0..start.len() {
            let part = share[world.bodies()[v] as usize];
            world.places[v] = if part >= 1.0 {
                end[v]
            } else if last {
                start[v]
            } else {
                start[v] + (end[v] - start[v]) * part
            };
        }
        let Ok(path) = Step::new(world.surface(), &start, &world.places) else { break };
        let found = Search::new(&path, &Options::default()).contacts();
        frozen.candidates += found.counts.vertex_face_candidates + found.counts.edge_edge_candidates;
        if found.contacts.is_empty() || last {
            break;
        }
        let mut until = vec![1.0_f64; bodies];
        for contact in &found.contacts {
            for body in bodies_of(world, contact) {
                let until = &mut until[body as usize];
                *until = until.min(contact.time.lo());
            }
        }
        for body in 0..bodies {
            if until[body] < 1.0 {
                share[body] *= SHY * until[body];
            }
        }
    }
    for body in (0..bodies as u32).filter(|&b| share[b as usize] < 1.0) {
        world.hold(body);
        frozen.bodies.push(body);
    }
    frozen
}

fn bodies_of(world: &Loose, contact: &MeshContact) -> [u32; 2] {
    let surface = world.surface();
    let (a, b) = (contact.a as usize, contact.b as usize);
    let vertices = match contact.kind {
        Kind::VertexFace => [contact.a, surface.triangles()[b][0]],
        Kind::EdgeEdge => [surface.edges()[a][0], surface.edges()[b][0]],
    };
    vertices.map(|v| world.bodies()[v as usize])
}

/// One step of the discrete method: bodies stop at its end, where one has a vertex in the other.
pub fn discrete(world: &mut Loose, seconds: f64, forces: &Forces, substeps: usize, hash: &Hash) -> Frozen {
    world.advance(seconds, forces, substeps);
    let (inside, lookups) = hash.vertices_inside(world);
    let mut frozen = Frozen { lookups, candidates: lookups.tested, bodies: Vec::new() };
    for one in &inside {
        let holder = world.tetrahedra()[one.tetrahedron as usize][0];
        frozen.bodies.extend([one.vertex, holder].map(|v| world.bodies()[v as usize]));
    }
    frozen.bodies.sort_unstable();
    frozen.bodies.dedup();
    for &body in &frozen.bodies {
        world.hold(body);
    }
    frozen
}

/// The mean place of a body's vertices.
pub fn centre(world: &Loose, body: u32) -> DVec3 {
    let own = world.places.iter().zip(world.bodies()).filter(|(_, b)| **b == body).map(|(p, _)| *p);
    let (sum, count) = own.fold((DVec3::ZERO, 0_usize), |(sum, count), p| (sum + p, count + 1));
    sum / count.max(1) as f64
}
