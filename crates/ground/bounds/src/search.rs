//! What the fits of the rarer volumes share: candidate directions, a reduced point set, a local search, and the smallest
//! circle in a plane. Nothing here is certified; each volume proves its own enclosure afterwards.

use crate::hull::convex_hull;
use kontakt_math::{DMat3, DVec2, DVec3};
use std::cmp::Ordering;

/// Points kept for a search: all of few, else the extreme ones in directions spread evenly over the sphere.
const MAX_SEARCH_POINTS: usize = 128;

/// The vertices of the exact convex hull, sorted: a convex volume that holds them holds all points, and the order in which
/// the points came cannot change the fit.
pub(crate) fn extreme_points(points: &[DVec3]) -> Vec<DVec3> {
    let mut kept = match convex_hull(points) {
        Ok(hull) => hull.vertices().iter().map(|i| points[*i as usize]).collect(),
        Err(_) => points.to_vec(),
    };
    kept.sort_unstable_by(by_coordinates);
    kept
}

/// All points in an order that does not depend on how they came.
pub(crate) fn sorted(points: &[DVec3]) -> Vec<DVec3> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(by_coordinates);
    sorted
}

/// An order of points that depends on nothing but where they are.
pub(crate) fn by_coordinates(a: &DVec3, b: &DVec3) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}

/// Points that decide the outline of the set, few enough for a search that looks at them hundreds of times.
pub(crate) fn outline(points: &[DVec3]) -> Vec<DVec3> {
    if points.len() <= MAX_SEARCH_POINTS {
        return points.to_vec();
    }
    let mut chosen: Vec<usize> = spread_directions(MAX_SEARCH_POINTS / 2)
        .flat_map(|direction| {
            let (mut low, mut high) = (0, 0);
            let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
            for (i, p) in points.iter().enumerate() {
                let height = direction.dot(*p);
                if height < lowest {
                    (low, lowest) = (i, height);
                }
                if height > highest {
                    (high, highest) = (i, height);
                }
            }
            [low, high]
        })
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|i| points[i]).collect()
}

/// `count` unit directions spread evenly over a half-sphere (spiral of the golden angle).
pub(crate) fn spread_directions(count: usize) -> impl Iterator<Item = DVec3> {
    let golden_angle = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count).map(move |i| {
        let z = 1.0 - (i as f64 + 0.5) / count as f64;
        let (sin, cos) = (golden_angle * i as f64).sin_cos();
        let radius = (1.0 - z * z).sqrt();
        DVec3::new(radius * cos, radius * sin, z)
    })
}

/// A right-handed orthonormal frame (to rounding) whose third axis is the unit vector `axis`.
pub(crate) fn frame_along(axis: DVec3) -> DMat3 {
    let (x, y) = axis.any_orthonormal_pair();
    DMat3::from_cols(x, y, axis)
}

/// Unit vector along `v`, safe for every scale; `None` for zero and for what is not finite.
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let scaled = v / size;
    Some(scaled / scaled.length())
}

/// Middle and half diagonal of the points' axis-aligned box; halved before adding, so that nothing overflows.
pub(crate) fn middle_and_size(points: &[DVec3]) -> (DVec3, f64) {
    let first = points.first().copied().unwrap_or(DVec3::ZERO);
    let (low, high) = points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
    let half = high * 0.5 - low * 0.5;
    let largest = half.max_element();
    let size = if largest > 0.0 { (half / largest).length() * largest } else { 0.0 };
    (low * 0.5 + high * 0.5, size)
}

/// The points moved and scaled into the unit ball about the origin (to rounding), with middle and factor to come back.
pub(crate) fn normalised(points: &[DVec3]) -> (Vec<DVec3>, DVec3, f64) {
    let (middle, size) = middle_and_size(points);
    let scaled =
        if size > 0.0 { points.iter().map(|p| (*p - middle) / size).collect() } else { vec![DVec3::ZERO] };
    (scaled, middle, size)
}

