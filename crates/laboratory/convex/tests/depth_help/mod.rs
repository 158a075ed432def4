//! Pairs of polytopes for the tests of depth.

use kontakt_convex::Shape;
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::generate::Generator;

pub(crate) fn vector(v: [f64; 3]) -> DVec3 {
    DVec3::from_array(v)
}

/// A sharp polytope of any kind, about 1 in size (3 on the grid).
pub(crate) fn shape(generator: &mut Generator) -> Shape {
    let built = match generator.index(8) {
        0 => Ok(Shape::point()),
        1 => Shape::segment([vector(generator.point()), vector(generator.point())]),
        2 => Shape::triangle(std::array::from_fn(|_| vector(generator.point()))),
        3 | 4 => Shape::cuboid(vector(generator.point()).abs()),
        _ => {
            let count = 1 + generator.index(20);
            let points: Vec<DVec3> = generator.points(count).into_iter().map(vector).collect();
            Shape::hull(&points)
        }
    };
    built.expect("finite numbers make a shape")
}

/// Points on the unit sphere.
#[allow(dead_code, reason = "not every test file asks for hulls of many points")]
pub(crate) fn round_hull(generator: &mut Generator, count: usize) -> Shape {
    let mut points = Vec::new();
    while points.len() < count {
        let p = vector(generator.point());
        if (0.1..1.0).contains(&p.length()) {
            points.push(p.normalize());
        }
    }
    Shape::hull(&points).expect("points on a sphere")
}

/// Anywhere within `reach` of the origin.
pub(crate) fn pose(generator: &mut Generator, reach: f64) -> Pose {
    let q = DQuat::from_array(generator.quaternion());
    Pose::new(q, vector(generator.point()) * reach).expect("a unit quaternion")
}
