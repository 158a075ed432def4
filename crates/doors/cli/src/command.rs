//! What is meant: files loaded, work done, one report. One file a command.

mod batch;
mod bound;
mod broad;
mod ccd;
mod check;
mod completions;
mod convert;
mod convex;
mod demo;
mod distance;
mod drag;
mod hierarchy;
mod info;
mod man;
mod moving;
mod path;
mod query;
mod simulate;
mod study;
mod take_out;

use crate::args::{Command, Common};
use crate::failure::Failure;
use crate::report::Report;

pub(crate) fn run(command: &Command, common: &Common) -> Result<Box<dyn Report>, Failure> {
    Ok(match command {
        Command::Demo => Box::new(demo::run()?),
        Command::Info(info) => Box::new(info::run(info, common)?),
        Command::Convert(convert) => Box::new(convert::run(convert, common)?),
        Command::Bound(bound) => Box::new(bound::run(bound, common)?),
        Command::Hierarchy(hierarchy) => hierarchy::run(hierarchy, common)?,
        Command::Check(check) => Box::new(check::run(check, common)?),
        Command::Distance(distance) => Box::new(distance::run(distance, common)?),
        Command::Query(query) => Box::new(query::run(query, common)?),
        Command::Convex(convex) => Box::new(convex::run(convex, common)?),
        Command::Ccd(ccd) => ccd::run(ccd, common)?,
        Command::Moving(moving) => Box::new(moving::run(moving, common)?),
        Command::Path(path) => path::run(path, common)?,
        Command::TakeOut(asked) => Box::new(take_out::run(asked, common)?),
        Command::Drag(drag) => Box::new(drag::run(drag, common)?),
        Command::Broad(broad) => Box::new(broad::run(broad, common)?),
        Command::Simulate(asked) => simulate::run(asked, common)?,
        Command::Study(study) => Box::new(study::run(study)?),
        Command::Completions(asked) => Box::new(completions::run(asked)),
        Command::Man(asked) => Box::new(man::run(asked)?),
        Command::Batch(batch) => Box::new(batch::run(batch, common)?),
    })
}
