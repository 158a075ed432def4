//! What makes faces a solid.

use super::Mesh;
use super::around::Around;
use super::convex_parts::{Outline, Part};
use super::near::Near;
use super::pieces::untouched_pieces;
use kontakt_shapes::DisjointSets;
use kontakt_shapes::point_index::first_at_same_place;
use kontakt_shapes::topology::{has_area, is_closed};
use kontakt_shapes::{FaceSet, HalfEdges, MassProperties};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::OnceLock;

/// Facts about a body's faces that only some queries need.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    /// Every edge has an even number of faces, all or those with an area, and there is an edge.
    pub(crate) closed: bool,
    /// −1 when the signed volume says that the faces are turned inward, else 1.
    pub(crate) outward: f64,
    /// First vertex at the same place, per vertex; `None` when all places differ.
    places: Option<Vec<u32>>,
    pieces: OnceLock<Vec<Vec<u32>>>,
    /// See [`Mesh::self_meeting`].
    pub(crate) self_meeting: OnceLock<Vec<u32>>,
    needles: OnceLock<Vec<u32>>,
    /// See [`Mesh::is_simple_surface`].
    pub(crate) simple: OnceLock<bool>,
    pub(super) near: OnceLock<Near>,
    /// See `depth::outline`.
    pub(crate) outline: OnceLock<Option<Outline>>,
    /// See `depth::parts`.
    pub(crate) parts: OnceLock<Vec<Part>>,
    /// Per face whether its corners run the other way round about the solid, where that is one way for all of it.
    pub(crate) turns: OnceLock<Option<Vec<bool>>>,
    around: OnceLock<Around>,
}

impl Solid {
    pub(crate) fn of(faces: &FaceSet) -> Solid {
        match Solid::in_steps(faces, || Ok::<(), Infallible>(())) {
            Ok(solid) => solid,
            Err(never) => match never {},
        }
    }

    /// The same, given up between its steps when `go_on` says so.
    pub(crate) fn in_steps<E>(faces: &FaceSet, go_on: impl Fn() -> Result<(), E>) -> Result<Solid, E> {
        let counts = HalfEdges::new(faces).counts();
        go_on()?;
        let places = first_at_same_place(faces.vertices());
        go_on()?;
        Ok(Solid {
            closed: is_closed(faces, counts),
            outward: if MassProperties::of(faces).volume < 0.0 { -1.0 } else { 1.0 },
            places,
            pieces: OnceLock::new(),
            self_meeting: OnceLock::new(),
            needles: OnceLock::new(),
            simple: OnceLock::new(),
            near: OnceLock::new(),
            outline: OnceLock::new(),
            parts: OnceLock::new(),
            turns: OnceLock::new(),
            around: OnceLock::new(),
        })
    }

    /// The vertex that stands for the place of `vertex`.
    pub(crate) fn place(&self, vertex: u32) -> u32 {
        self.places.as_ref().map_or(vertex, |places| places[vertex as usize])
    }

    /// The faces grouped by common vertices; `mesh` is the body these facts are about.
    pub(crate) fn pieces(&self, mesh: &Mesh) -> &[Vec<u32>] {
        self.pieces.get_or_init(|| untouched_pieces(mesh, |_| false))
    }

    /// The faces without an area, ascending; `mesh` is the body these facts are about.
    pub(crate) fn needles(&self, mesh: &Mesh) -> &[u32] {
        self.needles.get_or_init(|| {
            let faces = mesh.faces();
            (0..faces.triangles().len() as u32)
                .filter(|&face| !has_area(faces.triangle_points(face as usize)))
                .collect()
        })
    }

    /// The faces at each place; `mesh` is the body these facts are about.
    pub(crate) fn around(&self, mesh: &Mesh) -> &Around {
        self.around.get_or_init(|| Around::new(mesh.faces().triangles(), |v| self.place(v)))
    }

    /// Whether the faces are one surface without branches: two at every edge, all joined by edges, round every place one fan; `mesh` is
    /// the body these facts are about.
    pub(crate) fn is_one_surface(&self, mesh: &Mesh) -> bool {
        one_surface(mesh.faces().triangles(), |v| self.place(v))
    }
}

fn one_surface(triangles: &[[u32; 3]], place: impl Fn(u32) -> u32) -> bool {
    // Each side of each face: places in order, and the corners there (3·face + k).
    let mut sides: Vec<([u32; 2], [u32; 2])> = Vec::with_capacity(3 * triangles.len());
    for (face, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let mut ends = [k, (k + 1) % 3].map(|k| (place(triangle[k]), (3 * face + k) as u32));
            ends.sort_unstable();
            sides.push((ends.map(|end| end.0), ends.map(|end| end.1)));
        }
    }
    sides.sort_unstable();
    let mut faces = DisjointSets::new(triangles.len());
    let mut fans = DisjointSets::new(3 * triangles.len());
    for edge in sides.chunk_by(|p, q| p.0 == q.0) {
        let [(_, p), (_, q)] = edge else { return false };
        faces.join(p[0] / 3, q[0] / 3);
        fans.join(p[0], q[0]);
        fans.join(p[1], q[1]);
    }
    let mut fan_of: HashMap<u32, u32> = HashMap::new();
    (0..3 * triangles.len() as u32).all(|corner| {
        let (face, fan) = (corner / 3, fans.root(corner));
        let at = place(triangles[face as usize][corner as usize % 3]);
        faces.root(face) == 0 && *fan_of.entry(at).or_insert(fan) == fan
    })
}
