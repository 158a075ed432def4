//! The report of a path for machines: every segment with its proof.

use super::Checked;
use kontakt::rigid_ccd::path::{Clearance, PathFinding, PathVerdict, SegmentReport};
use kontakt::scene::Way;
use serde_json::{Value, json};

/// Everything but the segments.
pub(crate) fn head(checked: &Checked) -> Value {
    let report = checked.report();
    let names = |range: std::ops::Range<usize>| {
        range.filter_map(|index| Some(checked.names.get(index)?.full.as_str())).collect::<Vec<_>>()
    };
    json!({
        "verdict": report.verdict(),
        "static_verdict": report.at_poses,
        "initial": report.initial,
        "least_clearance": report.least_clearance.map(|least| least.range),
        "least_clearance_at": report.least_clearance.map(|least| place(checked, &least)),
        "complete": report.complete,
        "summary": {
            "segments": report.segments.len(),
            "free": checked.count(PathVerdict::Free),
            "contact": checked.count(PathVerdict::Contact),
            "overlap": checked.count(PathVerdict::Overlap),
            "undecided": checked.count(PathVerdict::Undecided),
            "pairs": checked.pairs,
        },
        "moving": names(0..checked.movers),
        "bodies": names(checked.movers..checked.names.len()),
        "motion": checked.motion,
        "way": checked.way.as_ref().map(way),
        "files": checked.remarks.json(),
        "warnings": checked.warnings,
    })
}

/// A motion that was typed: its whole shift, and its turn in degrees.
fn way(way: &Way) -> Value {
    let turn = way.turn.map(|turn| {
        json!({
            "axis": turn.axis.to_array(),
            "through": turn.through.to_array(),
            "angle": turn.angle_rad.to_degrees(),
        })
    });
    json!({ "shift": way.shift.to_array(), "turn": turn })
}

fn place(checked: &Checked, clearance: &Clearance) -> Value {
    json!({
        "t": clearance.time,
        "moving": checked.mover(clearance.mover),
        "body": checked.body(clearance.body),
    })
}

/// All segments, in the order of the path.
pub(crate) fn segments(checked: &Checked) -> impl Iterator<Item = Value> + '_ {
    checked.report().segments.iter().map(|segment| one(checked, segment))
}

fn one(checked: &Checked, segment: &SegmentReport) -> Value {
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

fn meeting(checked: &Checked, finding: &PathFinding) -> Value {
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
