//! The whole computation in doubles.

use super::descent::{Descent, descend};
use super::facet::{complete, incomplete};
use super::surface::Surface;
use super::{Bodies, Scaled};
use crate::difference::Difference;
use crate::facet::Facet;
use kontakt_math::{DVec3, U};

/// What doubles can tell of the depth; `towards` is where to look first, or zero.
pub(super) fn run(pair: &Bodies<'_>, towards: DVec3, surface: &mut Surface) -> Facet {
    let scaled = Scaled::new(pair);
    let towards = if towards == DVec3::ZERO { -pair.middle() } else { towards };
    let tolerance = 16.0 * U * scaled.size;
    match descend(&scaled, towards, surface, tolerance) {
        Descent::Ended(reach) => {
            let proved = surface.goes_around_origin();
            complete(&scaled, surface, &reach, proved)
        }
        Descent::Flat(normal) | Descent::Outside(normal) => incomplete(&scaled, normal),
    }
}
