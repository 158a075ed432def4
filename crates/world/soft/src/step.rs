//! The step that cannot fail.
//!
//! **Before** the step the state x is free (see [`crate::free`]); a [`System`] is made and restored only in such states.
//! 1. *Predict* y, where the model takes the vertices with the contacts that are known as inequalities.
//! 2. *Search* all vertex–face and edge–edge contacts of the straight paths x → y, exactly. None: y is accepted.
//! 3. *Respond* (see [`crate::response`]): hits that are first for their vertices become inequalities at their time, place and normal. Around deep hits
//!    the model is solved again from x; then the ends of the path are pushed apart until the inequalities hold. What changed is searched
//!    again. A few rounds.
//! 4. *Zones*: the vertices of what still hits stop together, before their first contact.
//!
//! **After** the step the state z is free. Steps 2 and 4 accept only places z for which no pair of features has a contact on
//! x → z: the last search looked at the doubles that are stored, each pair was decided exactly after the last change of any of its vertices (`open`
//! keeps hits until one of their vertices changes, and every pair with a changed vertex is searched again). x is free, so by
//! `free`'s last paragraph every state on the way and z itself are free. How y came about does not matter.
//!
//! **It ends.** Rounds of step 3 are counted. In step 4 each round handles every open hit; a hit has a vertex with a share above 0, for
//! features that do not move at all do not touch: x is free. In the first [`GENTLE`] rounds zones merge and shrink; in the next [`FIRM`] the
//! zones that hit stop; in the next [`FIRM`] all vertices of the bodies that hit stop; then everything stops, and z = x has no hits. So this takes at most
//! `rounds` + [`GENTLE`] + 2·[`FIRM`] + 2 searches. Where bodies gained energy that their speed cannot pay they are held (`cool`),
//! at most [`COOLED`] + 1 times, the last time all of them; each time others are searched again, as in step 4, with its number of searches. At worst it stands still, and says so.

use crate::energy::{Energies, heated, hold};
use crate::error::SoftError;
use crate::forces::Forces;
use crate::predict::Start;
use crate::response::Response;
use crate::row::{Key, Row};
use crate::search::search_again;
use crate::system::System;
use crate::zones::Zones;
use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::MeshContact;
use std::collections::HashMap;

/// Rounds in which zones merge and shrink.
const GENTLE: usize = 24;
/// Rounds in which zones stop, and again in which bodies stop.
const FIRM: usize = 12;
/// A vertex that stopped for so many steps running is squeezed.
const SQUEEZED: u32 = 20;

/// Rounds in which bodies are stopped for their energy; in the last all are.
const COOLED: usize = 4;

/// How a step is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Substeps of the model, at least 1.
    pub substeps: usize,
    /// Rounds of response before zones.
    pub rounds: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { substeps: 10, rounds: 8 }
    }
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Rounds of response that were needed.
    pub rounds: usize,
    /// Of these, rounds in which the model was solved again.
    pub solved: usize,
    /// Contacts that were answered, known ones and new ones.
    pub contacts: usize,
    /// Of these, first met in this step.
    pub new_contacts: usize,
    /// Rounds of zones.
    pub zone_rounds: usize,
    /// Vertices that stopped in zones.
    pub stopped: usize,
    /// Vertices that did so for more than 20 steps running: nothing free may exist for them.
    pub squeezed: usize,
    /// Pairs looked at by all searches.
    pub candidates: u64,
    /// Vertices that stopped because their bodies' energy would have grown.
    pub cooled: usize,
    /// Joules after the step: kinetic, and of gravity, hands and deformation.
    pub kinetic: f64,
    /// See above.
    pub potential: f64,
    /// Joules that were taken so that energy does not grow.
    pub taken: f64,
}

