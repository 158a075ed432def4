//! Triangles within a distance of a point, the nearest first.

use super::{PackedPoint, Waiting, push_sorted};
use crate::packed::Packed;
use crate::packed::node::{Child, WIDTH, WideNode};
use kontakt_math::DVec3;
use std::ops::Range;

impl Packed {
    /// Calls `visit` with runs of slots, nearer ones about first, until no other triangle can be within the distance last
    /// returned by `visit` (at first `distance`), all in the body's units. **Never misses** a triangle within it; visits
    /// others too. A negative distance ends the walk.
    pub fn visit_ball(&self, centre: DVec3, distance: f64, mut visit: impl FnMut(Range<u32>) -> f64) {
        let scale = self.scale();
        let Some(point) = PackedPoint::new(&scale, centre) else {
            self.visit_all(distance, visit);
            return;
        };
        let mut most = point.threshold(scale.length_to_packed(distance));
        let mut stack = self.start(0.0);
        while let Some(Waiting { key, child }) = stack.pop() {
            // A threshold is never NaN, and lanes with the key NaN are not pushed.
            if key > most {
                continue;
            }
            match Child::decode(child) {
                Child::Inner(node) => {
                    let node = &self.nodes[node as usize];
                    push_sorted(&mut stack, node, &distances_squared(node, point.in_node(node)), most);
                }
                Child::Leaf { first, count } => {
                    most = point.threshold(scale.length_to_packed(visit(first..first + count)));
                }
                Child::Empty => {}
            }
        }
    }

    fn visit_all(&self, mut distance: f64, mut visit: impl FnMut(Range<u32>) -> f64) {
        for slot in 0..self.order.len() as u32 {
            if distance < 0.0 {
                break;
            }
            distance = visit(slot..slot + 1);
        }
    }
}

impl PackedPoint {
    /// A lane whose computed squared distance is more than this is farther than `distance`; −1 if that is negative.
    ///
    /// Proof: let D be the exact distance of A·(p − o) from the box of a lane in its node's axes, and δ the distance of p
    /// from a triangle in it. A maps the segment of length δ to one in the axes' space of length at most (1 + 2⁻¹⁹)δ (the
    /// entries of A·Aᵀ − I are at most 2⁻²⁰), so D ≤ (1 + 2⁻¹⁹)δ. The computed coordinates are off by at most `error`
    /// each, so the computed D̃ ≤ D + √3·error before its own roundings, relative 2⁻⁵⁰. Hence δ ≤ distance implies
    /// D̃ ≤ ((1 + 2⁻¹⁹)·distance + √3·error)(1 + 2⁻⁴⁹) ≤ the root of what is returned.
    fn threshold(&self, distance: f64) -> f64 {
        if distance < 0.0 {
            return -1.0;
        }
        let reach = distance * (1.0 + f64::powi(2.0, -18)) + 2.0 * self.error;
        reach * reach
    }
}

/// Squared distances of a point, in the node's axes, from the boxes of all lanes; ∞ for empty ones.
#[inline(always)]
fn distances_squared(node: &WideNode, y: [f64; 3]) -> [f64; WIDTH] {
    let mut sums = [0.0; WIDTH];
    for ((y, centres), halves) in y.iter().zip(&node.centre).zip(&node.half) {
        for ((sum, &centre), &half) in sums.iter_mut().zip(centres).zip(halves) {
            let away = (y - f64::from(centre)).abs() - f64::from(half);
            let away = if away > 0.0 { away } else { 0.0 };
            *sum += away * away;
        }
    }
    for (sum, &half) in sums.iter_mut().zip(&node.half[0]) {
        if half < 0.0 {
            *sum = f64::INFINITY;
        }
    }
    sums
}
