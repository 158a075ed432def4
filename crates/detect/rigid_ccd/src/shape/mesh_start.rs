//! Whether a part of a shape is inside a closed mesh where a motion starts.

// No face of the mesh passes through the part: that has been asked of every face. If the part has an inside, that inside is connected and
// meets no face, so that one point of it tells; if no face even touches the part, any point of it does. The point is taken in doubles:
// it tells of the exact one as long as no face is as near to it as it may be off. A flat part that touches faces may be partly inside
// without crossing any, where it lies in the plane of a face and goes on beyond it; the query at rest of two meshes tells that.

use super::piece::Piece;
use crate::moving::Moving;
use kontakt_answers::Relation;
use kontakt_math::round::length_up;
use kontakt_math::{Chain, DVec3, Motion, Pose};
use kontakt_mesh::{Asker, Mesh, Placed, RelationOptions, Verdict as Where};
use kontakt_shapes::FaceSet;

/// Whether a part of a shape that moves so is inside the mesh at the beginning; `touched` where a face touches it. `None` where that
/// cannot be told.
pub(super) fn is_inside(
    asker: &mut Asker,
    mesh: Moving,
    (piece, motion): (&Piece, &Motion),
    touched: bool,
) -> Option<bool> {
    if piece.wall.is_some() || !mesh.mesh.is_closed() {
        // What no face passes through contains all of the outside, or there is no inside.
        return Some(false);
    }
    let body = Placed::new(mesh.mesh, mesh.motion.pose_at(0.0));
    let pose = motion.pose_at(0.0);
    if touched && piece.is_flat() {
        return flat_is_inside(asker, body, piece, pose);
    }
    let (middle, off) = piece.middle();
    let point = pose.apply(middle);
    let error = (off + pose.apply_error(middle)) * (1.0 + 1e-9) + 4.0 * f64::EPSILON * length_up(point);
    let clear = body.nearest(point).is_some_and(|near| near.distance.lo() > error);
    match body.inside(point).verdict {
        Where::Inside if clear => Some(true),
        Where::Outside if clear => Some(false),
        _ => None,
    }
}

/// The same for a flat polytope, as a sheet of triangles.
fn flat_is_inside(asker: &mut Asker, body: Placed, piece: &Piece, pose: Pose) -> Option<bool> {
    let facets = piece.facets()?;
    let chain = piece.chain().map_or_else(|| Chain::new(pose), |chain| chain.within(pose));
    if !chain.is_exact() {
        return None;
    }
    let last = facets.own.len().checked_sub(1)? as u32;
    let mut triangles: Vec<[u32; 3]> = facets.triangles.iter().map(|t| t.map(|i| i as u32)).collect();
    // A segment or a point.
    if triangles.is_empty() {
        triangles.push([0, last, last]);
    }
    let sheet = Mesh::with_threads(FaceSet::from_triangles(facets.own, triangles).ok()?, 1).ok()?;
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    match asker.relation(body, Placed::new(&sheet, *chain.composed()), &options).exact {
        Relation::Undecided { .. } => None,
        Relation::Separate { .. } | Relation::Touching => Some(false),
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => Some(true),
    }
}

/// Whether balls around a piece and the mesh leave room for the one in the other; `offset` is the piece's centre in the mesh's frame, with
/// a bound of its error.
pub(super) fn may_be_inside(mesh: &Mesh, piece: &Piece, (offset, error): (DVec3, f64)) -> bool {
    let size = 1.7321 * 2.0_f64.powi(mesh.tree().exponent());
    let reach = (size + piece.radius + piece.round[1] + error) * (1.0 + 1e-9);
    let away = length_up(offset - mesh.tree().origin()) * (1.0 - 1e-12);
    away <= reach || away.is_nan() || reach.is_nan()
}
