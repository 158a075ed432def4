//! Rules out the faces and edges of a body that no nearest facet of the difference can come from.

use super::map::{GaussMap, LANES, Planes};
use crate::difference::scan::Octet;
use kontakt_bounds::hull::HullEdge;
use kontakt_math::{DMat3, DVec3};

/// What cannot be nearer than a bound, and how a body is seen from the other one's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// From the other body's frame to this one's.
    pub(super) turn: DMat3,
    pub(super) shift: DVec3,
    /// Facets at this height or beyond are of no interest.
    pub(super) bound: f64,
    /// Never less than |a| + |b| of points of the bodies.
    pub(super) size: f64,
}

/// Faces and edges of a body that are left. Its memory is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieve {
    /// For each face, which points of the other body rule it out.
    masks: Vec<u64>,
    placed: Vec<Octet>,
    /// Faces left.
    pub(super) faces: Vec<u32>,
    /// Edges left.
    pub(super) edges: Vec<u32>,
}

impl Sieve {
    /// Leaves at least the faces and edges that belong to facets lower than the bound, roundings aside.
    ///
    /// Proof. Let s be a point of the other body and p one of this body's, n a unit vector: along n the difference reaches at
    /// least n·(p − s). A face with the exact normal m, |m − n| ≤ e, and a corner p: m·(p − s) ≥ n·(p − s) − e·size, and
    /// n·p ≥ height; so it is ruled out by s if n·s ≤ height − e·size − bound. An edge belongs to facets with unit
    /// normals αl + βr, where l, r are the exact normals of its faces, α, β ≥ 0 and so α + β ≥ 1. If the same s rules out both
    /// faces, for p at the edge (αl + βr)·(p − s) ≥ (α + β)·bound ≥ bound, where the bound is not negative.
    pub(super) fn pass(&mut self, map: &GaussMap, edges: &[HullEdge], lookouts: &[Octet], view: &View) {
        self.masks.clear();
        self.masks.resize(map.planes().len() * LANES, 0);
        self.placed.clear();
        self.placed.extend(lookouts.iter().map(|octet| place(octet, view)));
        self.rule_out(map.planes(), view);
        self.faces.clear();
        for (face, mask) in (0_u32..).zip(&self.masks) {
            if *mask == 0 {
                self.faces.push(face);
            }
        }
        self.edges.clear();
        self.edges.resize(edges.len() + 1, 0);
        let mut count = 0;
        for (number, edge) in (0_u32..).zip(edges) {
            let [left, right] = edge.faces.map(|face| self.masks[face as usize]);
            // Written in any case, counted if left: a branch would often be guessed wrong.
            self.edges[count] = number;
            count += usize::from(left & right == 0);
        }
        self.edges.truncate(count);
    }

    fn rule_out(&mut self, planes: &[Planes], view: &View) {
        #[cfg(target_arch = "x86_64")]
        if super::sieve_x86::masks(planes, &self.placed, view, &mut self.masks) {
            return;
        }
        masks_portable(planes, &self.placed, view, &mut self.masks);
    }
}

/// Eight points in the other frame.
#[inline]
fn place(octet: &Octet, view: &View) -> Octet {
    let DMat3 { x_axis: c, y_axis: d, z_axis: e } = view.turn;
    let mut placed = *octet;
    for lane in 0..LANES {
        let (x, y, z) = (octet.x[lane], octet.y[lane], octet.z[lane]);
        placed.x[lane] = c.x * x + d.x * y + e.x * z + view.shift.x;
        placed.y[lane] = c.y * x + d.y * y + e.y * z + view.shift.y;
        placed.z[lane] = c.z * x + d.z * y + e.z * z + view.shift.z;
    }
    placed
}

/// Sets bit k of a face's mask if point k rules it out.
pub(super) fn masks_portable(planes: &[Planes], points: &[Octet], view: &View, masks: &mut [u64]) {
    for (block, masks) in planes.iter().zip(masks.chunks_exact_mut(LANES)) {
        for lane in 0..LANES {
            let limit = block.height[lane] - block.error[lane] * view.size - view.bound;
            for (number, octet) in points.iter().enumerate() {
                for k in 0..LANES {
                    let along =
                        block.x[lane] * octet.x[k] + block.y[lane] * octet.y[k] + block.z[lane] * octet.z[k];
                    masks[lane] |= u64::from(along <= limit) << (number * LANES + k);
                }
            }
        }
    }
}
