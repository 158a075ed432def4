//! Up to four points of the difference B − A: the point of their hull nearest to the origin.

use super::pair::View;
use kontakt_math::{DVec3, U};

/// Points with weights; the weighted sum is the nearest point of their hull to the origin, to rounding. Weights are
/// positive and sum up to 1, so the sum lies in the difference whatever the rounding.
#[derive(Clone, Debug)]
pub(super) struct Simplex {
    pub(super) views: [View; 4],
    pub(super) weights: [f64; 4],
    pub(super) count: usize,
    pub(super) nearest: DVec3,
    /// **Never more** than the radius of the ball about the origin that four points enclose; 0 unless they do.
    pub(super) enclosed: f64,
}

impl Simplex {
    /// One point.
    pub(super) fn new(view: View) -> Simplex {
        Simplex { views: [view; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1, nearest: view.w, enclosed: 0.0 }
    }

    /// Takes a point in and drops those that the nearest point does not need. False, and nothing changes, where that
    /// comes no nearer.
    pub(super) fn insert(&mut self, view: View) -> bool {
        if self.count == 4 || self.views[..self.count].iter().any(|old| old.w == view.w) {
            return false;
        }
        let mut points = [DVec3::ZERO; 4];
        for (point, old) in points.iter_mut().zip(&self.views[..self.count]) {
            *point = old.w;
        }
        points[self.count] = view.w;
        let count = self.count + 1;
        let (weights, enclosed) = nearest_weights(&points[..count]);
        let nearest = (0..count).fold(DVec3::ZERO, |sum, i| sum + points[i] * weights[i]);
        let nearer = nearest.length_squared() < self.nearest.length_squared();
        if enclosed == 0.0 && !nearer {
            return false;
        }
        let mut views = self.views;
        views[self.count] = view;
        self.count = 0;
        for i in 0..count {
            if weights[i] > 0.0 {
                self.views[self.count] = views[i];
                self.weights[self.count] = weights[i];
                self.count += 1;
            }
        }
        self.nearest = if enclosed > 0.0 { DVec3::ZERO } else { nearest };
        self.enclosed = enclosed;
        true
    }

    /// The direction of the nearest point, square to the simplex: that of the point itself is spoilt by the roundings of its
    /// place where the simplex is far longer than the point is far.
    pub(super) fn square(&self) -> DVec3 {
        let [a, b, c, _] = self.views.map(|view| view.w);
        match self.count {
            2 => self.nearest - (b - a) * (self.nearest.dot(b - a) / (b - a).length_squared()),
            3 => {
                let normal = (b - a).cross(c - a);
                if normal.dot(self.nearest) < 0.0 { -normal } else { normal }
            }
            _ => self.nearest,
        }
    }

    /// The nearest point as points of A and of B, in A's frame.
    pub(super) fn points(&self) -> (DVec3, DVec3) {
        let views = &self.views[..self.count];
        let blend = |of: fn(&View) -> DVec3| {
            views.iter().zip(&self.weights).fold(DVec3::ZERO, |sum, (view, w)| sum + of(view) * *w)
        };
        (blend(|view| view.a.point), blend(|view| view.b_in_a))
    }
}

type Weights = [f64; 4];

/// Weights of the nearest point of the hull of 1..4 points to the origin, and the radius of the ball enclosed.
pub fn nearest_weights(points: &[DVec3]) -> ([f64; 4], f64) {
    match *points {
        [a, b] => (segment(a, b), 0.0),
        [a, b, c] => (triangle(a, b, c), 0.0),
        [a, b, c, d] => tetrahedron([a, b, c, d]),
        _ => ([1.0, 0.0, 0.0, 0.0], 0.0),
    }
}

fn segment(a: DVec3, b: DVec3) -> Weights {
    let ab = b - a;
    let t = -a.dot(ab) / ab.length_squared();
    if t > 0.0 {
        if t < 1.0 { [1.0 - t, t, 0.0, 0.0] } else { [0.0, 1.0, 0.0, 0.0] }
    } else {
        [1.0, 0.0, 0.0, 0.0]
    }
}

fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Weights {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    // Areas opposite of the corners, seen along the normal.
    let (u, v, w) = (b.cross(c).dot(normal), c.cross(a).dot(normal), a.cross(b).dot(normal));
    if area > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 {
        let sum = u + v + w;
        return squared_up([a, b, c], normal, [u / sum, v / sum, w / sum, 0.0]);
    }
    // On an edge: the best of the three.
    let edges = [(segment(a, b), [0, 1]), (segment(b, c), [1, 2]), (segment(c, a), [2, 0])];
    let points = [a, b, c];
    let mut best = ([1.0, 0.0, 0.0, 0.0], f64::INFINITY);
    for (weights, [i, j]) in edges {
        let squared = (points[i] * weights[0] + points[j] * weights[1]).length_squared();
        if squared < best.1 {
            let mut all = [0.0; 4];
            all[i] = weights[0];
            all[j] = weights[1];
            best = (all, squared);
        }
    }
    best.0
}

/// Weights whose sum is nearer to the foot of the origin: in a triangle that is far longer than far away, the roundings of the areas
/// move the sum along it by more than its distance. What it is off, as multiples of two sides, is taken off the weights.
fn squared_up([a, b, c]: [DVec3; 3], normal: DVec3, weights: Weights) -> Weights {
    let [u, v, w, _] = weights;
    let off = a * u + b * v + c * w;
    let area = normal.length_squared();
    let (along_b, along_c) = (off.cross(c - a).dot(normal) / area, (b - a).cross(off).dot(normal) / area);
    let better = [u + along_b + along_c, v - along_b, w - along_c, 0.0];
    if better[..3].iter().all(|weight| *weight > 0.0) { better } else { weights }
}

/// Also the radius of a ball about the origin that the exact tetrahedron holds, never too large.
///
/// Proof: a computed face normal (edges e, f) differs from the exact one by less than 8u|e||f|, so the products with a corner
/// or an edge p by less than 16u|e||f||p|. What exceeds that has the exact sign, and what is left after taking it off is
/// less than the exact distance of the plane times the normal's length.
fn tetrahedron(p: [DVec3; 4]) -> (Weights, f64) {
    const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 3, 1, 2], [0, 2, 3, 1], [1, 3, 2, 0]];
    let mut best = ([1.0, 0.0, 0.0, 0.0], f64::INFINITY);
    let mut enclosed = f64::INFINITY;
    let mut outside = false;
    for [i, j, k, opposite] in FACES {
        let (e, f, up) = (p[j] - p[i], p[k] - p[i], p[opposite] - p[i]);
        let normal = e.cross(f);
        let height = normal.dot(up);
        let here = -normal.dot(p[i]);
        let doubt = 16.0 * U * (e.length_squared() * f.length_squared()).sqrt();
        let clear = here.abs() - doubt * p[i].length();
        if height * here > 0.0 && clear > 0.0 && height.abs() > doubt * up.length() {
            enclosed = enclosed.min(clear / normal.length() * (1.0 - 16.0 * U));
            continue;
        }
        outside = true;
        let weights = triangle(p[i], p[j], p[k]);
        let squared = (p[i] * weights[0] + p[j] * weights[1] + p[k] * weights[2]).length_squared();
        if squared < best.1 {
            let mut all = [0.0; 4];
            all[i] = weights[0];
            all[j] = weights[1];
            all[k] = weights[2];
            best = (all, squared);
        }
    }
    if outside || !enclosed.is_finite() { (best.0, 0.0) } else { ([0.25; 4], enclosed) }
}
