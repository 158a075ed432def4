//! What pairs of faces have in common.

use crate::face::{Common, Touch, common_points};
use crate::face_pair::{FacePair, Touching};
use crate::mesh::Mesh;
use crate::space::Space;
use kontakt_answers::{Side, Visits};
use kontakt_math::DVec3;
use kontakt_schedule::{Deadline, Expired};
use std::collections::HashMap;

/// What one pair of faces has in common, or many pairs that have the same in common; in A's frame.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The first of the pairs.
    pub(super) pair: FacePair,
    /// How many pairs.
    pub(super) count: usize,
    /// Where the pairs have a corner and nothing else in common.
    pub(super) corner: Option<Corner>,
    /// One point, the two ends of a segment, or the corners of a convex polygon.
    pub(super) points: Vec<DVec3>,
    pub(super) middle: DVec3,
    /// Of one pair.
    pub(super) area: f64,
    pub(super) length: f64,
    /// The box of the points, a little larger than rounding can move them.
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

/// A common corner of faces.
#[derive(Clone, Debug)]
pub(super) struct Corner {
    /// The places in both bodies.
    pub(super) places: [u32; 2],
    /// All pairs that have this corner and nothing else in common.
    pub(super) pairs: Vec<FacePair>,
}

impl Piece {
    fn new(pair: FacePair, count: usize, points: Vec<DVec3>) -> Piece {
        let low = points.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
        let mut middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let (mut area, mut length) = (0.0, 0.0);
        match points.as_slice() {
            [p, q] => length = p.distance(*q),
            [first, rest @ ..] if rest.len() > 1 => {
                let mut centre = DVec3::ZERO;
                for w in rest.windows(2) {
                    let part = (w[0] - *first).cross(w[1] - *first).length() * 0.5;
                    area += part;
                    centre += part * (*first + w[0] + w[1]) / 3.0;
                }
                if area > 0.0 {
                    middle = centre / area;
                }
            }
            _ => {}
        }
        let size = (high - low).max_element() + 1e-3 * low.abs().max(high.abs()).max_element();
        let slack = DVec3::splat(1e-9 * size);
        let (low, high) = (low - slack, high + slack);
        Piece { pair, count, corner: None, points, middle, area, length, low, high }
    }
}

/// The pieces of all pairs, by their first pairs. Pairs with a corner and nothing else in common
/// are one piece a corner, and pairs of twins (faces with the same corners, turned alike) are one piece: n² pairs round the
/// common hub of two fans, or of n copies of one triangle each, cost little more than counting them.
pub(super) fn pieces(
    space: &Space,
    touching: &Touching,
    deadline: Deadline,
    visits: &mut Visits,
) -> Result<Vec<Piece>, Expired> {
    let pairs = &touching.pairs;
    let mut pacer = deadline.pacer();
    let [mesh_a, mesh_b] = [Side::A, Side::B].map(|side| space.mesh(side));
    let twins = [Twins::new(mesh_a, pairs, |pair| pair.a), Twins::new(mesh_b, pairs, |pair| pair.b)];
    let mut found = Pieces::default();
    for (&pair, &kind) in pairs.iter().zip(&touching.kinds) {
        pacer.tick()?;
        if let Touch::Corner(i, j) = kind {
            found.enter_corner(space, pair, 1, [i, j].map(usize::from));
            continue;
        }
        let count = twins[0].of(pair.a) * twins[1].of(pair.b);
        if count == 0 {
            continue;
        }
        let x = mesh_a.faces().triangle_points(pair.a as usize);
        let y = mesh_b.faces().triangle_points(pair.b as usize);
        let points = match common_points(&space.between, x, y, visits).1 {
            Common::None => Vec::new(),
            Common::Point(p) => {
                if let Some(corner) = corner_at(space, p, &x, &y) {
                    found.enter_corner(space, pair, count, corner);
                    continue;
                }
                vec![p]
            }
            Common::Segment(ends) => ends.to_vec(),
            Common::Polygon(corners) => corners,
        };
        found.list.push(Piece::new(pair, count, points));
    }
    Ok(found.list)
}

