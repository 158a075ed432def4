//! The bounds that all proofs rest on, against exact numbers: never too small, and so tight that a mutated constant is seen.

use super::{Bend, Leg};
use crate::dice::Dice;
use crate::legs::leg_of;
use crate::pair::ball;
use crate::triangles::Ends;
use kontakt_math::exact_map::{Homogeneous, exact_point};
use kontakt_math::{Between, DVec3, Dyadic, Motion, Sign};

fn dyadic(x: f64) -> Dyadic {
    Dyadic::new(x).expect("finite")
}

/// Whether |computed − exact| ≤ bound, exactly.
fn within(computed: DVec3, exact: &Homogeneous, bound: f64) -> bool {
    let squared = (0..3).fold(Dyadic::ZERO, |sum, i| {
        let difference = &(&dyadic(computed[i]) * &exact[3]) - &exact[i];
        &sum + &(&difference * &difference)
    });
    let limit = &dyadic(bound) * &exact[3];
    (&squared - &(&limit * &limit)).sign() != Sign::Positive
}

/// Places of points at the start of motions, which are known exactly. A hundredth of the bound is too small somewhere: the
/// constants are not idle.
#[test]
fn errors_of_places_cover_their_rounding() {
    let mut dice = Dice::new(3);
    let mut beyond = [0; 2];
    for round in 0..4000 {
        let (a, b) = (dice.motion(round), dice.motion(round / 5));
        let leg = leg_of([&a, &b], [0.0, 1.0], [DVec3::ZERO; 2]);
        let relative = leg.relative(0.0);
        let between = Between::new(a.pose_at(0.0), b.pose_at(0.0));
        let x = dice.vector() * 3.0;
        let bound = relative.error_within(x.length());
        let (place, exact) = (relative.b_in_a(x), between.exact_b(x));
        assert!(within(place, &exact, bound), "round {round}");
        for (count, part) in beyond.iter_mut().zip([0.01, 0.1]) {
            *count += u32::from(!within(place, &exact, part * bound));
        }
    }
    assert!(beyond[0] > 100, "{beyond:?}");
}

/// How far points are from their straight ways: never more than the bound, and for one body that turns steadily nearly as much.
#[test]
fn bends_cover_the_way_of_points() {
    let mut dice = Dice::new(4);
    let mut tightest = [0.0_f64; 2];
    for round in 0..6000_u32 {
        let (a, b) = (dice.motion(round), dice.motion(round / 5));
        let leg = leg_of([&a, &b], [0.0, 1.0], [DVec3::ZERO; 2]);
        let (start, span) = (0.8 * dice.0.f64(), 10.0_f64.powf(-2.0 * dice.0.f64()) * 0.2);
        let x = dice.vector();
        let share = dice.0.f64();
        let times = [start, start + share * span, start + span];
        let seen = |leg: &Leg, x: DVec3, of_a: bool| {
            times.map(|t| {
                let relative = leg.relative(t);
                if of_a { relative.a_in_b(x) } else { relative.b_in_a(x) }
            })
        };
        for of_a in [false, true] {
            let first = leg.relative(start);
            let bend: Bend =
                if of_a { leg.bend_of_a(x, 0.0, &first, span) } else { leg.bend_of_b(x, 0.0, &first, span) };
            let [from, on_the_way, to] = seen(&leg, x, of_a);
            let off = (on_the_way - (from * (1.0 - share) + to * share)).length();
            // The bound in between: λ(1−λ)·q, q = acceleration·span²/2.
            let bound = 0.5 * bend.acceleration * span * span * share * (1.0 - share);
            assert!(off <= bound + 1e-13, "round {round}: {off} {bound}\n{a:?}\n{b:?}");
            assert!(off <= bend.bow(span) + 1e-13, "round {round}");
            if bound > 1e-9 {
                let viewer_rests = matches!(if of_a { &b } else { &a }, Motion::Rest(_));
                let place = usize::from(!viewer_rests);
                tightest[place] = tightest[place].max(off / bound);
            }
        }
    }
    // A bound a tenth smaller would fail here; seen from a turning body the bound is a sum of four terms that seldom agree.
    assert!(tightest[0] > 0.9 && tightest[1] > 0.3, "{tightest:?}");
}

/// A corner that lies exactly on an edge is never proven apart from it, along directions across the edge.
#[test]
fn planes_do_not_tear_touching_triangles_apart() {
    let mut dice = Dice::new(5);
    let mut rounded = 0;
    for _ in 0..5000 {
        // On a grid, so that a third of the edge is exact, and far from the origin.
        let mut grid = || (dice.vector() * 1e6).round() / 1024.0 + DVec3::splat(4096.0);
        let (p, r, y, z) = (grid(), grid(), grid(), grid());
        let third = (grid() - DVec3::splat(4096.0)) * 0.25;
        let (middle, q) = (p + third, p + 3.0 * third);
        let axis = (q - p).cross(dice.vector());
        let ends = Ends::new([p, q, r], [[middle, y, z]; 2], [0.0; 2], [0.0; 2]);
        for n in [axis, -axis] {
            assert_eq!(ends.kept_apart(n), [0.0; 2], "{p} {q} {axis}");
        }
        let local = [p, q, middle].map(|x| axis.dot(x - p));
        rounded += u32::from(local[2] > local[0].max(local[1]) || local[2] < local[0].min(local[1]));
    }
    // Rounded heights alone would have been wrong about the order of the three.
    assert!(rounded > 100, "{rounded}");
}

/// Exact first contact of triangles at rest in the other's frame: heights told by `exact_point` agree with `ball`.
#[test]
fn balls_hold_their_points() {
    let mut dice = Dice::new(6);
    for _ in 0..2000 {
        let points = [dice.vector() * 7.0, dice.vector(), dice.vector() + DVec3::splat(100.0)];
        let (centre, radius) = ball(&points);
        assert!(points.iter().all(|x| within(centre, &exact_point(*x), radius)));
    }
}
