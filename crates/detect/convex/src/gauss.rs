//! The depth of two solid hulls by the facets of their difference C = A − B, as far as they can be the nearest ones.
//!
//! A facet of C comes from a face of A and a corner of B, from a face of B and a corner of A, or from an edge of each whose arcs
//! on the Gauss map cross. A first guess of the depth (`slide`) rules out nearly all faces and edges (`sieve`), those left
//! are looked at one by one. Nothing is said when two facets are within roundings of each other, or a corner is not the only
//! one along a normal: the general descent tells more then.

mod arc;
#[cfg(target_arch = "x86_64")]
mod arc_x86;
mod search;
mod sieve;
#[cfg(target_arch = "x86_64")]
mod sieve_x86;
mod slide;
#[cfg(test)]
mod tests;

use crate::difference::corners::{Corners, Many};
use crate::difference::{Difference, Pair};
use crate::facet::Facet;
use crate::polytope::gauss_map::{Face, Mapped};
use arc::{Arc, Arcs, LANES};
use kontakt_bounds::batch::{Work, widest};
use kontakt_math::{Between, DMat3, DVec3, U};
use search::{Candidate, Origin, Search};
use sieve::{Sieve, View};
use slide::slide;
use std::cell::RefCell;

/// Sizes whose squares are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-100..1e100;
/// Edges nearer to parallel than this, one over the sine of their angle, have a cross product that tells little.
const MOST_COSECANT: f64 = 1e3;
/// Pairs of edges that are quicker looked at than left to the descent.
const MOST_PAIRS: usize = 2_000;
/// Vertices of both bodies up to which this is quicker than the descent.
const MOST_VERTICES: u32 = 600;

#[derive(Debug, Default)]
struct Scratch {
    sieves: [Sieve; 2],
    arcs: Vec<Arcs>,
}

thread_local! {
    /// Memory kept from query to query.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The depth of two hulls when it is certain and positive, its facet unique, and the contact one of corner and face or of two
/// edges. `towards`: where to look first, or zero.
pub(crate) fn hulls(a: Many<'_>, b: Many<'_>, between: &Between, towards: DVec3) -> Option<Facet> {
    if a.0.vertex_count() + b.0.vertex_count() > MOST_VERTICES {
        return None;
    }
    let pair = Pair { a, b, between };
    let size = pair.size();
    let maps = [Mapped::of(a.0)?, Mapped::of(b.0)?];
    maps.iter().for_each(Mapped::prefetch);
    let hulls = Hulls {
        pair,
        maps,
        size,
        turn: between.turn(),
        back: between.turn().transpose(),
        // Points of either body in the other's frame: at most `size` from both origins.
        noise: between.error_within(size) + 32.0 * U * size,
    };
    // Written so that NaN says no.
    if !(TAME.contains(&size) && hulls.noise < 1e-9 * size) {
        return None;
    }
    let towards = if towards == DVec3::ZERO { -pair.middle() } else { towards };
    let towards = towards.try_normalize().unwrap_or(DVec3::X);
    SCRATCH.with_borrow_mut(|scratch| widest(Depth { hulls: &hulls, towards, scratch }))
}

/// The question of `hulls`.
struct Depth<'a> {
    hulls: &'a Hulls<'a>,
    towards: DVec3,
    scratch: &'a mut Scratch,
}

impl Work for Depth<'_> {
    type Output = Option<Facet>;

    #[inline(always)]
    fn run(self) -> Option<Facet> {
        self.hulls.depth(self.towards, self.scratch)
    }
}

/// Two solid hulls.
struct Hulls<'a> {
    pair: Pair<'a, Many<'a>, Many<'a>>,
    maps: [Mapped<'a>; 2],
    /// Never less than |a| + |b| of points of the bodies.
    size: f64,
    /// From B's frame to A's, and back.
    turn: DMat3,
    back: DMat3,
    /// Never less than what a unit vector's product with a − b errs by, in either frame.
    noise: f64,
}

