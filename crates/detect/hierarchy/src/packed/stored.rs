//! A packed hierarchy put together from saved lists.

use super::error::Flaw;
use super::node::WideNode;
use super::validate::check_numbers;
use super::{Child, Packed};
use crate::store::large_pages;
use kontakt_math::DVec3;

impl Packed {
    /// Puts a hierarchy over these triangles together from lists of a file. Everything that keeps walks within bounds is
    /// checked: numbers, the shape of the tree, and that every triangle is in one slot. That boxes enclose their triangles
    /// is **not**: [`validate`](Packed::validate) proves it.
    pub(crate) fn from_stored(
        origin: DVec3,
        exponent: i32,
        nodes: Vec<WideNode>,
        order: Vec<u32>,
        triangles: &[[u32; 3]],
    ) -> Result<Packed, Flaw> {
        let count = triangles.len();
        if nodes.is_empty() || count == 0 || count > Child::MOST_SLOTS {
            return Err(Flaw::Lists { what: "no nodes, no triangles, or too many" });
        }
        if order.len() != count {
            return Err(Flaw::Lists { what: "the slots are not as many as the triangles" });
        }
        if !origin.is_finite() || exponent.unsigned_abs() > 1100 {
            return Err(Flaw::Lists { what: "the frame is out of range" });
        }
        let mut seen = vec![0_u64; count.div_ceil(64)];
        let mut corners = Vec::with_capacity(count);
        large_pages::advise(&mut corners);
        for &triangle in &order {
            let (Some(own), Some(bits)) =
                (triangles.get(triangle as usize), seen.get_mut(triangle as usize / 64))
            else {
                return Err(Flaw::Lists { what: "a slot has a triangle that is not there" });
            };
            let bit = 1 << (triangle % 64);
            if *bits & bit != 0 {
                return Err(Flaw::Permutation { triangle, times: 2 });
            }
            *bits |= bit;
            corners.push(*own);
        }
        for (index, node) in nodes.iter().enumerate() {
            check_numbers(index as u32, node)?;
        }
        let tree = Packed { origin, exponent, nodes, order, corners };
        tree.check_shape()?;
        Ok(tree)
    }
}
