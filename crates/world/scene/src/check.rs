//! Every pair of bodies measured by the rules.

use crate::extent::{Extent, near_pairs};
use crate::finding::Finding;
use crate::pair_names::BodyName;
use crate::related::Related;
use crate::rules::{Class, Rules};
use crate::scene::{Scene, SceneBody};
use kontakt_answers::{Range, Relation};
use kontakt_pair::Query;
use kontakt_schedule::Deadline;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// Up to so many pairs, every distance is computed to rounding.
const EXACT_PAIRS: usize = 5_000;
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
        let mut near = near_pairs(&extents, if all { f64::INFINITY } else { rules.reach() });
        near.retain(|&(a, b)| !rules.exceptions.ignores(a, b));
        (limits.progress)(near.len());
        let findings: Vec<Finding> = near
            .par_iter()
            .map_init(
                || Query::new().with_limits(limits.deadline, limits.max_pairs),
                |query, &(a, b)| {
                    let found = if limits.deadline.has_passed() {
                        Related::unseen(&extents[a], &extents[b])
                    } else {
                        Related::of(
                            query,
                            bodies[a].placed(),
                            bodies[b].placed(),
                            [rules.clearance, rules.touch_tolerance],
                        )
                    };
                    (limits.progress)(0);
                    Finding { a, b, judgement: rules.judge(a, b, &found), found }
                },
            )
            .collect();
        let ignored = if rules.exceptions.ignores_some() {
            all_pairs(bodies.len()).filter(|&(a, b)| rules.exceptions.ignores(a, b)).count()
        } else {
            0
        };
        CheckReport {
            names: self.names(),
            faces_before: bodies.iter().map(|body| body.faces_before).collect(),
            far: total - ignored - findings.len(),
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

/// What a check found.
pub struct CheckReport {
    names: Vec<BodyName>,
    /// Of each body: how many faces its file has before it.
    faces_before: Vec<usize>,
    extents: Vec<Extent>,
    rules: Rules,
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
        let lo = bounds.lo().max(self.rules.reach());
        let distance = Range::new(lo, bounds.hi().max(lo)).unwrap_or(bounds);
        let found = Related::from(Relation::Separate { distance });
        Finding { a, b, judgement: self.rules.judge(a, b, &found), found }
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
            "verdict": if self.is_forbidden() { "clash" } else { "clear" },
            "summary": summary,
            "clearance": self.rules.clearance,
            "touch_tolerance": self.rules.touch_tolerance,
            "strict": self.rules.strict,
            "bodies": self.names.iter().map(|name| name.full.as_str()).collect::<Vec<_>>(),
        })
    }
}
