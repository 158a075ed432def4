//! Ball against convex polyhedron: the one case of the Hausdorff distance with a closed form.

use super::nearest::{Faces, Nearest};
use super::{Hausdorff, HausdorffLimit, directed_hausdorff};
use crate::bound::FitError;
use crate::closest::closest_to_origin;
use crate::volume::Sphere;
use kontakt_math::predicates::orient3d;
use kontakt_math::{DVec3, Sign};

/// Directed Hausdorff distance from a solid ball to the surface of a convex polyhedron (closed, faces outward), both
/// for the ball's points outside the polyhedron, exactly to rounding, and inside, where `limit` applies.
///
/// Derivation (after Hubbard): let s(x) be the signed distance from the surface, negative inside. Over the ball's points
/// outside, max d = r + s(c): s is 1-Lipschitz, and from c along the normal of its nearest face it grows at rate 1. The
/// thesis stops here; but points of the ball deep inside the polyhedron count too, and for a ball around a cube they
/// decide: their maximum is the depth of the deepest point of ball ∩ polyhedron, at most the inscribed radius.
pub fn ball_to_convex_polyhedron(
    ball: &Sphere,
    points: &[DVec3],
    triangles: &[[u32; 3]],
    limit: HausdorffLimit,
) -> Result<Hausdorff, FitError> {
    let faces = Faces::new(points, triangles)?;
    if !(ball.centre.is_finite() && ball.radius.is_finite() && ball.radius >= 0.0) {
        return Err(FitError::Parameter {
            what: format!("ball radius {} or centre is not in range", ball.radius),
        });
    }
    let nearest = faces.nearest(ball.centre)?;
    let inside = faces.corners().all(|[a, b, c]| orient3d(a, b, c, ball.centre) != Sign::Negative);
    let outward = if inside { nearest.place - ball.centre } else { ball.centre - nearest.place };
    let (low, high) = if inside {
        (ball.radius - nearest.upper, ball.radius - nearest.lower)
    } else {
        (ball.radius + nearest.lower, ball.radius + nearest.upper)
    };
    let direction =
        closest_to_origin(&[outward]).and_then(|c| (c.distance > 0.0).then(|| c.point / c.distance));
    let outside = Hausdorff {
        lower: low.next_down().max(0.0),
        upper: high.next_up().max(0.0),
        witness: ball.centre + direction.unwrap_or(DVec3::X) * ball.radius,
        face: nearest.face,
        cells: 1,
    };
    let deepest = depth_in_ball(ball, &faces, points, limit)?;
    let witness = if outside.lower >= deepest.lower { outside } else { deepest };
    Ok(Hausdorff {
        lower: witness.lower,
        upper: outside.upper.max(deepest.upper),
        cells: deepest.cells + 1,
        ..witness
    })
}

/// Greatest distance from the surface over the polyhedron's solid, as a superset of its part in the ball; when the deepest
/// place found is in the ball, also from below.
fn depth_in_ball(
    ball: &Sphere,
    faces: &Faces,
    points: &[DVec3],
    limit: HausdorffLimit,
) -> Result<Hausdorff, FitError> {
    let solid = crate::sets::PointSet(points);
    let mut deepest = directed_hausdorff(&solid, faces, limit)?;
    let apart = (deepest.witness - ball.centre).length();
    if apart > ball.radius {
        // The deepest place is outside of the ball: its distance from it is what the bound may lose.
        deepest.lower = (deepest.lower - (apart - ball.radius) * (1.0 + 1e-12)).max(0.0);
        deepest.witness = ball.centre + (deepest.witness - ball.centre) * (ball.radius / apart);
    }
    Ok(deepest)
}
