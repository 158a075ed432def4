//! The corners and sides of the polygons that border the common interior.

use super::NotMeasured;
use super::outward;
use super::perturbed::{compare_along, is_behind, passing};
use crate::face_pair::{FacePair, Touching};
use crate::space::{Space, Spot, crossing, is_odd, on_faces, plane_through};
use kontakt_answers::Side;
use kontakt_math::DVec3;
use std::collections::{HashMap, HashSet};

pub(super) const SIDES: [Side; 2] = [Side::A, Side::B];

/// A corner of a polygon, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) at: DVec3,
    /// **Never less** than its distance from the exact place.
    pub(super) error: f64,
}

/// A directed side of a polygon on a face: the polygon is on the left, seen from outside of the face's body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) side: Side,
    pub(super) face: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// All polygons of the border: what of each face lies inside the other body.
pub(super) struct Skeleton {
    pub(super) corners: Vec<Corner>,
    /// Sorted by side and face.
    pub(super) bounds: Vec<Bound>,
}

/// An edge of a body, by the places of its ends, the lower one first.
type Edge = (u32, u32);

/// Where an edge pierces a face of the other body.
#[derive(Clone, Copy)]
struct Piercing {
    corner: u32,
    /// How far from the lower end, in parts of the edge, to rounding.
    along: f64,
    /// Whether it goes into the other body on its way from the lower to the higher place.
    enters: bool,
}

impl Skeleton {
    pub(super) fn new(space: &Space, touching: &Touching) -> Result<Skeleton, NotMeasured> {
        let mut work = Builder::new(space)?;
        for &pair in &touching.pairs {
            if !space.goes_on() {
                return Err(NotMeasured::Limits);
            }
            work.cut(pair)?;
        }
        for side in SIDES {
            work.enter_edges(side)?;
        }
        work.bounds.sort_unstable_by_key(|bound| (bound.side as u8, bound.face, bound.from, bound.to));
        Ok(Skeleton { corners: work.corners, bounds: work.bounds })
    }
}

