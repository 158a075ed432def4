//! Every pair of bodies measured by the rules.

use crate::extent::{Extent, near_pairs};
use crate::finding::Finding;
use crate::groups::Group;
use crate::pair_names::BodyName;
use crate::related::Related;
use crate::rules::{Class, Deviation, PairLimits, Rules, TouchTolerance};
use crate::scene::{Scene, SceneBody};
use kontakt_answers::{Range, Relation};
use kontakt_pair::Query;
use kontakt_schedule::Deadline;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// Up to so many pairs, every distance is computed to rounding.
const EXACT_PAIRS: usize = 1_000;
/// Up to so many pairs, some of those that are nearest but far enough apart are looked at too.
const SEARCHED_PAIRS: usize = 5_000;
/// How many of these.
const CLOSEST: usize = 5;
/// Only parts that are hardly thicker than tessellations are off can go through each other by no more: where the deviation is less than
/// this share of the thinner one's box, nobody looks whether one does.
const THIN: f64 = 0.02;
/// Up to so many pairs, those far apart are listed too.
const LISTED_PAIRS: usize = 1_000_000;

/// How much is looked at, and who hears of it.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// When to end with what is certain so far.
    pub deadline: Deadline,
    /// Most pairs of triangles of two bodies.
    pub max_pairs: usize,
    /// Every distance is computed to rounding, however many there are.
    pub all_distances: bool,
    /// Called with the number of pairs to be looked at, then with 0 after each of them.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

impl Limits<'_> {
    /// No limits, nobody listens.
    pub const NONE: Limits<'static> =
        Limits { deadline: Deadline::NEVER, max_pairs: usize::MAX, all_distances: false, progress: &|_| {} };
}

impl Scene {
    /// Looks at every pair of bodies, with all threads of the pool it is called in; the answer does not depend on how many these are.
    /// The cost follows the number of pairs that are near: those farther apart than any limit asked about are told by boxes.
    pub fn check(&self, rules: Rules, limits: &Limits) -> CheckReport {
        let bodies = self.bodies();
        let extents: Vec<Extent> = bodies.par_iter().map(SceneBody::extent).collect();
        let total = bodies.len() * bodies.len().saturating_sub(1) / 2;
        let all = limits.all_distances || total <= EXACT_PAIRS;
        let roundings: Vec<f64> =
            bodies.iter().zip(&extents).map(|(body, extent)| body.rounding(extent)).collect();
        let reach = rules.reach(roundings.iter().copied().fold(0.0, f64::max));
        let chord_errors = bodies.iter().map(|_| OnceLock::new()).collect();
        let look = Look {
            scene: self,
            extents: &extents,
            roundings: &roundings,
            chord_errors,
            rules: &rules,
            limits,
        };
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

/// What looking at a pair takes.
struct Look<'a> {
    scene: &'a Scene,
    extents: &'a [Extent],
    roundings: &'a [f64],
    /// By body and triangle, estimated when first asked for.
    chord_errors: Vec<OnceLock<Vec<f64>>>,
    rules: &'a Rules,
    limits: &'a Limits<'a>,
}

impl Look<'_> {
    /// Looks at all pairs whose boxes are no farther apart than `reach`, but for those known.
    fn within(&self, reach: f64, known: &[Finding]) -> Vec<Finding> {
        let mut near = near_pairs(self.extents, reach);
        let is_known = |&(a, b): &(usize, usize)| {
            known.binary_search_by_key(&(a, b), |finding| (finding.a, finding.b)).is_ok()
        };
        near.retain(|pair| !self.rules.exceptions.ignores(pair.0, pair.1) && !is_known(pair));
        (self.limits.progress)(known.len() + near.len());
        let limits = self.limits;
        let query = || Query::new().with_limits(limits.deadline, limits.max_pairs);
        near.par_iter().map_init(query, |query, &(a, b)| self.at(query, a, b)).collect()
    }

    fn at(&self, query: &mut Query, a: usize, b: usize) -> Finding {
        let mut limits = self.rules.pair_limits([self.roundings[a], self.roundings[b]]);
        let [placed_a, placed_b] = [a, b].map(|body| self.scene.bodies()[body].placed());
        let mut found = if self.limits.deadline.has_passed() {
            Related::unseen(&self.extents[a], &self.extents[b])
        } else {
            Related::of(query, placed_a, placed_b, [self.rules.clearance, limits.touch_tolerance])
        };
        if self.rules.deviation == Deviation::Estimated {
            limits.deviation = self.explained(a, b, &found, limits);
        }
        let allowance = self.rules.exceptions.allowance(a, b);
        let settled = [limits.touch_tolerance, limits.touch_tolerance + limits.deviation];
        found.settle(query, placed_a, placed_b, &settled);
        found.settle(query, placed_a, placed_b, allowance.as_slice());
        let mut judgement = self.rules.judge(a, b, &found, limits);
        let thin = self.extents[a].least_side().min(self.extents[b].least_side());
        if judgement.class == Class::WithinTessellation && limits.deviation > THIN * thin {
            found.look_for_kind(query, placed_a, placed_b);
            judgement = self.rules.judge(a, b, &found, limits);
        }
        if judgement.forbidden {
            found.look_closer(query, placed_a, placed_b);
        }
        (self.limits.progress)(0);
        let explained = judgement.forbidden
            && found.interference().is_some_and(|depth| self.explains(a, b, &found, depth, limits));
        Finding { a, b, found, judgement, limits, explained }
    }

    /// Whether estimated chord errors explain an overlap.
    fn explains(&self, a: usize, b: usize, found: &Related, depth: Range, limits: PairLimits) -> bool {
        let deviation = self.explained(a, b, found, limits);
        let limits = PairLimits { deviation, ..limits };
        deviation > 0.0
            && depth.is_about_at_most(deviation + limits.touch_tolerance)
            && self.rules.judge(a, b, found, limits).class == Class::WithinTessellation
    }

    /// How much of an interference estimated chord errors explain.
    fn explained(&self, a: usize, b: usize, found: &Related, limits: PairLimits) -> f64 {
        let errors = [a, b].map(|body| {
            self.chord_errors[body].get_or_init(|| self.scene.bodies()[body].chord_errors()).as_slice()
        });
        found.explained_by(errors, limits.touch_tolerance)
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
            CheckVerdict::Clear
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

    /// Whether any pair fails the check.
    pub fn is_forbidden(&self) -> bool {
        self.findings.iter().any(|finding| finding.judgement.forbidden)
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
            "groups": self.groups.iter().map(|group| group.json(&self.findings, &self.names)).collect::<Vec<_>>(),
            "strict": self.rules.strict,
            "bodies": self.names.iter().map(|name| name.full.as_str()).collect::<Vec<_>>(),
        })
    }
}
