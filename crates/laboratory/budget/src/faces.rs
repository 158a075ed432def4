//! Approximating faces: two rectangles, or a box, in place of many triangles.
//!
//! The thesis's figure 8.1. Perpendicular to the mean of the normals lie two planes, one below and one above all corners, in each of them
//! the smallest rectangle around the corners seen along that direction. Where the planes are too far apart the triangles bend too much
//! for that, and a box takes their place.

use kontakt_math::{DMat3, DVec2, DVec3};

/// Planes nearer than this part of the rectangle's longer side stand for the triangles; the thesis leaves it open.
const FLAT: f64 = 0.1;
/// Means of unit normals shorter than this point nowhere.
const VANISHING: f64 = 1e-3;

/// What takes the place of some triangles.
#[derive(Clone, Debug)]
pub struct Approximation {
    /// Two triangles for each rectangle.
    pub triangles: Vec<[DVec3; 3]>,
    /// Six rectangles instead of two.
    pub is_box: bool,
}

/// The approximating faces of some triangles.
pub fn approximate(triangles: &[[DVec3; 3]]) -> Approximation {
    let normal = main_direction(triangles);
    let (u, v) = normal.any_orthonormal_pair();
    let corners = || triangles.iter().flatten();
    let (low, high) = corners().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
        (low.min(normal.dot(*x)), high.max(normal.dot(*x)))
    });
    let seen: Vec<DVec2> = corners().map(|x| DVec2::new(u.dot(*x), v.dot(*x))).collect();
    let rectangle = smallest_rectangle(&seen);
    let at = |height: f64| rectangle.map(|p| u * p.x + v * p.y + normal * height);
    let (below, above) = (at(low), at(high));
    let longer = rectangle[0].distance(rectangle[1]).max(rectangle[1].distance(rectangle[2]));
    let is_box = high - low >= FLAT * longer;
    let mut quads = vec![below, above];
    if is_box {
        let side = |k: usize| [below[k], below[(k + 1) % 4], above[(k + 1) % 4], above[k]];
        quads.extend((0..4).map(side));
    }
    let halves = |[a, b, c, d]: [DVec3; 4]| [[a, b, c], [a, c, d]];
    Approximation { triangles: quads.into_iter().flat_map(halves).collect(), is_box }
}

/// The mean of the unit normals; where that vanishes, as for a closed surface, the direction that the normals (by area, whichever way
/// they point) have most in common: the top eigenvector of ΣA·n·nᵀ.
fn main_direction(triangles: &[[DVec3; 3]]) -> DVec3 {
    let doubled = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a);
    let mean =
        triangles.iter().map(|t| doubled(t).normalize_or_zero()).sum::<DVec3>() / triangles.len() as f64;
    if mean.length() > VANISHING {
        return mean.normalize();
    }
    let mut sum = DMat3::ZERO;
    for n in triangles.iter().map(doubled) {
        let unit = n.normalize_or_zero();
        sum += DMat3::from_cols(n * unit.x, n * unit.y, n * unit.z);
    }
    // Repeated squaring: the top eigenvector outgrows the others.
    for _ in 0..40 {
        let size = sum.col(0).length().max(sum.col(1).length()).max(sum.col(2).length());
        if size.is_nan() || size <= 0.0 {
            return DVec3::Z;
        }
        sum *= 1.0 / size;
        sum = sum * sum;
    }
    let columns = [sum.col(0), sum.col(1), sum.col(2)];
    let longest = columns.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    longest.unwrap_or(DVec3::Z).try_normalize().unwrap_or(DVec3::Z)
}

/// The rectangle of least area around some points: one of its sides lies along a side of their hull.
fn smallest_rectangle(points: &[DVec2]) -> [DVec2; 4] {
    let hull = hull(points);
    let sides = (0..hull.len()).map(|k| hull[(k + 1) % hull.len()] - hull[k]);
    let mut best: Option<(f64, [DVec2; 4])> = None;
    for along in sides.filter_map(DVec2::try_normalize).chain([DVec2::X]) {
        let extent = |axis: DVec2| {
            hull.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                (low.min(axis.dot(*p)), high.max(axis.dot(*p)))
            })
        };
        let across = along.perp();
        let ((x0, x1), (y0, y1)) = (extent(along), extent(across));
        let area = (x1 - x0) * (y1 - y0);
        if best.is_none_or(|(least, _)| area < least) {
            let corner = |x: f64, y: f64| along * x + across * y;
            best = Some((area, [corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)]));
        }
    }
    best.map_or([DVec2::ZERO; 4], |(_, rectangle)| rectangle)
}

/// The corners of the convex hull, counter-clockwise (Andrew's chains).
fn hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(p - a) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut all = chain(&mut sorted.iter().copied());
    all.extend(chain(&mut sorted.iter().rev().copied()));
    if all.is_empty() { sorted } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::DQuat;

    /// A sheet of 2 by 1 with a small bump, turned.
    fn sheet(bump: f64) -> Vec<[DVec3; 3]> {
        let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1);
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let top = DVec3::new(1.0, 0.5, bump);
        (0..4).map(|k| [corners[k], corners[(k + 1) % 4], top].map(|x| turn * x)).collect()
    }

    #[test]
    fn a_flat_sheet_becomes_two_rectangles_of_its_size_and_a_bent_one_a_box() {
        for (bump, is_box) in [(0.05, false), (0.5, true)] {
            let found = approximate(&sheet(bump));
            assert_eq!((found.is_box, found.triangles.len()), (is_box, if is_box { 12 } else { 4 }));
            let area = |[a, b, c]: &[DVec3; 3]| 0.5 * (*b - *a).cross(*c - *a).length();
            let rectangles: f64 = found.triangles[..4].iter().map(area).sum();
            assert!((rectangles - 4.0).abs() < 1e-9, "{rectangles}");
            let height = found.triangles[0][0].distance(found.triangles[2][0]);
            assert!((height - bump).abs() < 1e-9, "{height}");
        }
    }

    #[test]
    fn normals_that_cancel_give_the_direction_they_share() {
        let square = |z: f64, flip: bool| {
            let [a, b, c, d] =
                [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, z));
            if flip { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] }
        };
        let both: Vec<[DVec3; 3]> = square(0.0, true).into_iter().chain(square(0.01, false)).collect();
        let found = approximate(&both);
        assert!(!found.is_box);
        let normal = (found.triangles[0][1] - found.triangles[0][0])
            .cross(found.triangles[0][2] - found.triangles[0][0])
            .normalize();
        assert!(normal.z.abs() > 1.0 - 1e-9, "{normal}");
        assert_eq!(approximate(&[[DVec3::ONE; 3]]).triangles.len(), 12, "a point is a box of no size");
    }
}
