//! Every pair of bodies measured by the rules.

use crate::extent::Extent;
use crate::finding::Finding;
use crate::groups::Group;
use crate::limits::Limits;
use crate::look::Look;
use crate::pair_names::BodyName;
use crate::related::Related;
use crate::rules::{Class, Deviation, PairLimits, Rules, TouchTolerance};
use crate::scene::{Missing, Scene, SceneBody};
use kontakt_answers::{Range, Relation};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// Up to so many pairs, every distance is computed to rounding.
const EXACT_PAIRS: usize = 1_000;
/// Up to so many pairs, some of those that are nearest but far enough apart are looked at too.
const SEARCHED_PAIRS: usize = 5_000;
/// How many of these.
const CLOSEST: usize = 5;
/// Up to so many pairs, those far apart are listed too.
const LISTED_PAIRS: usize = 1_000_000;

impl Scene {
    /// Looks at every pair of bodies, with all threads of the pool it is called in; the answer does not depend on how many these are.
    /// The cost follows the number of pairs that are near: those farther apart than any limit asked about are told by boxes.
    pub fn check(&self, mut rules: Rules, limits: &Limits) -> CheckReport {
        rules.exceptions.set_layers(self.layers());
        let bodies = self.bodies();
        let extents: Vec<Extent> = bodies.par_iter().map(SceneBody::extent).collect();
        let total = bodies.len() * bodies.len().saturating_sub(1) / 2;
        let all = limits.all_distances || total <= EXACT_PAIRS;
        let roundings: Vec<f64> =
            bodies.iter().zip(&extents).map(|(body, extent)| body.rounding(extent)).collect();
        let reach = rules.reach(roundings.iter().copied().fold(0.0, f64::max));
        let look = Look::new(self, &extents, &roundings, &rules, limits);
        let mut reach = if all { f64::INFINITY } else { reach };
        let mut findings = look.within(reach, &[]);
        if !all && total <= SEARCHED_PAIRS {
            let size = extents.iter().map(Extent::farthest).fold(0.0, f64::max);
            // All pairs up to the reach are known; so those apart by no more than it are the closest.
            let known = |findings: &[Finding], reach: f64| {
                findings.iter().filter(|found| found.is_apart_by_at_most(reach)).count()
            };
            while known(&findings, reach) < CLOSEST && reach < 2.0 * size && !limits.deadline.has_passed() {
                reach = (2.0 * reach).max(1e-3 * size);
                let more = look.within(reach, &findings);
                findings.extend(more);
                findings.sort_by_key(|finding| (finding.a, finding.b));
            }
        }
        let ignored = if rules.exceptions.ignores_some() {
            all_pairs(bodies.len()).filter(|&(a, b)| rules.exceptions.ignores(a, b)).count()
        } else {
            0
        };
        CheckReport {
            names: self.names(),
            missing: self.missing().to_vec(),
            certified: self.deviation(),
            faces_before: bodies.iter().map(|body| body.faces_before).collect(),
            far: total - ignored - findings.len(),
            groups: Group::of(&findings, &self.names()),
            reach,
            extents,
            rules,
            findings,
            total,
            ignored,
        }
    }
}

/// Every pair (a, b) with a < b, in order.
fn all_pairs(bodies: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bodies).flat_map(move |a| (a + 1..bodies).map(move |b| (a, b)))
}

/// What a check comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Nothing is forbidden.
    Clear,
    /// Something is.
    Clash,
    /// Nothing is known to be forbidden, but something is not known.
    Undecided,
}

impl CheckVerdict {
    /// As the contract spells it.
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::Clear => "clear",
            CheckVerdict::Clash => "clash",
            CheckVerdict::Undecided => "undecided",
        }
    }
}

/// What a check found.
pub struct CheckReport {
    names: Vec<BodyName>,
    missing: Vec<Missing>,
    /// How far triangles of curved bodies lie off, at most.
    certified: f64,
    /// Of each body: how many faces its file has before it.
    faces_before: Vec<usize>,
    extents: Vec<Extent>,
    rules: Rules,
    /// Pairs without a finding are farther apart than this.
    reach: f64,
    groups: Vec<Group>,
    /// Pairs looked at, by a, then b.
    findings: Vec<Finding>,
    /// All pairs there are.
    total: usize,
    ignored: usize,
    /// Pairs that boxes prove to be apart by more than any limit asked about; they have no finding.
    far: usize,
}

