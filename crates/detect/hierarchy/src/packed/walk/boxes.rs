//! Triangles that may meet a box of the body's frame.

use super::{PackedPoint, turned};
use crate::packed::Packed;
use crate::packed::node::{Child, WIDTH, WideNode};
use kontakt_math::DVec3;
use std::ops::{ControlFlow, Range};

impl Packed {
    /// Calls `visit` with runs of slots until it breaks or no other triangle can meet the box `low`..`high` of the body's
    /// frame. **Never misses** a triangle that meets it; visits others too.
    pub fn visit_box(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(Range<u32>) -> ControlFlow<()>) {
        // Parts of the box beyond the body do not matter, and cutting them off keeps all numbers small.
        let scale = self.scale();
        let (low, high) = (scale.to_packed(low), scale.to_packed(high));
        let (low, high) = (low.max(DVec3::splat(-2.0)), high.min(DVec3::splat(2.0)));
        if !low.cmple(high).all() {
            return;
        }
        let around = QueryBox { low, high };
        let mut stack = self.start(0.0);
        while let Some(waiting) = stack.pop() {
            match Child::decode(waiting.child) {
                Child::Inner(node) => {
                    let node = &self.nodes[node as usize];
                    let apart = around.apart(node);
                    super::push_sorted(&mut stack, node, &apart, 0.0);
                }
                Child::Leaf { first, count } => {
                    if visit(first..first + count).is_break() {
                        return;
                    }
                }
                Child::Empty => {}
            }
        }
    }
}

/// A box in packed coordinates, within ±2.
struct QueryBox {
    low: DVec3,
    high: DVec3,
}

impl QueryBox {
    /// 0 for lanes that the box may meet, 1 for those it does not, by the three axes of each.
    ///
    /// Proof: axes separate or not; a positive gap along one of the node's axes or of the body's, by more than the rounding
    /// of all terms (numbers of at most 8, fewer than 16 roundings: less than 2⁻⁴⁵), proves the exact boxes apart. The rounding of
    /// the corners of the query box to packed coordinates is part of that. In the body's axes the lane's box is around
    /// Aᵀc with reach |Aᵀ|h: exact for orthonormal A, here off by 2⁻¹⁹ of |c| + h.
    #[expect(clippy::needless_range_loop, reason = "axes and lanes index several arrays at once")]
    fn apart(&self, node: &WideNode) -> [f64; WIDTH] {
        let point = PackedPoint { place: 0.5 * (self.low + self.high), error: f64::powi(2.0, -45) };
        let half = 0.5 * (self.high - self.low);
        let y = point.in_node(node);
        let straight = turned_back(node);
        let mut gaps = [f64::NEG_INFINITY; WIDTH];
        for k in 0..3 {
            let row = DVec3::from_array(node.axes[k].map(f64::from)).abs();
            let reach = row.dot(half) + point.error;
            for lane in 0..WIDTH {
                let away = (y[k] - f64::from(node.centre[k][lane])).abs();
                gaps[lane] = gaps[lane].max(away - f64::from(node.half[k][lane]) - reach);
            }
        }
        for k in 0..3 {
            let from = point.place[k] - f64::from(node.origin[k]);
            for lane in 0..WIDTH {
                let lane_box = |j: usize| (f64::from(node.centre[j][lane]), f64::from(node.half[j][lane]));
                let (mut centre, mut reach, mut size) = (0.0, half[k] + point.error, 0.0);
                for j in 0..3 {
                    let (c, h) = lane_box(j);
                    centre += straight[k][j] * c;
                    reach += straight[k][j].abs() * h;
                    size += c.abs() + h;
                }
                gaps[lane] = gaps[lane].max((from - centre).abs() - reach - f64::powi(2.0, -18) * size);
            }
        }
        std::array::from_fn(|lane| if node.half[0][lane] < 0.0 || gaps[lane] > 0.0 { 1.0 } else { 0.0 })
    }
}

/// Columns of the axes as rows.
fn turned_back(node: &WideNode) -> [[f64; 3]; 3] {
    [DVec3::X, DVec3::Y, DVec3::Z].map(|unit| turned(node, unit))
}
