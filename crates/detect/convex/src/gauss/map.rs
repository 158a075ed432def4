//! The Gauss map of a solid hull: the unit normals of its faces; each edge is the arc between those of its two faces.

use crate::difference::scan::Octet;
use kontakt_bounds::hull::Hull;
use kontakt_math::DVec3;

const U: f64 = f64::EPSILON / 2.0;
/// Numbers of single precision that are looked at together.
pub(super) const WIDE: usize = 16;
/// Points that stand for a body when directions are ruled out, at most.
const MOST_LOOKOUTS: usize = 16;
/// Sizes whose squares are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-100..1e100;

/// A face of a hull.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// The outer unit normal n.
    pub(super) normal: DVec3,
    /// Least n · corner.
    pub(super) height: f64,
    /// **Never less** than the angle between n and the exact normal.
    pub(super) error: f64,
}

/// Sixteen faces in single precision side by side: normals, and heights over the map's unit. A face whose normal may be off by more
/// than [`COARSE`] has the height −∞, a place without a face +∞.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Planes {
    pub(super) x: [f32; WIDE],
    pub(super) y: [f32; WIDE],
    pub(super) z: [f32; WIDE],
    pub(super) height: [f32; WIDE],
}

const NO_PLANES: Planes =
    Planes { x: [0.0; WIDE], y: [0.0; WIDE], z: [0.0; WIDE], height: [f32::INFINITY; WIDE] };

/// What is lost on a normal in single precision anyway.
const COARSE: f64 = 1e-7;

/// The faces left and right of sixteen edges; places without an edge have face 0.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Sides {
    pub(super) left: [u32; WIDE],
    pub(super) right: [u32; WIDE],
}

/// Face normals of a hull in its own frame, and a few vertices that show roughly how far it reaches.
#[derive(Clone, Debug)]
pub(crate) struct GaussMap {
    faces: Vec<Face>,
    planes: Vec<Planes>,
    /// What heights of `planes` are divided by: never less than any coordinate's size.
    unit: f64,
    /// Numbers of faces, all of which are in `planes`.
    sides: Vec<Sides>,
    /// Unit vectors along the edges, off by 4u.
    along: Vec<DVec3>,
    lookouts: Vec<Octet>,
    /// Mean distance of the vertices from their middle.
    radius: f64,
}

impl GaussMap {
    /// Of a hull with these vertices; `None` unless it is solid and its edges are not too short to compute with.
    pub(crate) fn new(vertices: &[DVec3], hull: &Hull) -> Option<GaussMap> {
        let size = vertices.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        let shortest = hull.edges().iter().map(|edge| {
            let [p, q] = edge.ends.map(|end| vertices[end as usize]);
            (q - p).abs().max_element()
        });
        if hull.dimension() < 3 || !TAME.contains(&size) || shortest.fold(size, f64::min) < 1e-30 * size {
            return None;
        }
        let face = |corners: &[u32]| {
            let (normal, error) = plane(vertices, corners);
            let heights = corners.iter().map(|&corner| normal.dot(vertices[corner as usize]));
            Face { normal, height: heights.fold(f64::INFINITY, f64::min), error }
        };
        let faces: Vec<Face> = hull.faces().map(face).collect();
        let mut planes = vec![NO_PLANES; faces.len().div_ceil(WIDE)];
        for (number, face) in faces.iter().enumerate() {
            let (block, lane) = (&mut planes[number / WIDE], number % WIDE);
            let normal = face.normal.as_vec3();
            (block.x[lane], block.y[lane], block.z[lane]) = (normal.x, normal.y, normal.z);
            block.height[lane] =
                if face.error < COARSE { (face.height / size) as f32 } else { f32::NEG_INFINITY };
        }
        let mut sides = vec![Sides::default(); hull.edges().len().div_ceil(WIDE)];
        for (number, edge) in hull.edges().iter().enumerate() {
            let (block, lane) = (&mut sides[number / WIDE], number % WIDE);
            [block.left[lane], block.right[lane]] =
                edge.faces.map(|face| face.min(hull.face_count() as u32 - 1));
        }
        let middle = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        let radius = vertices.iter().map(|x| x.distance(middle)).sum::<f64>() / vertices.len() as f64;
        let along = hull.edges().iter().map(|edge| {
            let [p, q] = edge.ends.map(|end| vertices[end as usize]);
            // Brought near 1 first, so that no square underflows.
            let side = q - p;
            (side / side.abs().max_element()).normalize()
        });
        Some(GaussMap {
            faces,
            planes,
            unit: size,
            sides,
            along: along.collect(),
            lookouts: lookouts(vertices),
            radius,
        })
    }

    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    pub(super) fn planes(&self) -> &[Planes] {
        &self.planes
    }

