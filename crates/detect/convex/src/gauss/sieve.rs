//! Rules out the faces and edges of a body that no nearest facet of the difference can come from.

use crate::polytope::gauss_map::{Mapped, Planes};
use crate::polytope::ids::Ids;
use crate::polytope::scan::Octet;
use crate::polytope::tables::WIDE;
use kontakt_math::{DMat3, DVec3};

/// Points that are kept together.
const LANES: usize = 8;
/// Octets of points at most.
const MOST_OCTETS: usize = 3;

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
/// n·s ≤ height − e·size − bound. Proof: let p be the corner of the face with n·p = height. Along m the difference reaches at least
/// m·(p − s) ≥ n·(p − s) − e·size = height − n·s − e·size ≥ bound.
///
/// It rules out an edge if it rules out both faces. Proof: facets that come from the edge have unit normals αl + βr, where l, r are
/// the exact normals of its faces, α, β ≥ 0 and so α + β ≥ 1. For p at the edge, (αl + βr)·(p − s) ≥ (α + β)·bound ≥ bound, if
/// the bound is not negative.
///
/// Roundings aside in both: those of products, heights, and the points' places. All is done in single precision and units of
/// the size, so that lengths are at most 1. With ε = 2⁻²⁴, normals and points err by ε and 2ε, their products by 3ε more, the limit
/// (height, unit, product, difference and bound) by 6ε: together less than 1e-6, to which comes the normals' own error e of 1e-7 at
/// most (others have the height −∞). The limit is lowered by 2e-6.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieve {
    /// Points of the other body in this one's frame. The last octet is for those found on the way.
    points: [Coarse; MOST_OCTETS],
    octets: usize,
    /// Next place in that octet.
    next: usize,
    /// One over the size.
    shrink: f64,
    /// For each face, which points rule it out.
    masks: Vec<u32>,
    /// Faces left.
    pub(super) faces: Vec<u32>,
    /// Edges left.
    pub(super) edges: Vec<u32>,
}

impl Sieve {
    /// Starts with points of the other body, given in its frame: one or two octets.
    pub(super) fn start(&mut self, (lookouts, octets): ([Octet; 2], usize), view: &View) {
        self.shrink = view.size.recip();
        let [first, second] = lookouts.map(|octet| place(&octet, view, self.shrink));
        // A place that is not yet taken holds a point that is there already.
        self.points = [first, if octets == 1 { first } else { second }, first];
        (self.octets, self.next) = (octets + 1, 0);
    }

    /// Takes a further point of the other body, in this one's frame; the oldest of eight goes.
    #[inline(always)]
    pub(super) fn watch(&mut self, point: DVec3) {
        let octet = &mut self.points[self.octets.min(MOST_OCTETS) - 1];
        let (lane, point) = (self.next % LANES, (point * self.shrink).as_vec3());
        (octet.x[lane], octet.y[lane], octet.z[lane]) = (point.x, point.y, point.z);
        self.next += 1;
    }

    #[inline(always)]
    fn limits(&self, body: &Mapped<'_>, bound: f64) -> Limits {
        Limits { unit: (body.map.unit() * self.shrink) as f32, bound: (bound * self.shrink + 2e-6) as f32 }
    }

    /// Leaves the faces and edges that no point rules out.
    pub(super) fn pass(&mut self, body: &Mapped<'_>, bound: f64) {
        let limits = self.limits(body, bound);
        let masks = body.map.planes().len() * WIDE;
        if self.masks.len() < masks {
            self.masks.resize(masks, 0);
        }
        self.faces.clear();
        self.edges.clear();
        self.collect(body, limits, masks);
        drop_beyond(&mut self.faces, body.hull.tables().face_count());
        drop_beyond(&mut self.edges, body.hull.tables().edge_count());
    }

    /// Faces and edges left, among them places without one.
    fn collect(&mut self, body: &Mapped<'_>, limits: Limits, masks: usize) {
        let masks = &mut self.masks[..masks];
        let (planes, points) = (body.map.planes(), &self.points[..self.octets.min(MOST_OCTETS)]);
        let sides = body.hull.tables().sides();
        #[cfg(target_arch = "x86_64")]
        if super::sieve_x86::masks(planes, points, limits, masks, &mut self.faces) {
            super::sieve_x86::edges(body, masks, &mut self.edges);
            return;
        }
        masks_portable(planes, points, limits, masks, &mut self.faces);
        edges_portable(sides, masks, &mut self.edges);
    }

