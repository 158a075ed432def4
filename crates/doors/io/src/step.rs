//! STEP Part 21 (AP203, AP214, AP242): solids and sheets by their boundary, in the places their assemblies give them.
//!
//! `scan` cuts the text into statements and `table` remembers where each entity begins; nothing else is kept, and an entity is read
//! (`field`) where another one needs it. `product` and `assembly` go from products to bodies, `topology` from a body to its faces and
//! edges, `curve`, `surface` and `placement` make the geometry, in millimetres and radians (`units`).

mod assembly;
mod colour;
mod curve;
mod field;
mod notes;
mod placement;
mod product;
mod scan;
mod surface;
mod table;
mod text;
mod topology;
mod units;

use crate::curved::budget::Budget;
use crate::curved::{CurvedFile, Why};
use crate::error::{Fault, Problem, ReadError};
use crate::input::ReadOptions;
use assembly::Assembler;
use std::path::Path;
use table::Table;

/// Reads a STEP file. Bodies are named `file:product` with the file's name without folders.
pub fn read_step(path: &Path, options: &ReadOptions) -> Result<CurvedFile, ReadError> {
    crate::curved::door::read(path, options, parse)
}

/// Reads a STEP file in memory; `name` stands for the file.
pub fn read_step_bytes(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<CurvedFile, ReadError> {
    parse(bytes, name, options).map_err(|fault| fault.of(name.to_owned()))
}

fn parse(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<CurvedFile, Fault> {
    let budget = Budget::new(bytes.len(), options.deadline);
    let table = Table::read(bytes, &budget)?;
    let (bodies, report) = Assembler::new(&table).read(name)?;
    if let Some(problem) = budget.problem() {
        return Err(problem.into());
    }
    if bodies.is_empty() {
        let external = report.losses.iter().filter(|loss| loss.why == Why::External).count();
        let reason = match (external, report.losses.first()) {
            (1.., _) => format!("its parts are in {external} other files"),
            (0, Some(loss)) => format!("{} things could not be read, first {loss}", report.losses.len()),
            (0, None) => "no product has one".to_owned(),
        };
        return Err(Problem::NoSolids(reason).into());
    }
    Ok(CurvedFile { bodies, report })
}
