//! The ways out that were tried, with the names of bodies, and their JSON.

use crate::pair_names::BodyName;
use crate::take_out::{Along, TakeOut, Tried};
use kontakt_math::DVec3;
use serde_json::{Value, json};

/// What [`take_out`](crate::take_out) found, and of whom.
#[derive(Debug)]
pub struct TakenOut {
    /// Of all bodies, movers first.
    pub names: Vec<BodyName>,
    /// How many of them are taken out.
    pub movers: usize,
    /// The ways that were tried.
    pub found: TakeOut,
}

impl TakenOut {
    /// A body that stands around.
    fn body(&self, index: usize) -> &str {
        self.names.get(self.movers + index).map_or("", |name| name.full.as_str())
    }

    /// What holds the part on a way, the first first.
    pub fn held_by(&self, tried: &Tried) -> Vec<&str> {
        tried.held_by().into_iter().map(|body| self.body(body)).collect()
    }

    /// All that hold the part on some way, in the order of the ways.
    fn holders(&self) -> Vec<&str> {
        let mut holders = Vec::new();
        for name in self.found.tried.iter().flat_map(|tried| self.held_by(tried)) {
            if !holders.contains(&name) {
                holders.push(name);
            }
        }
        holders
    }

    /// Everything but the ways.
    pub fn json(&self) -> Value {
        let free = self.found.free();
        let names = |range: std::ops::Range<usize>| {
            range.filter_map(|index| Some(self.names.get(index)?.full.as_str())).collect::<Vec<_>>()
        };
        json!({
            "verdict": if free.is_some() { "free" } else { "held" },
            "direction": free.map(|tried| tried.direction.to_array()),
            "distance": free.map(|tried| tried.distance),
            "least_clearance": free.and_then(|tried| tried.segment.clearance).map(|clearance| clearance.range),
            "held_by": if free.is_some() { Vec::new() } else { self.holders() },
            "complete": self.found.tried.iter().all(|tried| tried.complete),
            "pairs": self.found.pairs,
            "moving": names(0..self.movers),
            "bodies": names(self.movers..self.names.len()),
        })
    }

    /// The ways in the order they were tried.
    pub fn ways_json(&self) -> impl Iterator<Item = Value> + '_ {
        self.found.tried.iter().map(|tried| self.way(tried))
    }

    fn way(&self, tried: &Tried) -> Value {
        let segment = &tried.segment;
        let first = segment.first().and_then(|finding| finding.contact);
        json!({
            "way": tried.name(),
            "along": tried.along,
            "direction": tried.direction.to_array(),
            "distance": tried.distance,
            "verdict": segment.verdict,
            "initial": segment.initial,
            "reached": [segment.free_until, segment.proven_by().unwrap_or(tried.distance)],
            "held_by": self.held_by(tried),
            "point": first.map(|contact| contact.point_a.to_array()),
            "normal": first.map(|contact| contact.normal.to_array()),
            "clearance": segment.clearance.map(|clearance| clearance.range),
            "complete": tried.complete,
        })
    }
}

impl Tried {
    /// A way as it is called: by its axis, or as that of a cylinder.
    pub fn name(&self) -> &'static str {
        const AXES: [(DVec3, &str); 6] = [
            (DVec3::X, "+x"),
            (DVec3::NEG_X, "-x"),
            (DVec3::Y, "+y"),
            (DVec3::NEG_Y, "-y"),
            (DVec3::Z, "+z"),
            (DVec3::NEG_Z, "-z"),
        ];
        let named = AXES.iter().find(|(axis, _)| self.along == Along::Axis && *axis == self.direction);
        named.map_or("cylinder", |(_, name)| name)
    }
}
