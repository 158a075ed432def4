//! The ways out for machines.

use super::{TakenOut, way_name};
use kontakt::scene::Tried;
use serde_json::{Value, json};

/// Everything but the ways.
pub(crate) fn head(taken: &TakenOut) -> Value {
    let free = taken.found.free();
    let names = |range: std::ops::Range<usize>| {
        range.filter_map(|index| Some(taken.names.get(index)?.full.as_str())).collect::<Vec<_>>()
    };
    json!({
        "verdict": if free.is_some() { "free" } else { "held" },
        "direction": free.map(|tried| tried.direction.to_array()),
        "distance": free.map(|tried| tried.distance),
        "least_clearance": free.and_then(|tried| tried.segment.clearance).map(|clearance| clearance.range),
        "held_by": if free.is_some() { Vec::new() } else { holders(taken) },
        "complete": taken.found.tried.iter().all(|tried| tried.complete),
        "pairs": taken.found.pairs,
        "moving": names(0..taken.movers),
        "bodies": names(taken.movers..taken.names.len()),
        "files": taken.remarks.json(),
        "warnings": taken.warnings,
    })
}

/// All that hold the part on some way, in the order of the ways.
fn holders(taken: &TakenOut) -> Vec<&str> {
    let mut holders = Vec::new();
    for name in taken.found.tried.iter().flat_map(|tried| taken.held_by(tried)) {
        if !holders.contains(&name) {
            holders.push(name);
        }
    }
    holders
}

/// The ways in the order they were tried.
pub(crate) fn ways(taken: &TakenOut) -> impl Iterator<Item = Value> + '_ {
    taken.found.tried.iter().map(|tried| way(taken, tried))
}

fn way(taken: &TakenOut, tried: &Tried) -> Value {
    let segment = &tried.segment;
    let first = segment.first().and_then(|finding| finding.contact);
    json!({
        "way": way_name(tried),
        "along": tried.along,
        "direction": tried.direction.to_array(),
        "distance": tried.distance,
        "verdict": segment.verdict,
        "initial": segment.initial,
        "reached": [segment.free_until, segment.proven_by().unwrap_or(tried.distance)],
        "held_by": taken.held_by(tried),
        "point": first.map(|contact| contact.point_a.to_array()),
        "normal": first.map(|contact| contact.normal.to_array()),
        "clearance": segment.clearance.map(|clearance| clearance.range),
        "complete": tried.complete,
    })
}
