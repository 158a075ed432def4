//! Whether a point of a face's parameters is in the face for certain.
//!
//! Between an edge that bends inwards and its chord, triangles have parameters outside of the face. Such places are within twice the
//! largest distance of an edge from its chord (`Tessellation::chord_deviation`) of that edge, and on the side of it that the face is not on. So a
//! point of a triangle's parameters is in the face if it is farther than that from each edge of the face or on the face's side of
//! it. Edges that are straight in the parameters, and seams, which have the face on both sides, have no such places.

use crate::body::Body;
use crate::brep::{Face, Loop};
use crate::curve::Curve;
use crate::enclosing::stretch::smooth;
use crate::sliver::off_line;
use crate::stretch::Stretch;
use crate::tessellate::Domain;
use kontakt_math::DVec3;

/// How often a stretch is halved to see whether it is near.
const HALVINGS: u32 = 24;

/// **Never less** than how far a point of the parameters of a face's triangles may be from the face, up to the model's gaps.
pub(super) fn off(body: &Body, face: u32, point: DVec3) -> f64 {
    let most = 2.0 * body.carrier().chord_deviation;
    let mut off: f64 = 0.0;
    for used in borders(&body.brep().faces()[face as usize]) {
        let edge = &body.brep().edges()[used.0 as usize];
        let aside = aside(body, face, used, point).min(most);
        let is_near = || smooth(edge, 0).iter().any(|side| is_near(&edge.curve, side, point, most, 0));
        if aside > off && is_near() {
            off = aside;
        }
    }
    off
}

/// The edges of a face that are not seams, and which way they are used.
fn borders(face: &Face) -> Vec<(u32, bool)> {
    let uses: Vec<(u32, bool)> = face
        .loops
        .iter()
        .flat_map(|border| match border {
            Loop::Edges(uses) => uses.clone(),
            Loop::Vertex(_) => Vec::new(),
        })
        .collect();
    let is_seam = |used: &(u32, bool)| uses.contains(&(used.0, !used.1));
    uses.iter().copied().filter(|used| !is_seam(used)).collect()
}

/// How far a point near an edge may be beyond it; infinite where that is not known.
///
/// On a sphere a circle has the face on one side of its plane: run through against the clock about its own axis, and seen from outside of the
/// sphere, on the side of that axis.
fn aside(body: &Body, face: u32, (edge, forward): (u32, bool), point: DVec3) -> f64 {
    let edge = &body.brep().edges()[edge as usize];
    let outward = body.brep().faces()[face as usize].outward;
    match (&body.carrier().domains[face as usize], &edge.curve) {
        (Domain::Sphere { .. }, Curve::Ellipse { frame, radii: [a, b] })
            if a == b && body.carrier().residuals[face as usize] == 0.0 =>
        {
            let above = (point - frame.origin).dot(frame.z);
            let inside = if forward == outward { above > 0.0 } else { above < 0.0 };
            if inside { 0.0 } else { f64::INFINITY }
        }
        (Domain::Surface { surface, .. }, _) => off_line(surface, edge),
        (Domain::Sphere { .. }, _) => f64::INFINITY,
    }
}

/// Whether a point of a stretch may be within a distance.
fn is_near(curve: &Curve, side: &Stretch, point: DVec3, within: f64, depth: u32) -> bool {
    let (a, b) = (curve.point(side.from), curve.point(side.to));
    let way = b - a;
    let share = ((point - a).dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    let apart = (a + way * share - point).length();
    let sagitta = curve.sagitta(side.from, side.to);
    if apart - sagitta > within {
        return false;
    }
    if depth == HALVINGS || apart + sagitta <= within {
        return true;
    }
    let halves = Stretch::halves(Some(*side));
    halves.iter().flatten().any(|half| is_near(curve, half, point, within, depth + 1))
}
