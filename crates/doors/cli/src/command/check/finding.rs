//! What was found about one pair of bodies.

use super::relate::Related;
use super::rules::{Class, Judgement};
use crate::text;
use kontakt::answers::{Contact, Feature, Overlap, Range, Relation, Side};
use kontakt::mesh::{Extent, Patch};
use serde_json::{Value, json};

/// One pair, its exact relation and what the rules make of it.
pub(crate) struct Finding {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) found: Related,
    pub(crate) judgement: Judgement,
}

impl Finding {
    /// The number that tells how grave it is: certified bounds of the signed distance, negative for overlap.
    pub(crate) fn signed(&self) -> Option<Range> {
        self.found.signed()
    }

    /// The class before any tolerance or clearance.
    fn exact(&self) -> Class {
        Class::of(&self.found.relation)
    }

    /// The keys of the contract; `about` tells a body's name and how many faces its file has before it.
    pub(crate) fn json(&self, about: impl Fn(usize) -> (String, usize)) -> Value {
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
        }
        if self.judgement.allowed {
            json["allowed"] = true.into();
        }
        match self.found.relation {
            Relation::Separate { distance } => json["distance"] = json!(distance),
            Relation::Touching => json["distance"] = json!(Range::ZERO),
            Relation::Overlapping { kind, depth } => {
                json["kind"] = json!(kind);
                json["depth"] = json!(depth);
            }
            Relation::Contained { inner } => json["inner"] = json!(inner),
            Relation::Duplicate | Relation::Undecided { .. } => {}
        }
        if self.judgement.class == Class::Undecided {
            json["bounds"] = json!(self.signed());
        }
        if let Some(depth) = &self.found.depth {
            json["depth"] = json!(depth.range);
            json["push"] = json!(depth.push.to_array());
        }
        json["contacts"] =
            self.found.patches.iter().map(|patch| patch_json(patch, [before_a, before_b])).collect();
        if !self.found.complete {
            json["pairs_complete"] = false.into();
        }
        json
    }

    /// The relation in words.
    pub(crate) fn words(&self) -> String {
        let exact = match self.found.relation {
            Relation::Overlapping { kind: Some(Overlap::Protruding), .. } => "overlapping, protruding",
            Relation::Overlapping { kind: Some(Overlap::Piercing), .. } => "overlapping, piercing",
            Relation::Contained { inner: Side::A } => "contained, a in b",
            Relation::Contained { inner: Side::B } => "contained, b in a",
            Relation::Undecided { .. } if !self.found.complete => "undecided, not looked at to the end",
            _ => self.exact().name(),
        };
        let class = self.judgement.class;
        let said = if class == self.exact() {
            exact.to_owned()
        } else if class == Class::Encroaching {
            class.name().to_owned()
        } else if class == Class::Undecided {
            "undecided, as far apart as the clearance".to_owned()
        } else {
            format!("{} (exactly: {exact})", class.name())
        };
        if self.judgement.allowed { said + ", allowed" } else { said }
    }

    /// Depth, distance or size of the contact in words.
    pub(crate) fn amount(&self) -> String {
        match self.found.relation {
            Relation::Separate { distance } => format!("{} apart", text::range(distance)),
            Relation::Touching => contact_text(&self.found.patches),
            Relation::Undecided { bounds } => {
                format!("{} … {}", text::number(bounds.lo()), text::number(bounds.hi()))
            }
            Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => self
                .found
                .depth
                .map_or_else(String::new, |depth| format!("{} deep", text::range(depth.range))),
        }
    }
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
        Extent::Point => {}
        Extent::Curve { length } => json["length"] = json!(length),
        Extent::Area { area } => json["area"] = json!(area),
    }
    json
}

/// What touching bodies share: an area where there is one, else a length, else points.
fn contact_text(patches: &[Patch]) -> String {
    let sum = |of: fn(&Extent) -> f64| patches.iter().map(|patch| of(&patch.extent)).sum::<f64>();
    let area = sum(|extent| if let Extent::Area { area } = extent { *area } else { 0.0 });
    let length = sum(|extent| if let Extent::Curve { length } = extent { *length } else { 0.0 });
    if area > 0.0 {
        format!("area {}", text::number(area))
    } else if length > 0.0 {
        format!("length {}", text::number(length))
    } else {
        "at points".into()
    }
}
