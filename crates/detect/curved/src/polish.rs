//! The nearest points of two surfaces near a start, in plain doubles: what is found is only ever a pair of points.

use crate::tessellate::Domain;
use kontakt_math::{Between, DVec3};

/// Steps of one search.
const STEPS: usize = 16;

/// What a point may be moved on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    /// A surface, at parameters.
    On(&'a Domain, [f64; 2]),
    /// Nothing: the point stays.
    Fixed(DVec3),
}

/// A place with derivatives: the point, by u, by v, and twice by uu, uv, vv.
type Jet = [DVec3; 6];

impl Place<'_> {
    fn jet(&self, at: [f64; 2]) -> Jet {
        match self {
            Place::On(domain, _) => {
                let jet = domain.jet(at);
                [jet.point, jet.du, jet.dv, jet.duu, jet.duv, jet.dvv]
            }
            Place::Fixed(point) => [*point, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO],
        }
    }

    fn start(&self) -> [f64; 2] {
        match self {
            Place::On(_, at) => *at,
            Place::Fixed(_) => [0.0; 2],
        }
    }
}

/// Goes down from a start to parameters where the two are nearest, by Newton's method with as much of the identity added as it takes to go
/// down. The second place is mapped to the first one's frame.
pub(crate) fn nearest(a: Place, b: Place, between: &Between) -> [[f64; 2]; 2] {
    let turn = between.turn();
    let jets = |at: [[f64; 2]; 2]| {
        let [point, rest @ ..] = b.jet(at[1]);
        let [du, dv, duu, duv, dvv] = rest.map(|x| turn * x);
        (a.jet(at[0]), [between.b_in_a(point), du, dv, duu, duv, dvv])
    };
    let mut at = [a.start(), b.start()];
    let mut here = jets(at);
    let mut damping = 0.0;
    for _ in 0..STEPS {
        let apart = here.0[0] - here.1[0];
        let (slope, bend) = slopes(&here, apart);
        let Some(step) = solved(bend, slope, damping) else {
            damping = (10.0 * damping).max(1e-3);
            continue;
        };
        let next: [[f64; 2]; 2] = [0, 1].map(|s: usize| [0, 1].map(|k: usize| at[s][k] - step[2 * s + k]));
        let there = jets(next);
        let now = (there.0[0] - there.1[0]).length_squared();
        let before = apart.length_squared();
        if now < before {
            (at, here) = (next, there);
            damping = if damping < 1e-6 { 0.0 } else { 0.1 * damping };
            if before - now <= 1e-14 * before {
                break;
            }
        } else if now <= before * (1.0 + 1e-15) {
            break;
        } else {
            damping = (10.0 * damping).max(1e-3);
        }
    }
    at
}

/// First and second derivatives of half the squared distance.
fn slopes((a, b): &(Jet, Jet), apart: DVec3) -> ([f64; 4], [[f64; 4]; 4]) {
    let along = [a[1], a[2], -b[1], -b[2]];
    let slope = along.map(|x| x.dot(apart));
    let mut bend = along.map(|x| along.map(|y| x.dot(y)));
    let twice = [[3, 4], [4, 5]];
    for i in 0..2 {
        for j in 0..2 {
            bend[i][j] += a[twice[i][j]].dot(apart);
            bend[2 + i][2 + j] -= b[twice[i][j]].dot(apart);
        }
    }
    (slope, bend)
}

/// The solution of a symmetric system that is positive definite with a part of its diagonal added (Cholesky); `None` where it is not.
/// Unknowns without any effect stay.
fn solved(mut matrix: [[f64; 4]; 4], mut right: [f64; 4], damping: f64) -> Option<[f64; 4]> {
    for (k, row) in matrix.iter_mut().enumerate() {
        let own = row.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        row[k] = if own == 0.0 { 1.0 } else { row[k] + damping * row[k].abs().max(1e-3 * own) };
    }
    for k in 0..4 {
        for j in 0..k {
            let sum: f64 = (0..j).map(|i| matrix[k][i] * matrix[j][i]).sum();
            matrix[k][j] = (matrix[k][j] - sum) / matrix[j][j];
        }
        let rest = matrix[k][k] - (0..k).map(|i| matrix[k][i] * matrix[k][i]).sum::<f64>();
        let is_definite = rest > 1e-14 * matrix[k][k].abs();
        if !is_definite {
            return None;
        }
        matrix[k][k] = rest.sqrt();
    }
    for k in 0..4 {
        let sum: f64 = (0..k).map(|i| matrix[k][i] * right[i]).sum();
        right[k] = (right[k] - sum) / matrix[k][k];
    }
    for k in (0..4).rev() {
        let sum: f64 = (k + 1..4).map(|i| matrix[i][k] * right[i]).sum();
        right[k] = (right[k] - sum) / matrix[k][k];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}