/// The corners of two faces at a point, where B's is exact.
fn corner_at(space: &Space, point: DVec3, x: &[DVec3; 3], y: &[DVec3; 3]) -> Option<[usize; 2]> {
    let there = |v: DVec3| space.between.error_at(v) == 0.0 && space.between.b_in_a(v) == point;
    Some([x.iter().position(|&v| v == point)?, y.iter().position(|&v| there(v))?])
}

#[derive(Default)]
struct Pieces {
    list: Vec<Piece>,
    /// The piece at each corner, by the places in both bodies.
    corners: HashMap<[u32; 2], usize>,
    /// The last of them: it is asked for again and again.
    last: Option<([u32; 2], usize)>,
}

impl Pieces {
    /// `count` pairs that have nothing in common but a corner, given by its number in both faces.
    fn enter_corner(&mut self, space: &Space, pair: FacePair, count: usize, corner: [usize; 2]) {
        let of = |side: Side, face: u32, corner: usize| {
            let mesh = space.mesh(side);
            let vertex = mesh.faces().triangles()[face as usize][corner];
            (mesh.faces().vertices()[vertex as usize], mesh.solid().place(vertex))
        };
        let (point, place_a) = of(Side::A, pair.a, corner[0]);
        let (_, place_b) = of(Side::B, pair.b, corner[1]);
        let places = [place_a, place_b];
        let piece = match self.last {
            Some((last, piece)) if last == places => piece,
            _ => *self.corners.entry(places).or_insert_with(|| {
                let corner = Some(Corner { places, pairs: Vec::new() });
                self.list.push(Piece { corner, ..Piece::new(pair, 0, vec![point]) });
                self.list.len() - 1
            }),
        };
        self.last = Some((places, piece));
        self.list[piece].count += count;
        if let Some(corner) = &mut self.list[piece].corner {
            corner.pairs.extend(std::iter::repeat_n(pair, count));
        }
    }
}

/// How many faces have the same corners, turned alike.
struct Twins {
    /// (first of them, how many) where there are several, sorted.
    several: Vec<(u32, usize)>,
    /// All but the first, sorted.
    later: Vec<u32>,
}

impl Twins {
    fn new(mesh: &Mesh, pairs: &[FacePair], face_of: impl Fn(&FacePair) -> u32) -> Twins {
        let mut touched = vec![false; mesh.faces().triangles().len()];
        for pair in pairs {
            touched[face_of(pair) as usize] = true;
        }
        let faces = (0..touched.len() as u32).filter(|&face| touched[face as usize]);
        let mut known: Vec<([u32; 3], u32)> = faces.map(|face| (turned_corners(mesh, face), face)).collect();
        known.sort_unstable();
        let (mut several, mut later) = (Vec::new(), Vec::new());
        for twins in known.chunk_by(|p, q| p.0 == q.0).filter(|twins| twins.len() > 1) {
            several.push((twins[0].1, twins.len()));
            later.extend(twins[1..].iter().map(|twin| twin.1));
        }
        several.sort_unstable();
        later.sort_unstable();
        Twins { several, later }
    }

    /// How many twins a face stands for, itself included; 0 when an earlier one stands for it.
    fn of(&self, face: u32) -> usize {
        match self.several.binary_search_by_key(&face, |entry| entry.0) {
            Ok(place) => self.several[place].1,
            Err(_) => usize::from(self.later.binary_search(&face).is_err()),
        }
    }
}

/// The corners of a face by places, from the smallest on.
fn turned_corners(mesh: &Mesh, face: u32) -> [u32; 3] {
    let mut places = mesh.faces().triangles()[face as usize].map(|v| mesh.solid().place(v));
    let smallest = (0..3).min_by_key(|&k| places[k]).unwrap_or(0);
    places.rotate_left(smallest);
    places
}
