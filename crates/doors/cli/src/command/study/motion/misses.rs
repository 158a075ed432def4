//! How often approximate methods are wrong, on generated steps.

use super::super::page::{Cell, Page, Table};
use super::method::{Askers, Method, Said};
use super::steps::{Bodies, Family};
use crate::failure::Failure;
use crate::progress;
use kontakt::answers::{Impact, Initial};
use kontakt::rigid_ccd::MotionOptions;
use rayon::prelude::*;

/// Kinds of steps, from before to after.
const SKETCH: &str = "\
 short             turning             grazing              tunnelling            spinning
  +--+             +--+                    +--+ →            [] →   ||   → []       +--+
  |  | → +--+      |  | ↷  → ◇  → +--+  ___|__|____               thin plate       |  | ↻  +--+
  +--+   |  |      +--+              |  |  body at rest           between           +--+   |  |";

/// A time later or earlier than this beside the certified one counts.
const SLACK: f64 = 1e-6;

/// Counts of one method.
#[derive(Clone, Copy, Default)]
struct Errors {
    missed: u32,
    late: u32,
    early: u32,
    false_alarms: u32,
    open: u32,
}

impl Errors {
    fn judge(said: Said, truth: Option<[f64; 2]>) -> Errors {
        let mut errors = Errors::default();
        match (said, truth) {
            (Said::Open, _) => errors.open = 1,
            (Said::Free, Some(_)) => errors.missed = 1,
            (Said::Contact(_), None) => errors.false_alarms = 1,
            (Said::Contact(t), Some([lo, hi])) => {
                errors.late = u32::from(t > hi + SLACK);
                errors.early = u32::from(t < lo - SLACK);
            }
            (Said::Free, None) => {}
        }
        errors
    }

    fn and(self, other: Errors) -> Errors {
        Errors {
            missed: self.missed + other.missed,
            late: self.late + other.late,
            early: self.early + other.early,
            false_alarms: self.false_alarms + other.false_alarms,
            open: self.open + other.open,
        }
    }
}

/// What was counted over the steps of a family.
#[derive(Clone)]
struct Tally {
    contacts: u32,
    free: u32,
    undecided: u32,
    errors: Vec<Errors>,
}

/// Asks everybody about every step; steps that start in contact are left out. The same for any number of threads.
fn count(bodies: &Bodies, family: Family, methods: &[Method], steps: u64) -> Result<Tally, Failure> {
    let nothing =
        Tally { contacts: 0, free: 0, undecided: 0, errors: vec![Errors::default(); methods.len()] };
    let ask = |number: u64| -> Result<Tally, Failure> {
        let step = bodies.step(family, number)?;
        let [a, b] = step.moving();
        let mut askers = Askers {
            options: MotionOptions { tolerance: 1e-9, ..MotionOptions::default() },
            ..Askers::default()
        };
        let mut tally = nothing.clone();
        let truth = match askers.moving.impact(a, b, &askers.options) {
            Impact::Free { initial: Initial::Separate } => None,
            Impact::Contact { initial: Initial::Separate, time, .. } => Some([time.lo(), time.hi()]),
            Impact::Undecided { .. } => {
                tally.undecided = 1;
                return Ok(tally);
            }
            _ => return Ok(tally),
        };
        (tally.contacts, tally.free) = (u32::from(truth.is_some()), u32::from(truth.is_none()));
        for (errors, method) in tally.errors.iter_mut().zip(methods) {
            *errors = Errors::judge(method.look(&mut askers, a, b), truth);
        }
        Ok(tally)
    };
    let join = |a: Tally, b: Tally| Tally {
        contacts: a.contacts + b.contacts,
        free: a.free + b.free,
        undecided: a.undecided + b.undecided,
        errors: a.errors.into_iter().zip(b.errors).map(|(a, b)| a.and(b)).collect(),
    };
    let all: Vec<Tally> = (0..steps).into_par_iter().map(ask).collect::<Result<_, _>>()?;
    Ok(all.into_iter().fold(nothing.clone(), join))
}

pub(super) fn section(page: &mut Page, steps: u64) -> Result<(), Failure> {
    page.heading("What approximate methods miss (5.3, 5.4)");
    page.sketch(SKETCH);
    let bodies = Bodies::new()?;
    let methods = Method::judged();
    let tallies: Vec<Tally> = progress::during("counting misses".into(), || {
        Family::ALL.iter().map(|&family| count(&bodies, family, &methods, steps)).collect::<Result<_, _>>()
    })?;
    page.words(format!(
        "{steps} generated steps of each kind between boxes, bars, plates and balls of 12 to 20 faces: *short* as a hand's, *turning* by up to 170° on a long way, \
         *grazing* (shifted to where contact just begins, and on by 1e-1 to 1e-7), *tunnelling* (a small block through a plate a fiftieth as \
         thick), *spinning* on the spot. Truth is the certified answer to 1e-9; steps that begin in contact are left out. *Missed*: contact, \
         and the method says free. *Late*: its time is after the certified one. *False*: the step is free. Times count from {SLACK:.0e} on. \
         With so few faces, a method that overlooks the first pair of features often finds a later one: late instead of missed."
    ));
    let mut table = Table::new("Steps", ["kind", "in contact", "free", "undecided by the certified method"]);
    for (family, tally) in Family::ALL.iter().zip(&tallies) {
        let whole = |count: u32| Cell::Number(f64::from(count), 0);
        table.row(vec![
            family.name().into(),
            whole(tally.contacts),
            whole(tally.free),
            whole(tally.undecided),
        ]);
    }
    page.table(table);
    let mut table = Table::new(
        "Missed / late / false of each method",
        [
            "method",
            "short",
            "turning",
            "grazing",
            "tunnelling",
            "spinning",
            "missed of all",
            "late",
            "early",
            "false",
            "gave up",
        ],
    );
    for (m, method) in methods.iter().enumerate() {
        let mut row = vec![Cell::from(method.name())];
        let mut all = Errors::default();
        for tally in &tallies {
            let errors = tally.errors[m];
            all = all.and(errors);
            row.push(format!("{} / {} / {}", errors.missed, errors.late, errors.false_alarms).into());
        }
        row.extend(
            [all.missed, all.late, all.early, all.false_alarms, all.open]
                .map(|n| Cell::Number(f64::from(n), 0)),
        );
        table.row(row);
    }
    page.table(table);
    let (contacts, undecided) = tallies
        .iter()
        .fold((0, 0), |(contacts, open), tally| (contacts + tally.contacts, open + tally.undecided));
    page.words(format!(
        "Certified: {contacts} contacts, {undecided} undecided. Conservative advancement is never late, but where bodies pass within its distance it \
         reports contact too, and it needs hundreds of distances to come near; static and mixed see only what \
         is in contact at the end of a step."
    ));
    Ok(())
}
