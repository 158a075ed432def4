//! `kind = "soft"`: bodies that deform, collide and never go through one another.

mod bodies;
mod checkpoint;
mod files;
mod form;
mod outcome;
mod progressed;

use super::scenario::Scenario;
use crate::args::{Common, Simulate};
use crate::clock::ProcessClock;
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use bodies::Bodies;
use checkpoint::Checkpoint;
use files::Files;
use form::Form;
use kontakt::math::DVec3;
use kontakt::soft::{Drive, Forces, Pull, System, Wind};
use outcome::{Outcome, Seconds};
use progressed::Tally;

pub(super) fn run(
    scenario: &Scenario,
    asked: &Simulate,
    common: &Common,
) -> Result<Box<dyn Report>, Failure> {
    let form: Form = scenario.parse()?;
    form.check(scenario)?;
    let bodies = bodies::build(&form, scenario, common.deadline)?;
    let mut system = progress::during("checking the start".into(), || bodies.system(scenario))?;
    let acting = Acting::new(&form, &bodies, &system, scenario)?;
    let options = form.options();
    let folder = asked.output.as_deref();
    let checkpoint = folder.map(|folder| Checkpoint::new(folder, scenario));
    let mut tally = Tally::default();
    let mut resumed = None;
    if let (true, Some(checkpoint)) = (asked.resume, &checkpoint)
        && let Some((state, kept)) = checkpoint.resume()?
    {
        system.restore(&state).map_err(|error| checkpoint.unusable(&error.to_string()))?;
        tally = kept;
        resumed = Some(tally.steps);
    }
    if resumed.is_none() {
        tally.first = system.energy(form.dt, &acting.at(0.0), &options);
        tally.potential = tally.first;
    }
    let mut files = Files::new(folder, &bodies, &form, &tally.frames)?;
    let mut seconds = Seconds::default();
    let complete = progress::over("simulating", form.steps, |bar| -> Result<bool, Failure> {
        files.frame(&system, &mut tally)?;
        while tally.steps < form.steps {
            if common.deadline.has_passed() {
                return Ok(false);
            }
            let clock = ProcessClock::start();
            let time = tally.steps as f64 * form.dt;
            let report = system.step(form.dt, &acting.at(time), &options);
            tally.add(&report.map_err(|error| scenario.wrong(&error.to_string()))?);
            seconds.add(clock.seconds());
            files.frame(&system, &mut tally)?;
            if let Some(checkpoint) = &checkpoint
                && (tally.steps.is_multiple_of(form.checkpoint_every) || tally.steps == form.steps)
            {
                checkpoint.save(&system.state(), &tally)?;
            }
            bar.set_position(tally.steps);
            if !bar.is_hidden() {
                bar.set_message(format!(
                    "{:.4} s, {:.4} J, {} contacts",
                    tally.steps as f64 * form.dt,
                    tally.energy(),
                    tally.contacts_now
                ));
            }
        }
        Ok(true)
    })?;
    if let (false, Some(checkpoint)) = (complete, &checkpoint) {
        checkpoint.save(&system.state(), &tally)?;
    }
    let written = files.written();
    Ok(Box::new(Outcome { dt: form.dt, bodies, system, tally, seconds, complete, resumed, written }))
}

/// What acts from outside, by time.
struct Acting {
    constant: Forces,
    /// From when until when.
    pulls: Vec<([f64; 2], Pull)>,
    drives: Vec<([f64; 2], Drive)>,
}

impl Acting {
    fn new(form: &Form, bodies: &Bodies, system: &System, scenario: &Scenario) -> Result<Acting, Failure> {
        let wind = form.wind.map(|w| Wind { velocity: DVec3::from_array(w.velocity), drag: w.drag });
        let gravity = DVec3::from_array(form.gravity);
        let constant = Forces { gravity, wind, pulls: Vec::new(), drives: Vec::new() };
        let span = |from: f64, until: Option<f64>| [from, until.unwrap_or(f64::INFINITY)];
        let mut pulls = Vec::new();
        for pull in &form.pulls {
            let Some(body) = bodies.names.iter().position(|name| *name == pull.body) else {
                let known = bodies.names.join(", ");
                return Err(scenario.wrong(&format!("[[pull]]: no body `{}`; there are: {known}", pull.body)));
            };
            let near = DVec3::from_array(pull.near);
            let own = (0..system.places().len()).filter(|&v| system.bodies()[v] as usize == body);
            let way = |v: usize| system.places()[v].distance_squared(near);
            let Some(vertex) = own.min_by(|&a, &b| way(a).total_cmp(&way(b))) else { continue };
            let (to, stiffness) = (DVec3::from_array(pull.to), pull.stiffness);
            pulls.push((span(pull.from, pull.until), Pull { vertex: vertex as u32, to, stiffness }));
        }
        let mut drives = Vec::new();
        for (body, &table) in bodies.tables.iter().enumerate() {
            let table = &form.bodies[table];
            let Some(drive) = table.drive else { continue };
            if !table.fixed && table.pinned.is_empty() {
                return Err(scenario
                    .wrong(&format!("body `{}`: `drive` moves pins, it has none", bodies.names[body])));
            }
            let velocity = DVec3::from_array(drive.velocity);
            drives.push((span(drive.from, drive.until), Drive { body: body as u32, velocity }));
        }
        Ok(Acting { constant, pulls, drives })
    }

    /// In a step that begins then.
    fn at(&self, time: f64) -> Forces {
        fn now<T: Copy>(time: f64, all: &[([f64; 2], T)]) -> Vec<T> {
            all.iter().filter(|(span, _)| span[0] <= time && time < span[1]).map(|(_, one)| *one).collect()
        }
        Forces { pulls: now(time, &self.pulls), drives: now(time, &self.drives), ..self.constant.clone() }
    }
}
