//! A number known to lie between two certified ends.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why two numbers are no range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RangeError {
    /// An end is NaN.
    #[error("range [{lo}, {hi}] has an end that is not a number")]
    NotANumber {
        /// Lower end given.
        lo: f64,
        /// Upper end given.
        hi: f64,
    },
    /// The ends are in the wrong order.
    #[error("range [{lo}, {hi}] has its ends in the wrong order")]
    Reversed {
        /// Lower end given.
        lo: f64,
        /// Upper end given.
        hi: f64,
    },
}

/// Certified bounds of a number: lo ≤ exact value ≤ hi. In JSON `[lo, hi]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "[f64; 2]", try_from = "[f64; 2]")]
pub struct Range {
    lo: f64,
    hi: f64,
}

impl Range {
    /// The range of the number zero.
    pub const ZERO: Range = Range { lo: 0.0, hi: 0.0 };

    /// Ends in order; infinite ends say "no bound known".
    pub fn new(lo: f64, hi: f64) -> Result<Range, RangeError> {
        if lo.is_nan() || hi.is_nan() {
            Err(RangeError::NotANumber { lo, hi })
        } else if lo > hi {
            Err(RangeError::Reversed { lo, hi })
        } else {
            Ok(Range { lo, hi })
        }
    }

    /// Never more than the exact value.
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// Never less than the exact value.
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// Whether the exact value is proven to be at most `limit` or beyond it by no more than roundings: two billionths of it. A value that
    /// equals the limit is at most it, however its bounds were rounded.
    pub fn is_about_at_most(&self, limit: f64) -> bool {
        self.hi <= limit + 2e-9 * limit.abs()
    }

    /// The bounds of the opposite number.
    #[must_use]
    pub fn negated(self) -> Range {
        Range { lo: -self.hi, hi: -self.lo }
    }

    /// How much is left open.
    pub fn width(&self) -> f64 {
        self.hi - self.lo
    }

    /// Whether the exact value is below `limit`; `None` when the bounds leave it open.
    pub fn is_below(&self, limit: f64) -> Option<bool> {
        if self.hi < limit {
            Some(true)
        } else if self.lo >= limit {
            Some(false)
        } else {
            None
        }
    }

    /// Whether the exact value is at most `limit`; `None` when the bounds leave it open.
    pub fn is_at_most(&self, limit: f64) -> Option<bool> {
        if self.hi <= limit {
            Some(true)
        } else if self.lo > limit {
            Some(false)
        } else {
            None
        }
    }
}

impl From<Range> for [f64; 2] {
    fn from(range: Range) -> Self {
        [range.lo, range.hi]
    }
}

impl TryFrom<[f64; 2]> for Range {
    type Error = RangeError;
    fn try_from([lo, hi]: [f64; 2]) -> Result<Self, RangeError> {
        Range::new(lo, hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_range() {
        assert!(matches!(Range::new(f64::NAN, 1.0), Err(RangeError::NotANumber { .. })));
        assert_eq!(Range::new(2.0, 1.0), Err(RangeError::Reversed { lo: 2.0, hi: 1.0 }));
        assert!(Range::new(f64::NEG_INFINITY, f64::INFINITY).is_ok());
    }

    #[test]
    fn comparison_is_three_valued() {
        let range = Range::new(1.0, 2.0).unwrap();
        assert_eq!(range.is_below(3.0), Some(true));
        assert_eq!(range.is_below(1.5), None);
        assert_eq!(range.is_below(2.0), None, "the value may be 2 exactly, which is not below 2");
        assert_eq!(range.is_below(1.0), Some(false));
        assert_eq!(range.is_at_most(2.0), Some(true));
        assert_eq!(range.is_at_most(1.0), None, "the value may be 1 exactly, which is at most 1");
        assert_eq!(range.is_at_most(0.5), Some(false));
    }

    #[test]
    fn what_equals_a_limit_is_about_at_most_it() {
        let near = |hi: f64| Range::new(0.5, hi).unwrap().is_about_at_most(1.0);
        assert!(near(0.75) && near(1.0) && near(1.0 + 1e-9));
        assert!(!near(1.0 + 1e-8), "not proven");
    }

    #[test]
    fn json_is_a_pair_and_checked_on_the_way_in() {
        let range = Range::new(0.5, 0.75).unwrap();
        assert_eq!(serde_json::to_string(&range).unwrap(), "[0.5,0.75]");
        assert_eq!(serde_json::from_str::<Range>("[0.5,0.75]").unwrap(), range);
        assert!(serde_json::from_str::<Range>("[2,1]").is_err());
    }
}
