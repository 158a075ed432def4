//! The questions of `cargo xtask bench bounds`, one file each.

mod aabb_overlap;
mod exact_box;
mod laboratory;
mod obb_overlap;
mod overlap;
mod readers;
mod small_box;
mod smallest_sphere;

use crate::bench::Question;

/// All questions about bounding volumes and files, in the order of the report.
pub(crate) const BOUNDS: [Question; 8] = [
    ("sphere", smallest_sphere::ask),
    ("box", small_box::ask),
    ("exact", exact_box::ask),
    ("obb", obb_overlap::ask),
    ("aabb", aabb_overlap::ask),
    ("read", readers::ask),
    ("kinds", laboratory::ask_kinds),
    ("forms", laboratory::ask_forms),
];
