//! A checked path with the names of its bodies, and its JSON: every segment with its proof.

use crate::pair_names::BodyName;
use kontakt_rigid_ccd::path::{Clearance, PathFinding, PathReport, PathVerdict, SegmentReport};
use serde_json::{Value, json};

/// What [`check_path`](crate::check_path) found, and of whom.
#[derive(Debug)]
pub struct PathCheck {
    /// Of all bodies, movers first.
    pub names: Vec<BodyName>,
    /// How many of them move.
    pub movers: usize,
    /// Pairs of a mover and a body, ignored ones left out.
    pub pairs: usize,
    /// The proof.
    pub report: PathReport,
}

impl PathCheck {
    /// The name of a mover, by its place among them.
    pub fn mover(&self, index: usize) -> &str {
        self.names.get(index).map_or("", |name| name.full.as_str())
    }

    /// The name of a body at rest, by its place among those.
    pub fn body(&self, index: usize) -> &str {
        self.mover(self.movers + index)
    }

    /// How many segments have this verdict.
    pub fn count(&self, verdict: PathVerdict) -> usize {
        self.report.segments.iter().filter(|segment| segment.verdict == verdict).count()
    }

    /// Whether the movers stay at least `clearance` away from everything: true is proven, and so is false; none where the bounds leave it
    /// open. A distance equal to the clearance keeps it.
    pub fn keeps(&self, clearance: f64) -> Option<bool> {
        match (self.report.verdict(), self.report.least_clearance) {
            (PathVerdict::Contact | PathVerdict::Overlap, _) if clearance > 0.0 => Some(false),
            (PathVerdict::Free, Some(least)) if least.range.lo() >= clearance => Some(true),
            (PathVerdict::Free, Some(least)) if least.range.hi() < clearance => Some(false),
            _ => None,
        }
    }

    /// Everything but the segments.
    pub fn json(&self) -> Value {
        let report = &self.report;
        let names = |range: std::ops::Range<usize>| {
            range.filter_map(|index| Some(self.names.get(index)?.full.as_str())).collect::<Vec<_>>()
        };
        json!({
            "verdict": report.verdict(),
            "static_verdict": report.at_poses,
            "initial": report.initial,
            "least_clearance": report.least_clearance.map(|least| least.range),
            "least_clearance_at": report.least_clearance.map(|least| place(self, &least)),
            "complete": report.complete,
            "summary": {
                "segments": report.segments.len(),
                "free": self.count(PathVerdict::Free),
                "contact": self.count(PathVerdict::Contact),
                "overlap": self.count(PathVerdict::Overlap),
                "undecided": self.count(PathVerdict::Undecided),
                "pairs": self.pairs,
            },
            "moving": names(0..self.movers),
            "bodies": names(self.movers..self.names.len()),
        })
    }

    /// All segments, in the order of the path.
    pub fn segments_json(&self) -> impl Iterator<Item = Value> + '_ {
        self.report.segments.iter().map(|segment| one(self, segment))
    }
}

fn place(checked: &PathCheck, clearance: &Clearance) -> Value {
    json!({
        "t": clearance.time,
        "moving": checked.mover(clearance.mover),
        "body": checked.body(clearance.body),
    })
}

fn one(checked: &PathCheck, segment: &SegmentReport) -> Value {
    let mut json = match segment.first() {
        Some(first) => meeting(checked, first),
        None => json!({ "moving": null, "body": null, "features": null, "point": null, "normal": null }),
    };
    json["t0"] = json!(segment.times[0]);
    json["t1"] = json!(segment.times[1]);
    json["verdict"] = json!(segment.verdict);
    json["t_lo"] = json!(segment.free_until);
    json["t_hi"] = json!(segment.proven_by());
    json["initial"] = json!(segment.initial);
    json["static"] = json!(segment.at_poses);
    json["clearance"] = json!(segment.clearance.map(|clearance| clearance.range));
    json["clearance_at"] = json!(segment.clearance.map(|clearance| place(checked, &clearance)));
    json["contacts"] = segment.findings.iter().map(|finding| meeting(checked, finding)).collect();
    json["certificate"] = json!({
        "proven_free_until": segment.free_until,
        "pairs_apart_by_boxes": checked.pairs - segment.near.min(checked.pairs),
        "pairs_followed": segment.near,
        "volume_tests": segment.visits.volume_tests,
        "face_tests": segment.visits.face_tests,
        "exact_tests": segment.visits.exact_tests,
        "distances": segment.distances,
    });
    json
}

fn meeting(checked: &PathCheck, finding: &PathFinding) -> Value {
    let mut json = json!({
        "verdict": finding.verdict,
        "t_lo": finding.time.lo(),
        "t_hi": finding.time.hi(),
        "initial": finding.initial,
        "moving": checked.mover(finding.mover),
        "body": checked.body(finding.body),
        "features": finding.contact.map(|contact| [contact.feature_a, contact.feature_b]),
        "point": finding.contact.map(|contact| contact.point_a.to_array()),
        "normal": finding.contact.map(|contact| contact.normal.to_array()),
    });
    if let Some(depth) = finding.allowed {
        json["allowed_depth"] = json!(depth);
    }
    json
}
