//! A body put together: vertices, edges, loops, faces.

use super::loss::Why;
use super::sketch::Sketch;
use super::track::Stretch;
use kontakt_curved::{Brep, BrepError, Edge, Face, Loop, Surface};
use kontakt_math::DVec3;

/// Edges one after the other, each with whether it is run through forwards.
pub(crate) type Uses = Vec<(u32, bool)>;

/// Vertices, edges and faces so far.
#[derive(Default)]
pub(crate) struct Builder {
    vertices: Vec<DVec3>,
    /// The vertex that stands for this one: itself, unless it was welded to another.
    same: Vec<u32>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    face_ids: Vec<u64>,
}

impl Builder {
    pub(crate) fn vertex(&mut self, point: DVec3) -> u32 {
        let index = self.vertices.len() as u32;
        self.vertices.push(point);
        self.same.push(index);
        index
    }

    pub(crate) fn place(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize]
    }

    /// An edge between vertices in the order asked for when the stretch was made; its number, and whether it runs that way.
    pub(crate) fn edge(&mut self, stretch: Stretch, [from, to]: [u32; 2]) -> (u32, bool) {
        let ends = if stretch.swapped { [to, from] } else { [from, to] };
        self.edges.push(Edge { curve: stretch.curve, range: stretch.range, ends });
        (self.edges.len() as u32 - 1, !stretch.swapped)
    }

    fn root(&self, mut vertex: u32) -> u32 {
        while self.same[vertex as usize] != vertex {
            vertex = self.same[vertex as usize];
        }
        vertex
    }

    fn ends(&self, (edge, forward): (u32, bool)) -> (u32, u32) {
        let [from, to] = self.edges[edge as usize].ends.map(|end| self.root(end));
        if forward { (from, to) } else { (to, from) }
    }

    /// Checks that edges follow one another. Vertices that should be one and are at one place, within `weld`, become one; how many
    /// is returned.
    pub(crate) fn close(&mut self, uses: &[(u32, bool)], weld: f64) -> Result<u32, Why> {
        let seam = |builder: &Builder, i: usize| {
            (builder.ends(uses[i]).1, builder.ends(uses[(i + 1) % uses.len()]).0)
        };
        let apart = |i| {
            let (end, start) = seam(self, i);
            end != start && (self.place(end) - self.place(start)).length() > weld
        };
        if (0..uses.len()).any(apart) {
            return Err(Why::Open);
        }
        let mut welded = 0;
        for i in 0..uses.len() {
            let (end, start) = seam(self, i);
            if end != start {
                self.same[end.max(start) as usize] = end.min(start);
                welded += 1;
            }
        }
        if uses.is_empty() { Err(Why::Open) } else { Ok(welded) }
    }

    /// Edges of a loop in an order in which each begins where the one before ends, if that is easily found.
    pub(crate) fn ordered(&self, uses: &[(u32, bool)]) -> Option<Uses> {
        // So many can be tried out one by one; writers that lose the order write small loops.
        if uses.len() > 1000 {
            return None;
        }
        let (mut left, mut ordered) = (uses.to_vec(), Vec::with_capacity(uses.len()));
        ordered.push(left.remove(0));
        while let Some(&last) = ordered.last().filter(|_| !left.is_empty()) {
            let end = self.ends(last).1;
            let next = left.iter().position(|&edge| self.ends(edge).0 == end)?;
            ordered.push(left.remove(next));
        }
        let closes = self.ends(*ordered.last()?).1 == self.ends(ordered[0]).0;
        closes.then_some(ordered)
    }

    /// A face with its loops as seen from outside. `agrees` says whether the file's normal points out.
    pub(crate) fn face(
        &mut self,
        id: u64,
        sketch: Sketch,
        agrees: bool,
        loops: Vec<Loop>,
    ) -> Result<&'static str, Why> {
        let outward = agrees ^ sketch.flipped;
        let surface = sketch.surface()?;
        let bordered = loops.iter().any(|border| matches!(border, Loop::Edges(_)));
        let closed = match &surface {
            Surface::Sphere { .. } | Surface::Torus { .. } => true,
            Surface::Nurbs(_) | Surface::Revolution { .. } => !loops.is_empty(),
            _ => false,
        };
        if !bordered && !closed {
            return Err(Why::NoBounds);
        }
        let kind = surface.kind();
        self.faces.push(Face { surface, outward, loops });
        self.face_ids.push(id);
        Ok(kind)
    }

    /// The body, and the numbers of its faces.
    pub(crate) fn finish(mut self) -> Result<(Brep, Vec<u64>), BrepError> {
        for index in 0..self.edges.len() {
            let ends = self.edges[index].ends.map(|end| self.root(end));
            self.edges[index].ends = ends;
        }
        for face in &mut self.faces {
            for border in &mut face.loops {
                if let Loop::Vertex(vertex) = border {
                    let mut root = *vertex;
                    while self.same[root as usize] != root {
                        root = self.same[root as usize];
                    }
                    *vertex = root;
                }
            }
        }
        Ok((Brep::new(self.vertices, self.edges, self.faces)?, self.face_ids))
    }
}

/// A loop run through the other way.
pub(crate) fn turned(uses: Uses) -> Uses {
    uses.into_iter().rev().map(|(edge, forward)| (edge, !forward)).collect()
}
