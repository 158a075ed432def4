//! `kontakt simulate SCENARIO.toml`: the file's `kind` says who simulates it. One file a kind.

mod gas;
mod geometry;
mod pile;
mod ranks;
mod rod;
mod saved;
mod scenario;
mod soft;

use crate::args::{Common, Simulate};
use crate::failure::Failure;
use crate::report::Report;
use scenario::Scenario;

/// What a kind of scenario is called, and who runs it.
struct Kind {
    name: &'static str,
    run: Run,
}

type Run = fn(&Scenario, &Simulate, &Common) -> Result<Box<dyn Report>, Failure>;

/// All kinds there are, by name.
const KINDS: &[Kind] = &[
    Kind { name: "gas", run: gas::run },
    Kind { name: "pile", run: pile::run },
    Kind { name: "rod", run: rod::run },
    Kind { name: "soft", run: soft::run },
];

pub(crate) fn run(asked: &Simulate, common: &Common) -> Result<Box<dyn Report>, Failure> {
    let scenario = ranks::told_once(Scenario::read(&asked.scenario))?;
    let name = ranks::told_once(scenario.kind(KINDS.iter().map(|kind| kind.name)))?;
    match KINDS.iter().find(|kind| kind.name == name) {
        Some(kind) => (kind.run)(&scenario, asked, common),
        None => Err(scenario.wrong("no such kind")),
    }
}
