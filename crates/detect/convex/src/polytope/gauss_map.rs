//! The Gauss map of a solid hull: the unit normals of its faces; each edge is the arc between those of its two faces.
//!
//! Kept are the normals in single precision, which rule out nearly all of them in any query. Those left are computed from the
//! corners: that takes less time than to fetch them from memory, of which they would take most.

use super::Polytope;
use super::scan::{Octet, prefetch};
use super::tables::{Tables, WIDE};
use kontakt_bounds::batch::{Work, widest};
use kontakt_math::{DVec3, U};

/// Points that stand for a body when directions are ruled out, at most.
const MOST_LOOKOUTS: usize = 16;
/// Vertices at most: larger hulls are quicker served otherwise.
const MOST_VERTICES: usize = 600;
/// Sizes for which squares of areas are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-50..1e50;

/// A face of a hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// The outer unit normal n.
    pub(crate) normal: DVec3,
    /// n · corner for one of its corners.
    pub(crate) height: f64,
    /// **Never less** than the angle between n and the exact normal.
    pub(crate) error: f64,
}

/// Sixteen faces in single precision side by side: normals, and heights over the map's unit. A face whose normal may be off by more
/// than [`COARSE`] has the height −∞, a place without a face +∞.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Planes {
    pub(crate) x: [f32; WIDE],
    pub(crate) y: [f32; WIDE],
    pub(crate) z: [f32; WIDE],
    pub(crate) height: [f32; WIDE],
}

const NO_PLANES: Planes =
    Planes { x: [0.0; WIDE], y: [0.0; WIDE], z: [0.0; WIDE], height: [f32::INFINITY; WIDE] };

/// What is lost on a normal in single precision anyway.
const COARSE: f64 = 1e-7;

/// Face normals of a hull in its own frame, and a few vertices that show roughly how far it reaches.
#[derive(Clone, Debug)]
pub(crate) struct GaussMap {
    planes: Box<[Planes]>,
    /// What heights of `planes` are divided by: never less than any coordinate's size.
    unit: f64,
    /// Mean distance of the vertices from their middle.
    radius: f64,
    /// Numbers of vertices far from one another, filled up with the first of them.
    lookouts: [u16; MOST_LOOKOUTS],
}

impl GaussMap {
    /// Of a hull with these vertices; `None` unless it is solid, not large, and its edges are not too short to compute with. With it comes
    /// the radius of a ball about `middle` that lies in the hull, 0 without a map.
    ///
    /// That is the least distance of the faces' planes: with a face's exact normal m, within e of the computed n, and its corner p,
    /// m·(p − c) ≥ n·(p − c) − e|p − c|. With `reach` at least |p|₁ and thus each coordinate of the middle c, |p − c| is less than 3·`reach`;
    /// the products n·p and n·c err by less than 16u·`reach` together.
    pub(crate) fn new(
        vertices: &[DVec3],
        octets: &[Octet],
        tables: &Tables,
        middle: DVec3,
        reach: f64,
    ) -> (Option<GaussMap>, f64) {
        let map = GaussMap::with_inner(vertices, octets, tables, middle, reach);
        map.map_or((None, 0.0), |(map, inner)| (Some(map), inner))
    }

    fn with_inner(
        vertices: &[DVec3],
        octets: &[Octet],
        tables: &Tables,
        middle: DVec3,
        reach: f64,
    ) -> Option<(GaussMap, f64)> {
        if tables.dimension() < 3 || vertices.len() > MOST_VERTICES {
            return None;
        }
        let at = |vertex: u32| vertices[vertex as usize];
        let larger = |x: f64, y: f64| if y > x { y } else { x };
        let unit = vertices.iter().map(|x| x.abs().max_element()).fold(0.0, larger);
        let shortest = (0..tables.edge_count()).map(|edge| {
            let [p, q] = tables.ends_of(edge).map(at);
            (q - p).abs().max_element()
        });
        let lesser = |x: f64, y: f64| if y < x { y } else { x };
        if !TAME.contains(&unit) || shortest.fold(unit, lesser) < 1e-30 * unit {
            return None;
        }
        let count = tables.face_count() as usize;
        let mut planes = vec![NO_PLANES; count.div_ceil(WIDE)].into_boxed_slice();
        let inner = widest(Facing { vertices, tables, unit, middle, reach, planes: &mut planes });
        let mean = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        let radius = vertices.iter().map(|x| x.distance(mean)).sum::<f64>() / vertices.len() as f64;
        let lookouts = widest(Lookouts { octets, count: vertices.len() });
        Some((GaussMap { planes, unit, radius, lookouts }, inner))
    }

    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    pub(crate) fn planes(&self) -> &[Planes] {
        &self.planes
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// What it takes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[_]>(&self.planes)
    }
}