/// Axes worth a try: the coordinate axes, the principal axes, and the farthest pair found in two sweeps.
pub(crate) fn candidate_axes(points: &[DVec3]) -> Vec<DVec3> {
    let mut axes = vec![DVec3::X, DVec3::Y, DVec3::Z];
    let principal = principal_axes(points);
    axes.extend([principal.x_axis, principal.y_axis, principal.z_axis]);
    let start = points.first().copied().unwrap_or(DVec3::ZERO);
    let from = farthest_from(points, start);
    axes.extend(unit(farthest_from(points, from) - from));
    axes
}

fn farthest_from(points: &[DVec3], from: DVec3) -> DVec3 {
    points
        .iter()
        .copied()
        .fold(from, |best, p| if p.distance_squared(from) > best.distance_squared(from) { p } else { best })
}

/// Eigenvectors of the points' covariance, as a rotation, by Jacobi's method.
pub(crate) fn principal_axes(points: &[DVec3]) -> DMat3 {
    let count = points.len().max(1) as f64;
    let mean = points.iter().map(|p| *p / count).sum::<DVec3>();
    let mut c = [[0.0_f64; 3]; 3];
    for p in points {
        let d = (*p - mean).to_array();
        for (row, di) in c.iter_mut().zip(d) {
            for (entry, dj) in row.iter_mut().zip(d) {
                *entry += di * dj;
            }
        }
    }
    let mut axes = DMat3::IDENTITY;
    // Twelve sweeps over the three off-diagonal pairs: Jacobi converges quadratically, five do in practice.
    for (i, j) in [(0, 1), (0, 2), (1, 2)].into_iter().cycle().take(36) {
        let (diagonal, off) = (c[j][j] - c[i][i], c[i][j]);
        if off == 0.0 || !off.is_finite() {
            continue;
        }
        let angle = 0.5 * (2.0 * off).atan2(diagonal);
        let (sin, cos) = angle.sin_cos();
        for row in &mut c {
            (row[i], row[j]) = (cos * row[i] - sin * row[j], sin * row[i] + cos * row[j]);
        }
        let (row_i, row_j) = (DVec3::from_array(c[i]), DVec3::from_array(c[j]));
        c[i] = (row_i * cos - row_j * sin).to_array();
        c[j] = (row_i * sin + row_j * cos).to_array();
        let (a, b) = (axes.col(i), axes.col(j));
        *axes.col_mut(i) = a * cos - b * sin;
        *axes.col_mut(j) = a * sin + b * cos;
    }
    axes
}

/// Minimum of `cost` near `start` by steps along the coordinates, halved when none helps. Returns place and cost.
pub(crate) fn pattern_search(
    start: &[f64],
    mut step: f64,
    smallest_step: f64,
    mut cost: impl FnMut(&[f64]) -> f64,
) -> (Vec<f64>, f64) {
    let mut best = start.to_vec();
    let mut best_cost = cost(&best);
    // The bound on rounds keeps a cost with a long flat valley from taking for ever.
    for _ in 0..200 {
        if step < smallest_step {
            break;
        }
        let before = best.clone();
        for i in 0..best.len() {
            for sign in [1.0, -1.0] {
                let old = best[i];
                best[i] += sign * step;
                let trial_cost = cost(&best);
                if trial_cost < best_cost {
                    best_cost = trial_cost;
                    break;
                }
                best[i] = old;
            }
        }
        if best == before {
            step *= 0.5;
            continue;
        }
        // Hooke and Jeeves: once more in the direction that has just helped.
        let trial: Vec<f64> = best.iter().zip(&before).map(|(new, old)| 2.0 * new - old).collect();
        let trial_cost = cost(&trial);
        if trial_cost < best_cost {
            (best, best_cost) = (trial, trial_cost);
        }
    }
    (best, best_cost)
}

