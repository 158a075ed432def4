//! Regions of the axis-aligned box (thesis 3.7.6, Figure 3.11).

use super::{Method, Rule, Split, SplitSet};
use crate::build::box_table::{Frame, region};
use crate::build::partial::counts;
use kontakt_bounds::Support;
use kontakt_math::DVec3;

pub(super) const METHODS: &[Method] =
    &[Method::new("zachmann", "most even regions of the axis-aligned box (thesis 3.7.6)", |_| {
        Box::new(Zachmann)
    })];

/// Modified Zachmann: the node's axis-aligned box is cut as Table 3.1 says, along those axes that part the faces most
/// evenly (the largest part is least; the longer axes among equals), and each face goes to the region of its middle.
struct Zachmann;

impl Rule for Zachmann {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        let around = set.workpiece.box_around(set.faces);
        let half = (around.max - around.min) * 0.5;
        let half_edges = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z];
        let frame = Frame { centre: around.centre(), half_edges };
        let [a, b, c] = frame.by_length();
        let all = [[a, b, c], [b, a, c], [a, c, b], [c, a, b], [b, c, a], [c, b, a]];
        let dealt = all.into_iter().map(|along| {
            let middles = frame.middles(parts, along);
            let labels: Vec<u8> = set.centroids().map(|c| region(c, &middles)).collect();
            let largest = counts(&labels, middles.len()).into_iter().max();
            (largest, labels)
        });
        let (_, labels) = dealt.min_by_key(|(largest, _)| *largest)?;
        Some(Split::from(labels))
    }
}
