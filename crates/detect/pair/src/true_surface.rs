//! Distances on the true surfaces of bodies, whatever their triangles are like.

use crate::body::{Body, Placed};
use crate::query::Proximity;
use crate::relation::MEETING;
use kontakt_answers::{Feature, Relation, Side};
use kontakt_curved::{DistanceOptions, Faces, surface_distance};
use kontakt_math::{Between, DVec3};
use kontakt_mesh::{Location, MeshQuery, any_piece_inside};

/// Most pairs of patches looked at: surfaces that run along each other never let the ends close.
const MOST: usize = 20_000;
/// The same where it is only asked whether they are apart.
const SETTLING: usize = 10_000;
/// The distance of the surfaces of two bodies, its ends as close as asked for where the effort allows; `None` where one has no faces.
pub(crate) fn distance(a: Placed, b: Placed, close: f64) -> Option<Proximity> {
    let options = DistanceOptions { tolerance: close, most_pairs: MOST, only_sign: false };
    let found = surface_distance(faces(a.body)?, faces(b.body)?, &Between::new(a.pose, b.pose), &options)?;
    Some(Proximity {
        range: found.range,
        point_a: a.pose.apply(found.point_a),
        point_b: a.pose.apply(found.point_b),
        feature_a: face(a.body, found.face_a),
        feature_b: face(b.body, found.face_b),
    })
}

/// What the true surfaces tell where the triangles leave it open: apart, or all inside.
pub(crate) fn settled(a: Placed, b: Placed, slack: f64) -> Option<Relation> {
    let options = DistanceOptions { tolerance: 1e-3 * slack, most_pairs: SETTLING, only_sign: false };
    let between = Between::new(a.pose, b.pose);
    let found = surface_distance(faces(a.body)?, faces(b.body)?, &between, &options)?;
    if found.range.lo() > 0.0 {
        return match (inside(a, b)?, inside(b, a)?) {
            (Held::None, Held::None) => Some(Relation::Separate { distance: found.range }),
            (Held::All, Held::None) => Some(Relation::Contained { inner: Side::A }),
            (Held::None, Held::All) => Some(Relation::Contained { inner: Side::B }),
            _ => Some(MEETING),
        };
    }
    None
}

/// How many of a body's shells are inside another.
enum Held {
    None,
    Some,
    All,
}

/// Surfaces that are apart: every shell of the one is inside the other or outside. `None` where that is not told.
fn inside(inner: Placed, outer: Placed) -> Option<Held> {
    let points = match inner.body {
        Body::Curved(body) => body.shell_points().to_vec(),
        Body::Mesh(_) | Body::Convex(_) => return by_triangles(inner, outer),
    };
    let sides: Option<Vec<bool>> =
        points.into_iter().map(|point| holds(outer, inner.pose.apply(point))).collect();
    let sides = sides?;
    Some(match sides.iter().filter(|&&held| held).count() {
        0 => Held::None,
        all if all == sides.len() => Held::All,
        _ => Held::Some,
    })
}

/// Shells of a mesh inside a curved body: what its triangles tell, if they are apart by more than they deviate.
fn by_triangles(inner: Placed, outer: Placed) -> Option<Held> {
    let (x, y) = (inner.surface()?, outer.surface()?);
    let mut query = MeshQuery::new();
    let far = query.distance(x, y).range.lo() > outer.body.deviation();
    far.then(|| if any_piece_inside(x, y) { Held::Some } else { Held::None })
}

/// Whether a body holds a point of the world.
fn holds(body: Placed, point: DVec3) -> Option<bool> {
    match body.body {
        Body::Curved(curved) if curved.mesh().is_closed() => {
            curved.contains(body.pose.inverse().apply(point))
        }
        // A sheet holds nothing.
        Body::Curved(_) => Some(false),
        Body::Mesh(_) | Body::Convex(_) => {
            let mesh = body.surface()?;
            Some(mesh.mesh.is_closed() && mesh.inside(point).verdict == Location::Inside)
        }
    }
}

/// The faces of a body, true or flat.
pub(crate) fn faces(body: &Body) -> Option<Faces<'_>> {
    match body {
        Body::Curved(body) => Some(Faces::Curved(body)),
        Body::Mesh(_) | Body::Convex(_) => body.surface().map(Faces::Mesh),
    }
}

/// The file's face of a face that was found, which is a triangle of a mesh.
fn face(body: &Body, found: u32) -> Option<Feature> {
    match body {
        Body::Curved(_) => Some(Feature::Face(found)),
        Body::Mesh(_) | Body::Convex(_) => Some(body.face_of(body.surface()?, found)),
    }
}
