//! What was found about one pair of bodies.

use crate::related::Related;
use crate::rules::{Class, Judgement, PairLimits};
use kontakt_answers::{Contact, Feature, Range, Relation};
use kontakt_mesh::{Patch, PatchExtent, Region};
use serde_json::{Value, json};

/// One pair, its exact relation and what the rules make of it.
pub struct Finding {
    /// The first body's place in the scene.
    pub a: usize,
    /// The second's, after the first.
    pub b: usize,
    /// What is known of them.
    pub found: Related,
    /// What the rules make of it.
    pub judgement: Judgement,
    /// The limits it was judged by.
    pub limits: PairLimits,
    /// Whether it is forbidden, and estimated chord errors would explain it.
    pub explained: bool,
}

impl Finding {
    /// The number that tells how grave it is: certified bounds of the signed distance, negative for overlap.
    pub fn signed(&self) -> Option<Range> {
        self.found.signed()
    }

    /// Whether the bodies are separate, and no farther apart than a length.
    pub(crate) fn is_apart_by_at_most(&self, length: f64) -> bool {
        let near = |range: Range| range.hi() <= length;
        self.judgement.class == Class::Separate && self.signed().is_some_and(near)
    }

    /// The class before any tolerance or clearance.
    pub fn exact(&self) -> Class {
        Class::of(&self.found.relation)
    }

    /// The keys of the contract; `about` tells a body's name and how many faces its file has before it.
    pub fn json(&self, about: impl Fn(usize) -> (String, usize)) -> Value {
        let ((name_a, before_a), (name_b, before_b)) = (about(self.a), about(self.b));
        let mut json = json!({
            "a": name_a,
            "b": name_b,
            "relation": self.judgement.class.name(),
            "exact_relation": self.exact().name(),
            "forbidden": self.judgement.forbidden,
        });
        if self.exact() != self.judgement.class {
            json["exact"] = self.exact().name().into();
            json["touch_tolerance"] = json!(self.limits.touch_tolerance);
        }
        if self.judgement.allowed {
            json["allowed"] = true.into();
        }
        match self.found.relation {
            Relation::Separate { distance } => json["distance"] = json!(distance),
            Relation::Touching => json["distance"] = json!(Range::ZERO),
            Relation::Overlapping { kind, .. } => {
                json["kind"] = json!(kind);
                // Open sheets that cross have no depth.
                json["depth"] = Value::Null;
            }
            Relation::Contained { inner } => json["inner"] = json!(inner),
            Relation::Duplicate | Relation::Undecided { .. } => {}
        }
        let open = matches!(self.found.relation, Relation::Undecided { .. });
        if self.judgement.class == Class::Undecided || open {
            json["bounds"] = json!(self.signed());
        }
        if self.limits.certified > 0.0 {
            json["certified_deviation"] = json!(self.limits.certified);
        }
        self.overlap_json(&mut json);
        if let Some(place) = self.found.place() {
            json["point"] = json!(place.to_array());
        }
        if let (Some([p, q]), Class::Encroaching) = (self.found.nearest, self.judgement.class) {
            json["point_a"] = json!(p.to_array());
            json["point_b"] = json!(q.to_array());
        }
        json["contacts"] =
            self.found.patches.iter().map(|patch| patch_json(patch, [before_a, before_b])).collect();
        if !self.found.complete {
            json["pairs_complete"] = false.into();
        }
        json
    }

    /// What an overlap comes to: interference, volume and regions, and the least shift that frees.
    fn overlap_json(&self, json: &mut Value) {
        if let Some(release) = &self.found.release {
            json["release"] = json!(release.range);
            json["depth"] = json!(release.range);
            json["push"] = json!(release.push.to_array());
        }
        if let Some(reason) = &self.found.not_measured {
            json["not_measured"] = reason.to_string().into();
            json["interference"] = json!(self.found.interference());
        }
        let Some(overlap) = &self.found.overlap else { return };
        json["interference"] = json!(self.found.interference());
        if self.found.is_coincident() {
            json["coincident"] = true.into();
        }
        json["volume"] = json!(overlap.volume);
        json["regions"] = overlap.regions.iter().map(region_json).collect();
    }
}

/// One region of an overlap: how deep each surface lies in the other body, how much it is, and where.
fn region_json(region: &Region) -> Value {
    json!({
        "interference": region.depth(),
        "a_in_b": region.interference[0],
        "b_in_a": region.interference[1],
        "volume": region.volume,
        "low": region.extent[0].to_array(),
        "high": region.extent[1].to_array(),
        "deepest": region.deepest.to_array(),
    })
}

/// One patch of contact: what it is, where, and which way it pushes. Faces count through the file.
fn patch_json(patch: &Patch, before: [usize; 2]) -> Value {
    let in_file = |feature: Option<Feature>, before: usize| match feature {
        Some(Feature::Face(face)) => Some(Feature::Face(face + before as u32)),
        other => other,
    };
    let numbered = |contact: &Contact| Contact {
        feature_a: in_file(contact.feature_a, before[0]),
        feature_b: in_file(contact.feature_b, before[1]),
        ..*contact
    };
    let points: Vec<Contact> = patch.contacts.iter().map(numbered).collect();
    let mut json = json!({
        "pairs": patch.pairs,
        "normal": patch.normal.to_array(),
        "centre": patch.centre.to_array(),
        "points": points,
    });
    match patch.extent {
        PatchExtent::Point => {}
        PatchExtent::Curve { length } => json["length"] = json!(length),
        PatchExtent::Area { area } => json["area"] = json!(area),
    }
    json
}