/// `axis` tilted by small angles in its own frame; unit to rounding.
pub(crate) fn tilted(axis: DVec3, tilt: DVec2) -> DVec3 {
    let (x, y) = axis.any_orthonormal_pair();
    (axis + x * tilt.x + y * tilt.y).normalize_or(axis)
}

/// Centre and radius of the smallest circle around the points, to rounding (Welzl's algorithm, iterative form).
pub(crate) fn smallest_circle(points: &[DVec2]) -> (DVec2, f64) {
    let Some(&first) = points.first() else { return (DVec2::ZERO, 0.0) };
    let (mut centre, mut radius) = (first, 0.0);
    let outside = |p: DVec2, centre: DVec2, radius: f64| p.distance(centre) > radius * (1.0 + 1e-12);
    for (i, &p) in points.iter().enumerate() {
        if !outside(p, centre, radius) {
            continue;
        }
        (centre, radius) = (p, 0.0);
        for (j, &q) in points[..i].iter().enumerate() {
            if !outside(q, centre, radius) {
                continue;
            }
            (centre, radius) = ((p + q) * 0.5, p.distance(q) * 0.5);
            for &r in &points[..j] {
                if outside(r, centre, radius) {
                    (centre, radius) = circumcircle(p, q, r).unwrap_or((centre, r.distance(centre)));
                }
            }
        }
    }
    (centre, radius)
}

fn circumcircle(a: DVec2, b: DVec2, c: DVec2) -> Option<(DVec2, f64)> {
    let (ab, ac) = (b - a, c - a);
    let twice_area = 2.0 * ab.perp_dot(ac);
    let offset = DVec2::new(
        ac.y * ab.length_squared() - ab.y * ac.length_squared(),
        ab.x * ac.length_squared() - ac.x * ab.length_squared(),
    ) / twice_area;
    offset.is_finite().then(|| (a + offset, offset.length()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;

    #[test]
    fn smallest_circle_is_smallest() {
        for case in 0..200 {
            let mut from = if case % 2 == 0 { Generator::free(case) } else { Generator::grid(case) };
            let points: Vec<DVec2> = from.points(8).iter().map(|p| DVec2::new(p[0], p[1])).collect();
            let (centre, radius) = smallest_circle(&points);
            // Brute force: the smallest among the circles of all pairs and triples that hold all points.
            let mut best = f64::INFINITY;
            for (i, a) in points.iter().enumerate() {
                for (j, b) in points[..i].iter().enumerate() {
                    let pair = [((*a + *b) * 0.5, a.distance(*b) * 0.5)];
                    for (c, r) in points[..j].iter().filter_map(|c| circumcircle(*a, *b, *c)).chain(pair) {
                        if points.iter().all(|p| p.distance(c) <= r * (1.0 + 1e-9)) {
                            best = best.min(r);
                        }
                    }
                }
            }
            assert!((radius - best).abs() < 1e-9, "case {case}: {radius} for {best}");
            assert!(points.iter().all(|p| p.distance(centre) <= radius * (1.0 + 1e-9)));
        }
    }

    #[test]
    fn principal_axes_find_a_rod() {
        let along = DVec3::new(1.0, 2.0, 2.0) / 3.0;
        let points: Vec<DVec3> = (0..10).map(|i| along * f64::from(i)).collect();
        let axes = principal_axes(&points);
        let best = [axes.x_axis, axes.y_axis, axes.z_axis]
            .into_iter()
            .map(|a| a.dot(along).abs())
            .fold(0.0, f64::max);
        assert!((best - 1.0).abs() < 1e-12, "{best}");
        assert!((axes.determinant() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn pattern_search_finds_a_valley() {
        let (at, cost) =
            pattern_search(&[5.0, -3.0], 1.0, 1e-9, |p| (p[0] - 1.0).powi(2) + (p[0] + p[1]).powi(2));
        assert!(cost < 1e-12 && (at[0] - 1.0).abs() < 1e-6, "{at:?} {cost}");
    }
}