impl Hulls<'_> {
    #[inline(always)]
    fn depth(&self, towards: DVec3, scratch: &mut Scratch) -> Option<Facet> {
        let [map_a, map_b] = &self.maps;
        let Scratch { sieves: [left_a, left_b], arcs } = scratch;
        let (guess, seen) = slide(&self.pair, towards, map_a.map.radius() + map_b.map.radius());
        if guess.is_nan() || guess <= 0.0 {
            return None;
        }
        let shift = self.pair.between.shift();
        left_a.start(map_b.lookouts(), &View { turn: self.turn, shift, size: self.size });
        left_b.start(map_a.lookouts(), &View { turn: self.back, shift: self.back * -shift, size: self.size });
        for spot in &seen {
            left_a.watch(self.pair.a.corner(spot.a) - spot.w);
            left_b.watch(self.a_in_b(spot.a));
        }
        let mut search = Search::new(guess, self.size, self.noise);
        left_a.pass(map_a, search.bound());
        for k in 0..left_a.faces.len() {
            let face = left_a.faces[k];
            if !left_a.rules_out(map_a, [face; 2], search.bound()) {
                let (candidate, corner) = self.face_of_a(face);
                left_a.watch(corner);
                search.offer(candidate);
            }
        }
        left_b.pass(map_b, search.bound());
        for k in 0..left_b.faces.len() {
            let face = left_b.faces[k];
            if !left_b.rules_out(map_b, [face; 2], search.bound()) {
                let (candidate, corner) = self.face_of_b(face);
                left_b.watch(corner);
                search.offer(candidate);
            }
        }
        // Lower by now than when A's edges were sieved, and with better points to look from.
        let bound = search.bound();
        let mut edges = std::mem::take(&mut left_a.edges);
        edges.retain(|&edge| !left_a.rules_out(map_a, map_a.sides_of(edge), bound));
        left_a.edges = edges;
        if left_a.edges.len() * left_b.edges.len() > MOST_PAIRS {
            return None;
        }
        self.cross(&left_a.edges, &left_b.edges, arcs, &mut search)?;
        self.facet(&search)
    }

    /// A corner of A in B's frame.
    #[inline(always)]
    fn a_in_b(&self, corner: u32) -> DVec3 {
        self.back * (self.pair.a.corner(corner) - self.pair.between.shift())
    }

    /// With B's corner in A's frame.
    #[inline(always)]
    fn face_of_a(&self, face: u32) -> (Candidate, DVec3) {
        let Face { normal, height, error } = self.maps[0].face(face);
        let corner = self.pair.b.farthest(self.back * -normal);
        let at = self.pair.between.b_in_a(self.pair.b.corner(corner));
        let height = height - normal.dot(at);
        (Candidate { origin: Origin::FaceOfA(face, corner), normal, angle: error, height }, at)
    }

    /// With A's corner in B's frame. The face's normal is turned into A's frame, which errs as the turn does, and made a unit
    /// vector again.
    #[inline(always)]
    fn face_of_b(&self, face: u32) -> (Candidate, DVec3) {
        let Face { normal: own, height, error } = self.maps[1].face(face);
        let normal = (self.turn * -own).normalize();
        let corner = self.pair.a.farthest(normal);
        let at = self.a_in_b(corner);
        let height = height - own.dot(at);
        let angle = error + self.pair.between.turn_error() + 8.0 * U;
        (Candidate { origin: Origin::FaceOfB(face, corner), normal, angle, height }, at)
    }

    #[inline(always)]
    fn arc_of_a(&self, edge: u32) -> Arc {
        let body = &self.maps[0];
        let [left, right] = body.sides_of(edge);
        let ((left, p), (right, q)) = (body.normal(left), body.normal(right));
        Arc { along: body.along(edge), left, right, error: p.max(q) + 64.0 * U }
    }

    /// In A's frame. Vectors along edges err by 4u, B's by the turn's error too, products by 4u, all of them times √3 at most.
    #[inline(always)]
    fn arc_of_b(&self, edge: u32) -> Arc {
        let body = &self.maps[1];
        let [left, right] = body.sides_of(edge);
        let ((left, p), (right, q)) = (body.normal(left), body.normal(right));
        let error = p.max(q) + 2.0 * self.pair.between.turn_error() + 64.0 * U;
        let turned = |v: DVec3| self.turn * v;
        Arc { along: turned(body.along(edge)), left: turned(left), right: turned(right), error }
    }

    /// Offers the facets of all pairs of edges whose arcs may cross; `None` when a pair is too near to parallel to tell.
    #[inline(always)]
    fn cross(&self, of_a: &[u32], of_b: &[u32], arcs: &mut Vec<Arcs>, search: &mut Search) -> Option<()> {
        arcs.clear();
        for eight in of_b.chunks(LANES) {
            let mut lanes = Arcs::NONE;
            for (lane, &edge) in eight.iter().enumerate() {
                lanes.set(lane, &self.arc_of_b(edge));
            }
            arcs.push(lanes);
        }
        for &edge_a in of_a {
            let arc = self.arc_of_a(edge_a);
            for (lanes, edges) in arcs.iter().zip(of_b.chunks(LANES)) {
                let [along, against] = lanes.crossing(&arc);
                let mut hits = along | against;
                while hits != 0 {
                    let lane = hits.trailing_zeros();
                    hits &= hits - 1;
                    let sign = if along >> lane & 1 == 1 { 1.0 } else { -1.0 };
                    search.offer(self.edges(edge_a, edges[lane as usize % LANES], sign)?);
                }
            }
        }
        Some(())
    }

    /// The facet of two edges. Its normal is the cross product of vectors along them, each of which errs by 3u of its length, one by
    /// the turn's error too; the product errs by 4u of both lengths, which over its own is one over the sine of their angle. The
    /// division errs by 4u.
    #[inline(always)]
    fn edges(&self, a: u32, b: u32, sign: f64) -> Option<Candidate> {
        let ((p, along_a), (r, along_b)) = (self.maps[0].edge(a), self.maps[1].edge(b));
        let along_b = self.turn * along_b;
        let axis = along_a.cross(along_b);
        let over = axis.length().recip();
        // One over the sine of their angle.
        let cosecant = (along_a.length_squared() * along_b.length_squared()).sqrt() * over;
        if cosecant.is_nan() || cosecant >= MOST_COSECANT {
            return None;
        }
        let normal = axis * (sign * over);
        let height = normal.dot(p - self.pair.between.b_in_a(r));
        let angle = (self.pair.between.turn_error() + 24.0 * U) * cosecant * (1.0 + 1e-3) + 8.0 * U;
        Some(Candidate { origin: Origin::Edges(a, b), normal, angle, height })
    }

    /// The lowest candidate, if it is for certain the facet that holds the depth's foot.
    ///
    /// Proof. All facets but this one are higher than `high`, and C reaches no farther than `high` along the normal. So this one is
    /// the lowest facet; its exact height is at least n·w − angle·|w| > 0 for a vertex w of it, so the origin is inside,
    /// and the foot is in this facet. All of the facet's corners w have n·w ≥ low, so has the foot, whose length is the depth.
    #[inline(always)]
    fn facet(&self, search: &Search) -> Option<Facet> {
        let found = search.lowest?;
        let (n, angle) = (found.normal, found.angle);
        let error = self.pair.error();
        let rivals = search.rivals();
        let top = self.pair.support(n);
        // As in the descent's last step: roundings of finding the vertex, its place and the product.
        let high = n.dot(top.w) + 4.0 * error + 16.0 * U * self.size;
        let slack = error + 12.0 * U * self.size;
        let low = self.least_along(&found) - slack;
        let sharp = high - low <= 8.0 * self.noise + 256.0 * U * self.size;
        if !(rivals > high && low > angle * self.size && sharp) {
            return None;
        }
        let depth = 0.5 * (low + high);
        let (point_a, point_b, lever) = self.points(&found, depth)?;
        let off = (point_a - self.pair.between.b_in_a(point_b) - n * depth).length();
        let apart = off + (high - low) + high * angle + self.noise;
        let point_error = (apart + self.noise) * lever + self.noise;
        Some(Facet { normal: n, normal_error: angle, low, high, point_a, point_b, point_error })
    }

    /// Least normal · w of the corners of a candidate's facet.
    fn least_along(&self, found: &Candidate) -> f64 {
        let (n, pair) = (found.normal, &self.pair);
        let along_a = |a: u32| n.dot(pair.a.corner(a));
        let along_b = |b: u32| n.dot(pair.between.b_in_a(pair.b.corner(b)));
        let (hull_a, hull_b) = (pair.a.0, pair.b.0);
        match found.origin {
            Origin::FaceOfA(face, b) => {
                hull_a.face(face).map(along_a).fold(f64::INFINITY, f64::min) - along_b(b)
            }
            Origin::FaceOfB(face, a) => {
                along_a(a) - hull_b.face(face).map(along_b).fold(f64::NEG_INFINITY, f64::max)
            }
            Origin::Edges(a, b) => {
                let ([p, q], [r, s]) = (hull_a.tables().ends_of(a), hull_b.tables().ends_of(b));
                along_a(p).min(along_a(q)) - along_b(r).max(along_b(s))
            }
        }
    }

    /// Points of A and of B, each in its frame, with a − b = depth·n, and how much farther than a − b they may be off. `None` when the
    /// corner of a facet is not for certain the only one.
    ///
    /// Of a corner and a face, the corner is exact. Of edges with the sine s of the angle between them: a − a* along one and
    /// b − b* along the other, so each is at most |(a − b) − (a* − b*)|/s.
    fn points(&self, found: &Candidate, depth: f64) -> Option<(DVec3, DVec3, f64)> {
        let (n, between) = (found.normal, self.pair.between);
        match found.origin {
            Origin::FaceOfA(_, b) => {
                let angle = found.angle + between.turn_error() + 8.0 * U;
                let point_b = self.pair.b.corner(b);
                is_lone(self.pair.b, b, self.back * -n, angle)
                    .then(|| (between.b_in_a(point_b) + n * depth, point_b, 1.0))
            }
            Origin::FaceOfB(_, a) => {
                let point_a = self.pair.a.corner(a);
                is_lone(self.pair.a, a, n, found.angle)
                    .then(|| (point_a, self.back * (point_a - n * depth - between.shift()), 1.0))
            }
            Origin::Edges(a, b) => {
                let ([p, q], [r, s]) = (self.maps[0].ends_of(a), self.maps[1].ends_of(b));
                let (u, v) = (q - p, self.turn * (s - r));
                let gap = p - between.b_in_a(r);
                // p + αu − (r + βv) is along n: nothing is left of it across n and v, nor across n and u.
                let area = n.dot(u.cross(v));
                let (alpha, beta) = (gap.dot(n.cross(v)) / area, gap.dot(n.cross(u)) / area);
                let sine = area.abs() / (u.length() * v.length());
                Some((p + u * alpha, r + (s - r) * beta, 1.5 / sine))
            }
        }
    }
}

/// Whether a corner is the only one farthest along the exact unit vector, which is within `angle` of the given one: so it is if that
/// holds among its neighbours, whose cone from it holds the whole body. Products err by 4u|x|.
fn is_lone(body: Many<'_>, corner: u32, direction: DVec3, angle: f64) -> bool {
    let (at, mut lone) = (body.corner(corner), true);
    let noise = 16.0 * U * body.reach();
    body.neighbours(corner, |other| {
        let side = at - body.corner(other);
        lone &= direction.dot(side) > noise + angle * side.length();
    });
    lone
}
