//! DiTO-14: axes from a large base triangle and two tetrahedra on the extremal points of a 14-DOP (Larsson and
//! Källberg 2011).

use super::cost::cost;
use super::principal::orthonormal;
use crate::bound::Objective;
use kontakt_math::{DMat3, DVec3};

/// Normals of the 14-DOP: coordinate axes and space diagonals.
const NORMALS: [[f64; 3]; 7] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// The best axes of the ditetrahedron, judged on the extremal points only; coordinate axes if they are better.
pub(super) fn axes(points: &[DVec3], objective: Objective) -> DMat3 {
    let farthest = |d: DVec3| {
        points.iter().copied().fold((f64::NEG_INFINITY, DVec3::ZERO), |best, p| {
            let value = d.dot(p);
            if value > best.0 { (value, p) } else { best }
        })
    };
    let extremal: Vec<DVec3> =
        NORMALS.iter().flat_map(|&n| [farthest(DVec3::from(n)).1, farthest(-DVec3::from(n)).1]).collect();
    let judge = |axes: &DMat3| {
        let widths = [0, 1, 2].map(|i| {
            let along = extremal.iter().map(|p| axes.col(i).dot(*p));
            let (low, high) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        });
        cost(objective, widths)
    };
    let mut best = (judge(&DMat3::IDENTITY), DMat3::IDENTITY);
    for [a, b, c] in ditetrahedron(&extremal) {
        let normal = (b - a).cross(c - a);
        for edge in [b - a, c - b, a - c] {
            let axes = orthonormal(edge, normal.cross(edge));
            let value = judge(&axes);
            if value < best.0 {
                best = (value, axes);
            }
        }
    }
    best.1
}

/// The base triangle and the six other faces of the two tetrahedra over it.
fn ditetrahedron(extremal: &[DVec3]) -> Vec<[DVec3; 3]> {
    let pick = |value: &dyn Fn(DVec3) -> f64| {
        extremal.iter().copied().max_by(|&p, &q| value(p).total_cmp(&value(q))).unwrap_or(DVec3::ZERO)
    };
    // The farthest of the seven pairs, then the point farthest from its line.
    let pair = extremal
        .chunks_exact(2)
        .max_by(|p, q| p[0].distance_squared(p[1]).total_cmp(&q[0].distance_squared(q[1])));
    let Some(&[a, b]) = pair else { return Vec::new() };
    let c = pick(&|p| (b - a).cross(p - a).length_squared());
    let normal = (b - a).cross(c - a);
    let (above, below) = (pick(&|p| normal.dot(p - a)), pick(&|p| -normal.dot(p - a)));
    let mut faces = vec![[a, b, c]];
    for tip in [above, below] {
        faces.extend([[a, b, tip], [b, c, tip], [c, a, tip]]);
    }
    faces
}