/// A solid hull with its map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapped<'a> {
    pub(crate) hull: &'a Polytope,
    pub(crate) map: &'a GaussMap,
}

impl<'a> Mapped<'a> {
    /// `None` for a hull without a map.
    pub(crate) fn of(hull: &'a Polytope) -> Option<Mapped<'a>> {
        Some(Mapped { hull, map: hull.gauss_map()? })
    }

    /// Asks for the memory that the sieve needs ahead of its use.
    pub(crate) fn prefetch(&self) {
        prefetch(&self.map.planes);
        self.hull.tables().prefetch_edges();
    }

    pub(crate) fn face(&self, face: u32) -> Face {
        Face::of(self.hull.tables(), |vertex| self.hull.vertex(vertex), face)
    }

    /// A face's normal, and what a product with a vector of length √3 may be off by on its account: less than
    /// √3·(COARSE + 2⁻²⁴) in single precision.
    #[inline(always)]
    pub(crate) fn normal(&self, face: u32) -> (DVec3, f64) {
        let (block, lane) = (&self.map.planes[face as usize / WIDE], face as usize % WIDE);
        if block.height[lane] == f32::NEG_INFINITY {
            let Face { normal, error, .. } = self.face(face);
            return (normal, 2.0 * error);
        }
        let coarse = [block.x[lane], block.y[lane], block.z[lane]];
        (DVec3::from_array(coarse.map(f64::from)), 3e-7)
    }

    /// The faces left and right of an edge.
    #[inline(always)]
    pub(crate) fn sides_of(&self, edge: u32) -> [u32; 2] {
        self.hull.tables().sides_of(edge)
    }

    /// The ends of an edge.
    #[inline]
    pub(crate) fn ends_of(&self, edge: u32) -> [DVec3; 2] {
        self.hull.tables().ends_of(edge).map(|end| self.hull.vertex(end))
    }

    /// An edge's first end, and the way from there to the second, brought to a length between 1/2 and √3; each coordinate is off by
    /// u of that, since a power of two brings it there. That takes no division, and sides are in the range of [`TAME`]
    /// sizes, so the power is one of normal doubles.
    #[inline(always)]
    pub(crate) fn edge(&self, edge: u32) -> (DVec3, DVec3) {
        let [p, q] = self.ends_of(edge);
        let side = q - p;
        // The least power of two above the greatest coordinate 2ᵏ⁻¹⁰²³·m, 1 ≤ m < 2, is 2ᵏ⁻¹⁰²²; one over it is 2²⁰⁴⁵⁻ᵏ⁻¹⁰²³.
        let exponent = side.abs().max_element().to_bits() >> 52;
        (p, side * f64::from_bits(2045_u64.wrapping_sub(exponent) << 52))
    }

    /// The way along an edge, as [`edge`](Self::edge) gives it.
    #[inline(always)]
    pub(crate) fn along(&self, edge: u32) -> DVec3 {
        self.edge(edge).1
    }

    /// The places of vertices far from one another, one or two octets.
    #[inline(always)]
    pub(crate) fn lookouts(&self) -> ([Octet; 2], usize) {
        let octets = [0, 8].map(|first| {
            let eight: [DVec3; 8] =
                std::array::from_fn(|k| self.hull.vertex(u32::from(self.map.lookouts[first + k])));
            Octet { x: eight.map(|p| p.x), y: eight.map(|p| p.y), z: eight.map(|p| p.z) }
        });
        (octets, if self.hull.vertex_count() > 8 { 2 } else { 1 })
    }
}

/// Fills the planes of all faces, and finds the radius of the ball; see [`GaussMap::new`].
struct Facing<'a> {
    vertices: &'a [DVec3],
    tables: &'a Tables,
    unit: f64,
    middle: DVec3,
    reach: f64,
    planes: &'a mut [Planes],
}

