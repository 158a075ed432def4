//! The distance of a point and a triangle, rounded.

use kontakt_math::DVec3;

/// How far a point is from a triangle.
pub(crate) fn distance(x: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let beside = |p: DVec3, q: DVec3| (q - p).cross(x - p).dot(normal) < 0.0;
    if normal.length_squared() > 0.0 && !(beside(a, b) || beside(b, c) || beside(c, a)) {
        return (x - a).dot(normal).abs() / normal.length();
    }
    to_segment(x, a, b).min(to_segment(x, b, c)).min(to_segment(x, c, a))
}

fn to_segment(x: DVec3, p: DVec3, q: DVec3) -> f64 {
    let along = q - p;
    let share = (x - p).dot(along) / along.length_squared();
    x.distance(p + along * if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_the_face_beside_an_edge_and_at_a_corner() {
        let triangle = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0];
        assert_eq!(distance(DVec3::new(1.0, 1.0, 3.0), triangle), 3.0);
        assert_eq!(distance(DVec3::new(1.0, -3.0, 4.0), triangle), 5.0);
        assert_eq!(distance(DVec3::new(-3.0, -4.0, 0.0), triangle), 5.0);
        assert_eq!(distance(DVec3::X, [DVec3::ZERO; 3]), 1.0);
    }
}
