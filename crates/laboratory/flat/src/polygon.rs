//! Small tools on convex polygons given by their corners, to nearest.

use kontakt_math::DVec2;

/// Area enclosed, not negative.
pub(crate) fn area(polygon: &[DVec2]) -> f64 {
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

/// Length of the closed boundary; twice the length for a segment.
pub(crate) fn perimeter(polygon: &[DVec2]) -> f64 {
    (0..polygon.len()).map(|i| length(polygon[(i + 1) % polygon.len()] - polygon[i])).sum()
}

/// Largest distance of two corners.
pub(crate) fn diameter(polygon: &[DVec2]) -> f64 {
    let mut longest = 0.0_f64;
    for (i, p) in polygon.iter().enumerate() {
        longest = polygon[..i].iter().map(|q| length(*p - *q)).fold(longest, f64::max);
    }
    longest
}

/// Length without overflow or underflow on the way.
pub(crate) fn length(v: DVec2) -> f64 {
    v.x.hypot(v.y)
}
