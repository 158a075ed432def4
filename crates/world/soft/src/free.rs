//! Whether a state is free of intersections, decided exactly for the doubles that are stored.
//!
//! A state is **free** if no edge meets a face that it shares no vertex with. That is all there is to say: two triangles that meet do
//! so in a point or segment that ends on an edge of one inside the other; if they share a vertex, the segment that leaves it ends on
//! an edge that does not have this vertex; if they share an edge they meet beyond it only when folded flat, and then an edge of one
//! meets the other's third corner or crosses a side of it.
//!
//! An edge meets such a face in one of three ways: an end of it lies in the face, it meets a side of the face (both are touches of
//! features at rest, which `soft_ccd` decides), or it goes through the inside: then its ends are strictly on either side of the plane and
//! the face's sides all turn the same way around it, five signs of volumes.
//!
//! On a path from a free state without vertex–face and edge–edge contact every state is free: the first time an edge met a face, they would meet
//! in a closed set without the third case (which persists a little earlier), so in one of the first two, which is such a contact.

pub use crate::meeting::{Meeting, Way};

use crate::SoftError;
use kontakt_bounds::Aabb;
use kontakt_broad::{BoxError, Boxes, Frame, Method, Pairs};
use kontakt_math::{DVec3, Sign, predicates::orient3d};
use kontakt_soft_ccd::Kind;
use kontakt_soft_ccd::mesh::{Options, Search, Step, Surface};
use std::ops::ControlFlow;

/// Everything that meets in a state, sorted, at most `most`. Empty exactly if the state is free.
pub fn meetings(surface: &Surface, places: &[DVec3], most: usize) -> Result<Vec<Meeting>, SoftError> {
    let body = |v: u32| surface.body(v).unwrap_or(0);
    let mut found = Vec::new();
    let step = Step::new(surface, places, places)?;
    let _ = Search::new(&step, &Options::default()).visit(|contacts| {
        for c in contacts {
            let (a, b) = (c.a as usize, c.b as usize);
            let (way, bodies) = match c.kind {
                Kind::VertexFace => {
                    let face = surface.triangles()[b];
                    (Way::VertexInFace(c.a, face), [body(c.a), body(face[0])])
                }
                Kind::EdgeEdge => {
                    let (e, g) = (surface.edges()[a], surface.edges()[b]);
                    (Way::Edges(e, g), [body(e[0]), body(g[0])])
                }
            };
            found.push(Meeting { bodies, way });
        }
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    pierced(surface, places, |edge, face| {
        found.push(Meeting { bodies: [body(edge[0]), body(face[0])], way: Way::EdgeThroughFace(edge, face) });
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    found.sort_unstable();
    found.truncate(most);
    Ok(found)
}

/// Edges that go through the inside of faces.
fn pierced(surface: &Surface, places: &[DVec3], mut take: impl FnMut([u32; 2], [u32; 3]) -> ControlFlow<()>) {
    let (edges, faces) = (surface.edges(), surface.triangles());
    let mut check = |edge: [u32; 2], face: [u32; 3]| {
        let is_apart = edge.iter().all(|v| !face.contains(v));
        if is_apart && goes_through(edge.map(|v| places[v as usize]), face.map(|v| places[v as usize])) {
            take(edge, face)
        } else {
            ControlFlow::Continue(())
        }
    };
    match boxes(surface, places) {
        Ok([of_edges, of_faces]) => {
            if let Ok(pairs) = Pairs::between(&of_edges, &of_faces, Method::Cells) {
                for [e, f] in pairs.collect() {
                    if check(edges[e as usize], faces[f as usize]).is_break() {
                        return;
                    }
                }
                return;
            }
        }
        Err(_) if edges.is_empty() => return,
        Err(_) => {}
    }
    // Boxes of finite places are never refused; should they be, everything is compared.
    for &edge in edges {
        for &face in faces {
            if check(edge, face).is_break() {
                return;
            }
        }
    }
}

fn boxes(surface: &Surface, places: &[DVec3]) -> Result<[Boxes; 2], BoxError> {
    fn around(places: &[DVec3], vertices: &[u32]) -> Aabb {
        let at = vertices.iter().map(|&v| places[v as usize]);
        at.fold(Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY }, |all, p| Aabb {
            min: all.min.min(p),
            max: all.max.max(p),
        })
    }
    let of_edges: Vec<Aabb> = surface.edges().iter().map(|e| around(places, e)).collect();
    let of_faces: Vec<Aabb> = surface.triangles().iter().map(|t| around(places, t)).collect();
    let frame = Frame::around(of_edges.iter().chain(&of_faces).copied());
    Ok([Boxes::new(frame, of_edges)?, Boxes::new(frame, of_faces)?])
}

/// Whether an edge goes strictly through the inside of a face.
fn goes_through([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let (above, below) = (orient3d(a, b, c, p), orient3d(a, b, c, q));
    if above == Sign::Zero || below == Sign::Zero || above == below {
        return false;
    }
    let around = orient3d(p, q, a, b);
    around != Sign::Zero && around == orient3d(p, q, b, c) && around == orient3d(p, q, c, a)
}
