//! Rules out the faces and edges of a body that no nearest facet of the difference can come from.

use super::map::{GaussMap, LANES, Planes};
use crate::difference::scan::Octet;
use kontakt_bounds::hull::HullEdge;
use kontakt_math::{DMat3, DVec3};

/// How the other body is seen from a body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// From the other body's frame to this one's.
    pub(super) turn: DMat3,
    pub(super) shift: DVec3,
    /// Never less than |a| + |b| of points of the bodies.
    pub(super) size: f64,
}

/// Faces and edges of a body that are left. Its memory is kept from one use to the next.
///
/// A point s of the other body rules out a face with the computed normal n, which is within e of the exact one m, if
/// n·s ≤ height − e·size − bound. Proof: let p be a corner of the face. Along m the difference reaches at least
/// m·(p − s) ≥ n·(p − s) − e·size ≥ height − n·s − e·size ≥ bound.
///
/// It rules out an edge if it rules out both faces. Proof: facets that come from the edge have unit normals αl + βr, where l, r are
/// the exact normals of its faces, α, β ≥ 0 and so α + β ≥ 1. For p at the edge, (αl + βr)·(p − s) ≥ (α + β)·bound ≥ bound, if
/// the bound is not negative.
///
/// Roundings aside in both: those of products, heights, and the points' places.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieve {
    /// Points of the other body in this one's frame. The last octet is for those found on the way.
    points: Vec<Octet>,
    /// Next place in that octet.
    next: usize,
    size: f64,
    /// For each face, which points rule it out.
    masks: Vec<u64>,
    /// Faces left.
    pub(super) faces: Vec<u32>,
    /// Edges left.
    pub(super) edges: Vec<u32>,
}

impl Sieve {
    /// Starts with these points of the other body, at least one octet, given in its frame.
    pub(super) fn start(&mut self, lookouts: &[Octet], view: &View) {
        self.points.clear();
        self.points.extend_from_slice(lookouts);
        // A place that is not yet taken holds a point that is there already.
        self.points.push(lookouts[0]);
        place(&mut self.points, view);
        (self.next, self.size) = (0, view.size);
    }

    /// Takes a further point of the other body, in this one's frame; the oldest of eight goes.
    #[inline]
    pub(super) fn watch(&mut self, point: DVec3) {
        if let Some(octet) = self.points.last_mut() {
            let lane = self.next % LANES;
            (octet.x[lane], octet.y[lane], octet.z[lane]) = (point.x, point.y, point.z);
            self.next += 1;
        }
    }

    /// Leaves the faces and edges that no point rules out.
    pub(super) fn pass(&mut self, map: &GaussMap, edges: &[HullEdge], bound: f64) {
        self.masks.clear();
        self.masks.resize(map.planes().len() * LANES, 0);
        self.rule_out(map.planes(), bound);
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
            let [left, right] = edge.faces;
            // Written in any case, counted if left: a branch would often be guessed wrong.
            self.edges[count] = number;
            count += usize::from(self.masks[left as usize] & self.masks[right as usize] == 0);
        }
        self.edges.truncate(count);
    }

    /// Whether one point rules out both faces.
    #[inline]
    pub(super) fn rules_out(&self, map: &GaussMap, faces: [u32; 2], bound: f64) -> bool {
        let sides = faces.map(|face| Side {
            normal: map.normal(face),
            limit: map.height(face) - map.error(face) * self.size - bound,
        });
        #[cfg(target_arch = "x86_64")]
        if let Some(found) = super::sieve_x86::any_below(&self.points, sides) {
            return found;
        }
        any_below_portable(&self.points, sides)
    }

    fn rule_out(&mut self, planes: &[Planes], bound: f64) {
        #[cfg(target_arch = "x86_64")]
        if super::sieve_x86::masks(planes, &self.points, self.size, bound, &mut self.masks) {
            return;
        }
        masks_portable(planes, &self.points, self.size, bound, &mut self.masks);
    }
}

/// A face's normal, and how far along it a point may be to rule it out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) normal: DVec3,
    pub(super) limit: f64,
}

/// Takes points to the other frame.
#[inline]
fn place(points: &mut [Octet], view: &View) {
    #[cfg(target_arch = "x86_64")]
    if super::sieve_x86::place(points, view) {
        return;
    }
    place_portable(points, view);
}

#[inline(always)]
pub(super) fn place_portable(points: &mut [Octet], view: &View) {
    let DMat3 { x_axis: c, y_axis: d, z_axis: e } = view.turn;
    for octet in points {
        let Octet { x, y, z } = *octet;
        for k in 0..LANES {
            octet.x[k] = c.x * x[k] + d.x * y[k] + e.x * z[k] + view.shift.x;
            octet.y[k] = c.y * x[k] + d.y * y[k] + e.y * z[k] + view.shift.y;
            octet.z[k] = c.z * x[k] + d.z * y[k] + e.z * z[k] + view.shift.z;
        }
    }
}

/// Sets bit k of a face's mask if point k rules it out.
pub(super) fn masks_portable(planes: &[Planes], points: &[Octet], size: f64, bound: f64, masks: &mut [u64]) {
    for (block, masks) in planes.iter().zip(masks.chunks_exact_mut(LANES)) {
        for lane in 0..LANES {
            let limit = block.height[lane] - bound - block.error[lane] * size;
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

/// Whether a point is below both limits.
pub(super) fn any_below_portable(points: &[Octet], sides: [Side; 2]) -> bool {
    points.iter().any(|octet| {
        (0..LANES).any(|k| {
            let point = DVec3::new(octet.x[k], octet.y[k], octet.z[k]);
            sides.iter().all(|side| side.normal.dot(point) <= side.limit)
        })
    })
}
