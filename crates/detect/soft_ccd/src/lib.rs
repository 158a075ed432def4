//! Moving vertex–face and edge–edge pairs on straight paths: do they ever meet, and when first.
mod axis;
mod doubles;
mod exact;
mod query;
mod subdivide;

pub use query::{Kind, Query, QueryError};
use subdivide::Decision;

/// Exact.
pub fn touches(query: &Query) -> Option<(f64, f64)> {
    stage(query).0
}
/// Exact.
pub fn stage(query: &Query) -> (Option<(f64, f64)>, u8) {
    let d = doubles::Doubles::new(query);
    if d.apart_on_an_axis() {
        return (None, 0);
    }
    if d.in_range() {
        let w = d.weights();
        let v = d.volume(&w);
        if v.never_zero() {
            return (None, 1);
        }
        if d.apart_on_a_found_axis() {
            return (None, 2);
        }
        if w.never_inside(query.kind()) {
            return (None, 3);
        }
        match subdivide::subdivide(&d, &w, &v) {
            Decision::Free => return (None, 4),
            Decision::Contact { lo, hi, .. } => return (Some((lo, hi)), 5),
            Decision::Open => {}
        }
    }
    (exact::first_contact(query, 1e-9).map(|c| (c.lo, c.hi)), 6)
}
