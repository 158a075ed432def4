//! `kontakt take-out`: a straight way out, proven free, or what holds the part.

mod table;

use super::path::Patience;
use crate::args::{Common, TakeOut as Asked};
use crate::failure::Failure;
use crate::progress;
use crate::report::{List, Report};
use kontakt::rigid_ccd::path::PathOptions;
use kontakt::scene::{Exceptions, TakeOutOptions, TakenOut, take_out};
use kontakt_load::Remarks;
use kontakt_load::parts::Parts;
use serde_json::Value;
use std::io::{self, Write};

pub(crate) fn run(asked: &Asked, common: &Common) -> Result<Taken, Failure> {
    let parts = Parts::in_motion(&asked.moving, &asked.against, &asked.reading.options(common.deadline))?;
    let names = parts.scene.names();
    let exceptions = Exceptions::across(&names, parts.movers, &asked.ignore, &asked.allow)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let options = TakeOutOptions {
        distance: asked.distance,
        all: asked.all,
        path: PathOptions { tolerance: asked.tolerance, ..PathOptions::default() },
    };
    let found = progress::over("trying ways out", 0, |bar| {
        let watch = Patience { deadline: common.deadline, bar };
        take_out(&parts.scene, parts.movers, &exceptions, &options, &watch)
    })
    .map_err(|error| Failure::Usage(error.to_string()))?;
    let Parts { movers, remarks, warnings, .. } = parts;
    Ok(Taken { out: TakenOut { names, movers, found }, remarks, warnings })
}

/// The ways that were tried, and what was noticed while reading.
pub(crate) struct Taken {
    out: TakenOut,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl Report for Taken {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, out)
    }

    fn json(&self) -> Value {
        let mut json = self.out.json();
        json["files"] = self.remarks.json();
        json["warnings"] = self.warnings.as_slice().into();
        json
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("ways", self.out.ways_json()))
    }

    fn forbidden(&self) -> bool {
        self.out.found.free().is_none()
    }
}
