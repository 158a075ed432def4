//! Small tools on convex polygons given by their corners, to nearest.

use kontakt_math::DVec2;

/// The part of a convex polygon with normal · q ≤ offset.
pub(super) fn cut_by_line(polygon: &[DVec2], normal: DVec2, offset: f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (at_p, at_q) = (normal.dot(*p) - offset, normal.dot(q) - offset);
        if at_p <= 0.0 {
            kept.push(*p);
        }
        if (at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0) {
            kept.push(p.lerp(q, at_p / (at_p - at_q)));
        }
    }
    kept
}

/// Area enclosed, not negative.
pub(super) fn area(polygon: &[DVec2]) -> f64 {
    let Some(first) = polygon.first() else { return 0.0 };
    // In units of its size: nothing overflows but the result.
    let size = polygon.iter().fold(0.0_f64, |size, p| size.max((*p - *first).abs().max_element()));
    if size == 0.0 || !size.is_finite() {
        return size;
    }
    let local = |p: DVec2| (p - *first) / size;
    let twice: f64 = polygon.windows(2).map(|w| local(w[0]).perp_dot(local(w[1]))).sum();
    (0.5 * twice).abs() * size * size
}
