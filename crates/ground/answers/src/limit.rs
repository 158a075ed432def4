//! What gaps are compared with.

use crate::Range;

/// What a gap is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// A clearance: a gap that equals it keeps it.
    Below(f64),
    /// A tolerance: a gap that equals it is within it.
    AtMost(f64),
}

impl Limit {
    /// The length.
    pub fn length(self) -> f64 {
        match self {
            Limit::Below(length) | Limit::AtMost(length) => length,
        }
    }

    /// Whether the bounds of a gap settle that it is on the near side of the limit.
    pub fn holds(self, gap: Range) -> Option<bool> {
        match self {
            Limit::Below(length) => gap.is_below(length),
            Limit::AtMost(length) => gap.is_at_most(length),
        }
    }
}
