//! Newton's method where several smooth pieces of the support functions meet: on edges, faces and rims.

use super::ascent::{Stand, unit};
use super::pair::{Pair, Plane, View, tangents};
use super::simplex::Simplex;
use kontakt_math::DVec3;

/// Up to three pieces that are equally far at the optimum, with the weights that balance them.
#[derive(Clone, Debug)]
pub(super) struct Active {
    pub(super) n: DVec3,
    pub(super) views: [View; 3],
    pub(super) weights: [f64; 3],
    pub(super) count: usize,
}

type Vector2 = (f64, f64);

fn minus(a: Vector2, b: Vector2) -> Vector2 {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Vector2, b: Vector2) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

impl Active {
    /// One piece.
    pub(super) fn single(stand: &Stand) -> Active {
        Active { n: stand.n, views: [stand.view; 3], weights: [1.0, 0.0, 0.0], count: 1 }
    }

    /// The pieces that a simplex rests on; none for a tetrahedron of different pieces.
    pub(super) fn of_simplex(simplex: &Simplex) -> Option<Active> {
        let n = unit(simplex.nearest)?;
        let first = simplex.views[0];
        let mut active = Active { n, views: [first; 3], weights: [0.0; 3], count: 0 };
        for (view, weight) in simplex.views[..simplex.count].iter().zip(simplex.weights) {
            if !active.join(*view, weight) {
                return None;
            }
        }
        Some(active)
    }

    /// Takes a piece in, or adds to the weight of one that is there; false when there are three others.
    pub(super) fn join(&mut self, view: View, weight: f64) -> bool {
        for (old, sum) in self.views[..self.count].iter_mut().zip(&mut self.weights) {
            if same_piece(old, &view) {
                *sum += weight;
                return true;
            }
        }
        if self.count == 3 {
            return false;
        }
        self.views[self.count] = view;
        self.weights[self.count] = weight;
        self.count += 1;
        true
    }

    /// The same with B moved back by a vector.
    pub(super) fn back(&mut self, by: DVec3) {
        for view in &mut self.views {
            view.b_in_a -= by;
            view.w -= by;
        }
    }

    /// The weighted pair of points of A and B, in A's frame.
    pub(super) fn points(&self) -> (DVec3, DVec3) {
        let blend = |of: fn(&View) -> DVec3| {
            (0..self.count).fold(DVec3::ZERO, |sum, i| sum + of(&self.views[i]) * self.weights[i])
        };
        (blend(|view| view.a.point), blend(|view| view.b_in_a))
    }

    /// Newton steps until they are as short as rounding; false where the pieces turn out not to balance.
    pub(super) fn polish(&mut self, pair: &Pair, steps: usize) -> bool {
        for _ in 0..steps {
            let Some(step) = self.step(pair) else { return false };
            if step < 4e-16 {
                return self.refresh(pair);
            }
        }
        self.refresh(pair)
    }

    /// Looks again along n, and balances.
    fn refresh(&mut self, pair: &Pair) -> bool {
        for view in &mut self.views[..self.count] {
            *view = pair.look_again(view, self.n);
        }
        let (e, f) = tangents(self.n);
        self.balance(|w: DVec3| (w.dot(e), w.dot(f)), (0.0, 0.0))
    }

    /// Weights with which the slopes of the pieces add up to `rest`, as well as they can; false if one is negative.
    fn balance(&mut self, across: impl Fn(DVec3) -> Vector2, rest: Vector2) -> bool {
        let slopes = self.views.map(|view| across(view.w));
        let weights = match self.count {
            1 => [1.0, 0.0, 0.0],
            2 => {
                let d = minus(slopes[0], slopes[1]);
                let first = dot(minus(rest, slopes[1]), d) / dot(d, d);
                [first, 1.0 - first, 0.0]
            }
            _ => {
                let (p, q) = (minus(slopes[0], slopes[2]), minus(slopes[1], slopes[2]));
                let r = minus(rest, slopes[2]);
                let determinant = p.0 * q.1 - p.1 * q.0;
                let first = (r.0 * q.1 - r.1 * q.0) / determinant;
                let second = (p.0 * r.1 - p.1 * r.0) / determinant;
                [first, second, 1.0 - first - second]
            }
        };
        let fine = weights[..self.count].iter().all(|w| *w >= 0.0);
        if fine {
            self.weights = weights;
        }
        fine
    }

    /// One step of sequential quadratic programming: the maximum of the quadratic model along directions in which the
    /// linearised pieces stay equal. Gives the length of the step.
    fn step(&mut self, pair: &Pair) -> Option<f64> {
        let n = self.n;
        let (e, f) = tangents(n);
        let mut curve = Plane::default();
        let mut gap = 0.0;
        for (view, weight) in self.views[..self.count].iter_mut().zip(self.weights) {
            *view = pair.look_again(view, n);
            let bend = pair.bends(view, n, e, f).total();
            curve.xx += weight * bend.xx;
            curve.xy += weight * bend.xy;
            curve.yy += weight * bend.yy;
            gap += weight * view.w.dot(n);
        }
        let curve = curve.plus(gap);
        let across = |w: DVec3| (w.dot(e), w.dot(f));
        let slopes = self.views.map(|view| across(view.w));
        let gaps = self.views.map(|view| view.w.dot(n));
        let delta = match self.count {
            1 => curve.solve(slopes[0].0, slopes[0].1),
            2 => {
                let d = minus(slopes[0], slopes[1]);
                let squared = dot(d, d);
                let even = (gaps[1] - gaps[0]) / squared;
                let start = (even * d.0, even * d.1);
                let length = squared.sqrt();
                let along = (-d.1 / length, d.0 / length);
                let y = (dot(slopes[0], along) - curve.form(along, start)) / curve.form(along, along);
                (start.0 + y * along.0, start.1 + y * along.1)
            }
            _ => {
                let (p, q) = (minus(slopes[0], slopes[2]), minus(slopes[1], slopes[2]));
                let (r, s) = (gaps[2] - gaps[0], gaps[2] - gaps[1]);
                let determinant = p.0 * q.1 - p.1 * q.0;
                ((r * q.1 - s * p.1) / determinant, (p.0 * s - q.0 * r) / determinant)
            }
        };
        let length = dot(delta, delta).sqrt();
        if length.is_nan() || length >= 1.0 {
            return None;
        }
        let rest = (curve.xx * delta.0 + curve.xy * delta.1, curve.xy * delta.0 + curve.yy * delta.1);
        // Weights of a step that overshoots may be negative for once; the last word is in `refresh`.
        let _ = self.balance(across, rest);
        self.n = unit(n + e * delta.0 + f * delta.1)?;
        Some(length)
    }
}

/// Whether two views see the same piece of both bodies. Points that stand alone are pieces of their own.
fn same_piece(a: &View, b: &View) -> bool {
    let same = |p: super::body::Spot, q: super::body::Spot| {
        p.piece == q.piece && (p.piece != super::body::ALONE || p.point == q.point)
    };
    same(a.a, b.a) && same(a.b, b.b)
}
