//! Exact rigid maps: rotation by q/|q| is rational in the components of q.

use crate::rational::{Rational, Vector, add, cross, dot, exact, integer, scale, vector};

/// Exact image R(q/|q|)·x of a vector, q = (x, y, z, w) of any length but zero.
pub fn rotate(q: &[Rational; 4], x: &Vector) -> Vector {
    let v: Vector = std::array::from_fn(|i| q[i].clone());
    let w = &q[3];
    let square = dot(&v, &v) + w * w;
    let turned = cross(&v, x);
    let bent = add(&scale(w, &turned), &cross(&v, &turned));
    add(x, &scale(&(integer(2) / square), &bent))
}

/// Exact image of a point under the pose with quaternion q = (x, y, z, w), meant as q/|q|, and translation t.
pub fn apply(q: [f64; 4], t: [f64; 3], x: [f64; 3]) -> Vector {
    add(&rotate(&q.map(exact), &vector(x)), &vector(t))
}
