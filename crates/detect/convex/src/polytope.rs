//! A convex polyhedron laid out for support queries.

pub(crate) mod gauss_map;
pub(crate) mod ids;
pub(crate) mod scan;
#[cfg(target_arch = "x86_64")]
mod scan_x86;
mod steep;
#[cfg(target_arch = "x86_64")]
mod steep_x86;
pub(crate) mod tables;

use gauss_map::GaussMap;
use ids::Ids;
use kontakt_bounds::FitError;
use kontakt_bounds::hull::{HullEdge, convex_hull};
use kontakt_math::{DVec3, U};
use scan::Octets;
use steep::Climb;
use tables::Tables;

/// What squares lose by underflow.
pub(crate) const TINY: f64 = 1e-150;

/// The hull of points with its vertices, faces, edges and neighbours. Flat hulls, segments and points included.
///
/// Everything that queries need is made at once, and small: with 32 vertices it takes less than 4 kB, with 128 less than 14 kB.
/// Queries that come across many distinct hulls wait for memory more than for anything else.
#[derive(Clone, Debug)]
pub struct Polytope {
    middle: DVec3,
    reach: f64,
    /// A power of two near 1/reach, so that squares of scaled lengths stay in the range of doubles.
    shrink: f64,
    /// Radii of balls about the middle: one in the hull, one that the hull is in.
    balls: [f64; 2],
    octets: Octets,
    tables: Tables,
    gauss_map: Option<GaussMap>,
    vertices: Box<[DVec3]>,
    /// Empty when all points are vertices.
    source: Ids,
}

impl Polytope {
    /// The hull of points, which may lie in any position.
    pub fn new(points: &[DVec3]) -> Result<Polytope, FitError> {
        let hull = convex_hull(points)?;
        let source = hull.vertices();
        let vertices: Box<[DVec3]> = source.iter().map(|&i| points[i as usize]).collect();
        let source = Ids::of(if source.len() == points.len() { &[] } else { source });
        let (low, high) =
            vertices.iter().fold((vertices[0], vertices[0]), |(low, high), x| (low.min(*x), high.max(*x)));
        let reach = vertices.iter().fold(0.0, |most: f64, x| most.max(one_norm_up(*x)));
        let exponent = 2046 - (reach.to_bits() >> 52 & 0x7ff).clamp(1, 2045);
        let shrink = f64::from_bits(exponent << 52);
        let tables = Tables::of(&hull);
        let octets = Octets::new(&vertices);
        let middle = low * 0.5 + high * 0.5;
        let (gauss_map, inner) = GaussMap::new(&vertices, octets.all(), &tables, middle, reach);
        // A difference errs by u in every coordinate, its length by 3u more.
        let squared = vertices.iter().map(|x| (*x - middle).length_squared());
        let outer =
            squared.fold(0.0, |most, x| if x > most { x } else { most }).sqrt() * (1.0 + 16.0 * U) + TINY;
        let balls = [inner, outer];
        Ok(Polytope { middle, reach, shrink, balls, octets, tables, gauss_map, vertices, source })
    }

    /// Exactly the extreme points.
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// How many vertices there are.
    #[inline(always)]
    pub fn vertex_count(&self) -> u32 {
        self.tables.vertex_count()
    }

    /// The place of a vertex. Unlike [`vertices`](Self::vertices) it is where `farthest` looks, so in the caches already.
    #[inline(always)]
    pub fn vertex(&self, vertex: u32) -> DVec3 {
        self.octets.point(vertex)
    }

    /// The vertices as queries have them, to be kept where the way to them is short.
    pub(crate) fn octets(&self) -> &Octets {
        &self.octets
    }

