//! Bodies together: arrays over all their vertices.

use crate::body::Body;
use crate::error::SoftError;
use crate::free::meetings;
use crate::model::Model;
use crate::region::Joined;
use crate::row::{Key, Touch};
use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::Surface;

/// Meetings that are named of a start that is not free.
const NAMED: usize = 1000;

/// Bodies in a state that is proven free: see [`crate::free`].
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) surface: Surface,
    pub(crate) model: Model,
    pub(crate) joined: Joined,
    pub(crate) places: Vec<DVec3>,
    pub(crate) velocities: Vec<DVec3>,
    pub(crate) masses: Vec<f64>,
    /// 1/kg, 0 for pins.
    pub(crate) mobility: Vec<f64>,
    pub(crate) bodies: Vec<u32>,
    pub(crate) touches: Vec<Touch>,
    /// Contacts remembered from the step before, sorted.
    pub(crate) known: Vec<Key>,
    /// For how many steps running each vertex stopped in a zone.
    pub(crate) stopped: Vec<u32>,
}

/// What a system needs to go on exactly as it would have.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Where the vertices are.
    pub places: Vec<DVec3>,
    /// m/s.
    pub velocities: Vec<DVec3>,
    /// Remembered contacts: whether of edges, and the features' numbers.
    pub contacts: Vec<(bool, u32, u32)>,
    /// For how many steps running each vertex could not go on.
    pub stopped: Vec<u32>,
}

impl System {
    /// Puts bodies together. The start must be free, else what meets is named.
    pub fn new(bodies: &[Body]) -> Result<System, SoftError> {
        let system = System::unchecked(bodies)?;
        let found = meetings(&system.surface, &system.places, NAMED)?;
        if found.is_empty() { Ok(system) } else { Err(SoftError::NotFree(found)) }
    }

    pub(crate) fn unchecked(bodies: &[Body]) -> Result<System, SoftError> {
        let (mut places, mut velocities, mut masses, mut mobility) = (vec![], vec![], vec![], vec![]);
        let (mut triangles, mut of_body, mut touches) = (vec![], vec![], vec![]);
        let (mut springs, mut bends, mut volumes) = (vec![], vec![], vec![]);
        for (number, body) in bodies.iter().enumerate() {
            let base = places.len() as u32;
            places.extend_from_slice(&body.places);
            velocities.extend_from_slice(&body.velocities);
            masses.extend_from_slice(&body.masses);
            mobility.extend(
                body.masses.iter().zip(&body.pinned).map(|(m, &held)| if held { 0.0 } else { 1.0 / m }),
            );
            of_body.resize(places.len(), number as u32);
            triangles.extend(body.triangles().iter().map(|t| t.map(|v| v + base)));
            springs.extend(
                body.springs.iter().map(|s| crate::model::Spring { ends: s.ends.map(|v| v + base), ..*s }),
            );
            bends.extend(
                body.bends.iter().map(|b| crate::model::Bend { corners: b.corners.map(|v| v + base), ..*b }),
            );
            volumes.extend(body.volumes.iter().map(|t| t.shifted(base)));
            let material = body.material();
            touches.push(Touch {
                skin: body.skin(),
                friction: material.friction,
                restitution: material.restitution,
            });
        }
        for (what, list) in [("place", &places), ("velocity", &velocities)] {
            if let Some(vertex) = list.iter().position(|p: &DVec3| !p.is_finite()) {
                return Err(SoftError::NotFinite { what, vertex });
            }
        }
        for (v, w) in velocities.iter_mut().zip(&mobility) {
            *v = if *w > 0.0 { *v } else { DVec3::ZERO };
        }
        let surface = Surface::new(places.len(), triangles)?.with_bodies(of_body.clone())?;
        let model = Model::new(places.len(), &springs, &bends, &volumes);
        let joined = Joined::new(places.len(), &model);
        let stopped = vec![0; places.len()];
        let known = Vec::new();
        let bodies = of_body;
        Ok(System {
            surface,
            model,
            joined,
            places,
            velocities,
            masses,
            mobility,
            bodies,
            touches,
            known,
            stopped,
        })
    }

    /// All surfaces as one; bodies by their order.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Where the vertices are, body after body.
    pub fn places(&self) -> &[DVec3] {
        &self.places
    }

    /// m/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.velocities
    }

    /// The body of each vertex.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// A fingerprint of the state, every bit of it.
    pub fn hash(&self) -> u64 {
        let mix = |hash: u64, word: u64| {
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 29)
        };
        let numbers = self.places.iter().chain(&self.velocities).flat_map(DVec3::to_array).map(f64::to_bits);
        let stopped = self.stopped.iter().map(|&steps| u64::from(steps));
        let known = self.known.iter().flat_map(|k| [u64::from(k.is_edges), u64::from(k.a), u64::from(k.b)]);
        numbers.chain(stopped).chain(known).fold(self.places.len() as u64, mix)
    }

    /// To go on from later.
    pub fn state(&self) -> State {
        State {
            places: self.places.clone(),
            velocities: self.velocities.clone(),
            contacts: self.known.iter().map(|k| (k.is_edges, k.a, k.b)).collect(),
            stopped: self.stopped.clone(),
        }
    }

    /// Goes on from a state of the same bodies, which is checked as a start is.
    pub fn restore(&mut self, state: &State) -> Result<(), SoftError> {
        let vertices = self.places.len();
        for given in [state.places.len(), state.velocities.len(), state.stopped.len()] {
            if given != vertices {
                return Err(SoftError::StateSize { given, vertices });
            }
        }
        for (what, list) in [("place", &state.places), ("velocity", &state.velocities)] {
            if let Some(vertex) = list.iter().position(|p| !p.is_finite()) {
                return Err(SoftError::NotFinite { what, vertex });
            }
        }
        let found = meetings(&self.surface, &state.places, NAMED)?;
        if !found.is_empty() {
            return Err(SoftError::NotFree(found));
        }
        self.places.clone_from(&state.places);
        self.velocities.clone_from(&state.velocities);
        self.stopped.clone_from(&state.stopped);
        self.known = state.contacts.iter().map(|&(is_edges, a, b)| Key { is_edges, a, b }).collect();
        Ok(())
    }

    /// What the bodies of a contact's vertices make of it.
    pub(crate) fn touch(&self, vertices: [u32; 4]) -> Touch {
        let of = |v: u32| self.touches[self.bodies[v as usize] as usize];
        let (a, b) = (of(vertices[0]), of(vertices[3]));
        Touch {
            skin: 0.5 * (a.skin + b.skin),
            friction: (a.friction * b.friction).sqrt(),
            restitution: (a.restitution * b.restitution).sqrt(),
        }
    }
}