    /// Whether one of the points watched rules out both faces.
    #[inline(always)]
    pub(super) fn rules_out(&self, body: &Mapped<'_>, faces: [u32; 2], bound: f64) -> bool {
        let limits = self.limits(body, bound);
        let side = |face: u32| Side::of(body.map.planes(), face, limits);
        let sides = [side(faces[0]), side(faces[1])];
        let watched = &self.points[self.octets.min(MOST_OCTETS) - 1];
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
    /// The map's unit over the size.
    pub(super) unit: f32,
    /// Facets this high or higher, over the size.
    pub(super) bound: f32,
}

/// Eight points in single precision.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Coarse {
    pub(super) x: [f32; LANES],
    pub(super) y: [f32; LANES],
    pub(super) z: [f32; LANES],
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
    pub(super) normal: [f32; 3],
    pub(super) limit: f32,
}

impl Side {
    #[inline(always)]
    pub(super) fn of(planes: &[Planes], face: u32, limits: Limits) -> Side {
        let (block, lane) = (&planes[face as usize / WIDE], face as usize % WIDE);
        Side {
            normal: [block.x[lane], block.y[lane], block.z[lane]],
            limit: block.height[lane] * limits.unit - limits.bound,
        }
    }

    fn along(&self, points: &Coarse, k: usize) -> f32 {
        let [x, y, z] = self.normal;
        x * points.x[k] + y * points.y[k] + z * points.z[k]
    }
}

/// Takes points to the other frame, and makes them smaller.
#[inline]
fn place(points: &Octet, view: &View, shrink: f64) -> Coarse {
    #[cfg(target_arch = "x86_64")]
    if let Some(placed) = super::sieve_x86::place(points, view, shrink) {
        return placed;
    }
    place_portable(points, view, shrink)
}

#[inline(always)]
pub(super) fn place_portable(points: &Octet, view: &View, shrink: f64) -> Coarse {
    let DMat3 { x_axis: c, y_axis: d, z_axis: e } = view.turn;
    let Octet { x, y, z } = *points;
    let mut coarse = Coarse::default();
    for k in 0..LANES {
        coarse.x[k] = ((c.x * x[k] + d.x * y[k] + e.x * z[k] + view.shift.x) * shrink) as f32;
        coarse.y[k] = ((c.y * x[k] + d.y * y[k] + e.y * z[k] + view.shift.y) * shrink) as f32;
        coarse.z[k] = ((c.z * x[k] + d.z * y[k] + e.z * z[k] + view.shift.z) * shrink) as f32;
    }
    coarse
}

/// Sets bit k of a face's mask if point k rules it out, and collects the faces that none does.
pub(super) fn masks_portable(
    planes: &[Planes],
    points: &[Coarse],
    limits: Limits,
    masks: &mut [u32],
    faces: &mut Vec<u32>,
) {
    for (face, mask) in (0_u32..).zip(masks.iter_mut()) {
        let side = Side::of(planes, face, limits);
        *mask = 0;
        for (number, octet) in points.iter().enumerate() {
            for k in 0..LANES {
                *mask |= u32::from(side.along(octet, k) <= side.limit) << (number * LANES + k);
            }
        }
        if *mask == 0 {
            faces.push(face);
        }
    }
}

/// Collects the edges with no point that rules out both sides; those are given one after the other, each padded to the given length.
pub(super) fn edges_portable((sides, padded): (&Ids, usize), masks: &[u32], edges: &mut Vec<u32>) {
    for edge in 0..padded {
        let [left, right] = [edge, padded + edge].map(|place| masks[sides.get(place) as usize]);
        if left & right == 0 {
            edges.push(edge as u32);
        }
    }
}

/// Whether a point is below both limits.
pub(super) fn any_below_portable(points: &Coarse, sides: [Side; 2]) -> bool {
    (0..LANES).any(|k| sides.iter().all(|side| side.along(points, k) <= side.limit))
}
