//! Grows the surface where it is nearest to the origin until that face lies on the difference's boundary.

use super::Scaled;
use super::start::{Start, start};
use super::surface::{Added, Surface};
use crate::difference::Spot;
use kontakt_math::DVec3;

/// A direction and how far the difference reaches along it, with three vertices that span the facet it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Unit vector.
    pub(crate) normal: DVec3,
    /// Greatest normal · w found.
    pub(crate) height: f64,
    /// A vertex there.
    pub(crate) top: Spot,
    /// Corners of the surface's face that looks along `normal`.
    pub(crate) corners: [Spot; 3],
}

/// How the descent ended.
pub(crate) enum Descent {
    /// The surface's nearest face is on the boundary to rounding, or the surface could grow no more.
    Ended(Reach),
    /// The difference lies in a plane with this unit normal, to rounding.
    Flat(DVec3),
    /// All of the difference lies below the plane through the origin with this unit normal.
    Outside(DVec3),
}

/// Runs it. Any height is an upper bound of the depth; the faces of `surface` bound it from below.
pub(crate) fn descend(pair: &Scaled<'_>, towards: DVec3, surface: &mut Surface, tolerance: f64) -> Descent {
    let (corners, more) = match start(pair, towards, 4.0 * tolerance) {
        Start::Solid(corners, more) => (corners, more),
        Start::Flat(normal) => return Descent::Flat(normal),
    };
    surface.reset(corners);
    for spot in more.into_iter().flatten() {
        if let Some(face) = surface.highest_face_below(spot.w, tolerance) {
            surface.add(spot, face, tolerance);
        }
    }
    let mut best =
        Reach { normal: towards, height: f64::INFINITY, top: corners[0], corners: [corners[0]; 3] };
    let mut chances = 256_i32;
    while let Some((face, near)) = surface.nearest() {
        let normal = surface.normal(face);
        let spot = pair.support(normal);
        let height = normal.dot(spot.w);
        if height < best.height {
            best = Reach { normal, height, top: spot, corners: surface.corners(face) };
        }
        if height < -tolerance {
            return Descent::Outside(normal);
        }
        if best.height - near <= 2.0 * tolerance {
            break;
        }
        match surface.add(spot, face, tolerance) {
            Added::Yes => {}
            Added::Known => {
                // The face's own normal is the worse for roundings: its corners may know better.
                chances -= 1;
                if chances <= 0 || !surface.look_better(face, best.normal, tolerance) {
                    surface.settle(face);
                }
            }
            Added::Full => break,
        }
    }
    Descent::Ended(best)
}