/// Faces that are computed together.
const EIGHT: usize = 8;

impl Work for Facing<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Facing { vertices, tables, unit, middle, reach, planes } = self;
        let count = tables.face_count() as usize;
        let mut inner = [f64::INFINITY; EIGHT];
        for first in (0..count).step_by(EIGHT) {
            let mut corners = [[[0.0; EIGHT]; 3]; 3];
            for lane in 0..EIGHT {
                let three = three_of(tables, (first + lane).min(count - 1) as u32);
                for (corner, vertex) in corners.iter_mut().zip(three) {
                    let at = vertices[vertex as usize];
                    (corner[0][lane], corner[1][lane], corner[2][lane]) = (at.x, at.y, at.z);
                }
            }
            let mut faces = Faces::of(&corners);
            for lane in 0..EIGHT {
                if faces.error[lane] > FINE {
                    let face = (first + lane).min(count - 1) as u32;
                    faces.set(lane, &Face::of(tables, |v| vertices[v as usize], face));
                }
            }
            let Faces { normal: [x, y, z], height, error } = &faces;
            let (block, start) = (&mut planes[first / WIDE], first % WIDE);
            for lane in 0..EIGHT {
                let inside = height[lane]
                    - (x[lane] * middle.x + y[lane] * middle.y + z[lane] * middle.z)
                    - (3.0 * error[lane] + 32.0 * U) * reach;
                // NaN leaves no ball.
                let more = inside >= inner[lane];
                let some = inside > 0.0;
                inner[lane] = if more {
                    inner[lane]
                } else if some {
                    inside
                } else {
                    0.0
                };
                let over = (height[lane] / unit) as f32;
                block.height[start + lane] = if error[lane] < COARSE { over } else { f32::NEG_INFINITY };
                block.x[start + lane] = x[lane] as f32;
                block.y[start + lane] = y[lane] as f32;
                block.z[start + lane] = z[lane] as f32;
            }
        }
        // Places without a face held the last one.
        for place in count..count.next_multiple_of(EIGHT) {
            let (block, lane) = (&mut planes[place / WIDE], place % WIDE);
            (block.x[lane], block.y[lane], block.z[lane]) = (0.0, 0.0, 0.0);
            block.height[lane] = f32::INFINITY;
        }
        inner.into_iter().fold(f64::INFINITY, |least, x| if x < least { x } else { least })
    }
}

/// Three corners of a face, far from each other.
#[inline(always)]
fn three_of(tables: &Tables, face: u32) -> [u32; 3] {
    let places = tables.corners_of(face);
    [0, places.len() / 3, 2 * places.len() / 3].map(|k| tables.corner(places.start + k))
}

/// Eight faces side by side, as [`Face`] has them.
struct Faces {
    normal: [[f64; EIGHT]; 3],
    height: [f64; EIGHT],
    error: [f64; EIGHT],
}

impl Faces {
    /// From three corners each, by coordinates; in the operations of [`Normal::of`].
    #[inline(always)]
    fn of([p, q, r]: &[[[f64; EIGHT]; 3]; 3]) -> Faces {
        let mut faces = Faces { normal: [[0.0; EIGHT]; 3], height: [0.0; EIGHT], error: [0.0; EIGHT] };
        for k in 0..EIGHT {
            let (ux, uy, uz) = (q[0][k] - p[0][k], q[1][k] - p[1][k], q[2][k] - p[2][k]);
            let (vx, vy, vz) = (r[0][k] - q[0][k], r[1][k] - q[1][k], r[2][k] - q[2][k]);
            let (x, y, z) = (uy * vz - vy * uz, uz * vx - vz * ux, ux * vy - vx * uy);
            let length = (x * x + y * y + z * z).sqrt();
            let over = 1.0 / length;
            let lever =
                (((ux * ux + uy * uy + uz * uz) * over) * ((vx * vx + vy * vy + vz * vz) * over)).sqrt();
            let error = 8.0 * U * lever + 8.0 * U;
            faces.error[k] = if length > 1e-150 { error } else { f64::INFINITY };
            let (x, y, z) = (x * over, y * over, z * over);
            (faces.normal[0][k], faces.normal[1][k], faces.normal[2][k]) = (x, y, z);
            faces.height[k] = x * p[0][k] + y * p[1][k] + z * p[2][k];
        }
        faces
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, face: &Face) {
        for axis in 0..3 {
            self.normal[axis][lane] = face.normal[axis];
        }
        (self.height[lane], self.error[lane]) = (face.height, face.error);
    }
}