impl System {
    /// One step of `seconds`. Everything about it is above.
    pub fn step(&mut self, seconds: f64, forces: &Forces, options: &Options) -> Result<Report, SoftError> {
        self.check_step(seconds, forces)?;
        let substeps = options.substeps.max(1);
        let substep = seconds / substeps as f64;
        let mut report = Report::default();
        if substep <= 0.0 {
            return Ok(self.energies(forces, 0.0, report));
        }
        let before = Energies::new(self, forces, substep);
        let x = self.places.clone();
        let led = forces.led(&self.bodies);
        let known: Vec<Row> = self.known.iter().filter_map(|&key| self.known_row(key)).collect();
        let (mut end, velocities, rows) = {
            let start = Start {
                model: &self.model,
                triangles: self.surface.triangles(),
                places: &x,
                velocities: &self.velocities,
                mobility: &self.mobility,
                forces,
                led: &led,
                seconds,
                substeps,
            };
            let mut response = Response::new(self, &start, known)?;
            while response.rounds < options.rounds && !response.open.is_empty() {
                response.round()?;
            }
            let Response { prediction, rows, open, rounds, solved, candidates, .. } = response;
            (report.rounds, report.solved, report.candidates) = (rounds, solved, candidates);
            let end = prediction.end(&x).to_vec();
            let end = if open.is_empty() { end } else { self.settle(&x, &end, open, &mut report)? };
            (end, prediction.velocities, rows)
        };
        report.contacts = rows.len();
        report.new_contacts = rows.iter().filter(|row| row.is_new).count();
        let came: Vec<f64> = rows.iter().map(|row| -row.leaving(&self.velocities)).collect();
        std::mem::swap(&mut self.places, &mut end);
        let predicted = velocities;
        self.velocities = predicted;
        self.count_stopped(&x, seconds, &mut report);
        // What rests on something comes at no more than a step of free fall makes.
        let least = 2.0 * forces.gravity.length() * seconds;
        for (row, &came) in rows.iter().zip(&came) {
            if row.is_new && came > least {
                row.bounce(&mut self.velocities, &self.mobility, came);
            }
        }
        let mut touching = Zones::new(self.touches.len());
        for row in &rows {
            touching.merge(&row.vertices.map(|v| self.bodies[v as usize]));
        }
        let mut after = Energies::new(self, forces, substep);
        if !forces.give_energy() {
            after =
                self.cool(&x, [seconds, substep], forces, [&before, &after], &mut touching, &mut report)?;
            report.taken = hold(self, &before, &after, &mut touching);
        }
        self.remember(&rows);
        report.kinetic = after.kinetic.iter().sum::<f64>() - report.taken;
        report.potential = after.potential.iter().sum();
        Ok(report)
    }

    /// Stops groups of bodies in contact whose energy would grow even without any speed: from where the step began, at rest, they
    /// have less than before. Others, whose paths were free only beside them, are searched again and may stop in zones; so the state stays proven
    /// free. Each round stops a body more, and in the last all: it ends, and nothing is heated.
    fn cool(
        &mut self,
        x: &[DVec3],
        [seconds, substep]: [f64; 2],
        forces: &Forces,
        [before, after]: [&Energies; 2],
        touching: &mut Zones,
        report: &mut Report,
    ) -> Result<Energies, SoftError> {
        let mut after = after.clone();
        for round in 0..=COOLED {
            let mut stop = heated(before, &after, touching);
            if !stop.contains(&true) {
                break;
            }
            if round == COOLED {
                stop.fill(true);
            }
            let mut end = self.places.clone();
            let mut changed = vec![false; x.len()];
            for v in (0..x.len()).filter(|&v| stop[self.bodies[v] as usize]) {
                changed[v] = end[v] != x[v];
                end[v] = x[v];
                self.velocities[v] = DVec3::ZERO;
                report.cooled += usize::from(changed[v]);
            }
            let mut open = Vec::new();
            report.candidates += search_again(self, x, &end, &changed, &mut open)?;
            let end = if open.is_empty() { end } else { self.settle(x, &end, open, report)? };
            for v in 0..x.len() {
                if end[v] != self.places[v] {
                    self.velocities[v] = (end[v] - x[v]) / seconds;
                }
            }
            self.places = end;
            after = Energies::new(self, forces, substep);
        }
        Ok(after)
    }

    /// Joules of all bodies under these forces, for steps and substeps of these lengths.
    pub fn energy(&self, seconds: f64, forces: &Forces, options: &Options) -> f64 {
        Energies::new(self, forces, seconds / options.substeps.max(1) as f64).total()
    }

