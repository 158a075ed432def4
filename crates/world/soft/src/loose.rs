//! Bodies that do not notice one another.

use crate::forces::Forces;
use crate::model::Model;
use crate::predict::{Prediction, Start};
use crate::system::System;
use crate::{Body, SoftError};
use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::Surface;

/// Bodies that deform as those of a [`System`] do and go through one another: what other methods of detection and response start
/// from. **Nothing is proven of its states.**
#[derive(Clone, Debug)]
pub struct Loose {
    surface: Surface,
    model: Model,
    tetrahedra: Vec<[u32; 4]>,
    masses: Vec<f64>,
    mobility: Vec<f64>,
    bodies: Vec<u32>,
    /// Where the vertices are.
    pub places: Vec<DVec3>,
    /// m/s.
    pub velocities: Vec<DVec3>,
}

impl Loose {
    /// Puts bodies together, wherever they are.
    pub fn new(bodies: &[Body]) -> Result<Loose, SoftError> {
        let system = System::unchecked(bodies)?;
        let mut tetrahedra = Vec::new();
        let mut base = 0;
        for body in bodies {
            tetrahedra.extend(body.tetrahedra().iter().map(|t| t.map(|v| v + base)));
            base += body.places().len() as u32;
        }
        let System { surface, model, places, velocities, masses, mobility, bodies, .. } = system;
        Ok(Loose { surface, model, tetrahedra, masses, mobility, bodies, places, velocities })
    }

    /// Where the model takes them in `seconds`; nothing is in the way of anything. Always finite.
    pub fn advance(&mut self, seconds: f64, forces: &Forces, substeps: usize) {
        let start = Start {
            model: &self.model,
            triangles: self.surface.triangles(),
            places: &self.places,
            velocities: &self.velocities,
            mobility: &self.mobility,
            forces,
            led: &[],
            seconds,
            substeps: substeps.max(1),
        };
        let prediction = Prediction::new(&start, &[]);
        let end = prediction.end(&self.places).to_vec();
        self.velocities = prediction.velocities;
        self.places = end;
    }

    /// All surfaces as one.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Tetrahedra of all solids, by the vertices of all bodies.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// The body of each vertex.
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// kg.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// 1/kg, 0 for pins.
    pub fn mobility(&self) -> &[f64] {
        &self.mobility
    }

    /// Holds all vertices of a body where they are.
    pub fn hold(&mut self, body: u32) {
        for v in (0..self.places.len()).filter(|&v| self.bodies[v] == body) {
            self.mobility[v] = 0.0;
            self.velocities[v] = DVec3::ZERO;
        }
    }
}
