//! `kontakt check`: every pair of bodies, what clashes, what touches, how much clearance is left.

mod table;
mod words;

use crate::args::{Check, Common};
use crate::failure::Failure;
use crate::progress;
use crate::report::{List, Report};
use crate::text;
use kontakt::io::SceneRules;
use kontakt::scene::{CheckReport, Exceptions, Limits, Rules, Scene, TouchTolerance};
use kontakt_load::Remarks;
use kontakt_load::parts::Parts;
use kontakt_load::scene::SceneInput;
use kontakt_load::warned::warned;
use serde_json::Value;
use std::io::{self, Write};
pub(crate) use table::write as write_table;

pub(crate) fn run(check: &Check, common: &Common) -> Result<Checked, Failure> {
    let (parts, written) = input(check, common)?;
    let names = parts.scene.names();
    let joined = |typed: &[String], written: Vec<String>| [typed, &written].concat();
    let (ignore, allow) = (joined(&check.ignore, written.ignore), joined(&check.allow, written.allow));
    let exact = check.tolerances.exact.then_some(0.0);
    let rules = Rules {
        clearance: check.clearance.or(written.clearance).unwrap_or(0.0),
        touch_tolerance: match check.tolerances.touch_tolerance.or(exact).or(written.touch_tolerance) {
            Some(limit) => TouchTolerance::Within(limit),
            None => TouchTolerance::Rounding,
        },
        deviation: check.tolerances.deviation.unwrap_or_default(),
        strict: check.strict || written.strict,
        exceptions: Exceptions::among(&names, &ignore, &allow)
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
    let warnings = [parts.warnings, warned(&parts.scene)].concat();
    Ok(Checked { report, remarks: parts.remarks, warnings })
}

/// The bodies, and the rules that a scene file has for them.
fn input(check: &Check, common: &Common) -> Result<(Parts, SceneRules), Failure> {
    let Some(scene) = &check.scene else {
        let parts = Parts::load(&check.files, &check.reading().options(common.deadline))?;
        return Ok((parts, SceneRules::default()));
    };
    let SceneInput { file, scene, before, remarks, warnings, .. } =
        SceneInput::load(scene, &check.reading().options(common.deadline))?;
    Ok((Parts { scene, movers: 0, before, remarks, warnings }, file.rules))
}

/// Why there is nothing to check.
fn no_pair(report: &CheckReport) -> String {
    if report.body_count() == 1 {
        format!(
            "{} is the only body, and a check needs a pair; --split groups or --split components may find more \
             in a mesh file, --allow-empty takes it as it is",
            report.name(0)
        )
    } else {
        format!(
            "--ignore and layers leave none of the {} to look at; --allow-empty takes it as it is",
            text::counted(report.pair_count(), "pair", "pairs")
        )
    }
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
