//! How a world comes to be: from forms and bodies, or from a state.

use super::World;
use crate::rigid::body::{Body, Resistance};
use crate::rigid::contact::Touch;
use crate::rigid::error::{StepError, WorldError};
use crate::rigid::form::Form;
use crate::rigid::near::{Cells, Near};
use crate::rigid::settings::Settings;
use crate::rigid::share::Alone;
use crate::rigid::state::State;
use kontakt_bounds::Aabb;
use kontakt_distributed::{Extent, Grid};
use kontakt_math::DVec3;

impl World {
    /// A world of these forms, without bodies.
    pub fn new(settings: Settings, forms: Vec<Form>) -> Result<World, WorldError> {
        settings.check()?;
        let resistances = forms.iter().map(Resistance::of).collect();
        Ok(World {
            settings,
            forms,
            resistances,
            state: State::default(),
            near: Near::default(),
            cells: None,
        })
    }

    /// Adds a form, gives its number. Those there are keep theirs.
    pub fn add_form(&mut self, form: Form) -> u32 {
        self.resistances.push(Resistance::of(&form));
        self.forms.push(form);
        self.forms.len() as u32 - 1
    }

    /// A world as it was: places are those of centres of mass. Bodies may come in any order.
    pub fn restore(settings: Settings, forms: Vec<Form>, mut state: State) -> Result<World, WorldError> {
        let mut world = World::new(settings, forms)?;
        state.sort();
        if let Some(twice) = state.bodies.windows(2).find(|two| two[0].id == two[1].id) {
            return Err(WorldError::TwiceGiven(twice[0].id));
        }
        state.bodies.iter().try_for_each(|body| world.check(body))?;
        world.state = state;
        Ok(world)
    }

    /// Adds a body; its place is that of its form's frame. The order of bodies does not matter, their ids do.
    pub fn add(&mut self, mut body: Body) -> Result<(), WorldError> {
        self.check(&body)?;
        if let Some(mass) = self.forms[body.form as usize].mass().filter(|mass| mass.centre != DVec3::ZERO) {
            body.place += body.turn * mass.centre;
        }
        match self.state.bodies.binary_search_by_key(&body.id, |other| other.id) {
            Ok(_) => Err(WorldError::TwiceGiven(body.id)),
            Err(at) => {
                self.state.bodies.insert(at, body);
                self.near.reset();
                Ok(())
            }
        }
    }

    /// Takes a body out, with what is remembered of its contacts. Those it touched wake up.
    pub fn remove(&mut self, id: u64) -> Option<Body> {
        let at = self.state.bodies.binary_search_by_key(&id, |body| body.id).ok()?;
        let touched: Vec<u64> =
            self.state.held.iter().filter(|held| held.ids.contains(&id)).flat_map(|held| held.ids).collect();
        for body in self.state.bodies.iter_mut().filter(|body| touched.contains(&body.id)) {
            body.asleep = false;
            body.quiet = 0;
        }
        self.state.held.retain(|held| !held.ids.contains(&id));
        self.state.seen.retain(|seen| !seen.ids.contains(&id));
        self.near.reset();
        Some(self.state.bodies.remove(at))
    }

    /// Replaces all bodies and all that is remembered: for ranks, whose bodies come and go. All sorted, bodies checked before.
    pub fn replace(&mut self, state: State) {
        let same = state.bodies.len() == self.state.bodies.len()
            && state
                .bodies
                .iter()
                .zip(&self.state.bodies)
                .all(|(new, old)| new.id == old.id && new.form == old.form);
        if !same {
            self.near.reset();
        }
        self.state = state;
    }

    fn check(&self, body: &Body) -> Result<(), WorldError> {
        let (id, form) = (body.id, body.form);
        let count = self.forms.len();
        let Some(own) = self.forms.get(form as usize) else {
            return Err(WorldError::NoSuchForm { id, form, count });
        };
        if !body.is_finite() || (body.turn.length() - 1.0).abs() > 1e-3 {
            return Err(WorldError::NotFinite(id));
        }
        if body.density.is_nan() || body.density <= 0.0 {
            return Err(WorldError::Density { id, density: body.density });
        }
        if body.is_free() && own.mass().is_none() {
            return Err(WorldError::Massless(id));
        }
        if body.is_free() {
            let mass = own.mass().map_or(0.0, |mass| mass.volume) * body.density;
            if !(mass.is_normal() && (1.0 / mass).is_normal()) {
                return Err(WorldError::Density { id, density: body.density });
            }
        }
        for period in self.settings.periodic.period.into_iter().flatten() {
            if !own.is_endless() && 2.0 * own.radius() > 0.25 * period {
                return Err(WorldError::TooWide { id, size: 2.0 * own.radius(), period });
            }
        }
        Ok(())
    }

