//! Point of a simplex (up to a tetrahedron) nearest to the origin, safe for degenerate simplices.
//!
//! All products are formed on a copy scaled to unit size, so nothing over- or underflows between 1e-300 and 1e300.

use kontakt_math::DVec3;

/// The point of a simplex nearest to the origin, as a convex combination of the simplex's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Closest {
    /// The nearest point, to rounding.
    pub point: DVec3,
    /// Its distance from the origin, to rounding.
    pub distance: f64,
    /// Weights of the simplex's points: none negative, sum 1 to rounding; unused ones are 0.
    pub weights: [f64; 4],
}

/// Squared sine below which a corner counts as degenerate: its edges alone then describe the triangle to rounding.
const FLAT_SQUARED: f64 = 1e-24;

/// The point of conv(`points`) nearest to the origin, for 1 to 4 points; `None` when the origin lies inside a
/// tetrahedron, to rounding, or when the numbers are beyond scaling. More than four points: the first four are used.
pub(crate) fn closest_to_origin(points: &[DVec3]) -> Option<Closest> {
    let points = &points[..points.len().min(4)];
    let size = points.iter().fold(0.0_f64, |m, p| m.max(p.abs().max_element()));
    let unscale = 1.0 / size;
    if !(size.is_finite() && unscale.is_finite()) {
        return None;
    }
    let mut scaled = [DVec3::ZERO; 4];
    for (to, from) in scaled.iter_mut().zip(points) {
        *to = *from * unscale;
    }
    let found = match points.len() {
        0 => return None,
        1 => vertex(&scaled, 0),
        2 => edge(&scaled, 0, 1),
        3 => triangle(&scaled, [0, 1, 2]),
        _ => tetrahedron(&scaled)?,
    };
    Some(Closest { point: found.point * size, distance: found.distance * size, weights: found.weights })
}

/// The point of the triangle nearest to `to`; degenerate triangles count as segments or points. To rounding.
pub fn closest_on_triangle(to: DVec3, corners: [DVec3; 3]) -> DVec3 {
    let relative = corners.map(|c| c - to);
    match closest_to_origin(&relative) {
        Some(found) => corners.iter().zip(found.weights).map(|(c, w)| *c * w).sum(),
        // A corner coincides with `to` (all three do), or the numbers are beyond scaling.
        None => corners[0],
    }
}

fn at(point: DVec3, weights: [f64; 4]) -> Closest {
    Closest { point, distance: point.length(), weights }
}

fn vertex(p: &[DVec3; 4], i: usize) -> Closest {
    let mut weights = [0.0; 4];
    weights[i] = 1.0;
    at(p[i], weights)
}

fn edge(p: &[DVec3; 4], i: usize, j: usize) -> Closest {
    let along = p[j] - p[i];
    let length_squared = along.length_squared();
    let t = -p[i].dot(along) / length_squared;
    if length_squared == 0.0 || t.is_nan() || t <= 0.0 {
        return vertex(p, i);
    }
    if t >= 1.0 {
        return vertex(p, j);
    }
    let mut weights = [0.0; 4];
    weights[i] = 1.0 - t;
    weights[j] = t;
    at(p[i] + along * t, weights)
}

fn nearer(a: Closest, b: Closest) -> Closest {
    if b.distance < a.distance { b } else { a }
}

fn triangle(p: &[DVec3; 4], [i, j, k]: [usize; 3]) -> Closest {
    let (a, b, c) = (p[i], p[j], p[k]);
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let normal_squared = normal.length_squared();
    if normal_squared > FLAT_SQUARED * ab.length_squared() * ac.length_squared() {
        // Barycentric coordinates of the origin's projection, times normal².
        let u = normal.dot(b.cross(c));
        let v = normal.dot(c.cross(a));
        let w = normal.dot(a.cross(b));
        let sum = u + v + w;
        if u > 0.0 && v > 0.0 && w > 0.0 && sum > 0.0 {
            let mut weights = [0.0; 4];
            (weights[i], weights[j], weights[k]) = (u / sum, v / sum, w / sum);
            // Along the normal rather than Σ wᵢpᵢ: keeps the direction when the distance is tiny against the triangle.
            let nearest = [a, b, c]
                .into_iter()
                .fold(a, |m, q| if q.length_squared() < m.length_squared() { q } else { m });
            return at(normal * (normal.dot(nearest) / normal_squared), weights);
        }
    }
    nearer(nearer(edge(p, i, j), edge(p, j, k)), edge(p, k, i))
}

fn tetrahedron(p: &[DVec3; 4]) -> Option<Closest> {
    const FACES: [([usize; 3], usize); 4] = [([0, 1, 2], 3), ([0, 1, 3], 2), ([0, 2, 3], 1), ([1, 2, 3], 0)];
    let mut best: Option<Closest> = None;
    for (face, opposite) in FACES {
        let [a, b, c] = face.map(|i| p[i]);
        let normal = (b - a).cross(c - a);
        let inward = normal.dot(p[opposite] - a);
        let origin = normal.dot(-a);
        // A flat tetrahedron has no inside: all its faces are candidates.
        let flat =
            inward * inward <= FLAT_SQUARED * normal.length_squared() * (p[opposite] - a).length_squared();
        if flat || origin * inward < 0.0 || (origin == 0.0 && inward != 0.0) {
            let candidate = triangle(p, face);
            best = Some(best.map_or(candidate, |found| nearer(found, candidate)));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interior_edge_and_corner_of_a_triangle() {
        let t = [DVec3::new(-1.0, -1.0, 2.0), DVec3::new(3.0, -1.0, 2.0), DVec3::new(-1.0, 3.0, 2.0)];
        assert_eq!(closest_on_triangle(DVec3::ZERO, t), DVec3::new(0.0, 0.0, 2.0));
        assert_eq!(closest_on_triangle(DVec3::new(0.0, -5.0, 2.0), t), DVec3::new(0.0, -1.0, 2.0));
        assert_eq!(closest_on_triangle(DVec3::new(9.0, -5.0, 2.0), t), t[1]);
    }

    #[test]
    fn degenerate_triangles_are_segments_or_points() {
        let segment = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        assert_eq!(closest_on_triangle(DVec3::new(1.5, 1.0, 0.0), segment), DVec3::X * 1.5);
        assert_eq!(closest_on_triangle(DVec3::Y, [DVec3::X; 3]), DVec3::X);
        assert_eq!(closest_on_triangle(DVec3::X, [DVec3::X; 3]), DVec3::X);
    }

    #[test]
    fn extreme_scales_do_not_matter() {
        for scale in [1e-300, 1e-150, 1e150, 1e300] {
            let t = [DVec3::new(-1.0, -1.0, 2.0), DVec3::new(3.0, -1.0, 2.0), DVec3::new(-1.0, 3.0, 2.0)];
            let near = closest_on_triangle(DVec3::ZERO, t.map(|p| p * scale));
            assert!((near / scale - DVec3::Z * 2.0).length() < 1e-14, "{near}");
        }
    }

    #[test]
    fn origin_inside_a_tetrahedron_has_no_nearest_point() {
        let t = [DVec3::NEG_ONE, DVec3::X * 3.0, DVec3::Y * 3.0, DVec3::Z * 3.0];
        assert!(closest_to_origin(&t).is_none());
        let outside = t.map(|p| p + DVec3::ONE * 2.0);
        assert_eq!(closest_to_origin(&outside).map(|c| c.point), Some(DVec3::ONE));
    }
}