struct Builder<'a> {
    space: &'a Space<'a>,
    turns: [&'a [bool]; 2],
    needles: [&'a [u32]; 2],
    corners: Vec<Corner>,
    bounds: Vec<Bound>,
    /// Per body: where its edges pierce the other.
    piercings: [HashMap<Edge, Vec<(u32, Piercing)>>; 2],
    /// Per body: the corners of it that are corners of polygons, by place.
    vertices: [HashMap<u32, u32>; 2],
}

impl<'a> Builder<'a> {
    fn new(space: &'a Space<'a>) -> Result<Builder<'a>, NotMeasured> {
        let turns = |side: Side| outward::turns(space.mesh(side)).ok_or(NotMeasured::NoBorder(side));
        let needles = |side: Side| space.mesh(side).solid().needles(space.mesh(side));
        Ok(Builder {
            space,
            turns: [turns(Side::A)?, turns(Side::B)?],
            needles: SIDES.map(needles),
            corners: Vec::new(),
            bounds: Vec::new(),
            piercings: [HashMap::new(), HashMap::new()],
            vertices: [HashMap::new(), HashMap::new()],
        })
    }

    fn ids(&self, side: Side, face: u32) -> [u32; 3] {
        outward::corners(self.space.mesh(side), self.turns[side as usize], face)
    }

    fn spots(&self, side: Side, ids: [u32; 3]) -> [Spot; 3] {
        let vertices = self.space.mesh(side).faces().vertices();
        ids.map(|v| self.space.spot(side, vertices[v as usize]))
    }

    /// Enters the segment in which two faces cross, if they do. It runs along `n_A` × `n_B` on A's face and the other way on
    /// B's, which has the other body's inside on the left in both cases.
    ///
    /// Each end is where an edge of the one face pierces the other. Where an edge of A's face, run through counter-clockwise, goes
    /// into B, the polygon's border goes on along the edge: the segment ends there on A's face. Where an edge of B's face goes
    /// into A, the segment ends there on B's face, so it starts there on A's.
    fn cut(&mut self, pair: FacePair) -> Result<(), NotMeasured> {
        if self.needles[0].binary_search(&pair.a).is_ok() || self.needles[1].binary_search(&pair.b).is_ok() {
            return Ok(());
        }
        let faces = [pair.a, pair.b];
        let ids = [self.ids(Side::A, pair.a), self.ids(Side::B, pair.b)];
        let [x, y] = [self.spots(Side::A, ids[0]), self.spots(Side::B, ids[1])];
        let in_b = [0, 1, 2].map(|k: usize| is_behind(self.space, Side::B, &y, &x[k]));
        if in_b == [in_b[0]; 3] {
            return Ok(());
        }
        let in_a = [0, 1, 2].map(|k: usize| is_behind(self.space, Side::A, &x, &y[k]));
        if in_a == [in_a[0]; 3] {
            return Ok(());
        }
        let space = self.space;
        let sign = |i: usize, k: usize| passing(space, [&x[i], &x[(i + 1) % 3]], [&y[k], &y[(k + 1) % 3]]);
        let mut ends: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        for i in 0..3 {
            let next = (i + 1) % 3;
            if in_b[i] != in_b[next] && all_equal([0, 1, 2].map(|k| sign(i, k))) {
                let corner = self.pierce(Side::A, [ids[0][i], ids[0][next]], faces[1], &y, in_b[next]);
                ends[usize::from(in_b[next])].push(corner);
            }
            if in_a[i] != in_a[next] && all_equal([0, 1, 2].map(|k| sign(k, i))) {
                let corner = self.pierce(Side::B, [ids[1][i], ids[1][next]], faces[0], &x, in_a[next]);
                ends[usize::from(!in_a[next])].push(corner);
            }
        }
        match (ends[0].as_slice(), ends[1].as_slice()) {
            ([], []) => {}
            (&[from], &[to]) => {
                self.bounds.push(Bound { side: Side::A, face: pair.a, from, to });
                self.bounds.push(Bound { side: Side::B, face: pair.b, from: to, to: from });
            }
            // In general position there is none or one of each; exact signs leave nothing else.
            _ => return Err(NotMeasured::Overflow),
        }
        Ok(())
    }

    /// The corner where an edge of `side` pierces a face of the other body, entered once.
    fn pierce(&mut self, side: Side, ends: [u32; 2], face: u32, corners: &[Spot; 3], enters: bool) -> u32 {
        let solid = self.space.mesh(side).solid();
        let [p, q] = ends.map(|v| solid.place(v));
        let upward = p < q;
        let list = self.piercings[side as usize].entry((p.min(q), p.max(q))).or_default();
        if let Some(known) = list.iter().find(|known| known.0 == face) {
            return known.1.corner;
        }
        let vertices = self.space.mesh(side).faces().vertices();
        let ends = [p.min(q), p.max(q)].map(|v| self.space.spot(side, vertices[v as usize]));
        let (corner, along) = meeting_point(self.space, &ends, corners);
        let id = self.corners.len() as u32;
        self.corners.push(corner);
        list.push((face, Piercing { corner: id, along, enters: enters == upward }));
        id
    }

    /// Enters the parts of a body's edges that lie inside the other body.
    fn enter_edges(&mut self, side: Side) -> Result<(), NotMeasured> {
        let mesh = self.space.mesh(side);
        self.sort_piercings(side);
        let inner = self.inner_places(side)?;
        let mut faces: Vec<u32> =
            self.bounds.iter().filter(|bound| bound.side == side).map(|bound| bound.face).collect();
        let around = mesh.solid().around(mesh);
        faces.extend(inner.iter().flat_map(|&place| around.of(place)).copied());
        // In order, so that the same is summed up in the same order in every run.
        faces.sort_unstable();
        faces.dedup();
        for face in faces {
            if !self.space.goes_on() {
                return Err(NotMeasured::Limits);
            }
            if self.needles[side as usize].binary_search(&face).is_err() {
                self.enter_edges_of(side, face, &inner);
            }
        }
        Ok(())
    }

    /// Sorts the places where each edge pierces the other body by their exact order on the way up.
    fn sort_piercings(&mut self, side: Side) {
        let (space, corners, turns) = (self.space, &self.corners, self.turns);
        let (mesh, other) = (space.mesh(side), space.mesh(side.other()));
        let spot = |v: u32| space.spot(side, mesh.faces().vertices()[v as usize]);
        for (&(low, high), list) in &mut self.piercings[side as usize] {
            if list.len() < 2 {
                continue;
            }
            let ends = [spot(low), spot(high)];
            let length = (ends[1].rounded().0 - ends[0].rounded().0).length();
            list.sort_by(|(f, p), (g, q)| {
                let error = corners[p.corner as usize].error + corners[q.corner as usize].error;
                if (p.along - q.along).abs() * length > 2.0 * error + 8.0 * f64::EPSILON * length {
                    return p.along.total_cmp(&q.along);
                }
                let face = |face: u32| {
                    let ids = outward::corners(other, turns[side.other() as usize], face);
                    ids.map(|v| space.spot(side.other(), other.faces().vertices()[v as usize]))
                };
                compare_along(space, side, &ends, [&face(*f), &face(*g)])
            });
        }
    }

    fn enter_edges_of(&mut self, side: Side, face: u32, inner: &HashSet<u32>) {
        let solid = self.space.mesh(side).solid();
        let places = self.ids(side, face).map(|v| solid.place(v));
        for k in 0..3 {
            let (p, q) = (places[k], places[(k + 1) % 3]);
            let (low, high) = (p.min(q), p.max(q));
            // The corners inside, on the way up: start, ends of stretches, end.
            let mut stops: Vec<u32> = Vec::new();
            if inner.contains(&low) {
                stops.push(self.vertex(side, low));
            }
            if let Some(list) = self.piercings[side as usize].get(&(low, high)) {
                stops.extend(list.iter().map(|known| known.1.corner));
            }
            if inner.contains(&high) {
                stops.push(self.vertex(side, high));
            }
            for stretch in stops.chunks_exact(2) {
                let [mut from, mut to] = [stretch[0], stretch[1]];
                if p > q {
                    (from, to) = (to, from);
                }
                self.bounds.push(Bound { side, face, from, to });
            }
        }
    }

    fn vertex(&mut self, side: Side, place: u32) -> u32 {
        let (space, corners) = (self.space, &mut self.corners);
        *self.vertices[side as usize].entry(place).or_insert_with(|| {
            let x = space.mesh(side).faces().vertices()[place as usize];
            let (at, error) = space.spot(side, x).rounded();
            corners.push(Corner { at, error });
            corners.len() as u32 - 1
        })
    }

    /// The places of a body that lie inside the other: ends of pierced edges, what hangs together with them by edges
    /// that are not pierced, and pieces without pierced edges, of which one corner tells.
    fn inner_places(&self, side: Side) -> Result<HashSet<u32>, NotMeasured> {
        let (mesh, pierced) = (self.space.mesh(side), &self.piercings[side as usize]);
        let solid = mesh.solid();
        let mut inner: HashSet<u32> = HashSet::new();
        let mut ends: HashSet<u32> = HashSet::new();
        for (&(low, high), list) in pierced {
            if let [first, ..] = list.as_slice()
                && !first.1.enters
            {
                inner.insert(low);
            }
            if let [.., last] = list.as_slice()
                && last.1.enters
            {
                inner.insert(high);
            }
            ends.extend([low, high]);
        }
        for piece in solid.pieces(mesh) {
            let places = || piece.iter().flat_map(|&face| mesh.faces().triangles()[face as usize]);
            if (ends.is_empty() || !places().any(|v| ends.contains(&solid.place(v))))
                && self.is_inner_piece(side, places())?
            {
                inner.extend(places().map(|v| solid.place(v)));
            }
        }
        let around = solid.around(mesh);
        let mut open: Vec<u32> = inner.iter().copied().collect();
        while let Some(place) = open.pop() {
            for &face in around.of(place) {
                for other in mesh.faces().triangles()[face as usize].map(|v| solid.place(v)) {
                    let edge = (place.min(other), place.max(other));
                    if other != place && !pierced.contains_key(&edge) && inner.insert(other) {
                        open.push(other);
                    }
                }
            }
        }
        Ok(inner)
    }

    /// Whether a piece none of whose edges pierces the other body is inside it.
    fn is_inner_piece(&self, side: Side, vertices: impl Iterator<Item = u32>) -> Result<bool, NotMeasured> {
        let points = self.space.mesh(side).faces().vertices();
        let mut spots = vertices.map(|v| self.space.spot(side, points[v as usize]));
        let off = spots.find(|spot| !on_faces(self.space, side.other(), spot));
        off.map(|spot| is_odd(self.space, side.other(), &spot)).ok_or(NotMeasured::Inscribed(side))
    }
}

