//! The penetration depth of polytopes by trying every axis there can be: slow, simple, and the yardstick of the others.

use kontakt_convex::Core;
use kontakt_math::{Between, DVec3};

/// Corners, edge directions and face normals of a polytopal core in its own frame. Normals of flat cores have both signs.
#[derive(Clone, Debug)]
pub struct Features {
    corners: Vec<DVec3>,
    edges: Vec<DVec3>,
    normals: Vec<DVec3>,
}

impl Features {
    /// Of a point, segment, triangle, box or hull; `None` for other cores.
    pub fn of(core: &Core) -> Option<Features> {
        Some(match core {
            Core::Point => Features::flat(&[DVec3::ZERO]),
            Core::Segment(ends) => Features::flat(ends),
            Core::Triangle(corners) => Features::flat(corners),
            Core::Box(half) => Features {
                corners: (0..8_u32).map(|id| sign_vector(id) * *half).collect(),
                edges: DVec3::AXES.to_vec(),
                normals: DVec3::AXES.into_iter().flat_map(|n| [n, -n]).collect(),
            },
            Core::Hull(polytope) => {
                let corners = polytope.vertices();
                if polytope.dimension() < 2 {
                    return Some(Features::flat(corners));
                }
                let at = |id: u32| corners[id as usize];
                Features {
                    corners: corners.to_vec(),
                    edges: polytope.edges().map(|e| at(e.ends[1]) - at(e.ends[0])).collect(),
                    normals: (0..polytope.face_count())
                        .map(|face| widest_normal(&polytope.face(face).collect::<Vec<_>>(), corners))
                        .collect(),
                }
            }
            _ => return None,
        })
    }

    /// Of one to three points.
    fn flat(points: &[DVec3]) -> Features {
        let n = points.len();
        let edges: Vec<DVec3> = (1..n).flat_map(|j| (0..j).map(move |i| points[j] - points[i])).collect();
        let normals = match edges[..] {
            [u, v, _] => vec![u.cross(v), v.cross(u)],
            _ => Vec::new(),
        };
        Features { corners: points.to_vec(), edges, normals }
    }

    /// Greatest distance of a corner from the origin of the frame.
    pub fn size(&self) -> f64 {
        self.corners.iter().map(|x| x.length()).fold(0.0, f64::max)
    }

    /// How far the bodies overlap along a unit vector of A's frame, from A to B.
    pub fn overlap_along(&self, b: &Features, between: &Between, n: DVec3) -> f64 {
        self.reach(n) + b.reach(between.turn().transpose() * -n) - n.dot(between.shift())
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.corners.iter().map(|x| direction.dot(*x)).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn sign_vector(id: u32) -> DVec3 {
    let sign = |bit: u32| if (id >> bit) & 1 == 1 { 1.0 } else { -1.0 };
    DVec3::new(sign(0), sign(1), sign(2))
}

/// The longest of the normals of triangles at the face's first corner.
fn widest_normal(face: &[u32], corners: &[DVec3]) -> DVec3 {
    let at = |k: usize| corners[face[k] as usize] - corners[face[0] as usize];
    let mut widest = DVec3::ZERO;
    for j in 2..face.len() {
        for i in 1..j {
            let normal = at(i).cross(at(j));
            if normal.length_squared() > widest.length_squared() {
                widest = normal;
            }
        }
    }
    widest
}

/// The least overlap of two polytopes along any axis, and the unit axis in A's frame, from A to B. Plain doubles: the
/// overlap is that along the axis returned, to rounding; it may exceed the least one where the best axis is
/// ill-conditioned (edges almost parallel). Negative for separate bodies, but then it is not minus their distance.
///
/// A facet of A − B is spanned by two edges of A, two of B, or one of each; a flat difference has the normal
/// of its plane. Where all edges are parallel, or there are none, any direction across them does.
pub fn least_overlap(a: &Features, b: &Features, between: &Between) -> (f64, DVec3) {
    let turn = between.turn();
    let mut best = (f64::INFINITY, DVec3::X);
    let mut consider = |axis: DVec3| {
        if let Some(n) = axis.try_normalize() {
            let overlap = a.overlap_along(b, between, n);
            if overlap < best.0 {
                best = (overlap, n);
            }
        }
    };
    a.normals.iter().for_each(|n| consider(*n));
    b.normals.iter().for_each(|n| consider(turn * -*n));
    for edge in &b.edges {
        let turned = turn * *edge;
        for other in &a.edges {
            let axis = other.cross(turned);
            // Nearly parallel edges span nothing that roundings leave a meaning.
            if axis.length_squared() > 1e-28 * other.length_squared() * turned.length_squared() {
                consider(axis);
                consider(-axis);
            }
        }
    }
    let lines = a.edges.iter().copied().chain(b.edges.iter().map(|e| turn * *e));
    let mut least_lines: Vec<DVec3> = lines.filter(|e| *e != DVec3::ZERO).take(2).collect();
    least_lines.push(DVec3::Z);
    for line in least_lines {
        let across = line.normalize_or_zero().any_orthonormal_vector();
        consider(across);
        consider(-across);
    }
    best
}