impl CheckReport {
    /// The pairs that were looked at, by place in the scene.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter()
    }

    /// Like pairs that are not separate, together; the gravest first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// A pair that was looked at, by its place among [`findings`](CheckReport::findings).
    pub fn finding(&self, index: usize) -> &Finding {
        &self.findings[index]
    }

    /// The largest gap or interference that counted as touching between any two bodies.
    pub fn touch_tolerance(&self) -> f64 {
        match self.rules.touch_tolerance {
            TouchTolerance::Within(limit) => limit,
            TouchTolerance::Rounding => {
                self.findings.iter().map(|finding| finding.limits.touch_tolerance).fold(0.0, f64::max)
            }
        }
    }

    /// What it comes to.
    pub fn verdict(&self) -> CheckVerdict {
        let forbidden = |finding: &&Finding| finding.judgement.forbidden;
        let clash = |finding: &Finding| finding.judgement.class != Class::Undecided;
        let mut any = self.findings.iter().filter(forbidden).peekable();
        if any.peek().is_none() {
            if self.missing.is_empty() { CheckVerdict::Clear } else { CheckVerdict::Undecided }
        } else if any.any(clash) {
            CheckVerdict::Clash
        } else {
            CheckVerdict::Undecided
        }
    }

    /// How many forbidden overlaps the chord errors of their tessellations explain, as far as these can be estimated.
    pub fn explained_count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.explained).count()
    }

    /// The rules that were applied.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many pairs there are, those ignored and those far apart included.
    pub fn pair_count(&self) -> usize {
        self.total
    }

    /// How many pairs were ignored.
    pub fn ignored_count(&self) -> usize {
        self.ignored
    }

    /// How many pairs are of a class.
    pub fn count(&self, class: Class) -> usize {
        let found = self.findings.iter().filter(|finding| finding.judgement.class == class).count();
        found + if class == Class::Separate { self.far } else { 0 }
    }

    /// How many pairs fail the check.
    pub fn forbidden_count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.judgement.forbidden).count()
    }

    /// Whether any pair fails the check, or a body was not there to be checked.
    pub fn is_forbidden(&self) -> bool {
        self.verdict() != CheckVerdict::Clear
    }

    /// Bodies that were not there, or not whole.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// **Never less** than how far triangles of any curved body lie off its faces; 0 where there is none.
    pub fn certified_deviation(&self) -> f64 {
        self.certified
    }

    /// The name of a body.
    pub fn name(&self, body: usize) -> &str {
        &self.names[body].full
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.names.len()
    }

    /// What boxes say about a pair far apart. Their distance is proven to be above the reach of the rules.
    fn far_finding(&self, a: usize, b: usize) -> Finding {
        let bounds = self.extents[a].distance(&self.extents[b]);
        let lo = bounds.lo().max(self.reach);
        let distance = Range::new(lo, bounds.hi().max(lo)).unwrap_or(bounds);
        let found = Related::from(Relation::Separate { distance });
        let limits = PairLimits::default();
        Finding { a, b, judgement: self.rules.judge(a, b, &found, limits), found, limits, explained: false }
    }

    /// All pairs as JSON, by place in the scene; of very many only those that were looked at.
    pub fn pairs_json(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        let about = |body: usize| (self.names[body].full.clone(), self.faces_before[body]);
        if self.far == 0 || self.total > LISTED_PAIRS {
            return Box::new(self.findings.iter().map(move |finding| finding.json(about)));
        }
        let mut findings = self.findings.iter().peekable();
        Box::new(all_pairs(self.names.len()).filter_map(move |(a, b)| {
            if let Some(finding) = findings.next_if(|finding| (finding.a, finding.b) == (a, b)) {
                Some(finding.json(about))
            } else if self.rules.exceptions.ignores(a, b) {
                None
            } else {
                Some(self.far_finding(a, b).json(about))
            }
        }))
    }

    /// The verdict, the rules and the counts as JSON.
    pub fn json(&self) -> Value {
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
            "verdict": self.verdict().name(),
            "summary": summary,
            "clearance": self.rules.clearance,
            "touch_tolerance": self.touch_tolerance(),
            "touch_tolerance_from": match self.rules.touch_tolerance {
                TouchTolerance::Rounding => "rounding",
                TouchTolerance::Within(_) => "given",
            },
            "deviation": match self.rules.deviation {
                Deviation::None => json!(0.0),
                Deviation::Within(limit) => json!(limit),
                Deviation::Estimated => json!("auto"),
            },
            "certified_deviation": self.certified,
            "missing": self.missing.iter().map(|missing| missing.name.as_str()).collect::<Vec<_>>(),
            "groups": self.groups.iter().map(|group| group.json(&self.findings, &self.names)).collect::<Vec<_>>(),
            "strict": self.rules.strict,
            "bodies": self.names.iter().map(|name| name.full.as_str()).collect::<Vec<_>>(),
        })
    }
}
