//! A convex polyhedron as vertices, edges and faces with the planes of its Voronoi regions, placed in A's frame.

use kontakt_convex::{Core, Polytope};
use kontakt_math::DVec3;

/// A vertex, edge or face by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(usize),
    /// An edge.
    Edge(usize),
    /// A face.
    Face(usize),
}

/// An edge from tail to head, with the faces left and right of it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Its ends.
    pub ends: [usize; 2],
    /// Left and right face.
    pub faces: [usize; 2],
}

/// A face: unit normal, and its edges.
#[derive(Clone, Debug)]
pub struct Face {
    /// Points out.
    pub normal: DVec3,
    /// All around.
    pub edges: Vec<usize>,
}

/// A solid polyhedron.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    /// Places of vertices.
    pub points: Vec<DVec3>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Faces.
    pub faces: Vec<Face>,
    /// Edges at each vertex.
    pub at_vertex: Vec<Vec<usize>>,
}

impl Polyhedron {
    /// Of a box or a solid hull, each point mapped by `place`; `None` for all other cores.
    pub fn of(core: &Core, place: impl Fn(DVec3) -> DVec3) -> Option<Polyhedron> {
        match core {
            Core::Hull(hull) => Polyhedron::of_hull(hull, place),
            Core::Box(half) => {
                let sign = |id: u32, bit: u32| if (id >> bit) & 1 == 1 { 1.0 } else { -1.0 };
                let corner = |id: u32| *half * DVec3::new(sign(id, 0), sign(id, 1), sign(id, 2));
                let corners: Vec<DVec3> = (0..8).map(corner).collect();
                Polyhedron::of_hull(&Polytope::new(&corners).ok()?, place)
            }
            _ => None,
        }
    }

    fn of_hull(polytope: &Polytope, place: impl Fn(DVec3) -> DVec3) -> Option<Polyhedron> {
        if polytope.dimension() != 3 {
            return None;
        }
        let points: Vec<DVec3> = polytope.vertices().iter().map(|x| place(*x)).collect();
        let wide = |ends: [u32; 2]| ends.map(|k| k as usize);
        let edges: Vec<Edge> =
            polytope.edges().map(|e| Edge { ends: wide(e.ends), faces: wide(e.faces) }).collect();
        let mut at_vertex = vec![Vec::new(); points.len()];
        let mut around = vec![Vec::new(); polytope.face_count() as usize];
        for (k, edge) in edges.iter().enumerate() {
            edge.ends.iter().for_each(|v| at_vertex[*v].push(k));
            edge.faces.iter().for_each(|f| around[*f].push(k));
        }
        let normal = |face: u32| {
            let face: Vec<u32> = polytope.face(face).collect();
            // Newell's sum: robust for slivers and polygons alike.
            let at = |k: usize| points[face[k % face.len()] as usize] - points[face[0] as usize];
            (0..face.len()).map(|k| at(k).cross(at(k + 1))).sum::<DVec3>().normalize_or_zero()
        };
        let faces = (0_u32..).zip(around).map(|(face, edges)| Face { normal: normal(face), edges }).collect();
        Some(Polyhedron { points, edges, faces, at_vertex })
    }

    /// From tail to head.
    pub fn along(&self, edge: usize) -> DVec3 {
        let [tail, head] = self.edges[edge].ends;
        self.points[head] - self.points[tail]
    }

    /// A point of a face.
    pub fn on_face(&self, face: usize) -> DVec3 {
        self.points[self.edges[self.faces[face].edges[0]].ends[0]]
    }

    /// In a face's plane, across one of its edges, towards the face's inside.
    pub fn inward(&self, face: usize, edge: usize) -> DVec3 {
        let across = self.faces[face].normal.cross(self.along(edge));
        if self.edges[edge].faces[0] == face { across } else { -across }
    }
}
