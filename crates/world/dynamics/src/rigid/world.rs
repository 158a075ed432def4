//! Bodies and their steps.

mod setup;
mod step;

use super::body::{Body, Resistance};
use super::contact::{Scene, Touch, at_rest};
use super::error::StepError;
use super::form::Form;
use super::measure::{ContactCount, Energy};
use super::near::{Cells, Near, Pair};
use super::settings::Settings;
use super::share::Alone;
use super::state::State;
use kontakt_math::Pose;

/// Bodies that move under gravity and push each other.
#[derive(Debug)]
pub struct World {
    settings: Settings,
    forms: Vec<Form>,
    resistances: Vec<Option<Resistance>>,
    state: State,
    near: Near,
    cells: Option<Cells>,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Pairs whose boxes met.
    pub pairs: usize,
    /// Contact points that were solved, those that might have closed included.
    pub contacts: usize,
    /// Sweeps over them, before and after the motion.
    pub sweeps: u32,
    /// Pairs that began or ceased to push each other.
    pub changes: usize,
}

impl World {
    /// How it is simulated.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What its bodies are.
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// All that it is now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its bodies, by id.
    pub fn bodies(&self) -> &[Body] {
        &self.state.bodies
    }

    /// The time passed.
    pub fn time(&self) -> f64 {
        self.state.steps as f64 * self.settings.part()
    }

    /// The pose of a body's form, by the body's id.
    pub fn pose(&self, id: u64) -> Option<Pose> {
        let at = self.state.bodies.binary_search_by_key(&id, |body| body.id).ok()?;
        let body = &self.state.bodies[at];
        self.forms[body.form as usize].pose(body.place, body.turn)
    }

    /// A number that differs, almost surely, for states that differ in any bit.
    pub fn hash(&self) -> u64 {
        self.state.hash()
    }

    /// Makes a step, on this rank alone.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.step_with(&mut Alone)
    }

    /// Kinetic energy, summed in the order of ids.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for body in self.state.bodies.iter().filter(|body| body.is_free()) {
            energy.kinetic += self.kinetic(body);
            energy.scale += self.energy_scale(body);
        }
        energy
    }

    /// Whether all is at rest: the kinetic energy below 1e-9 of mass × gravity × size, and no contact begun or ended for half a second.
    pub fn is_at_rest(&self) -> bool {
        let calm = (self.state.steps - self.state.changed) as f64 * self.settings.part();
        calm >= 0.5 && self.energy().relative() < 1e-9
    }

    /// The least size of all free bodies; the unit in which contacts are counted.
    pub fn least_size(&self) -> f64 {
        let sizes = self.state.bodies.iter().filter(|body| body.is_free());
        let least = sizes.map(|body| self.forms[body.form as usize].size()).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 1.0 }
    }

    /// Contacts as the bodies are now, nearer than the gap in units of the least size.
    pub fn touches(&mut self, within: f64) -> Vec<Touch> {
        let limit = within * self.least_size();
        let scene = Scene { bodies: &self.state.bodies, forms: &self.forms, settings: &self.settings };
        at_rest(&scene, &mut self.near, |_: &Pair| limit)
    }

    /// Counts of the contacts nearer than each of these gaps, in units of the least size.
    pub fn count_contacts<const N: usize>(&mut self, within: [f64; N]) -> [ContactCount; N] {
        let size = self.least_size();
        let widest = within.into_iter().fold(0.0, f64::max);
        let touches = self.touches(widest);
        within.map(|within| ContactCount::of(&touches, within, size))
    }

    fn kinetic(&self, body: &Body) -> f64 {
        self.resistances[body.form as usize].map_or(0.0, |own| own.energy(body))
    }

    fn energy_scale(&self, body: &Body) -> f64 {
        let mass = self.resistances[body.form as usize].map_or(0.0, |own| own.mass(body.density));
        mass * self.settings.gravity.length() * self.forms[body.form as usize].size()
    }
}
