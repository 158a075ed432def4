//! The exact relation of one pair of bodies at rest.

use super::extent::Extent;
use kontakt::answers::{Range, Relation};
use kontakt::mesh::{Asker, Depth, Mesh, Patch, Placed, RelationOptions};

/// What is known about a pair before any rule is applied.
#[derive(Clone, Debug)]
pub(crate) struct Related {
    /// The exact class.
    pub(crate) relation: Relation,
    /// How deep two solids are in each other, whatever the class of their overlap.
    pub(crate) depth: Option<Depth>,
    /// Connected patches of contact.
    pub(crate) patches: Vec<Patch>,
    /// Whether these are all: neither time nor pairs of triangles were up.
    pub(crate) complete: bool,
}

impl From<Relation> for Related {
    fn from(relation: Relation) -> Related {
        Related { relation, depth: None, patches: Vec::new(), complete: true }
    }
}

impl Related {
    /// The relation of two bodies where they stand, and their patches of contact.
    pub(crate) fn of(asker: &mut Asker, a: &Mesh, b: &Mesh) -> Related {
        let (a, b) = (Placed::at_rest(a), Placed::at_rest(b));
        let (report, patches) = asker.relation_and_patches(a, b, &RelationOptions::default());
        Related {
            relation: report.exact,
            depth: report.depth,
            complete: patches.is_some(),
            patches: patches.unwrap_or_default(),
        }
    }

    /// What is certain about two bodies without looking at their faces.
    pub(crate) fn unseen(a: &Extent, b: &Extent) -> Related {
        let bounds = a.signed_distance(b);
        if bounds.lo() > 0.0 {
            Relation::Separate { distance: bounds }.into()
        } else {
            Related { complete: false, ..Relation::Undecided { bounds }.into() }
        }
    }

    /// Certified bounds of the signed distance, negative for overlap; `None` for overlaps without a depth.
    pub(crate) fn signed(&self) -> Option<Range> {
        match self.relation {
            Relation::Separate { distance } => Some(distance),
            Relation::Touching => Some(Range::ZERO),
            Relation::Undecided { bounds } => Some(bounds),
            Relation::Overlapping { depth: Some(depth), .. } => negative(depth),
            _ => self.depth.and_then(|depth| negative(depth.range)),
        }
    }
}

fn negative(range: Range) -> Option<Range> {
    Range::new(-range.hi(), -range.lo()).ok()
}
