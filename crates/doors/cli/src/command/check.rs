//! `kontakt check`: every pair of bodies, what clashes, what touches, how much clearance is left.

mod extent;
mod finding;
mod relate;
mod rules;
mod table;

use crate::args::{Check, Common};
use crate::failure::Failure;
use crate::input::load::Remarks;
use crate::input::pair_names::BodyName;
use crate::input::parts::Parts;
use crate::progress;
use crate::report::{List, Report};
use extent::Extent;
use finding::Finding;
use kontakt::answers::{Range, Relation};
use kontakt::mesh::{Asker, Mesh};
use kontakt::schedule::Deadline;
use rayon::prelude::*;
use relate::Related;
use rules::Class;
pub(crate) use rules::Rules;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
pub(crate) use table::write as write_table;

/// Up to so many pairs, every distance is computed to rounding.
const EXACT_PAIRS: usize = 5_000;
/// Up to so many pairs, those far apart are listed too.
const LISTED_PAIRS: usize = 1_000_000;

pub(crate) fn run(check: &Check, common: &Common) -> Result<CheckReport, Failure> {
    let limits = Limits { deadline: common.deadline, max_pairs: common.max_pairs.unwrap_or(usize::MAX) };
    let parts = Parts::load(&check.files, &check.reading, common.deadline)?;
    if let [only] = &parts.names[..] {
        let problem = format!(
            "{} is the only body, and a check needs a pair; --split groups or --split components may find more",
            only.full
        );
        return Err(Failure::Usage(problem));
    }
    let rules = Rules::of(check, &parts.names)?;
    let mut report = judged(parts.names, &parts.meshes, rules, check.all_distances, limits);
    report.faces_before = parts.faces_before;
    report.remarks = parts.remarks;
    report.warnings = parts.warnings;
    Ok(report)
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) deadline: Deadline,
    /// Pairs of triangles of two bodies.
    pub(crate) max_pairs: usize,
}

impl Limits {
    pub(crate) const NONE: Limits = Limits { deadline: Deadline::NEVER, max_pairs: usize::MAX };
}

/// Looks at every pair of the bodies.
pub(crate) fn judged(
    names: Vec<BodyName>,
    meshes: &[Mesh],
    rules: Rules,
    all_distances: bool,
    limits: Limits,
) -> CheckReport {
    let extents: Vec<Extent> = meshes.par_iter().map(Extent::of).collect();
    let total = meshes.len() * meshes.len().saturating_sub(1) / 2;
    let reach = if all_distances || total <= EXACT_PAIRS { f64::INFINITY } else { rules.reach() };
    let mut near = extent::near_pairs(&extents, reach);
    near.retain(|&(a, b)| !rules.exceptions.ignores(a, b));
    let findings: Vec<Finding> = progress::over("checking pairs", near.len() as u64, |bar| {
        near.par_iter()
            .map_init(Asker::new, |asker, &(a, b)| {
                (asker.deadline, asker.max_pairs) = (limits.deadline, limits.max_pairs);
                let found = if limits.deadline.has_passed() {
                    Related::unseen(&extents[a], &extents[b])
                } else {
                    Related::of(asker, &meshes[a], &meshes[b], &rules)
                };
                bar.inc(1);
                Finding { a, b, judgement: rules.judge(a, b, &found), found }
            })
            .collect()
    });
    let ignored = if rules.exceptions.ignores_some() {
        all_pairs(meshes.len()).filter(|&(a, b)| rules.exceptions.ignores(a, b)).count()
    } else {
        0
    };
    CheckReport {
        faces_before: vec![0; names.len()],
        far: total - ignored - findings.len(),
        names,
        extents,
        rules,
        findings,
        total,
        ignored,
        remarks: Remarks::default(),
        warnings: Vec::new(),
    }
}

/// Every pair (a, b) with a < b, in order.
fn all_pairs(bodies: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bodies).flat_map(move |a| (a + 1..bodies).map(move |b| (a, b)))
}

pub(crate) struct CheckReport {
    names: Vec<BodyName>,
    extents: Vec<Extent>,
    /// Of each body: how many faces its file has before it.
    faces_before: Vec<usize>,
    rules: Rules,
    /// Pairs looked at, by a, then b.
    findings: Vec<Finding>,
    /// All pairs there are.
    total: usize,
    ignored: usize,
    /// Pairs that boxes prove to be apart by more than any limit asked about; they have no finding.
    far: usize,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl CheckReport {
    fn count(&self, class: Class) -> usize {
        let found = self.findings.iter().filter(|finding| finding.judgement.class == class).count();
        found + if class == Class::Separate { self.far } else { 0 }
    }

    fn forbidden_count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.judgement.forbidden).count()
    }

    /// What boxes say about a pair far apart. Their distance is proven to be above the reach of the rules.
    fn far_finding(&self, a: usize, b: usize) -> Finding {
        let bounds = self.extents[a].distance(&self.extents[b]);
        let lo = bounds.lo().max(self.rules.reach());
        let distance = Range::new(lo, bounds.hi().max(lo)).unwrap_or(bounds);
        let found = Related::from(Relation::Separate { distance });
        Finding { a, b, judgement: self.rules.judge(a, b, &found), found }
    }

    fn name(&self, body: usize) -> String {
        self.names[body].full.clone()
    }

    /// All pairs as JSON, by a, then b.
    fn pairs(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        let name = |body: usize| (self.name(body), self.faces_before[body]);
        if self.far == 0 || self.total > LISTED_PAIRS {
            return Box::new(self.findings.iter().map(move |finding| finding.json(name)));
        }
        let mut findings = self.findings.iter().peekable();
        Box::new(all_pairs(self.names.len()).filter_map(move |(a, b)| {
            if let Some(finding) = findings.next_if(|finding| (finding.a, finding.b) == (a, b)) {
                Some(finding.json(name))
            } else if self.rules.exceptions.ignores(a, b) {
                None
            } else {
                Some(self.far_finding(a, b).json(name))
            }
        }))
    }
}

impl Report for CheckReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, out)
    }

    fn json(&self) -> Value {
        let mut summary: Map<String, Value> = Map::new();
        summary.insert("bodies".into(), self.names.len().into());
        summary.insert("pairs".into(), self.total.into());
        for class in Class::ALL {
            summary.insert(class.name().into(), self.count(class).into());
        }
        let allowed = self.findings.iter().filter(|finding| finding.judgement.allowed).count();
        summary.insert("ignored".into(), self.ignored.into());
        summary.insert("allowed".into(), allowed.into());
        summary.insert("forbidden".into(), self.forbidden_count().into());
        json!({
            "verdict": if self.forbidden() { "clash" } else { "clear" },
            "summary": summary,
            "clearance": self.rules.clearance,
            "touch_tolerance": self.rules.touch_tolerance,
            "strict": self.rules.strict,
            "bodies": self.names.iter().map(|name| name.full.as_str()).collect::<Vec<_>>(),
            "files": self.remarks.json(),
            "warnings": self.warnings,
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("pairs", self.pairs()))
    }

    fn forbidden(&self) -> bool {
        self.forbidden_count() > 0
    }
}
