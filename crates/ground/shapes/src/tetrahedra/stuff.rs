//! Tetrahedra that fill an implicit body: isosurface stuffing (Labelle and Shewchuk 2007) on a body-centred cubic lattice.
//!
//! Lattice vertices near the surface are moved onto it, tetrahedra that still cross it are cut. No cut is nearer to a vertex than a
//! fixed share of its edge, so shapes are bounded from below at any resolution. Where a cut leaves a quadrilateral on a face that two
//! tetrahedra share, its diagonal starts at the vertex with the smaller number: both choose the same.

use super::{Tetrahedra, TetrahedraError, side};
use kontakt_math::{DVec3, Sign};
use std::collections::BTreeMap;
use thiserror::Error;

/// Lattice vertices at most: some 20 GB of work would be an accident, not a wish.
const MOST_VERTICES: f64 = 2e8;
/// Nearer than this share of a long or short edge, a vertex is moved onto the cut.
const NEAR_LONG: f64 = 0.249_99;
const NEAR_SHORT: f64 = 0.411_89;

/// Why an implicit body was not filled.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum StuffError {
    /// Not a positive length, or a box that is none.
    #[error("a cell of {cell} in a box of {size} is not a positive, finite share of it")]
    Cell {
        /// As given.
        cell: f64,
        /// The box's longest side.
        size: f64,
    },
    /// The lattice would be too large.
    #[error("cells of {cell} would make {vertices:.0} lattice vertices, more than {MOST_VERTICES:.0}")]
    TooFine {
        /// As given.
        cell: f64,
        /// How many there would be.
        vertices: f64,
    },
    /// What came out is no body: nothing inside, or parts thinner than the cells that touch along an edge.
    #[error("cells of {cell} do not resolve the body")]
    Unresolved {
        /// As given.
        cell: f64,
        /// What is wrong.
        #[source]
        source: TetrahedraError,
    },
}

/// Fills the points of a box where `field` is negative. `cell` is the lattice's cube side. The field is taken as continuous, about
/// linear over a cell; NaN counts as outside.
pub fn stuff(
    [low, high]: [DVec3; 2],
    cell: f64,
    field: impl Fn(DVec3) -> f64,
) -> Result<Tetrahedra, StuffError> {
    let size = (high - low).max_element();
    if !(cell > 0.0 && (high - low).min_element() >= 0.0 && size.is_finite() && (size / cell).is_finite()) {
        return Err(StuffError::Cell { cell, size });
    }
    // One cell more on every side, so that the surface closes inside the lattice.
    let counts = ((high - low) / cell).ceil().to_array().map(|c| c + 3.0);
    let vertices = 2.0 * counts.iter().product::<f64>();
    if vertices > MOST_VERTICES {
        return Err(StuffError::TooFine { cell, vertices });
    }
    let counts = counts.map(|c| c as i64);
    let mut lattice = Lattice::new(low - DVec3::splat(1.5 * cell), cell, counts, field);
    lattice.warp();
    let (vertices, tetrahedra) = lattice.cut();
    Tetrahedra::new(vertices, tetrahedra).map_err(|source| StuffError::Unresolved { cell, source })
}

/// Vertices in doubled integer coordinates: all even is a cube's corner, all odd its centre.
struct Lattice<F> {
    half: f64,
    counts: [i64; 3],
    /// Values and places of corners, then of centres; values are 0 where moved onto the surface.
    values: Vec<f64>,
    places: Vec<DVec3>,
    field: F,
}

/// From a vertex to its neighbours: long edges along axes, short ones along diagonals.
const STEPS: [[i64; 3]; 14] = [
    [2, 0, 0],
    [-2, 0, 0],
    [0, 2, 0],
    [0, -2, 0],
    [0, 0, 2],
    [0, 0, -2],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
    [-1, 1, 1],
    [-1, 1, -1],
    [-1, -1, 1],
    [-1, -1, -1],
];

