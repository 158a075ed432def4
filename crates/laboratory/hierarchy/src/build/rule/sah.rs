//! Binned surface-area heuristic: the reference of ray tracing.

use super::{Method, Rule, Split, SplitSet};
use crate::build::binned::split_by;

pub(super) const METHODS: &[Method] =
    &[Method::new("sah", "least surface x faces over sixteen bins an axis", |_| Box::new(Sah))];

/// Cuts where surface x faces, summed over both sides, is least among sixteen bins an axis (Wald 2007).
struct Sah;

impl Rule for Sah {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        split_by(set, parts, |half| half.x * half.y + half.y * half.z + half.z * half.x)
    }
}
