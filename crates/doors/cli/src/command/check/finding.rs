//! What was found about one pair of bodies.

use super::rules::{Class, Judgement};
use crate::text;
use kontakt::answers::{Overlap, Range, Relation, Side};
use serde_json::{Value, json};

/// One pair, its exact relation and what the rules make of it.
pub(crate) struct Finding {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) relation: Relation,
    pub(crate) judgement: Judgement,
    /// Connected patches of contact.
    pub(crate) contacts: Vec<Value>,
}

impl Finding {
    /// The number that tells how grave it is: certified bounds of the signed distance, negative for overlap.
    pub(crate) fn signed(&self) -> Option<Range> {
        match self.relation {
            Relation::Separate { distance } => Some(distance),
            Relation::Touching => Some(Range::ZERO),
            Relation::Overlapping { depth, .. } => depth.and_then(|d| Range::new(-d.hi(), -d.lo()).ok()),
            Relation::Undecided { bounds } => Some(bounds),
            Relation::Contained { .. } | Relation::Duplicate => None,
        }
    }

    /// The keys of the contract.
    pub(crate) fn json(&self, name: impl Fn(usize) -> String) -> Value {
        let mut json = json!({
            "a": name(self.a),
            "b": name(self.b),
            "relation": self.judgement.class.name(),
            "forbidden": self.judgement.forbidden,
        });
        let exact = Class::of(&self.relation);
        if exact != self.judgement.class {
            json["exact"] = exact.name().into();
        }
        if self.judgement.allowed {
            json["allowed"] = true.into();
        }
        match self.relation {
            Relation::Separate { distance } => json["distance"] = json!(distance),
            Relation::Touching => json["distance"] = json!(Range::ZERO),
            Relation::Overlapping { kind, depth } => {
                json["kind"] = json!(kind);
                json["depth"] = json!(depth);
            }
            Relation::Contained { inner } => json["inner"] = json!(inner),
            Relation::Duplicate => {}
            Relation::Undecided { bounds } => json["bounds"] = json!(bounds),
        }
        if self.judgement.class == Class::Undecided
            && let Some(bounds) = self.signed()
        {
            json["bounds"] = json!(bounds);
        }
        json["contacts"] = json!(self.contacts);
        json
    }

    /// The relation in words.
    pub(crate) fn words(&self) -> String {
        let exact = match self.relation {
            Relation::Overlapping { kind: Some(Overlap::Protruding), .. } => "overlapping, protruding",
            Relation::Overlapping { kind: Some(Overlap::Piercing), .. } => "overlapping, piercing",
            Relation::Contained { inner: Side::A } => "contained, a in b",
            Relation::Contained { inner: Side::B } => "contained, b in a",
            _ => Class::of(&self.relation).name(),
        };
        let class = self.judgement.class;
        let said = if class == Class::of(&self.relation) {
            exact.to_owned()
        } else if class == Class::Encroaching {
            class.name().to_owned()
        } else {
            format!("{} (exactly: {exact})", class.name())
        };
        if self.judgement.allowed { said + ", allowed" } else { said }
    }

    /// Depth or distance in words.
    pub(crate) fn amount(&self) -> String {
        match self.relation {
            Relation::Separate { distance } => format!("{} apart", text::range(distance)),
            Relation::Overlapping { depth: Some(depth), .. } => format!("{} deep", text::range(depth)),
            Relation::Undecided { bounds } => {
                format!("{} … {}", text::number(bounds.lo()), text::number(bounds.hi()))
            }
            _ => String::new(),
        }
    }
}
