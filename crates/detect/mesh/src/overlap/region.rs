//! The sides of polygons sorted into regions, and what they sum up to.
//!
//! Sides with a common corner belong to one region, and so do the two sides that a strip of a polygon lies between: that joins a hole's
//! sides to those around it. A hollow in a region has a border of its own, which encloses a negative volume.

use super::cover::{self, Strip, Triangle};
use super::deepest::Deepest;
use super::skeleton::{Bound, Corner, SIDES, Skeleton};
use super::{Enough, NotMeasured, Region};
use crate::space::Space;
use kontakt_answers::{Range, Side};
use kontakt_math::{DVec3, Pose};
use kontakt_shapes::DisjointSets;

/// The polygons of a face that border one region.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) side: Side,
    pub(super) face: u32,
    /// Directed sides, from and to.
    pub(super) bounds: Vec<[u32; 2]>,
}

/// The border of one region.
pub(super) struct Part<'a> {
    corners: &'a [Corner],
    patches: Vec<Patch>,
    /// Triangles that cover A's polygons, and B's.
    cover: [Vec<Triangle>; 2],
}

pub(super) struct Parts<'a> {
    pub(super) list: Vec<Part<'a>>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(space: &Space, skeleton: &'a Skeleton) -> Parts<'a> {
        let mut sets = DisjointSets::new(skeleton.corners.len());
        for bound in &skeleton.bounds {
            sets.join(bound.from, bound.to);
        }
        let on_face = |p: &Bound, q: &Bound| (p.side, p.face) == (q.side, q.face);
        let mut strips: [Vec<Strip>; 2] = [Vec::new(), Vec::new()];
        for bounds in skeleton.bounds.chunk_by(on_face) {
            strips[bounds[0].side as usize].extend(cover::strips(space, &skeleton.corners, bounds));
        }
        for strip in strips.iter().flatten() {
            sets.join(strip.corners[0], strip.corners[1]);
        }
        let mut parts = gathered(skeleton, &strips, &mut sets);
        if join_hollows(space, &parts, &mut sets) {
            parts = gathered(skeleton, &strips, &mut sets);
        }
        Parts { list: parts }
    }
}

/// The sides by sets of corners, in the order of their first corners.
fn gathered<'a>(skeleton: &'a Skeleton, strips: &[Vec<Strip>; 2], sets: &mut DisjointSets) -> Vec<Part<'a>> {
    let mut place = vec![usize::MAX; skeleton.corners.len()];
    let mut parts: Vec<Part> = Vec::new();
    for bound in &skeleton.bounds {
        let part = &mut place[sets.root(bound.from) as usize];
        if *part == usize::MAX {
            *part = parts.len();
            parts.push(Part {
                corners: &skeleton.corners,
                patches: Vec::new(),
                cover: [Vec::new(), Vec::new()],
            });
        }
        let patches = &mut parts[*part].patches;
        match patches.last_mut() {
            Some(patch) if (patch.side, patch.face) == (bound.side, bound.face) => {
                patch.bounds.push([bound.from, bound.to]);
            }
            _ => patches.push(Patch {
                side: bound.side,
                face: bound.face,
                bounds: vec![[bound.from, bound.to]],
            }),
        }
    }
    for (side, strips) in strips.iter().enumerate() {
        for strip in strips {
            let part = place[sets.root(strip.corners[0]) as usize];
            parts[part].cover[side].push(strip.triangle);
        }
    }
    parts
}

/// Joins borders of hollows to those of the regions they may be in; whether there were any.
///
/// The box of the region that a hollow is in holds the hollow's, up to rounding. Where several do, all are joined: regions told as one,
/// never a region with its hollow's volume too.
fn join_hollows(space: &Space, parts: &[Part], sets: &mut DisjointSets) -> bool {
    const ROUNDING: f64 = 1e-9;
    if parts.len() < 2 {
        return false;
    }
    let measured: Vec<(f64, [DVec3; 2], u32)> = parts
        .iter()
        .map(|part| (part.sums(space).sixfold, part.extent(), part.patches[0].bounds[0][0]))
        .collect();
    let mut any = false;
    for (_, [low, high], corner) in measured.iter().filter(|entry| entry.0 < 0.0) {
        let slack =
            ROUNDING * (*high - *low).max_element() + ROUNDING * low.abs().max(high.abs()).max_element();
        let contains =
            |outer: &[DVec3; 2]| outer[0].cmple(*low + slack).all() && outer[1].cmpge(*high - slack).all();
        for (_, _, other) in measured.iter().filter(|entry| entry.0 > 0.0 && contains(&entry.1)) {
            sets.join(*corner, *other);
            any = true;
        }
    }
    any
}

