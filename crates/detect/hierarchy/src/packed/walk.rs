//! Walks over one packed hierarchy: which triangles a point, a ball, a box or a ray can meet.
//!
//! All work in packed coordinates with doubles. Let e(p) = 2⁻⁴⁸·(3 + |p|) for a packed point p computed to nearest: it covers
//! the rounding of p itself (2⁻⁵² relative) and of its coordinates y = axes·(p − origin) in any node (axes near orthonormal,
//! origin within ±1.01: four roundings of terms at most 2·(|p| + 2)), with room for a few roundings of each test.

mod ball;
mod boxes;
mod ray;

use super::Packed;
use super::node::{WIDTH, WideNode};
use super::scale::Scale;
use kontakt_math::DVec3;

/// Packed coordinates beyond which squares may overflow; nothing is culled then.
const FARTHEST: f64 = f64::from_bits(0x5f30_0000_0000_0000);

/// A point in packed coordinates with the error of its coordinates in any node's axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedPoint {
    pub(crate) place: DVec3,
    /// **Never less** than the error of each coordinate in a node's axes.
    pub(crate) error: f64,
}

impl PackedPoint {
    /// None when the point is so far from the body that doubles cannot tell its parts apart.
    pub(crate) fn new(scale: &Scale, point: DVec3) -> Option<PackedPoint> {
        let place = scale.to_packed(point);
        let size = place.abs().max_element();
        let error = f64::powi(2.0, -48) * (3.0 + 1.8 * size);
        (size < FARTHEST).then_some(PackedPoint { place, error })
    }

    /// Coordinates in a node's axes.
    #[inline(always)]
    pub(crate) fn in_node(&self, node: &WideNode) -> [f64; 3] {
        let origin = DVec3::from_array(node.origin.map(f64::from));
        turned(node, self.place - origin)
    }
}

/// A difference of packed points in a node's axes.
#[inline(always)]
pub(crate) fn turned(node: &WideNode, v: DVec3) -> [f64; 3] {
    node.axes.map(|row| f64::from(row[0]) * v.x + f64::from(row[1]) * v.y + f64::from(row[2]) * v.z)
}

/// A lane waiting to be looked at, with its distance or time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) key: f64,
    pub(crate) child: u32,
}

/// Puts the lanes with key ≤ `most` on the stack so that the smallest is on top. Empty lanes have key NaN or ∞.
#[inline(always)]
pub(crate) fn push_sorted(stack: &mut Vec<Waiting>, node: &WideNode, keys: &[f64; WIDTH], most: f64) {
    let base = stack.len();
    for (lane, &key) in keys.iter().enumerate() {
        if key <= most {
            let mut place = stack.len();
            stack.push(Waiting { key, child: node.child[lane] });
            while place > base && stack[place - 1].key < key {
                stack[place] = stack[place - 1];
                place -= 1;
            }
            stack[place] = Waiting { key, child: node.child[lane] };
        }
    }
}

/// Room for the stack of most walks.
pub(crate) const STACK: usize = 128;

impl Packed {
    /// The root, as a child code with the smallest key.
    pub(crate) fn start(&self, key: f64) -> Vec<Waiting> {
        let mut stack = Vec::with_capacity(STACK);
        if !self.nodes.is_empty() {
            stack.push(Waiting { key, child: 0 });
        }
        stack
    }
}
