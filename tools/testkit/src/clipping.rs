//! The volume two solids have in common, by clipping tetrahedra against tetrahedra in rationals.
//!
//! The indicator of a solid is the signed sum of the indicators of the tetrahedra that an apex spans with its faces (but on a set without
//! volume), wherever the apex is. So the common volume is the signed sum over pairs of tetrahedra, each pair cut exactly. Nothing of the
//! product's way (crossing segments, a perturbed place, the divergence theorem) is used here.

use crate::rational::{Rational, Vector, abs, add, cross, dot, integer, scale, sign, sub};
use num_traits::Zero;

/// Three corners.
pub type Face = [Vector; 3];
type Tetrahedron = [Vector; 4];

/// The exact volume of what two solids have in common; their faces are oriented outward.
pub fn common_volume(a: &[Face], b: &[Face]) -> Rational {
    let (a, b) = (spanned(a), spanned(b));
    let mut sum = Rational::zero();
    for (first, plus) in &a {
        for (second, also) in &b {
            if boxes_meet(first, second) {
                let part =
                    clipped(first, second).iter().map(|piece| abs(&six_volumes(piece))).sum::<Rational>();
                sum += part * integer(i64::from(plus * also));
            }
        }
    }
    sum / integer(6)
}

/// The tetrahedra over all faces with an apex at one corner of the body, and their signs; flat ones are left out.
fn spanned(faces: &[Face]) -> Vec<(Tetrahedron, i32)> {
    let Some([apex, ..]) = faces.first() else { return Vec::new() };
    let over = |[p, q, r]: &Face| {
        let body = [apex.clone(), p.clone(), q.clone(), r.clone()];
        let sign = sign(&six_volumes(&body));
        (body, sign)
    };
    faces.iter().map(over).filter(|(_, sign)| *sign != 0).collect()
}

fn six_volumes([a, b, c, d]: &Tetrahedron) -> Rational {
    dot(&sub(b, a), &cross(&sub(c, a), &sub(d, a)))
}

fn boxes_meet(a: &Tetrahedron, b: &Tetrahedron) -> bool {
    let least = |t: &Tetrahedron, k: usize| t.iter().map(|p| p[k].clone()).min();
    let most = |t: &Tetrahedron, k: usize| t.iter().map(|p| p[k].clone()).max();
    (0..3).all(|k| least(a, k) < most(b, k) && least(b, k) < most(a, k))
}

/// What of `body` lies in `other`, in tetrahedra.
fn clipped(body: &Tetrahedron, other: &Tetrahedron) -> Vec<Tetrahedron> {
    let mut pieces = vec![body.clone()];
    for k in 0..4 {
        let [p, q, r] = [1, 2, 3].map(|i| &other[(k + i) % 4]);
        let normal = cross(&sub(q, p), &sub(r, p));
        let inward = dot(&normal, &sub(&other[k], p));
        let height = |x: &Vector| dot(&normal, &sub(x, p)) * &inward;
        pieces = pieces.iter().flat_map(|piece| above(piece, &height)).collect();
    }
    pieces
}

/// The part of a tetrahedron where the height is positive, in tetrahedra.
fn above(body: &Tetrahedron, height: &impl Fn(&Vector) -> Rational) -> Vec<Tetrahedron> {
    let mut corners: Vec<(Vector, Rational)> = body.iter().map(|x| (x.clone(), height(x))).collect();
    corners.sort_by(|(_, g), (_, h)| h.cmp(g));
    let zero = Rational::zero();
    let higher = corners.iter().filter(|(_, h)| *h > zero).count();
    if higher == 4 || corners[3].1 >= zero {
        return vec![body.clone()];
    }
    // Where the edge from a high corner to one that is not high crosses the plane.
    let cut = |high: usize, low: usize| {
        let ((x, h), (y, g)) = (&corners[high], &corners[low]);
        add(x, &scale(&(h / (h - g)), &sub(y, x)))
    };
    let corner = |k: usize| corners[k].0.clone();
    match higher {
        0 => Vec::new(),
        1 => vec![[corner(0), cut(0, 1), cut(0, 2), cut(0, 3)]],
        2 => prism([corner(0), cut(0, 2), cut(0, 3)], [corner(1), cut(1, 2), cut(1, 3)]),
        _ => prism([corner(0), corner(1), corner(2)], [cut(0, 3), cut(1, 3), cut(2, 3)]),
    }
}

/// A prism whose triangles correspond corner by corner, in three tetrahedra.
fn prism([a, b, c]: Face, [d, e, f]: Face) -> Vec<Tetrahedron> {
    vec![
        [a.clone(), b.clone(), c.clone(), d.clone()],
        [b.clone(), c.clone(), d.clone(), e.clone()],
        [c, d, e, f],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::vector;

    fn tetrahedron(points: [[f64; 3]; 4]) -> Vec<Face> {
        let p = points.map(vector);
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
            .map(|face: [usize; 3]| face.map(|k| p[k].clone()))
            .to_vec()
    }

    #[test]
    fn a_corner_and_its_images() {
        let corner = tetrahedron([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(common_volume(&corner, &corner), integer(1) / integer(6));
        let moved: Vec<Face> =
            corner.iter().map(|f| f.clone().map(|p| add(&p, &vector([0.5, 0.0, 0.0])))).collect();
        assert_eq!(common_volume(&corner, &moved), integer(1) / integer(48));
        let mirrored = tetrahedron([[0.0; 3], [0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
        assert_eq!(common_volume(&corner, &mirrored), integer(0));
        let two = [corner.clone(), moved.clone()].concat();
        assert_eq!(common_volume(&two, &corner), integer(1) / integer(6) + integer(1) / integer(48));
    }
}