fn all_equal<T: PartialEq>([a, b, c]: [T; 3]) -> bool {
    a == b && b == c
}

/// A place this many times nearer than the sizes of edge and face is near enough.
const FINE: f64 = 1e-13;

/// Where an edge meets the plane of a face on whose sides its ends are, and how far from its start, in parts of it.
///
/// In doubles first. With heights h(u) and h(v) over the plane, each a determinant of three differences of size at most L: a
/// difference errs by 2r and a rounding of L, so a height by 6rL² and 16u of L³. So h(u)/(h(u) − h(v)) errs by at most
/// twice that over |h(u) − h(v)|, and the point by that part of the edge. Where this is too much, in exact arithmetic. The exact
/// point is between the ends.
fn meeting_point(space: &Space, ends: &[Spot; 2], corners: &[Spot; 3]) -> (Corner, f64) {
    let [(u, u_off), (v, v_off)] = [ends[0].rounded(), ends[1].rounded()];
    let [(p, p_off), (q, q_off), (r, r_off)] = [&corners[0], &corners[1], &corners[2]].map(Spot::rounded);
    let radius = u_off.max(v_off).max(p_off).max(q_off).max(r_off);
    let normal = (q - p).cross(r - p);
    let (low, high) = (normal.dot(u - p), normal.dot(v - p));
    let length = (v - u).length();
    let longest = |x: DVec3| x.abs().element_sum();
    let reach = longest(q - p).max(longest(r - p)).max(longest(u - p)).max(longest(v - p)) + 2.0 * radius;
    let slack = 6.0 * radius * reach * reach + 16.0 * f64::EPSILON * reach * reach * reach;
    let span = (low - high).abs() - 2.0 * slack;
    let size = u.abs().max(v.abs()).max_element();
    let error = 2.0 * slack / span * length + radius + 4.0 * f64::EPSILON * (size + length);
    if span > 0.0 && error < FINE * reach + 2.0 * radius + 8.0 * f64::EPSILON * size {
        let along = (low / (low - high)).clamp(0.0, 1.0);
        return (Corner { at: u + (v - u) * along, error: error * 1.01 }, along);
    }
    let [p, q, r] = [&corners[0], &corners[1], &corners[2]].map(|spot| space.exact(spot));
    let [from, to] = [&ends[0], &ends[1]].map(|spot| space.exact(spot));
    let (at, error) = crossing(&plane_through(&p, &q, &r), &from, &to).rounded();
    (Corner { at, error }, if length > 0.0 { ((at - u).length() / length).clamp(0.0, 1.0) } else { 0.0 })
}
