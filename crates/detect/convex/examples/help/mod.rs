//! What the timing examples share.

#![allow(dead_code, reason = "each example takes what it needs")]

use kontakt_convex::Shape;
use kontakt_math::{DQuat, DVec3};

/// Nanoseconds of this thread.
pub(crate) fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// A uniform direction.
pub(crate) fn direction(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

/// A uniform rotation.
pub(crate) fn rotation(random: &mut fastrand::Rng) -> DQuat {
    loop {
        let q = DQuat::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        if (0.01..1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

/// Points on an ellipsoid of random radii.
pub(crate) fn cloud(random: &mut fastrand::Rng, count: usize) -> Vec<DVec3> {
    let radii = DVec3::from_array(std::array::from_fn(|_| 0.4 + 0.6 * random.f64()));
    (0..count).map(|_| radii * direction(random)).collect()
}

/// A shape of a kind, its radii random from 0.4 to 1; of hulls the name ends with their number of vertices.
pub(crate) fn shape(kind: &str, random: &mut fastrand::Rng) -> Shape {
    if let Some(count) = kind.strip_prefix("hull") {
        return Shape::hull(&cloud(random, count.parse().expect("a number of points"))).expect("a hull");
    }
    let radii = DVec3::from_array(std::array::from_fn(|_| 0.4 + 0.6 * random.f64()));
    let made = match kind {
        "sphere" => Shape::sphere(radii.x),
        "box" => Shape::cuboid(radii),
        "capsule" => Shape::capsule(radii.x, radii.y),
        "cylinder" => Shape::cylinder(radii.x, radii.y),
        "cone" => Shape::cone(radii.x, radii.y),
        "ellipsoid" => Shape::ellipsoid(radii),
        other => panic!("no kind of shape is called {other}"),
    };
    made.expect("a shape")
}