    fn energies(&self, forces: &Forces, substep: f64, report: Report) -> Report {
        let now = Energies::new(self, forces, substep);
        Report { kinetic: now.kinetic.iter().sum(), potential: now.potential.iter().sum(), ..report }
    }

    fn check_step(&self, seconds: f64, forces: &Forces) -> Result<(), SoftError> {
        if !(seconds >= 0.0 && seconds.is_finite()) {
            return Err(SoftError::Step { what: "a step", value: seconds, wanted: "finite and at least 0" });
        }
        if !forces.are_finite() {
            let (what, wanted) = ("a force", "finite, with stiffness and drag of at least 0");
            return Err(SoftError::Step { what, value: f64::NAN, wanted });
        }
        if let Some(p) = forces.pulls.iter().find(|p| p.vertex as usize >= self.places.len()) {
            return Err(SoftError::NoVertex { vertex: p.vertex as usize, vertices: self.places.len() });
        }
        match forces.drives.iter().find(|d| d.body as usize >= self.touches.len()) {
            Some(d) => Err(SoftError::NoBody { body: d.body as usize, bodies: self.touches.len() }),
            None => Ok(()),
        }
    }

    fn known_row(&self, key: Key) -> Option<Row> {
        let vertices = key.vertices(&self.surface)?;
        Row::at_rest(key, vertices, &self.places, self.touch(vertices))
    }

    /// Contacts that are still near, for the next step.
    fn remember(&mut self, rows: &[Row]) {
        let mut known: Vec<Key> =
            rows.iter().map(|row| row.key).filter(|&key| self.known_row(key).is_some()).collect();
        known.sort_unstable();
        known.dedup();
        self.known = known;
    }

    /// Zones; see above. Gives places that are proven free.
    fn settle(
        &self,
        x: &[DVec3],
        y: &[DVec3],
        mut open: Vec<MeshContact>,
        report: &mut Report,
    ) -> Result<Vec<DVec3>, SoftError> {
        let mut zones = Zones::new(x.len());
        let mut z = y.to_vec();
        for round in 0.. {
            if open.is_empty() {
                break;
            }
            report.zone_rounds += 1;
            if round >= GENTLE + 2 * FIRM {
                return Ok(x.to_vec());
            }
            let mut earliest: HashMap<u32, f64> = HashMap::new();
            for hit in &open {
                if let Some(vertices) = Key::of(hit).vertices(&self.surface) {
                    zones.merge(&vertices);
                }
            }
            for hit in &open {
                let Some(vertices) = Key::of(hit).vertices(&self.surface) else { continue };
                let time = earliest.entry(zones.root(vertices[0])).or_insert(1.0);
                *time = time.min(hit.time.lo());
            }
            let mut bodies = vec![false; self.touches.len()];
            for (root, time) in earliest {
                if round < GENTLE { zones.shrink(root, time) } else { zones.stop(root) }
            }
            if round >= GENTLE + FIRM {
                for v in open.iter().filter_map(|hit| Key::of(hit).vertices(&self.surface)).flatten() {
                    bodies[self.bodies[v as usize] as usize] = true;
                }
                (0..x.len() as u32)
                    .filter(|&v| bodies[self.bodies[v as usize] as usize])
                    .for_each(|v| zones.stop(v));
            }
            let mut changed = vec![false; x.len()];
            for v in 0..x.len() {
                let place = Zones::place(zones.share(v as u32), x[v], y[v]);
                changed[v] = place != z[v];
                z[v] = place;
            }
            report.candidates += search_again(self, x, &z, &changed, &mut open)?;
        }
        Ok(z)
    }

    /// Vertices that did not get where their way led have the velocity of the way they went.
    fn count_stopped(&mut self, x: &[DVec3], seconds: f64, report: &mut Report) {
        if report.zone_rounds == 0 {
            self.stopped.fill(0);
            return;
        }
        for (v, &began) in x.iter().enumerate() {
            let went = (self.places[v] - began) / seconds;
            let is_stopped = went.length_squared() < 0.25 * self.velocities[v].length_squared();
            self.stopped[v] = if is_stopped { self.stopped[v] + 1 } else { 0 };
            if is_stopped {
                self.velocities[v] = went;
                report.stopped += 1;
                report.squeezed += usize::from(self.stopped[v] > SQUEEZED);
            }
        }
    }
}
