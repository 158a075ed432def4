//! The vocabulary between rooms: what a query answers, and which way each answer errs.
//!
//! Every number that is not exact comes as a [`Range`] with certified ends. Everything serialises to the JSON of the
//! command line's contract.
//!
//! ```
//! use kontakt_answers::{Range, Relation};
//! let relation = Relation::Separate { distance: Range::new(0.25, 0.5).unwrap() };
//! assert!(relation.encroaches(0.4).is_none(), "0.25..0.5 does not settle whether 0.4 is kept");
//! assert_eq!(relation.encroaches(0.2), Some(false));
//! ```

mod contact;
mod impact;
mod limit;
mod range;
mod relation;
mod verdict;
mod visits;

pub use contact::{Contact, Feature};
pub use impact::{Impact, Initial};
pub use limit::Limit;
pub use range::{Range, RangeError};
pub use relation::{OverlapKind, Relation, Side};
pub use verdict::Verdict;
pub use visits::Visits;

/// Index of a body in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct BodyId(pub u32);
