//! The generalized winding number of open faces about a point.

use kontakt_math::DVec3;
use kontakt_shapes::FaceSet;

/// Solid angle of all faces seen from `point`, over 4π: about 1 inside faces turned outward, 0 outside. To rounding; the sum
/// runs over all faces in their order.
pub(super) fn number(faces: &FaceSet, point: DVec3) -> f64 {
    let mut sum = 0.0;
    for &triangle in faces.triangles() {
        let [a, b, c] = triangle.map(|v| faces.vertices()[v as usize] - point);
        sum += half_angle(a, b, c);
    }
    sum / std::f64::consts::TAU
}

/// Half the signed solid angle of a triangle seen from the origin (van Oosterom and Strackee 1983); 0 when it is seen
/// edge-on, from a corner, or beyond the range of doubles.
fn half_angle(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let unit = |v: DVec3| v / v.abs().max_element();
    let [a, b, c] = [a, b, c].map(|v| unit(v).normalize_or_zero());
    if [a, b, c].contains(&DVec3::ZERO) {
        return 0.0;
    }
    let angle = a.dot(b.cross(c)).atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a));
    if angle.is_finite() { angle } else { 0.0 }
}
