//! The exact relation of one pair of bodies at rest.

use crate::extent::Extent;
use kontakt_answers::{Range, Relation};
use kontakt_mesh::{Depth, Limit, Patch, RelationOptions};
use kontakt_pair::{Placed, Query};

/// What is known about a pair before any rule is applied.
#[derive(Clone, Debug)]
pub struct Related {
    /// The exact class.
    pub relation: Relation,
    /// How deep two solids are in each other, whatever the class of their overlap.
    pub depth: Option<Depth>,
    /// Connected patches of contact.
    pub patches: Vec<Patch>,
    /// Whether these are all: neither time nor pairs of triangles were up.
    pub complete: bool,
    /// Of separate bodies: whether their gap is below the clearance, and whether it is within the tolerance, where faces were
    /// asked because the bounds of the distance leave it open.
    pub gap: Gap,
}

/// How a gap compares with the numbers of the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gap {
    /// It is below the clearance.
    pub encroaches: Option<bool>,
    /// It is within the tolerance.
    pub tolerated: Option<bool>,
}

impl From<Relation> for Related {
    fn from(relation: Relation) -> Related {
        Related { relation, depth: None, patches: Vec::new(), complete: true, gap: Gap::default() }
    }
}

impl Related {
    /// The relation of two bodies where they stand, their patches of contact, and how a gap compares with a clearance and a
    /// tolerance.
    pub fn of(query: &mut Query, a: Placed, b: Placed, [clearance, tolerance]: [f64; 2]) -> Related {
        let (report, patches) = query.relation_and_patches(a, b, &RelationOptions::default());
        let mut gap = Gap::default();
        if let Relation::Separate { distance } = report.exact {
            let mut holds = |limit: Limit| limit.holds(distance).or_else(|| query.within(a, b, limit));
            gap.encroaches = holds(Limit::Below(clearance));
            gap.tolerated = holds(Limit::AtMost(tolerance));
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
    pub fn signed(&self) -> Option<Range> {
        match self.relation {
            Relation::Separate { distance } => Some(distance),
            Relation::Touching => Some(Range::ZERO),
            Relation::Undecided { bounds } => Some(bounds),
            Relation::Overlapping { depth: Some(depth), .. } => Some(depth.negated()),
            _ => self.depth.map(|depth| depth.range.negated()),
        }
    }
}
