//! A packed hierarchy put together from saved lists.

use super::error::Flaw;
use super::node::WideNode;
use super::validate::check_numbers;
use super::{Child, Packed};
use crate::large_pages;
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
        let corners = gathered(&order, triangles)?;
        let tree = Packed { origin, exponent, nodes, order, corners };
        // In one pass: the nodes are more than fits into a cache.
        tree.check_shape(check_numbers)?;
        Ok(tree)
    }
}

/// The corners of the triangle in each slot; an error unless every triangle is in one slot. Lists are equally long.
fn gathered(order: &[u32], triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, Flaw> {
    let mut corners = Vec::with_capacity(order.len());
    large_pages::advise(&mut corners);
    // Marks without questions, looked through in the end: as many slots as triangles hold each of them once exactly when
    // none is left out. Slots out of range leave one out.
    let mut seen = vec![false; triangles.len()];
    corners.extend(order.iter().map(|&triangle| {
        if let Some(seen) = seen.get_mut(triangle as usize) {
            *seen = true;
        }
        triangles.get(triangle as usize).copied().unwrap_or_default()
    }));
    if seen.iter().all(|&seen| seen) {
        return Ok(corners);
    }
    seen.fill(false);
    for &triangle in order {
        match seen.get_mut(triangle as usize) {
            None => return Err(Flaw::Lists { what: "a slot has a triangle that is not there" }),
            Some(true) => return Err(Flaw::Permutation { triangle, times: 2 }),
            Some(seen) => *seen = true,
        }
    }
    Err(Flaw::Lists { what: "the slots are not as many as the triangles" })
}
