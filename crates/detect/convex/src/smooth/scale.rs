//! Bodies near the ends of the range of doubles, brought to a size at which squares neither overflow nor vanish.

use crate::{Convex, Core, Shape};
use kontakt_math::{Between, DVec3};
use std::sync::Arc;

/// Sizes between this and its inverse need no scaling.
const LARGE: f64 = 1e80;

/// A power of two that brings the pair to about size 1; none where it has such a size already (or none at all).
pub(super) fn factor_for(a: &Shape, b: &Shape, between: &Between) -> Option<f64> {
    let extent = |shape: &Shape| super::body::Body::of(shape.core()).map_or(0.0, |body| body.reach());
    let radii = |shape: &Shape| shape.radii()[0].max(shape.radii()[1]);
    let most = [extent(a), extent(b), radii(a), radii(b), between.shift().abs().max_element()];
    let size = most.into_iter().fold(0.0, f64::max);
    if (1.0 / LARGE..LARGE).contains(&size) || size == 0.0 {
        return None;
    }
    // Between 2⁻¹⁰²² and 2¹⁰²², both of which have an inverse.
    let exponent = if size.is_finite() { size.log2().floor().clamp(-1022.0, 1022.0) } else { 1022.0 };
    Some((-exponent).exp2())
}

/// The core of a shape with all lengths multiplied, as a sharp shape; none where one is too large for that.
pub(super) fn scaled(shape: &Shape, factor: f64) -> Option<Shape> {
    let sharp = match shape.core() {
        Core::Point => Ok(Shape::point()),
        Core::Segment(ends) => Shape::segment(ends.map(|p| p * factor)),
        Core::Triangle(corners) => Shape::triangle(corners.map(|p| p * factor)),
        Core::Box(half) => Shape::cuboid(*half * factor),
        Core::Hull(hull) => Shape::hull(&hull.vertices().iter().map(|p| *p * factor).collect::<Vec<_>>()),
        Core::Ellipsoid(radii) => Shape::ellipsoid(*radii * factor),
        Core::Cylinder { half_length, radius } => Shape::cylinder(half_length * factor, radius * factor),
        Core::Cone { half_length, radius } => Shape::cone(half_length * factor, radius * factor),
        Core::User(set) => Ok(Shape::user(Arc::new(Scaled { set: Arc::clone(set), factor }))),
        Core::HalfSpace { .. } | Core::Union(_) => return None,
    };
    sharp.ok()
}

/// A user's set, scaled.
#[derive(Debug)]
struct Scaled {
    set: Arc<dyn Convex>,
    factor: f64,
}

impl Convex for Scaled {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.set.support(direction) * self.factor
    }

    fn support_error(&self) -> f64 {
        self.set.support_error() * self.factor
    }
}