/// A normal that may be off by more than this is worth the search for corners that give a better one.
const FINE: f64 = 1e-14;

impl Face {
    /// By three of its corners. Those lie in one plane, exactly, and so does the face.
    fn of(tables: &Tables, at: impl Fn(u32) -> DVec3, face: u32) -> Face {
        let places = tables.corners_of(face);
        let (start, count) = (places.start, places.len());
        let corner = |k: usize| at(tables.corner(start + k));
        let mut best = Normal::of(three_of(tables, face).map(&at));
        if best.error > FINE {
            for k in 2..count {
                let [p, q, r] = [corner(0), corner(k - 1), corner(k)];
                for three in [[p, q, r], [q, r, p], [r, p, q]] {
                    let other = Normal::of(three);
                    best = if other.error < best.error { other } else { best };
                }
            }
        }
        Face { normal: best.normal, height: best.normal.dot(corner(0)), error: best.error }
    }
}

/// The unit normal of a triangle, and a bound of its angle to the exact one.
#[derive(Clone, Copy, Debug)]
struct Normal {
    normal: DVec3,
    error: f64,
}

impl Normal {
    /// From the sides at the second corner.
    ///
    /// With the sides u, v, coordinates off by u relative, each of the six products of the cross product errs by 3u, the
    /// differences by u more: together by 4u·√2|u||v|, so the angle by that over |u × v|. Dividing by the length errs by less than
    /// 4u. Underflows are far below |u × v| > 1e-150.
    #[inline]
    fn of([p, q, r]: [DVec3; 3]) -> Normal {
        let (u, v) = (q - p, r - q);
        let across = u.cross(v);
        let length = across.length();
        if length > 1e-150 {
            let over = length.recip();
            let lever = ((u.length_squared() * over) * (v.length_squared() * over)).sqrt();
            Normal { normal: across * over, error: 8.0 * U * lever + 8.0 * U }
        } else {
            Normal { normal: DVec3::X, error: f64::INFINITY }
        }
    }
}

/// Vertices far from one another, each next one the farthest from all before.
struct Lookouts<'a> {
    octets: &'a [Octet],
    count: usize,
}

impl Work for Lookouts<'_> {
    type Output = [u16; MOST_LOOKOUTS];

    #[inline(always)]
    fn run(self) -> [u16; MOST_LOOKOUTS] {
        let Lookouts { octets, count } = self;
        let mut chosen = [0; MOST_LOOKOUTS];
        let mut far = [[f64::INFINITY; 8]; MOST_VERTICES.div_ceil(8)];
        for k in 1..count.min(MOST_LOOKOUTS) {
            let (block, lane) = (&octets[chosen[k - 1] as usize / 8], chosen[k - 1] as usize % 8);
            let (x, y, z) = (block.x[lane], block.y[lane], block.z[lane]);
            let (mut most, mut first) = ([-1.0; 8], [0_u64; 8]);
            for ((number, octet), far) in (0..).zip(octets).zip(&mut far) {
                for lane in 0..8 {
                    let (dx, dy, dz) = (octet.x[lane] - x, octet.y[lane] - y, octet.z[lane] - z);
                    let squared = dx * dx + dy * dy + dz * dz;
                    far[lane] = if squared < far[lane] { squared } else { far[lane] };
                    let better = far[lane] > most[lane];
                    most[lane] = if better { far[lane] } else { most[lane] };
                    first[lane] = if better { number } else { first[lane] };
                }
            }
            let best = (1..8).fold(0, |best, lane| if most[lane] > most[best] { lane } else { best });
            chosen[k] = first[best] as u16 * 8 + best as u16;
        }
        // A filler stands for the first vertex; nobody chooses it but where all vertices are chosen.
        chosen.map(|vertex| if (vertex as usize) < count { vertex } else { 0 })
    }
}
