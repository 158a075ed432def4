//! Recounts a hull from scratch, in exact arithmetic and without the builder's filters.

use super::Hull;
use super::flat::orientation;
use kontakt_math::DVec3;
use kontakt_math::predicates::{Sign, orient3d};
use thiserror::Error;

/// What is wrong with a hull. Always a bug of the builder, or points that are not those it was built from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// A number points nowhere, or a list is not sorted or not complete.
    #[error("hull tables are inconsistent: {0}")]
    Tables(&'static str),
    /// V − E + F is not 2.
    #[error("{vertices} vertices, {edges} edges and {faces} faces do not close a surface")]
    Euler {
        /// Vertices.
        vertices: usize,
        /// Edges.
        edges: usize,
        /// Faces.
        faces: usize,
    },
    /// A face is not a strictly convex planar polygon.
    #[error("face {face} is not a strictly convex planar polygon")]
    Face {
        /// The face.
        face: usize,
    },
    /// A point lies outside.
    #[error("point {point} is outside face {face}")]
    Outside {
        /// Index of the point given.
        point: usize,
        /// The face.
        face: usize,
    },
    /// Two faces are coplanar.
    #[error("the two faces at edge {edge} do not bend")]
    Flat {
        /// The edge.
        edge: usize,
    },
}

impl Hull {
    /// Checks everything [`Hull`] promises, with the points it was built from. Takes time points × faces.
    pub fn validate(&self, points: &[DVec3]) -> Result<(), Broken> {
        self.check_tables(points)?;
        let at = |v: u32| points[self.vertices[v as usize] as usize];
        if self.dimension < 2 {
            return self.check_thin(points);
        }
        let counts = [self.vertices.len(), self.edges.len(), self.face_count()];
        if counts[0] + counts[2] != counts[1] + 2 {
            return Err(Broken::Euler { vertices: counts[0], edges: counts[1], faces: counts[2] });
        }
        for (number, face) in self.faces().enumerate() {
            let corners: Vec<DVec3> = face.iter().map(|&v| at(v)).collect();
            if !is_convex_polygon(&corners) {
                return Err(Broken::Face { face: number });
            }
            for (index, &point) in points.iter().enumerate() {
                let side = orient3d(corners[0], corners[1], corners[2], point);
                if side == Sign::Negative || (self.dimension == 2 && side != Sign::Zero) {
                    return Err(Broken::Outside { point: index, face: number });
                }
                if self.dimension == 2 && is_beside(&corners, point) {
                    return Err(Broken::Outside { point: index, face: number });
                }
            }
        }
        if self.dimension == 3 {
            for (number, edge) in self.edges.iter().enumerate() {
                let [f, g] = edge.faces.map(|f| self.face(f as usize));
                let [a, b, c] = [f[0], f[1], f[2]].map(at);
                if g.iter().all(|&v| orient3d(a, b, c, at(v)) == Sign::Zero) {
                    return Err(Broken::Flat { edge: number });
                }
            }
        }
        Ok(())
    }

    /// Numbers in range, lists sorted, each half-edge with its opposite, neighbours symmetric.
    fn check_tables(&self, points: &[DVec3]) -> Result<(), Broken> {
        let n = self.vertices.len();
        if self.vertices.iter().any(|&i| i as usize >= points.len())
            || !self.vertices.is_sorted_by(|a, b| a < b)
        {
            return Err(Broken::Tables("vertices are not ascending indices of points"));
        }
        if self.face_vertices.iter().chain(&self.neighbours).any(|&v| v as usize >= n) {
            return Err(Broken::Tables("a vertex number is out of range"));
        }
        if self.neighbour_starts.len() != n + 1 {
            return Err(Broken::Tables("not every vertex has a list of neighbours"));
        }
        let mut directed: Vec<([u32; 2], u32)> = Vec::new();
        for (number, face) in self.faces().enumerate() {
            for k in 0..face.len() {
                directed.push(([face[k], face[(k + 1) % face.len()]], number as u32));
            }
        }
        directed.sort_unstable();
        if directed.len() != 2 * self.edges.len() {
            return Err(Broken::Tables("edges are missing"));
        }
        for edge in &self.edges {
            let [a, b] = edge.ends;
            let both = [([a, b], edge.faces[0]), ([b, a], edge.faces[1])];
            if a >= b || both.iter().any(|side| directed.binary_search(side).is_err()) {
                return Err(Broken::Tables("an edge is not in the two faces it names"));
            }
            if !self.neighbours(a as usize).contains(&b) || !self.neighbours(b as usize).contains(&a) {
                return Err(Broken::Tables("the ends of an edge are not neighbours"));
            }
        }
        if self.dimension >= 2 && self.neighbours.len() != directed.len() {
            return Err(Broken::Tables("there are neighbours without an edge"));
        }
        Ok(())
    }

    /// A point or a segment: every point is equal to the one, or between the two.
    fn check_thin(&self, points: &[DVec3]) -> Result<(), Broken> {
        let wrong = |point| Err(Broken::Outside { point, face: 0 });
        let (first, last) =
            (points[self.vertices[0] as usize], points[self.vertices[self.vertices.len() - 1] as usize]);
        if self.vertices.len() != usize::from(self.dimension) + 1 || (self.dimension == 1 && first == last) {
            return Err(Broken::Tables("a thin hull has the wrong number of vertices"));
        }
        let (min, max) = (first.min(last), first.max(last));
        for (index, &p) in points.iter().enumerate() {
            if p.cmplt(min).any() || p.cmpgt(max).any() || orientation(first, last, p).is_some() {
                return wrong(index);
            }
        }
        Ok(())
    }
}

/// Whether all corners are in one plane and every three consecutive ones turn the same way in it, once around.
fn is_convex_polygon(corners: &[DVec3]) -> bool {
    if corners.len() < 3 {
        return false;
    }
    let n = corners.len();
    let Some((_, turn)) = orientation(corners[0], corners[1], corners[2]) else { return false };
    let planar = corners.iter().all(|&p| orient3d(corners[0], corners[1], corners[2], p) == Sign::Zero);
    // For each edge all other corners are strictly on its left: convex, and not wound twice.
    planar
        && (0..n).all(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % n]);
            (0..n)
                .filter(|&k| k != i && k != (i + 1) % n)
                .all(|k| orientation(a, b, corners[k]).is_some_and(|(_, sign)| sign == turn))
        })
}

/// Whether a coplanar point is strictly outside the polygon.
fn is_beside(corners: &[DVec3], point: DVec3) -> bool {
    let n = corners.len();
    let Some((_, turn)) = orientation(corners[0], corners[1], corners[2]) else { return true };
    (0..n).any(|i| orientation(corners[i], corners[(i + 1) % n], point).is_some_and(|(_, sign)| sign != turn))
}
