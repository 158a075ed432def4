//! Regions of the oriented box (thesis 3.7.5, Figure 3.10).

use super::{Method, Rule, Split, SplitSet};
use crate::build::box_table::{Frame, region};
use kontakt_bounds::{Bound, Obb};
use kontakt_math::DVec3;

pub(super) const METHODS: &[Method] =
    &[Method::new("gottschalk", "regions of the oriented box (thesis 3.7.5)", |_| Box::new(Gottschalk))];

/// Modified Gottschalk: the node's oriented box is cut as Table 3.1 says, and each face goes to the region of its middle.
/// If that leaves all faces together, the second longest axis is cut first, then the shortest; then the set counts as
/// indivisible.
struct Gottschalk;

impl Rule for Gottschalk {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        let corners: Vec<DVec3> = (0..set.faces.len()).flat_map(|place| set.corners(place)).collect();
        let obb = Obb::fit(&corners).ok()?;
        let h = obb.half_extents;
        let frame = Frame {
            centre: obb.centre,
            half_edges: [obb.axes.x_axis * h.x, obb.axes.y_axis * h.y, obb.axes.z_axis * h.z],
        };
        let [a, b, c] = frame.by_length();
        [[a, b, c], [b, c, a], [c, a, b]].into_iter().find_map(|along| {
            let middles = frame.middles(parts, along);
            let labels: Vec<u8> = set.centroids().map(|c| region(c, &middles)).collect();
            labels.iter().any(|label| *label != labels[0]).then(|| Split::from(labels))
        })
    }
}
