//! Extreme points of a small set by brute force in rationals: the oracle of convex hulls.

use crate::rational::{Vector, cross, dot, sign, sub, vector};
use num_traits::Zero;

/// Indices of the extreme points (of equal points the first), ascending, and the dimension the points span.
///
/// Faces of faces: every supporting plane through three points holds a planar set, every supporting line in it a
/// collinear set, whose two ends are extreme. Time n⁴; meant for a dozen points.
pub fn extreme_points(points: &[[f64; 3]]) -> (Vec<usize>, u8) {
    let exact: Vec<Vector> = points.iter().map(|&p| vector(p)).collect();
    let distinct: Vec<usize> = (0..exact.len()).filter(|&i| (0..i).all(|j| exact[i] != exact[j])).collect();
    let (mut found, dimension) = in_space(&exact, &distinct);
    found.sort_unstable();
    found.dedup();
    (found, dimension)
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(Zero::is_zero)
}

/// Signs of `normal · (p − base)` over the set: whether there are negative and positive ones, and who is at zero.
fn sides(points: &[Vector], set: &[usize], normal: &Vector, base: &Vector) -> (bool, bool, Vec<usize>) {
    let (mut below, mut above, mut on) = (false, false, Vec::new());
    for &i in set {
        match sign(&dot(normal, &sub(&points[i], base))) {
            -1 => below = true,
            1 => above = true,
            _ => on.push(i),
        }
    }
    (below, above, on)
}

fn in_space(points: &[Vector], set: &[usize]) -> (Vec<usize>, u8) {
    let mut found = Vec::new();
    let mut solid = false;
    for (k, &i) in set.iter().enumerate() {
        for (l, &j) in set.iter().enumerate().skip(k + 1) {
            for &m in &set[l + 1..] {
                let normal = cross(&sub(&points[j], &points[i]), &sub(&points[m], &points[i]));
                if is_zero(&normal) {
                    continue;
                }
                let (below, above, on) = sides(points, set, &normal, &points[i]);
                if !below && !above {
                    return (in_plane(points, set, &normal), 2);
                }
                solid = true;
                if !(below && above) {
                    found.extend(in_plane(points, &on, &normal));
                }
            }
        }
    }
    if solid { (found, 3) } else { (on_line(points, set), u8::from(set.len() > 1)) }
}

fn in_plane(points: &[Vector], set: &[usize], normal: &Vector) -> Vec<usize> {
    let mut found = Vec::new();
    for (k, &i) in set.iter().enumerate() {
        for &j in &set[k + 1..] {
            let across = cross(normal, &sub(&points[j], &points[i]));
            let (below, above, on) = sides(points, set, &across, &points[i]);
            if !(below && above) {
                found.extend(on_line(points, &on));
            }
        }
    }
    found
}

fn on_line(points: &[Vector], set: &[usize]) -> Vec<usize> {
    let least = set.iter().copied().min_by(|&i, &j| points[i].cmp(&points[j]));
    let greatest = set.iter().copied().max_by(|&i, &j| points[i].cmp(&points[j]));
    least.into_iter().chain(greatest).collect()
}
