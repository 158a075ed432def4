//! `kontakt check`: every pair of bodies, what clashes, what touches, how much clearance is left.

mod table;
mod words;

use crate::args::{Check, Common};
use crate::failure::Failure;
use crate::input::load::Remarks;
use crate::input::parts::Parts;
use crate::progress;
use crate::report::{List, Report};
use crate::text;
use kontakt::scene::{CheckReport, Exceptions, Limits, Rules, Scene, SceneBody, TouchTolerance};
use serde_json::Value;
use std::io::{self, Write};
pub(crate) use table::write as write_table;

pub(crate) fn run(check: &Check, common: &Common) -> Result<Checked, Failure> {
    let parts = Parts::load(&check.files, &check.reading, common.deadline)?;
    let names = parts.scene.names();
    let rules = Rules {
        clearance: check.clearance.unwrap_or(0.0),
        touch_tolerance: match check.tolerances.touch_tolerance {
            Some(limit) => TouchTolerance::Within(limit),
            None if check.tolerances.exact => TouchTolerance::Within(0.0),
            None => TouchTolerance::Rounding,
        },
        deviation: check.tolerances.deviation.unwrap_or_default(),
        strict: check.strict,
        exceptions: Exceptions::among(&names, &check.ignore, &check.allow)
            .map_err(|error| Failure::Usage(error.to_string()))?,
    };
    let limits = Limits {
        deadline: common.deadline,
        max_pairs: common.max_pairs.unwrap_or(usize::MAX),
        all_distances: check.all_distances,
        ..Limits::NONE
    };
    let report = judged(&parts.scene, rules, limits);
    if report.pair_count() == report.ignored_count() && !check.allow_empty {
        return Err(Failure::Usage(no_pair(&report)));
    }
    let explained = report.within_estimated_deviation(&parts.scene);
    let warnings = parts.warnings.into_iter().chain(open_bodies(&parts.scene)).collect();
    Ok(Checked { report, remarks: parts.remarks, warnings, explained })
}

/// Why there is nothing to check.
fn no_pair(report: &CheckReport) -> String {
    if report.body_count() == 1 {
        format!(
            "{} is the only body, and a check needs a pair; --split groups or --split components may find more, \
             --allow-empty takes it as it is",
            report.name(0)
        )
    } else {
        format!(
            "--ignore leaves none of the {} to look at; --allow-empty takes it as it is",
            text::counted(report.pair_count(), "pair", "pairs")
        )
    }
}

/// Bodies with a hole have no inside: nobody looks for what lies in them, which a user must know.
fn open_bodies(scene: &Scene) -> Option<String> {
    const SHOWN: usize = 3;
    let is_open = |body: &&SceneBody| body.body.surface().is_some_and(|mesh| !mesh.is_closed());
    let open: Vec<String> =
        scene.bodies().iter().filter(is_open).map(|body| body.name.full.clone()).collect();
    let first = open.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if open.len() > SHOWN { ", …" } else { "" };
    let are = if open.len() == 1 { "is not closed and has" } else { "are not closed and have" };
    (!open.is_empty()).then(|| {
        let bodies = text::counted(open.len(), "body", "bodies");
        format!("{bodies} {are} no inside, so what lies in there is not seen: {first}{more}")
    })
}

/// Checks a scene while a bar shows how far it is.
pub(crate) fn judged(scene: &Scene, rules: Rules, limits: Limits) -> CheckReport {
    progress::over("checking pairs", 0, |bar| {
        let progress = |pairs: usize| if pairs > 0 { bar.set_length(pairs as u64) } else { bar.inc(1) };
        scene.check(rules, &Limits { progress: &progress, ..limits })
    })
}

/// A check and what was noticed while reading.
pub(crate) struct Checked {
    pub(crate) report: CheckReport,
    pub(crate) remarks: Remarks,
    pub(crate) warnings: Vec<String>,
    /// How many forbidden overlaps the estimated chord errors explain, where no deviation was given.
    pub(crate) explained: usize,
}

impl Report for Checked {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, out)
    }

    fn json(&self) -> Value {
        let mut json = self.report.json();
        json["files"] = self.remarks.json();
        json["warnings"] = self.warnings.as_slice().into();
        json
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("pairs", self.report.pairs_json()))
    }

    fn forbidden(&self) -> bool {
        self.report.is_forbidden()
    }
}
