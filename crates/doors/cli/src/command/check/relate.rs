//! The exact relation of one pair of bodies at rest.

use super::extent::Extent;
use kontakt::answers::Relation;
use kontakt::mesh::{Asker, Mesh, Placed, RelationOptions};
use serde_json::Value;

/// The relation of two bodies where they stand, and their patches of contact.
pub(crate) fn relate(asker: &mut Asker, a: &Mesh, b: &Mesh) -> (Relation, Vec<Value>) {
    let report = asker.relation(Placed::at_rest(a), Placed::at_rest(b), &RelationOptions::default());
    (report.exact, Vec::new())
}

/// What is certain about two bodies without looking at their faces.
pub(crate) fn unseen(a: &Extent, b: &Extent) -> Relation {
    let bounds = a.signed_distance(b);
    if bounds.lo() > 0.0 { Relation::Separate { distance: bounds } } else { Relation::Undecided { bounds } }
}
