//! Apexes of cones that faces reach.

use crate::body::Body;
use crate::surface::Surface;
use crate::tessellate::Domain;
use kontakt_math::DVec3;

/// The apex of each cone with a face that may reach it, and whether it is a point of the body for certain.
pub(super) fn apexes(body: &Body) -> Vec<(DVec3, bool)> {
    let made = body.carrier();
    let mut found = Vec::new();
    for (face, domain) in (0..).zip(&made.domains) {
        let Domain::Surface { surface: Surface::Cone { frame, radii, slope }, .. } = domain else { continue };
        let apex = frame.point(0.0, 0.0, -radii[0] / slope);
        let own = made.triangles.iter().zip(&made.faces).filter(|&(_, &of)| of == face);
        let corners = || own.clone().flat_map(|(ids, _)| ids.iter().map(|&id| made.points[id as usize]));
        let least = corners().map(|x| (x - apex).length()).fold(f64::INFINITY, f64::min);
        if least <= 1e-12 * (apex.length() + radii[0]) {
            found.push((apex, true));
        } else if may_hold(body, face, apex) {
            found.push((apex, false));
        }
    }
    found
}

/// Whether a place is in the box of one of a face's pieces.
fn may_hold(body: &Body, face: u32, place: DVec3) -> bool {
    let made = body.carrier();
    (0..made.triangles.len()).filter(|&k| made.faces[k] == face).any(|k| {
        let [a, b, c] = made.triangles[k].map(|id| made.points[id as usize]);
        let by = made.deviations[k] + 2.0 * made.chord_deviation;
        let (low, high) = (a.min(b).min(c) - by, a.max(b).max(c) + by);
        low.cmple(place).all() && place.cmple(high).all()
    })
}
