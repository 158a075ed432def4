//! The remaining corners of a polygon, by place: whether one is in a triangle.

use kontakt_math::DVec2;

/// Corners in a block.
const BLOCK: usize = 8;

/// Corners in the order of a Z-curve, blocks of them and boxes of blocks as a binary tree: node k has the children 2k and
/// 2k + 1, the blocks are the last nodes.
pub(crate) struct CornerTree {
    order: Vec<u32>,
    /// Where each corner is in `order`.
    place: Vec<u32>,
    gone: Vec<bool>,
    nodes: Vec<Node>,
    /// The first block's node.
    blocks: usize,
}

#[derive(Clone, Copy)]
struct Node {
    low: DVec2,
    high: DVec2,
    /// How many corners remain.
    left: u32,
}

impl CornerTree {
    pub(crate) fn new(flat: &[DVec2]) -> CornerTree {
        let low = flat.iter().fold(DVec2::INFINITY, |m, p| m.min(*p));
        let high = flat.iter().fold(DVec2::NEG_INFINITY, |m, p| m.max(*p));
        // Halves, so that no difference of doubles overflows; any order is right.
        let cell = |p: DVec2| {
            let share = (p * 0.5 - low * 0.5) / (high * 0.5 - low * 0.5);
            (share * 65_535.0).to_array().map(|x| x as u32)
        };
        let mut keyed: Vec<(u32, u32)> =
            flat.iter().enumerate().map(|(k, &p)| (interleaved(cell(p)), k as u32)).collect();
        keyed.sort_unstable();
        let order: Vec<u32> = keyed.into_iter().map(|entry| entry.1).collect();
        let mut place = vec![0; order.len()];
        for (k, &corner) in order.iter().enumerate() {
            place[corner as usize] = k as u32;
        }
        let blocks = order.len().div_ceil(BLOCK).next_power_of_two();
        let empty = Node { low: DVec2::INFINITY, high: DVec2::NEG_INFINITY, left: 0 };
        let mut nodes = vec![empty; 2 * blocks];
        for (k, block) in order.chunks(BLOCK).enumerate() {
            let node = &mut nodes[blocks + k];
            for &corner in block {
                node.low = node.low.min(flat[corner as usize]);
                node.high = node.high.max(flat[corner as usize]);
            }
            node.left = block.len() as u32;
        }
        for k in (1..blocks).rev() {
            let (first, second) = (nodes[2 * k], nodes[2 * k + 1]);
            nodes[k] = Node {
                low: first.low.min(second.low),
                high: first.high.max(second.high),
                left: first.left + second.left,
            };
        }
        CornerTree { gone: vec![false; order.len()], order, place, nodes, blocks }
    }

    /// Takes a corner out.
    pub(crate) fn remove(&mut self, corner: usize) {
        let place = self.place[corner] as usize;
        self.gone[place] = true;
        let mut node = self.blocks + place / BLOCK;
        while node > 0 {
            self.nodes[node].left -= 1;
            node /= 2;
        }
    }

    /// Whether `blocks` says so of a remaining corner that may be in a closed triangle (counter-clockwise). Each box and corner
    /// looked at takes one of the `steps`; when none are left the answer is yes.
    pub(crate) fn any_in_triangle(
        &self,
        triangle: [DVec2; 3],
        steps: &mut usize,
        blocks: impl Fn(usize) -> bool,
    ) -> bool {
        let [a, b, c] = triangle;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let mut stack = vec![1];
        while let Some(k) = stack.pop() {
            *steps = steps.saturating_sub(1);
            if *steps == 0 {
                return true;
            }
            let node = &self.nodes[k];
            if node.left == 0 || !node.may_meet(triangle, low, high) {
                continue;
            }
            if k < self.blocks {
                stack.extend([2 * k, 2 * k + 1]);
                continue;
            }
            let first = (k - self.blocks) * BLOCK;
            for place in first..(first + BLOCK).min(self.order.len()) {
                *steps = steps.saturating_sub(1);
                if !self.gone[place] && blocks(self.order[place] as usize) {
                    return true;
                }
            }
        }
        false
    }
}

impl Node {
    /// `false` is a proof that the box and the triangle are apart: in x or y, or the box is right of an edge.
    ///
    /// For the edge from u to v, d × (p − u) is largest at one corner p of the box. Computed, it errs by less than 3u of the sum of
    /// the sizes of its two products, each of them rounded thrice; 8 half-ulps cover that, and the smallest normal double what underflows.
    fn may_meet(&self, triangle: [DVec2; 3], low: DVec2, high: DVec2) -> bool {
        if self.low.cmpgt(high).any() || self.high.cmplt(low).any() {
            return false;
        }
        !(0..3).any(|k| {
            let (u, v) = (triangle[k], triangle[(k + 1) % 3]);
            let d = v - u;
            let p = DVec2::new(
                if d.y > 0.0 { self.low.x } else { self.high.x },
                if d.x > 0.0 { self.high.y } else { self.low.y },
            );
            let (right, left) = (d.y * (p.x - u.x), d.x * (p.y - u.y));
            right - left > (right.abs() + left.abs()) * (4.0 * f64::EPSILON) + f64::MIN_POSITIVE
        })
    }
}

/// The bits of two numbers below 2¹⁶ in turn.
fn interleaved([x, y]: [u32; 2]) -> u32 {
    let spread = |x: u32| {
        let mut x = x & 0xffff;
        for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
            x = (x | x << shift) & mask;
        }
        x
    };
    spread(x) | spread(y) << 1
}
