//! Triangles that a ray may hit, front to back.

use super::{PackedPoint, Waiting, push_sorted, turned};
use crate::packed::Packed;
use crate::packed::node::{Child, WIDTH, WideNode};
use kontakt_math::DVec3;
use std::ops::Range;

impl Packed {
    /// Calls `visit` with runs of slots that the ray origin + t·direction, 0 ≤ t ≤ `longest`, may hit, about in order of t,
    /// until nothing else can be hit before the t last returned by `visit` (at first `longest`). **Never misses** a
    /// triangle that the exact ray hits before; visits others too. A negative t ends the walk. Nothing is visited for a
    /// direction of length 0 or numbers that are not finite.
    pub fn visit_ray(
        &self,
        origin: DVec3,
        direction: DVec3,
        longest: f64,
        mut visit: impl FnMut(Range<u32>) -> f64,
    ) {
        let size = direction.abs().max_element();
        if !(size > 0.0 && size.is_finite() && origin.is_finite()) {
            return;
        }
        let scale = self.scale();
        let start = PackedPoint::new(&scale, origin);
        // Packed length of one unit of t.
        let unit = scale.length_to_packed(size);
        let Some(start) = start.filter(|_| unit > f64::MIN_POSITIVE && unit.is_finite()) else {
            // So far away or so slow that doubles cannot tell: everything is a candidate.
            let mut until = longest;
            for slot in 0..self.order.len() as u32 {
                if until < 0.0 {
                    return;
                }
                until = visit(slot..slot + 1);
            }
            return;
        };
        let line = Line { start, direction: direction / size };
        let slowed =
            |t: f64| if t < 0.0 { -1.0 } else { t * unit * (1.0 + f64::powi(2.0, -40)) + line.start.error };
        let mut until = slowed(longest);
        let mut stack = self.start(0.0);
        while let Some(Waiting { key, child }) = stack.pop() {
            if key > until {
                continue;
            }
            match Child::decode(child) {
                Child::Inner(node) => {
                    let node = &self.nodes[node as usize];
                    push_sorted(&mut stack, node, &line.entries(node), until);
                }
                Child::Leaf { first, count } => until = slowed(visit(first..first + count)),
                Child::Empty => {}
            }
        }
    }
}

/// A ray in packed coordinates; the largest component of its direction is 1, to rounding.
struct Line {
    start: PackedPoint,
    direction: DVec3,
}

impl Line {
    /// Where the ray enters each lane's box, at the earliest; ∞ if it does not.
    ///
    /// Proof. Points of the body are within ±1.01, so those of the ray among them have s ≤ |start| + 2 in packed lengths.
    /// There, computed coordinates of the ray in a node's axes differ from exact ones by at most the error of the start plus
    /// s times the rounding of the turned direction (2⁻⁵⁰): together less than 2·error. Boxes grown by 4·error hold the
    /// computed ray whenever the exact one meets the exact box; the roundings of the quotients move the point by less
    /// than 2⁻⁵⁰·(|start| + 4), which is within the rest, and `until` is later by 2⁻⁴⁰ of itself and an error. Where the
    /// exact ray enters the grown box is before it enters the box.
    fn entries(&self, node: &WideNode) -> [f64; WIDTH] {
        let y = self.start.in_node(node);
        let v = turned(node, self.direction);
        let grown = 4.0 * self.start.error;
        let mut enter = [0.0_f64; WIDTH];
        let mut leave = [f64::INFINITY; WIDTH];
        for k in 0..3 {
            for lane in 0..WIDTH {
                let half = f64::from(node.half[k][lane]) + grown;
                let to_centre = f64::from(node.centre[k][lane]) - y[k];
                if v[k].abs() < 1e-290 {
                    if to_centre.abs() > half {
                        enter[lane] = f64::INFINITY;
                    }
                    continue;
                }
                let (a, b) = ((to_centre - half) / v[k], (to_centre + half) / v[k]);
                enter[lane] = enter[lane].max(a.min(b));
                leave[lane] = leave[lane].min(a.max(b));
            }
        }
        std::array::from_fn(|lane| {
            // The quotients' roundings may cross at a corner that is just met.
            let meets = enter[lane] <= leave[lane] * (1.0 + f64::powi(2.0, -40)) + grown;
            if meets && node.half[0][lane] >= 0.0 { enter[lane] } else { f64::INFINITY }
        })
    }
}
