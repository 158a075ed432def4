//! Rules out the faces and edges of a body that no nearest facet of the difference can come from.

use super::map::{GaussMap, Planes, Sides, WIDE};
use crate::difference::scan::Octet;
use kontakt_math::{DMat3, DVec3};

/// Points that are kept together.
const LANES: usize = 8;
/// Octets of points at most.
pub(super) const MOST_OCTETS: usize = 4;

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
    masks: Vec<u32>,
    /// Faces left.
    pub(super) faces: Vec<u32>,
    /// Edges left.
    pub(super) edges: Vec<u32>,
}

impl Sieve {
    /// Starts with these points of the other body, one to three octets, given in its frame.
    pub(super) fn start(&mut self, lookouts: &[Octet], view: &View) {
        self.points.clear();
        self.points.extend(lookouts.iter().take(MOST_OCTETS - 1));
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

    /// Leaves the faces and edges that no point rules out, in single precision and units of the size.
    ///
    /// Why that rules out nothing else: lengths are at most 1 then. With ε = 2⁻²⁴, normals and points err by ε and 2ε, their
    /// products by 3ε more, the limit (height, unit, product, difference and bound) by 6ε: together less than 1e-6, to which
    /// comes the normals' own error of 1e-7. The limit is lowered by 2e-6.
    pub(super) fn pass(&mut self, map: &GaussMap, bound: f64) {
        let limits = Limits {
            shrink: self.size.recip(),
            unit: (map.unit() / self.size) as f32,
            bound: (bound / self.size + 2e-6) as f32,
        };
        let masks = map.planes().len() * WIDE;
        if self.masks.len() < masks {
            self.masks.resize(masks, 0);
        }
        self.faces.clear();
        self.edges.clear();
        self.collect(map, limits, masks);
        drop_beyond(&mut self.faces, map.face_count());
        drop_beyond(&mut self.edges, map.edge_count());
    }

    /// Faces and edges left, among them places without one.
    fn collect(&mut self, map: &GaussMap, limits: Limits, masks: usize) {
        let masks = &mut self.masks[..masks];
        #[cfg(target_arch = "x86_64")]
        if super::sieve_x86::masks(map.planes(), &self.points, limits, masks, &mut self.faces) {
            super::sieve_x86::edges(map, masks, &mut self.edges);
            return;
        }
        masks_portable(map.planes(), &self.points, limits, masks, &mut self.faces);
        edges_portable(map.sides(), masks, &mut self.edges);
    }

    /// Whether one of the points watched rules out both faces.
    #[inline]
    pub(super) fn rules_out(&self, map: &GaussMap, faces: [u32; 2], bound: f64) -> bool {
        let sides = faces.map(|face| {
            let face = map.face(face);
            Side { normal: face.normal, limit: face.height - face.error * self.size - bound }
        });
        let Some(watched) = self.points.last() else { return false };
        #[cfg(target_arch = "x86_64")]
        if let Some(found) = super::sieve_x86::any_below(watched, sides) {
            return found;
        }
        any_below_portable(watched, sides)
    }
}

/// What is to be ruled out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// One over the size.
    pub(super) shrink: f64,
    /// The map's unit over the size.
    pub(super) unit: f32,
    /// Facets this high or higher, over the size.
    pub(super) bound: f32,
}

/// Eight points in single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coarse {
    pub(super) x: [f32; LANES],
    pub(super) y: [f32; LANES],
    pub(super) z: [f32; LANES],
}

impl Coarse {
    /// Of up to [`MOST_OCTETS`] octets, made smaller; the rest is left zero.
    #[inline(always)]
    pub(super) fn of(points: &[Octet], shrink: f64) -> [Coarse; MOST_OCTETS] {
        let zero = [0.0; LANES];
        let mut coarse = [Coarse { x: zero, y: zero, z: zero }; MOST_OCTETS];
        for (coarse, octet) in coarse.iter_mut().zip(points) {
            for k in 0..LANES {
                coarse.x[k] = (octet.x[k] * shrink) as f32;
                coarse.y[k] = (octet.y[k] * shrink) as f32;
                coarse.z[k] = (octet.z[k] * shrink) as f32;
            }
        }
        coarse
    }
}

/// Drops numbers of places without a face or edge; they are the last ones.
fn drop_beyond(numbers: &mut Vec<u32>, count: u32) {
    while numbers.last().is_some_and(|&number| number >= count) {
        numbers.pop();
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

/// Sets bit k of a face's mask if point k rules it out, and collects the faces that none does.
pub(super) fn masks_portable(
    planes: &[Planes],
    points: &[Octet],
    limits: Limits,
    masks: &mut [u32],
    faces: &mut Vec<u32>,
) {
    let coarse = Coarse::of(points, limits.shrink);
    for (face, mask) in (0_u32..).zip(masks.iter_mut()) {
        let (block, lane) = (&planes[face as usize / WIDE], face as usize % WIDE);
        let (x, y, z) = (block.x[lane], block.y[lane], block.z[lane]);
        let limit = block.height[lane] * limits.unit - limits.bound;
        *mask = 0;
        for (number, octet) in coarse[..points.len()].iter().enumerate() {
            for k in 0..LANES {
                let along = x * octet.x[k] + y * octet.y[k] + z * octet.z[k];
                *mask |= u32::from(along <= limit) << (number * LANES + k);
            }
        }
        if *mask == 0 {
            faces.push(face);
        }
    }
}

/// Collects the edges with no point that rules out both sides.
pub(super) fn edges_portable(sides: &[Sides], masks: &[u32], edges: &mut Vec<u32>) {
    for (number, block) in (0_u32..).zip(sides) {
        for (lane, (left, right)) in (0_u32..).zip(block.left.iter().zip(&block.right)) {
            if masks[*left as usize] & masks[*right as usize] == 0 {
                edges.push(number * WIDE as u32 + lane);
            }
        }
    }
}

/// Whether a point is below both limits.
pub(super) fn any_below_portable(points: &Octet, sides: [Side; 2]) -> bool {
    (0..LANES).any(|k| {
        let point = DVec3::new(points.x[k], points.y[k], points.z[k]);
        sides.iter().all(|side| side.normal.dot(point) <= side.limit)
    })
}
