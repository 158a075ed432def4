//! Plain pairs of the references as the product's shapes, and the product's answers as plain claims.

use kontakt_convex::{Answer, PlacedShape, Shape, ShapeError, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::convex::certify::Claim;
use testkit::convex::pairs::{Form, Item};
use testkit::convex::truth::Side;

fn vector(v: [f64; 3]) -> DVec3 {
    DVec3::from_array(v)
}

/// The shape of an item.
pub fn shape(item: &Item) -> Shape {
    shape_or_error(item).unwrap()
}

/// The shape of an item, or why there is none.
pub fn shape_or_error(item: &Item) -> Result<Shape, ShapeError> {
    let made = match &item.form {
        Form::Point => Ok(Shape::point()),
        Form::Sphere(radius) => Shape::sphere(*radius),
        Form::Segment(ends) => Shape::segment(ends.map(vector)),
        Form::Triangle(corners) => Shape::triangle(corners.map(vector)),
        Form::Box(half) => Shape::cuboid(vector(*half)),
        Form::Capsule(half, radius) => Shape::capsule(*half, *radius),
        Form::Hull(points) => Shape::hull(&points.iter().copied().map(vector).collect::<Vec<_>>()),
        Form::Ellipsoid(radii) => Shape::ellipsoid(vector(*radii)),
        Form::Cylinder(half, radius) => Shape::cylinder(*half, *radius),
        Form::Cone(half, radius) => Shape::cone(*half, *radius),
    };
    made.and_then(|shape| shape.with_margin(item.margin))
}

/// The pose of an item.
pub fn pose(item: &Item) -> Pose {
    Pose::new(DQuat::from_array(item.rotation), vector(item.translation)).unwrap()
}

/// Both shapes at their poses.
pub fn placed<'a>(shapes: &'a [Shape; 2], items: &[Item; 2]) -> [PlacedShape<'a>; 2] {
    [PlacedShape::new(&shapes[0], pose(&items[0])), PlacedShape::new(&shapes[1], pose(&items[1]))]
}

/// The verdict in the references' words.
pub fn side(verdict: Verdict) -> Option<Side> {
    match verdict {
        Verdict::Separate => Some(Side::Apart),
        Verdict::Touching => Some(Side::Touching),
        Verdict::Overlapping => Some(Side::Overlapping),
        Verdict::Undecided => None,
    }
}

/// The answer as plain numbers.
pub fn claim(answer: &Answer) -> Claim {
    Claim {
        side: side(answer.verdict),
        low: answer.separation.lo(),
        high: answer.separation.hi(),
        normal: answer.normal.to_array(),
        normal_error: answer.normal_error,
        point_a: answer.point_a.to_array(),
        point_b: answer.point_b.to_array(),
        point_error: answer.point_error,
    }
}
