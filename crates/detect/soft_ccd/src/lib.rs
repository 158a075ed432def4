//! Moving vertex–face and edge–edge pairs on straight paths: do they ever meet, and when first.
mod exact;
mod query;

pub use query::{Kind, Query, QueryError};

/// Exact.
pub fn touches(query: &Query) -> Option<(f64, f64)> {
    exact::first_contact(query, 1e-9).map(|c| (c.lo, c.hi))
}
