//! The Gauss map of a solid hull: the unit normals of its faces; each edge is the arc between those of its two faces.

use crate::difference::scan::Octet;
use kontakt_bounds::hull::Hull;
use kontakt_math::DVec3;

const U: f64 = f64::EPSILON / 2.0;
pub(super) const LANES: usize = 8;
/// Points that stand for a body when directions are ruled out, at most.
const MOST_LOOKOUTS: usize = 16;
/// Sizes whose squares are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-100..1e100;

/// Eight faces side by side; of a place without a face the height is infinite.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Planes {
    /// The outer unit normal n.
    pub(super) x: [f64; LANES],
    pub(super) y: [f64; LANES],
    pub(super) z: [f64; LANES],
    /// Least n · corner of the face.
    pub(super) height: [f64; LANES],
    /// **Never less** than the angle between n and the exact normal.
    pub(super) error: [f64; LANES],
}

const NO_PLANES: Planes = Planes {
    x: [0.0; LANES],
    y: [0.0; LANES],
    z: [0.0; LANES],
    height: [f64::INFINITY; LANES],
    error: [0.0; LANES],
};

/// Face normals of a hull in its own frame, and a few vertices that show roughly how far it reaches.
#[derive(Clone, Debug)]
pub(crate) struct GaussMap {
    planes: Vec<Planes>,
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
        let mut planes = vec![NO_PLANES; hull.face_count().div_ceil(LANES)];
        for (number, face) in hull.faces().enumerate() {
            let (block, lane) = (&mut planes[number / LANES], number % LANES);
            let (normal, error) = plane(vertices, face);
            let heights = face.iter().map(|&corner| normal.dot(vertices[corner as usize]));
            (block.x[lane], block.y[lane], block.z[lane]) = (normal.x, normal.y, normal.z);
            block.height[lane] = heights.fold(f64::INFINITY, f64::min);
            block.error[lane] = error;
        }
        let middle = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        let radius = vertices.iter().map(|x| x.distance(middle)).sum::<f64>() / vertices.len() as f64;
        let along = hull.edges().iter().map(|edge| {
            let [p, q] = edge.ends.map(|end| vertices[end as usize]);
            // Brought near 1 first, so that no square underflows.
            let side = q - p;
            (side / side.abs().max_element()).normalize()
        });
        Some(GaussMap { planes, along: along.collect(), lookouts: lookouts(vertices), radius })
    }

    pub(super) fn planes(&self) -> &[Planes] {
        &self.planes
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

    /// The outer unit normal of a face.
    #[inline]
    pub(super) fn normal(&self, face: u32) -> DVec3 {
        let (block, lane) = (&self.planes[face as usize / LANES], face as usize % LANES);
        DVec3::new(block.x[lane], block.y[lane], block.z[lane])
    }

    /// Least normal · corner of a face.
    #[inline]
    pub(super) fn height(&self, face: u32) -> f64 {
        self.planes[face as usize / LANES].height[face as usize % LANES]
    }

    /// **Never less** than the angle between a face's normal and the exact one.
    #[inline]
    pub(super) fn error(&self, face: u32) -> f64 {
        self.planes[face as usize / LANES].error[face as usize % LANES]
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