    /// The side of cells that suits the bodies there are: a little more than the largest, or, where sizes differ much, the least.
    pub fn fitting_cell(&self) -> f64 {
        let free = || {
            self.state.bodies.iter().filter(|body| body.is_free()).map(|body| &self.forms[body.form as usize])
        };
        let least = free().map(Form::radius).fold(f64::INFINITY, f64::min);
        let most = free().map(Form::radius).fold(0.0, f64::max);
        if most == 0.0 {
            return 1.0;
        }
        let part = self.settings.part();
        let radius = if most <= 4.0 * least { most } else { least };
        let slow = 4.0 * self.settings.gravity.length() * part * part;
        2.0 * radius * (1.02 + self.settings.margin * 2.0) + slow
    }

    /// The cells of space, fixed when they are first needed.
    pub(crate) fn cells(&mut self) -> Result<Cells, WorldError> {
        if let Some(cells) = self.cells {
            return Ok(cells);
        }
        let side = self.settings.cell.unwrap_or_else(|| self.fitting_cell());
        let cells = Cells { grid: Grid::new(1.0)?, side };
        self.cells = Some(cells);
        Ok(cells)
    }

    /// The boxes of the bodies, in the order of ids, grown by what the next step may need and in units of cells; none of half-spaces. By
    /// these, ranks find out who needs copies.
    pub fn extents(&mut self) -> Result<Vec<Option<Extent>>, WorldError> {
        let cells = self.cells()?;
        let of = |body: &Body| {
            let form = &self.forms[body.form as usize];
            cells.extent(&Near::grown(body, form, &self.settings))
        };
        Ok(self.state.bodies.iter().map(of).collect())
    }

    /// The boxes of the bodies, in the order of ids, grown by what the next step may need.
    pub(crate) fn grown_boxes(&self) -> Vec<Aabb> {
        let of = |body: &Body| Near::grown(body, &self.forms[body.form as usize], &self.settings);
        self.state.bodies.iter().map(of).collect()
    }

    /// Pairs that overlap by more than this part of the least size, the deepest first: ids and depth.
    pub fn overlaps(&mut self, beyond: f64) -> Vec<([u64; 2], f64)> {
        let limit = -beyond * self.least_size();
        let ids = |world: &World, touch: &Touch| touch.slots().map(|slot| world.state.bodies[slot].id);
        let mut overlaps: Vec<([u64; 2], f64)> = Vec::new();
        for touch in self.touches(0.0).iter().filter(|touch| touch.gap < limit) {
            let ids = ids(self, touch);
            match overlaps.last_mut().filter(|last| last.0 == ids) {
                Some(last) => last.1 = last.1.max(-touch.gap),
                None => overlaps.push((ids, -touch.gap)),
            }
        }
        overlaps.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        overlaps
    }

    /// Pushes overlapping bodies apart, without speed, until none overlaps by more than this part of the least size; at most so many
    /// rounds. Gives the greatest depth that is left, in that unit.
    pub fn separate(&mut self, beyond: f64, rounds: u32) -> Result<f64, StepError> {
        let settings = self.settings;
        let motions: Vec<(DVec3, DVec3)> =
            self.state.bodies.iter().map(|body| (body.velocity, body.spin)).collect();
        let (steps, changed) = (self.state.steps, self.state.changed);
        self.settings = Settings {
            gravity: DVec3::ZERO,
            friction: 0.0,
            rolling: 0.0,
            restitution: 0.0,
            correction: 0.5,
            substeps: 1,
            sleep: None,
            ..settings
        };
        let mut outcome = Ok(());
        for _ in 0..rounds {
            if self.overlaps(beyond).is_empty() {
                break;
            }
            self.stop();
            outcome = self.step_with(&mut Alone).map(|_| ());
            if outcome.is_err() {
                break;
            }
        }
        for (body, (velocity, spin)) in self.state.bodies.iter_mut().zip(motions) {
            (body.velocity, body.spin) = (velocity, spin);
        }
        self.forget();
        (self.state.steps, self.state.changed) = (steps, changed);
        self.settings = settings;
        outcome?;
        let deepest = self.overlaps(0.0).first().map_or(0.0, |overlap| overlap.1);
        Ok(deepest / self.least_size())
    }

    fn forget(&mut self) {
        self.state.held.clear();
        self.state.seen.clear();
    }

    fn stop(&mut self) {
        self.forget();
        for body in &mut self.state.bodies {
            (body.velocity, body.spin) = (DVec3::ZERO, DVec3::ZERO);
        }
    }
}