impl<F: Fn(DVec3) -> f64> Lattice<F> {
    fn new(origin: DVec3, cell: f64, counts: [i64; 3], field: F) -> Lattice<F> {
        let mut lattice = Lattice { half: 0.5 * cell, counts, values: Vec::new(), places: Vec::new(), field };
        for odd in [0, 1] {
            for k in 0..counts[2] {
                for j in 0..counts[1] {
                    for i in 0..counts[0] {
                        let at = [i, j, k].map(|c| (2 * c + odd) as f64 * lattice.half);
                        let place = origin + DVec3::from_array(at);
                        let value = (lattice.field)(place);
                        lattice.places.push(place);
                        lattice.values.push(if value.is_nan() { f64::INFINITY } else { value });
                    }
                }
            }
        }
        lattice
    }

    /// The number of a vertex; `None` off the lattice.
    fn id(&self, at: [i64; 3]) -> Option<usize> {
        let odd = at[0] & 1;
        let cell = at.map(|c| c >> 1);
        let fits = (0..3).all(|a| cell[a] >= 0 && cell[a] < self.counts[a]);
        let [nx, ny, nz] = self.counts;
        fits.then(|| (((odd * nz + cell[2]) * ny + cell[1]) * nx + cell[0]) as usize)
    }

    fn each_vertex(&self) -> impl Iterator<Item = [i64; 3]> + use<F> {
        let [nx, ny, nz] = self.counts;
        (0..2).flat_map(move |odd| {
            (0..nz).flat_map(move |k| {
                (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k].map(|c| 2 * c + odd)))
            })
        })
    }

    /// Where the surface cuts the edge between vertices of opposite signs, as a share of the way from the first.
    fn cut_share(&self, a: usize, b: usize) -> f64 {
        let (p, q) = (self.places[a], self.places[b]);
        let inside_first = self.values[a] < 0.0;
        let (mut lo, mut hi) = (0.0, 1.0);
        // Regula falsi would do for fields about linear; bisection does for all, and always ends.
        for _ in 0..30 {
            let middle = 0.5 * (lo + hi);
            if ((self.field)(p.lerp(q, middle)) < 0.0) == inside_first {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        0.5 * (lo + hi)
    }

    /// Moves vertices onto cuts that are too near, the nearest one, each vertex in turn.
    fn warp(&mut self) {
        for at in self.each_vertex() {
            let Some(v) = self.id(at) else { continue };
            if self.values[v] == 0.0 {
                continue;
            }
            let mut nearest: Option<(f64, DVec3)> = None;
            for (n, step) in STEPS.iter().enumerate() {
                let Some(w) = self.id([0, 1, 2].map(|a| at[a] + step[a])) else { continue };
                if self.values[v] * self.values[w] >= 0.0 || self.values[v].is_nan() {
                    continue;
                }
                let (share, limit) = (self.cut_share(v, w), if n < 6 { NEAR_LONG } else { NEAR_SHORT });
                let length = share * if n < 6 { 2.0 } else { 3.0_f64.sqrt() };
                if share < limit && nearest.is_none_or(|(best, _)| length < best) {
                    nearest = Some((length, self.places[v].lerp(self.places[w], share)));
                }
            }
            if let Some((_, place)) = nearest {
                self.places[v] = place;
                self.values[v] = 0.0;
            }
        }
    }

    /// What of all tetrahedra lies inside.
    fn cut(&self) -> (Vec<DVec3>, Vec<[u32; 4]>) {
        let mut pieces =
            Pieces { cuts: BTreeMap::new(), names: BTreeMap::new(), places: Vec::new(), found: Vec::new() };
        for at in self.each_vertex().filter(|at| at[0] & 1 == 1) {
            for axis in 0..3 {
                self.cut_around(at, axis, &mut pieces);
            }
        }
        (pieces.places, pieces.found)
    }

    /// The four tetrahedra around the long edge from a centre to the next one along an axis.
    fn cut_around(&self, at: [i64; 3], axis: usize, pieces: &mut Pieces) {
        let moved = |along: [i64; 3]| self.id([0, 1, 2].map(|a| at[a] + along[a]));
        let (u, w) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut next = [0; 3];
        next[axis] = 2;
        let corner = |s: i64, t: i64| {
            let mut along = [0; 3];
            (along[axis], along[u], along[w]) = (1, s, t);
            moved(along)
        };
        let ring = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
        for i in 0..4 {
            let corners = [moved([0; 3]), moved(next), ring[i], ring[(i + 1) % 4]];
            if let [Some(a), Some(b), Some(c), Some(d)] = corners {
                self.keep_inside([a, b, c, d], pieces);
            }
        }
    }

    /// The part of one tetrahedron where the field is negative.
    fn keep_inside(&self, mut corners: [usize; 4], pieces: &mut Pieces) {
        // Inside first, then on the surface, then outside; by number within each.
        let class = |v: usize| if self.values[v] < 0.0 { 0 } else { i32::from(self.values[v] > 0.0) + 1 };
        corners.sort_unstable_by_key(|&v| (class(v), v));
        let count = |of: i32| corners.iter().filter(|&&v| class(v) == of).count();
        // Corners of pieces: a lattice vertex [i, i], or the cut between i inside and j outside.
        let cut_pieces: &[[[usize; 2]; 4]] = match (count(0), count(1), count(2)) {
            (0, _, _) => &[],
            (_, _, 0) => &[[[0, 0], [1, 1], [2, 2], [3, 3]]],
            (1, 2, _) => &[[[0, 0], [1, 1], [2, 2], [0, 3]]],
            (1, 1, _) => &[[[0, 0], [1, 1], [0, 2], [0, 3]]],
            (1, _, _) => &[[[0, 0], [0, 1], [0, 2], [0, 3]]],
            (2, 1, _) => &[[[0, 0], [1, 1], [2, 2], [1, 3]], [[0, 0], [0, 3], [2, 2], [1, 3]]],
            (2, _, _) => &[
                [[0, 0], [1, 1], [1, 2], [1, 3]],
                [[0, 0], [0, 2], [0, 3], [1, 3]],
                [[0, 0], [0, 2], [1, 2], [1, 3]],
            ],
            _ => &[
                [[0, 0], [1, 1], [2, 2], [2, 3]],
                [[0, 0], [1, 1], [1, 3], [2, 3]],
                [[0, 0], [0, 3], [1, 3], [2, 3]],
            ],
        };
        for piece in cut_pieces {
            let named = piece.map(|[i, j]| pieces.vertex(self, corners[i], corners[j]));
            pieces.push(named);
        }
    }
}

/// Tetrahedra as they are found, and their vertices named in the order of first use.
struct Pieces {
    cuts: BTreeMap<(usize, usize), u32>,
    names: BTreeMap<usize, u32>,
    places: Vec<DVec3>,
    found: Vec<[u32; 4]>,
}

impl Pieces {
    /// The vertex where an edge is cut, from inside to outside; a lattice vertex itself where both ends are one.
    fn vertex<F: Fn(DVec3) -> f64>(&mut self, lattice: &Lattice<F>, inside: usize, outside: usize) -> u32 {
        let places = &mut self.places;
        if inside == outside {
            return *self.names.entry(inside).or_insert_with(|| {
                places.push(lattice.places[inside]);
                places.len() as u32 - 1
            });
        }
        *self.cuts.entry((inside, outside)).or_insert_with(|| {
            let share = lattice.cut_share(inside, outside);
            places.push(lattice.places[inside].lerp(lattice.places[outside], share));
            places.len() as u32 - 1
        })
    }

    /// A tetrahedron, its corners turned so that its volume is positive.
    fn push(&mut self, mut corners: [u32; 4]) {
        if side(corners.map(|v| self.places[v as usize])) == Sign::Negative {
            corners.swap(0, 1);
        }
        self.found.push(corners);
    }
}
