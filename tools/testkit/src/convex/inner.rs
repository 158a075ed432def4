//! The depth of two convex bodies from their support maps alone: a polytope grown inside their difference, in
//! double-doubles.

use crate::twin::{Twin, TwinVector, inner, length, minus, outer, plus, times, twins};

/// What is known of the depth of the origin in a convex set.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// Distance of the origin from the boundary of a polytope within the set.
    pub lower: Twin,
    /// Distance of the origin from a plane with the whole set behind it.
    pub upper: Twin,
    /// The plane's unit normal.
    pub direction: TwinVector,
    /// The least lower bound over faces that look another way than `direction` by more than a hundredth of a radian.
    pub rival: f64,
}

struct Face {
    corners: [usize; 3],
    normal: TwinVector,
    offset: Twin,
    done: bool,
}

/// Grows until the bounds are `precision` apart or `rounds` points were added. None if no solid start is found or the origin
/// is not inside by more than rounding.
///
/// Any set: the polytope is the hull of support points, so its boundary is never farther than the set's. The face nearest
/// to the origin (farthest outside, while the origin is outside) is pushed out first.
pub fn depth(
    precision: f64,
    size: f64,
    rounds: usize,
    mut support: impl FnMut(&TwinVector) -> TwinVector,
) -> Option<Depth> {
    let mut points = start(size, &mut support)?;
    let middle = times(Twin::from(0.25), &points.iter().fold([Twin::ZERO; 3], |sum, p| plus(&sum, p)));
    let mut faces: Vec<Face> = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
        .iter()
        .filter_map(|c| face(&points, *c, &middle))
        .collect();
    let mut best: Option<(Twin, TwinVector)> = None;
    let slack = 1e-27 * size;
    for _ in 0..rounds {
        let (at, lower) = nearest_face(&faces)?;
        let n = faces[at].normal;
        if let Some((upper, _)) = best
            && ((upper - lower).high <= precision || faces[at].done)
        {
            break;
        }
        let p = support(&n);
        let reach = inner(&n, &p);
        if reach.high <= 0.0 {
            return None;
        }
        if best.is_none_or(|(upper, _)| reach < upper) {
            best = Some((reach, n));
        }
        if (reach - lower).high <= slack {
            faces[at].done = true;
            continue;
        }
        grow(&mut points, &mut faces, p, &middle, slack);
    }
    let (upper, direction) = best?;
    let (_, lower) = nearest_face(&faces)?;
    let other = |face: &&Face| length(&minus(&face.normal, &direction)).high > 1e-2;
    let rival = faces.iter().filter(other).map(|face| face.offset.high).fold(f64::INFINITY, f64::min);
    Some(Depth { lower, upper, direction, rival })
}

fn nearest_face(faces: &[Face]) -> Option<(usize, Twin)> {
    let offsets = faces.iter().enumerate().map(|(i, face)| (i, face.offset));
    offsets.reduce(|a, b| if b.1 < a.1 { b } else { a })
}

/// Four support points that span space.
fn start(size: f64, support: &mut impl FnMut(&TwinVector) -> TwinVector) -> Option<Vec<TwinVector>> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut found: Vec<TwinVector> = Vec::new();
    for axis in axes {
        found.push(support(&twins(axis)));
        found.push(support(&twins(axis.map(|x| -x))));
    }
    let first = found[0];
    let far = |points: &[TwinVector], measure: &dyn Fn(&TwinVector) -> Twin| {
        let measured = points.iter().map(|p| (*p, measure(p)));
        measured.reduce(|a, b| if b.1 > a.1 { b } else { a })
    };
    let (second, gap) = far(&found, &|p| length(&minus(p, &first)))?;
    let along = minus(&second, &first);
    let (third, area) = far(&found, &|p| length(&outer(&along, &minus(p, &first))))?;
    if gap.high <= 1e-20 * size || area.high <= 1e-20 * size * gap.high {
        return None;
    }
    let normal = outer(&along, &minus(&third, &first));
    found.push(support(&normal));
    found.push(support(&normal.map(|x| -x)));
    let (fourth, volume) = far(&found, &|p| inner(&normal, &minus(p, &first)).abs())?;
    (volume.high > 1e-20 * size * area.high).then(|| vec![first, second, third, fourth])
}

fn face(points: &[TwinVector], corners: [usize; 3], middle: &TwinVector) -> Option<Face> {
    let [a, b, c] = corners.map(|i| points[i]);
    let n = outer(&minus(&b, &a), &minus(&c, &a));
    let norm = length(&n);
    if norm.high == 0.0 {
        return None;
    }
    let outward = inner(&n, &minus(&a, middle)) >= Twin::ZERO;
    let normal = times((if outward { Twin::ONE } else { -Twin::ONE }) / norm, &n);
    Some(Face { corners, offset: inner(&normal, &a), normal, done: false })
}

/// Adds the point to the hull.
fn grow(points: &mut Vec<TwinVector>, faces: &mut Vec<Face>, p: TwinVector, middle: &TwinVector, slack: f64) {
    let mut edges: Vec<[usize; 2]> = Vec::new();
    let mut kept = Vec::with_capacity(faces.len());
    for face in faces.drain(..) {
        if (inner(&face.normal, &p) - face.offset).high <= slack {
            kept.push(face);
            continue;
        }
        let [i, j, k] = face.corners;
        for [u, v] in [[i, j], [j, k], [k, i]] {
            let edge = [u.min(v), u.max(v)];
            match edges.iter().position(|other| *other == edge) {
                Some(twice) => {
                    edges.swap_remove(twice);
                }
                None => edges.push(edge),
            }
        }
    }
    points.push(p);
    let new = points.len() - 1;
    kept.extend(edges.into_iter().filter_map(|[u, v]| face(points, [u, v, new], middle)));
    *faces = kept;
}
