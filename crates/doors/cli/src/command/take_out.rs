//! `kontakt take-out`: a straight way out, proven free, or what holds the part.

mod json;
mod table;

use super::path::Patience;
use crate::args::{Common, TakeOut as Asked};
use crate::failure::Failure;
use crate::input::parts::Parts;
use crate::input::remarks::Remarks;
use crate::progress;
use crate::report::{List, Report};
use kontakt::math::DVec3;
use kontakt::rigid_ccd::path::PathOptions;
use kontakt::scene::{Along, BodyName, Exceptions, TakeOut, TakeOutOptions, Tried, take_out};
use serde_json::Value;
use std::io::{self, Write};

pub(crate) fn run(asked: &Asked, common: &Common) -> Result<TakenOut, Failure> {
    let parts = Parts::in_motion(&asked.moving, &asked.against, &asked.reading, common.deadline)?;
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
    Ok(TakenOut { names, movers, found, remarks, warnings })
}

/// The ways that were tried.
pub(crate) struct TakenOut {
    /// Movers first.
    names: Vec<BodyName>,
    movers: usize,
    found: TakeOut,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl TakenOut {
    /// A body that stands around.
    fn body(&self, index: usize) -> &str {
        self.names.get(self.movers + index).map_or("", |name| name.full.as_str())
    }

    /// What holds the part on a way, the first first.
    fn held_by(&self, tried: &Tried) -> Vec<&str> {
        tried.held_by().into_iter().map(|body| self.body(body)).collect()
    }
}

/// A way as it is called: by its axis, or as that of a cylinder.
fn way_name(tried: &Tried) -> &'static str {
    const AXES: [(DVec3, &str); 6] = [
        (DVec3::X, "+x"),
        (DVec3::NEG_X, "-x"),
        (DVec3::Y, "+y"),
        (DVec3::NEG_Y, "-y"),
        (DVec3::Z, "+z"),
        (DVec3::NEG_Z, "-z"),
    ];
    let named = AXES.iter().find(|(axis, _)| tried.along == Along::Axis && *axis == tried.direction);
    named.map_or("cylinder", |(_, name)| name)
}

impl Report for TakenOut {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, out)
    }

    fn json(&self) -> Value {
        json::head(self)
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("ways", json::ways(self)))
    }

    fn forbidden(&self) -> bool {
        self.found.free().is_none()
    }
}
