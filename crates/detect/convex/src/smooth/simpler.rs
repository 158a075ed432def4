//! Shapes whose lengths make them simpler ones: an ellipsoid with equal radii is a ball, a cylinder without radius a
//! segment.

use crate::{Core, Shape};
use kontakt_math::DVec3;

/// The same set as a point, segment or flat ellipsoid with its radii; none where there is nothing simpler, or where a ball's radius
/// and the others do not add up exactly.
pub(super) fn simpler(shape: &Shape) -> Option<Shape> {
    let segment = |end: DVec3| Shape::segment([-end, end]);
    let made = match *shape.core() {
        Core::Ellipsoid(r) if r.x == r.y && r.y == r.z => Shape::sphere(r.x),
        Core::Ellipsoid(r) | Core::Box(r) => match r.to_array().map(|x| x == 0.0) {
            [false, true, true] | [true, false, true] | [true, true, false] => segment(r),
            _ => return None,
        },
        Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } if radius == 0.0 => {
            segment(DVec3::Z * half_length)
        }
        Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } if half_length == 0.0 => {
            Shape::ellipsoid(DVec3::new(radius, radius, 0.0))
        }
        _ => return None,
    };
    let (made, error) = made.ok()?.grown(shape.radii());
    (error == 0.0).then_some(made)
}

/// Whether the core is the hull of finitely many points.
pub(super) fn is_polytopal(shape: &Shape) -> bool {
    matches!(shape.core(), Core::Point | Core::Segment(_) | Core::Triangle(_) | Core::Box(_) | Core::Hull(_))
}