    /// Asks for the memory that measuring needs besides the vertices ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        if self.tables.vertex_count() as usize <= Polytope::SCANNED {
            self.tables.prefetch_neighbours();
        }
    }

    /// 0: point, 1: segment, 2: planar polygon, 3: solid.
    pub fn dimension(&self) -> u8 {
        self.tables.dimension()
    }

    /// How many faces there are: none of a point or segment, two of a polygon.
    pub fn face_count(&self) -> u32 {
        self.tables.face_count()
    }

    /// Vertices of a face, counter-clockwise seen from outside.
    pub fn face(&self, face: u32) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        self.tables.corners_of(face).map(|place| self.tables.corner(place))
    }

    /// Edges, each once.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = HullEdge> + Clone + '_ {
        let edge = |edge| HullEdge { ends: self.tables.ends_of(edge), faces: self.tables.sides_of(edge) };
        (0..self.tables.edge_count() as usize).map(move |number| edge(number as u32))
    }

    /// Calls `visit` with the vertices that share an edge with this one.
    #[inline(always)]
    pub fn neighbours(&self, vertex: u32, visit: impl FnMut(u32)) {
        self.tables.neighbours(vertex, visit);
    }

    #[inline(always)]
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// A vertex's number among the points given.
    pub fn source(&self, vertex: u32) -> u32 {
        if self.source.bytes() == 0 { vertex } else { self.source.get(vertex as usize) }
    }

    /// The normals of its faces; `None` unless it is solid and not large.
    #[inline(always)]
    pub(crate) fn gauss_map(&self) -> Option<&GaussMap> {
        self.gauss_map.as_ref()
    }

    /// The bytes it takes, with all that queries use.
    pub fn bytes(&self) -> usize {
        let map = self.gauss_map.as_ref().map_or(0, GaussMap::bytes);
        let lists = size_of_val::<[_]>(&self.vertices) + self.source.bytes() + self.octets.bytes();
        size_of::<Polytope>() + lists + self.tables.bytes() + map
    }

    /// A vertex with the greatest `direction · x`, of equal ones the first; each product is off by at most 3u·Σ|dᵢxᵢ|.
    #[inline(always)]
    pub fn farthest(&self, direction: DVec3) -> u32 {
        self.octets.farthest(direction)
    }

    /// The number and place of `farthest`.
    #[inline(always)]
    pub(crate) fn extreme(&self, direction: DVec3) -> (u32, DVec3) {
        let id = self.octets.farthest(direction);
        (id, self.octets.point(id))
    }

    /// Up to this many vertices a scan of all is as quick as a walk over edges.
    pub const SCANNED: usize = 300;

    /// Walks over edges from a vertex as long as `direction · x` grows. In exact numbers that ends at a farthest vertex; with
    /// rounding nearly always.
    pub fn climb(&self, direction: DVec3, from: u32) -> u32 {
        let mut best = from;
        let mut height = direction.dot(self.vertices[from as usize]);
        loop {
            let start = best;
            self.tables.neighbours(start, |next| {
                let value = direction.dot(self.vertices[next as usize]);
                if value > height {
                    (best, height) = (next, value);
                }
            });
            if best == start {
                return best;
            }
        }
    }

    /// The greatest (|E| / (up·E − doubt·|E|₁))² of the edges E from a vertex, but for that to `spared`, to rounding; 0 without any,
    /// infinite when one does not surely rise.
    #[inline(always)]
    pub(crate) fn steepness_squared(&self, [from, spared]: [u32; 2], up: DVec3, doubt: f64) -> f64 {
        let climb = Climb { start: self.vertex(from), up, doubt, unit: self.shrink };
        let (ids, neighbours) = self.tables.neighbours_in_ids(from);
        climb.steepest(self.octets.all(), ids, neighbours, spared)
    }

    /// The middle of the box around it.
    #[inline]
    pub fn middle(&self) -> DVec3 {
        self.middle
    }

    /// The radii of two balls about [`middle`](Self::middle): one that lies in the hull, 0 where none is known, and one that the hull
    /// lies in.
    #[inline]
    pub fn balls(&self) -> [f64; 2] {
        self.balls
    }

    /// **Never less** than |x|₁ of any vertex.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }
}

/// **Never less** than |x| + |y| + |z|.
#[inline]
pub(crate) fn one_norm_up(v: DVec3) -> f64 {
    v.abs().element_sum() * (1.0 + 2.0 * f64::EPSILON)
}