/// What the border of a region sums up to.
struct Sums {
    /// Six times the volume, and **never less** than its error.
    sixfold: f64,
    error: f64,
    /// The area of A's part and of B's.
    areas: [f64; 2],
}

impl Part<'_> {
    fn points(&self) -> impl Iterator<Item = Corner> {
        let corners = self.corners;
        self.patches.iter().flat_map(|patch| &patch.bounds).map(move |bound| corners[bound[0] as usize])
    }

    fn extent(&self) -> [DVec3; 2] {
        let bounds = |[l, h]: [DVec3; 2], x: Corner| [l.min(x.at), h.max(x.at)];
        self.points().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], bounds)
    }

    /// **Error.** With all points taken from the middle of the region, p is off by e(p), its own error and two roundings. The
    /// determinant is linear in each point, so it is off by e(c)|p||q| + e(p)|c||q| + e(q)|c||p|, terms with two errors, which
    /// are less than the roundings allowed for, and 8u of the product of the lengths; the sum of n by nu of their sizes. Products that
    /// underflow are off by less than the least normal number.
    fn sums(&self, space: &Space) -> Sums {
        let [low, high] = self.extent();
        let middle = (low + high) * 0.5;
        let (mut sixfold, mut error, mut total, mut count) = (0.0, 0.0, 0.0, 0.0);
        let mut areas = [0.0; 2];
        for patch in &self.patches {
            let mesh = space.mesh(patch.side);
            let first = mesh.faces().triangles()[patch.face as usize][0];
            let (c, c_off) = space.spot(patch.side, mesh.faces().vertices()[first as usize]).rounded();
            // A difference is rounded by a part of itself, whatever the sizes of what it is made of.
            let c = c - middle;
            let c_off = c_off + f64::EPSILON * c.abs().element_sum();
            let mut doubled = DVec3::ZERO;
            for &[from, to] in &patch.bounds {
                let [p, q] = [from, to].map(|corner| self.corners[corner as usize]);
                let (p_off, q_off, p, q) = (p.error, q.error, p.at - middle, q.at - middle);
                let term = c.dot(p.cross(q));
                let [lc, lp, lq] = [c, p, q].map(|x| x.abs().element_sum());
                let (p_off, q_off) = (p_off + f64::EPSILON * lp, q_off + f64::EPSILON * lq);
                sixfold += term;
                error += c_off * lp * lq + p_off * lc * lq + q_off * lc * lp;
                total += lc * lp * lq;
                count += 1.0;
                doubled += (p - c).cross(q - c);
            }
            areas[patch.side as usize] += 0.5 * doubled.length();
        }
        Sums {
            sixfold,
            error: error * 1.01 + (16.0 + count) * (f64::EPSILON * total + f64::MIN_POSITIVE),
            areas,
        }
    }

    /// All there is to say about the region.
    pub(super) fn region(&self, space: &Space, world: &Pose, enough: Enough) -> Result<Region, NotMeasured> {
        let sums = self.sums(space);
        let [low, high] = self.extent();
        let volume = |sixfold: f64| (sixfold / 6.0).max(0.0);
        let volume = [
            volume(sums.sixfold - sums.error) * (1.0 - 4.0 * f64::EPSILON),
            volume(sums.sixfold + sums.error) * (1.0 + 4.0 * f64::EPSILON),
        ];
        let fuzz = self.points().map(|corner| corner.error).fold(0.0, f64::max);
        let mut interference = [Range::ZERO; 2];
        let mut best: Option<(f64, DVec3)> = None;
        for side in SIDES {
            let found = Deepest::find(space, side, &self.cover[side as usize], fuzz, enough)?;
            interference[side as usize] = found.range;
            if best.is_none_or(|best| found.range.hi() > best.0) {
                best = Some((found.range.hi(), found.at));
            }
        }
        let points = self.points().map(|corner| world.apply(corner.at));
        let extent = points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)]);
        Ok(Region {
            interference,
            volume: Range::new(volume[0], volume[1]).map_err(|_| NotMeasured::Overflow)?,
            areas: sums.areas,
            extent,
            triangles: SIDES.map(|side| {
                self.patches.iter().filter(|patch| patch.side == side).map(|patch| patch.face).collect()
            }),
            deepest: world.apply(best.map_or((low + high) * 0.5, |best| best.1)),
        })
    }
}