    /// The faces beside the edges. Their numbers are less than [`WIDE`] times the number of `planes`.
    pub(super) fn sides(&self) -> &[Sides] {
        &self.sides
    }

    /// How many faces there are.
    pub(super) fn face_count(&self) -> u32 {
        self.faces.len() as u32
    }

    /// How many edges there are.
    pub(super) fn edge_count(&self) -> u32 {
        self.along.len() as u32
    }

    /// The faces left and right of an edge.
    #[inline]
    pub(super) fn sides_of(&self, edge: u32) -> [u32; 2] {
        let (block, lane) = (&self.sides[edge as usize / WIDE], edge as usize % WIDE);
        [block.left[lane], block.right[lane]]
    }

    pub(super) fn lookouts(&self) -> &[Octet] {
        &self.lookouts
    }

    /// The unit vector from an edge's first end to its second.
    #[inline]
    pub(super) fn along(&self, edge: u32) -> DVec3 {
        self.along[edge as usize]
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    #[inline]
    pub(super) fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }
}

/// The outer unit normal of a face, and a bound of its angle to the exact one.
///
/// The corners lie in one plane, exactly. With two sides u, v of a triangle of them, coordinates off by u relative, each of the
/// six products of the cross product errs by 3u, the differences by u more: together by 4u·√2|u||v|, so the angle by that
/// over |u × v|. Dividing by the length errs by less than 4u. Underflows are far below |u × v| > 1e-150.
fn plane(vertices: &[DVec3], face: &[u32]) -> (DVec3, f64) {
    let at = |k: usize| vertices[face[k] as usize];
    let mut best = (0.0, DVec3::ZERO, 0.0);
    for k in 2..face.len() {
        let [p, q, r] = [at(0), at(k - 1), at(k)];
        let mut sides = [q - p, r - q, p - r];
        // The two shortest sides are those with the widest angle.
        sides.sort_by(|u, v| u.length_squared().total_cmp(&v.length_squared()));
        let normal = (q - p).cross(r - p);
        let across = sides[0].cross(sides[1]);
        let (length, lever) = (across.length(), sides[0].length() * sides[1].length());
        if length > best.0 {
            best = (length, if across.dot(normal) < 0.0 { -across } else { across }, lever);
        }
    }
    let (length, normal, lever) = best;
    if length > 1e-150 {
        (normal / length, 8.0 * U * (lever / length) + 8.0 * U)
    } else {
        (DVec3::X, f64::INFINITY)
    }
}

/// Vertices far from one another, each next one the farthest from all before; the last octet is filled up with the first of them.
fn lookouts(vertices: &[DVec3]) -> Vec<Octet> {
    let mut found: Vec<DVec3> = Vec::with_capacity(MOST_LOOKOUTS);
    let mut far = vec![f64::INFINITY; vertices.len()];
    let mut next = 0;
    while found.len() < MOST_LOOKOUTS.min(vertices.len()) {
        let chosen = vertices[next];
        found.push(chosen);
        for (far, x) in far.iter_mut().zip(vertices) {
            *far = far.min(x.distance_squared(chosen));
        }
        next = (0..vertices.len()).fold(0, |best, k| if far[k] > far[best] { k } else { best });
    }
    Octet::fill(&found)
}
