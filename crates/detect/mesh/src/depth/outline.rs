//! The hull of a body, and whether the body is all of it.
//!
//! **Convex.** Let H be the hull of all corners of faces with an area; it holds every such face, so points off H are outside the
//! body. If every face with an area lies on the boundary of H, then none has a point in the interior of H, which is
//! connected: it is all inside the body or all outside. One point of it tells which. Faces without area bound nothing, and it
//! makes no difference how often or which way round the others lie over each other.
//!
//! A face lies on the boundary of H exactly when all of H is on one side of its plane. At a corner that is a vertex of H its
//! neighbours decide that, whose cone holds H.

use crate::face::Between;
use crate::mesh::{Mesh, Outline};
use crate::space::{Space, Spot, is_odd};
use kontakt_answers::Side;
use kontakt_bounds::hull::convex_hull;
use kontakt_convex::{Core, Polytope, Shape};
use kontakt_math::exact_map::{Homogeneous, exact_point};
use kontakt_math::predicates::orient3d;
use kontakt_math::{DVec3, Pose, Sign};
use kontakt_shapes::topology::has_area;

/// The hull of a closed body's faces, made when first asked for; `None` for one without volume.
pub(crate) fn outline(mesh: &Mesh) -> Option<&Outline> {
    mesh.solid().outline.get_or_init(|| Outline::of(mesh)).as_ref()
}

impl Outline {
    /// Of a closed body; `None` for one without volume.
    fn of(mesh: &Mesh) -> Option<Outline> {
        let (faces, solid) = (mesh.faces(), mesh.solid());
        let solids: Vec<[u32; 3]> = faces
            .triangles()
            .iter()
            .filter(|t| has_area(t.map(|v| faces.vertices()[v as usize])))
            .map(|t| t.map(|v| solid.place(v)))
            .collect();
        Outline::of_faces(mesh, &solids)
    }

    /// Of some faces of a body, given by the places of their corners; all have an area.
    pub(super) fn of_faces(mesh: &Mesh, triangles: &[[u32; 3]]) -> Option<Outline> {
        let vertices = mesh.faces().vertices();
        let mut places: Vec<u32> = triangles.iter().flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        let points: Vec<DVec3> = places.iter().map(|&v| vertices[v as usize]).collect();
        let hull = convex_hull(&points).ok().filter(|hull| hull.dimension() == 3)?;
        let mut extreme: Vec<u32> = hull.vertices().iter().map(|&i| places[i as usize]).collect();
        extreme.sort_by(|&i, &j| compare(vertices[i as usize], vertices[j as usize]));
        let sorted: Vec<DVec3> = extreme.iter().map(|&v| vertices[v as usize]).collect();
        let hull = Shape::hull(&sorted).ok()?;
        let Core::Hull(polytope) = hull.core() else { return None };
        // Which vertex of the hull a place is.
        let mut rank = vec![None; vertices.len()];
        for number in 0..polytope.vertex_count() {
            rank[extreme[polytope.source(number) as usize] as usize] = Some(number);
        }
        let on_boundary = |t: &[u32; 3]| {
            let vertex = t.iter().find_map(|&v| rank[v as usize]);
            is_on_boundary(polytope, t.map(|v| vertices[v as usize]), vertex)
        };
        let convex = triangles.iter().all(on_boundary) && is_inside(mesh, polytope);
        Some(Outline { hull, convex })
    }
}

/// Lexicographic order of points.
pub(super) fn compare(p: DVec3, q: DVec3) -> std::cmp::Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
}

/// Whether all of the hull is on one side of the plane of a face; `vertex`: a vertex of the hull that is a corner of the face.
fn is_on_boundary(polytope: &Polytope, [a, b, c]: [DVec3; 3], vertex: Option<u32>) -> bool {
    let side = |number: u32| orient3d(a, b, c, polytope.vertex(number));
    let about = |number: u32| {
        let mut sides = Vec::new();
        polytope.neighbours(number, |neighbour| sides.push(side(neighbour)));
        one_sided(sides.into_iter())
    };
    if let Some(number) = vertex {
        return about(number);
    }
    // A face within a larger one of the hull: a vertex of that is farthest along one of its normals.
    let normal = (b - a).cross(c - a);
    let farthest = [normal, -normal].map(|n| polytope.farthest(n));
    match farthest.into_iter().find(|&number| side(number) == Sign::Zero) {
        Some(number) => about(number),
        None => one_sided((0..polytope.vertex_count()).map(side)),
    }
}

/// Whether no two of the sides are opposite.
fn one_sided(sides: impl Iterator<Item = Sign>) -> bool {
    let mut some = sides.filter(|&side| side != Sign::Zero);
    some.next().is_none_or(|first| some.all(|side| side == first))
}

/// Whether the body's parity is odd at a point of the hull's interior: the mean of four vertices in no common plane. **Exact.**
fn is_inside(mesh: &Mesh, polytope: &Polytope) -> bool {
    let mut face = polytope.face(0).map(|number| polytope.vertex(number));
    let (Some(a), Some(b), Some(c)) = (face.next(), face.next(), face.next()) else { return false };
    let off = |&&d: &&DVec3| orient3d(a, b, c, d) != Sign::Zero;
    let Some(&d) = polytope.vertices().iter().find(off) else { return false };
    let sum = |p: Homogeneous, q: Homogeneous| -> Homogeneous { std::array::from_fn(|k| &p[k] + &q[k]) };
    let mean = [b, c, d].into_iter().fold(exact_point(a), |all, x| sum(all, exact_point(x)));
    let space = Space::new(Between::new(Pose::IDENTITY, Pose::IDENTITY), mesh, mesh);
    is_odd(&space, Side::A, &Spot::made(mean))
}
