//! How two bodies at rest lie to each other.

use crate::{Range, Verdict};
use serde::{Deserialize, Serialize};

/// One of the two bodies asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// How the interiors of two overlapping bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OverlapKind {
    /// One reaches into the other.
    Protruding,
    /// One goes through the other and comes out again.
    Piercing,
}

/// The exact class of a pair of bodies, with certified numbers. In JSON the key `relation` names the class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "snake_case")]
pub enum Relation {
    /// No common point; the lower end of the distance is positive.
    Separate {
        /// Distance of the two sets.
        distance: Range,
    },
    /// Common points, but none inside both.
    Touching,
    /// The interiors meet (for open sheets: they cross).
    Overlapping {
        /// In which way, where that is known.
        kind: Option<OverlapKind>,
        /// Least translation that separates them; `None` for open sheets.
        depth: Option<Range>,
    },
    /// One closed body lies inside the other.
    Contained {
        /// Which one is inside.
        inner: Side,
    },
    /// The same body twice.
    Duplicate,
    /// The budget ended, or smooth shapes touch within the certified bounds.
    Undecided {
        /// Signed distance: negative means overlap.
        bounds: Range,
    },
}

impl Relation {
    /// Whether separate bodies come closer than `clearance`: `None` when the bounds leave it open. Bodies in contact
    /// always do.
    pub fn encroaches(&self, clearance: f64) -> Option<bool> {
        match self {
            Relation::Separate { distance } => distance.is_below(clearance),
            Relation::Undecided { bounds } => bounds.is_below(clearance),
            _ => Some(true),
        }
    }

    /// What the class says of whether bodies meet.
    pub fn verdict(&self) -> Verdict {
        match self {
            Relation::Separate { .. } => Verdict::Separate,
            Relation::Touching => Verdict::Touching,
            Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => {
                Verdict::Overlapping
            }
            Relation::Undecided { .. } => Verdict::Undecided,
        }
    }

    /// The same relation seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Relation {
        match self {
            Relation::Contained { inner } => Relation::Contained { inner: inner.other() },
            same => same,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_names_the_class_as_the_contract_does() {
        let json = |r: Relation| serde_json::to_string(&r).unwrap();
        let range = Range::new(1.0, 2.0).unwrap();
        assert_eq!(
            json(Relation::Separate { distance: range }),
            r#"{"relation":"separate","distance":[1.0,2.0]}"#
        );
        assert_eq!(json(Relation::Touching), r#"{"relation":"touching"}"#);
        assert_eq!(
            json(Relation::Overlapping { kind: Some(OverlapKind::Piercing), depth: None }),
            r#"{"relation":"overlapping","kind":"piercing","depth":null}"#
        );
        assert_eq!(json(Relation::Contained { inner: Side::B }), r#"{"relation":"contained","inner":"b"}"#);
    }

    #[test]
    fn swapping_twice_changes_nothing() {
        let relation = Relation::Contained { inner: Side::A };
        assert_eq!(relation.swapped(), Relation::Contained { inner: Side::B });
        assert_eq!(relation.swapped().swapped(), relation);
    }

    #[test]
    fn clearance_is_a_strict_limit() {
        let apart = Relation::Separate { distance: Range::new(1.0, 1.0).unwrap() };
        assert_eq!(apart.encroaches(1.0), Some(false));
        assert_eq!(apart.encroaches(1.5), Some(true));
        assert_eq!(Relation::Touching.encroaches(0.0), Some(true));
    }
}
