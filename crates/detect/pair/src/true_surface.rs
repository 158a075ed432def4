//! Distances on the true surfaces of bodies, whatever their triangles are like.

use crate::body::{Body, Placed};
use crate::query::Proximity;
use kontakt_answers::Feature;
use kontakt_curved::{DistanceOptions, Faces, surface_distance};
use kontakt_math::Between;

/// Most pairs of patches looked at: surfaces that run along each other never let the ends close.
const MOST: usize = 20_000;

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

fn faces(body: &Body) -> Option<Faces<'_>> {
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
