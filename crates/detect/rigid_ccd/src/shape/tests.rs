//! The gap that all proofs about shapes rest on, against exact numbers.

use super::piece::Piece;
use super::pursuit::Pursuit;
use crate::legs::leg_of;
use kontakt_convex::Shape;
use kontakt_math::exact_map::exact_point;
use kontakt_math::{Between, DQuat, DVec3, Dyadic, Motion, Pose, Sign};

fn corners(half: DVec3) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(sign(1), sign(2), sign(4))
    })
}

fn height(n: DVec3, x: &[Dyadic; 4]) -> Dyadic {
    let n = n.to_array().map(|c| Dyadic::new(c).expect("finite"));
    &(&(&n[0] * &x[0]) + &(&n[1] * &x[1])) + &(&n[2] * &x[2])
}

/// Boxes that touch along a direction but for rounding: the certified gap is never more than the exact one, where the rounded
/// one is in many cases.
#[test]
fn gaps_are_never_more_than_the_exact_ones() {
    let mut dice = fastrand::Rng::with_seed(9);
    let mut signed = || 2.0 * dice.f64() - 1.0;
    let mut tempted = 0;
    for _ in 0..3000 {
        let mut vector = || DVec3::new(signed(), signed(), signed());
        let halves = [vector().abs(), vector().abs()];
        let n = vector().normalize();
        let (v, w) = (vector(), vector());
        let turns = [(v, w.x), (w, v.y)].map(|(v, w)| DQuat::from_xyzw(v.x, v.y, v.z, w).normalize());
        let [a, b] = [0, 1].map(|k: usize| Pose::new(turns[k], vector() * 2.0).expect("finite"));
        let low = |b: &Pose| {
            let place = |x: DVec3| a.rotation().conjugate() * (b.apply(x) - a.translation());
            let bottom =
                corners(halves[1]).map(|x| n.dot(place(x))).into_iter().fold(f64::INFINITY, f64::min);
            bottom - n.abs().dot(halves[0])
        };
        let b = Pose::new(turns[1], b.translation() - a.rotate(n) * low(&b)).expect("finite");
        let between = Between::new(a, b);
        // Heights of B's corners over those of A, times the weight of B's.
        let (tops, lows) =
            (corners(halves[0]).map(exact_point), corners(halves[1]).map(|x| between.exact_b(x)));
        let above = |gap: f64| {
            tops.iter().all(|x| {
                lows.iter().all(|y| {
                    let reach = &(&height(n, x) + &Dyadic::new(gap).expect("finite")) * &y[3];
                    (&height(n, y) - &reach).sign() != Sign::Negative
                })
            })
        };
        let motions = [Motion::Rest(a), Motion::Rest(b)];
        let leg = leg_of([&motions[0], &motions[1]], [0.0, 1.0], [DVec3::ZERO; 2]);
        let shapes = halves.map(|half| Shape::cuboid(half).expect("a box"));
        let [x, y] = [0, 1].map(|k: usize| Piece::of_shape(&shapes[k]).expect("no union"));
        let pursuit = Pursuit { leg: &leg, a: &x, b: &y, tolerance: 1e-6, enough: 0.0 };
        let gap = pursuit.gap_along(n, 0.0);
        assert!(n.normalize() != n || gap <= 0.0 || above(gap), "{gap}");
        tempted += u32::from(low(&b) > 0.0 && !above(low(&b)));
    }
    assert!(tempted > 300, "{tempted}");
}
