//! The exact relation of one pair of bodies at rest.

use super::extent::Extent;
use super::rules::Rules;
use kontakt::answers::{Range, Relation};
use kontakt::mesh::{Asker, Depth, Limit, Mesh, Patch, Placed, RelationOptions};

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
    /// Of separate bodies: whether their gap is below the clearance, and whether it is within the tolerance, where faces were
    /// asked because the bounds of the distance leave it open.
    pub(crate) gap: Gap,
}

/// How a gap compares with the numbers of the rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gap {
    pub(crate) encroaches: Option<bool>,
    pub(crate) tolerated: Option<bool>,
}

impl From<Relation> for Related {
    fn from(relation: Relation) -> Related {
        Related { relation, depth: None, patches: Vec::new(), complete: true, gap: Gap::default() }
    }
}

impl Related {
    /// The relation of two bodies where they stand, their patches of contact, and what the rules need to know of their gap.
    pub(crate) fn of(asker: &mut Asker, a: &Mesh, b: &Mesh, rules: &Rules) -> Related {
        let (a, b) = (Placed::at_rest(a), Placed::at_rest(b));
        let (report, patches) = asker.relation_and_patches(a, b, &RelationOptions::default());
        let mut gap = Gap::default();
        if let Relation::Separate { distance } = report.exact {
            gap.encroaches = asker.gap_holds(a, b, distance, Limit::Below(rules.clearance));
            gap.tolerated = asker.gap_holds(a, b, distance, Limit::AtMost(rules.touch_tolerance));
        }
        Related {
            relation: report.exact,
            depth: report.depth,
            complete: patches.is_some(),
            patches: patches.unwrap_or_default(),
            gap,
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

/// The bounds of the opposite number.
pub(super) fn negative(range: Range) -> Option<Range> {
    Range::new(-range.hi(), -range.lo()).ok()
}
