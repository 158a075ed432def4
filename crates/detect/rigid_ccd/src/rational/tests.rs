//! Exact first contacts against subdivision, and grazes known by symmetry.

use crate::dice::Dice;
use crate::exact;
use crate::legs::leg_of;
use crate::outcome::Outcome;
use crate::pair::Pair;
use crate::rational;
use kontakt_answers::Visits;
use kontakt_math::{Between, DQuat, DVec3, Motion, Pose};

/// Two triangles on rational ways, at random and on a grid of small integers: the same first contact by exact
/// polynomials and by subdivision.
#[test]
fn polynomials_and_subdivision_agree() {
    let mut dice = Dice::new(17);
    let (mut hits, mut free, mut checked) = (0, 0, 0);
    for round in 0..200 {
        let grid = |v: DVec3| if round % 3 == 0 { (v * 3.0).round() } else { v };
        let place = grid(dice.vector() * 1.5);
        let back = grid(dice.vector()) - place;
        let (start, end) = (dice.pose(place), dice.pose(back));
        let pivot = if round % 2 == 0 { DVec3::ZERO } else { grid(dice.vector()) };
        let moving = Motion::nlerp(start, end, pivot).expect("finite");
        let aside = grid(dice.vector());
        let (first, last) = (dice.pose(DVec3::ZERO), dice.pose(aside));
        let other = match round % 4 {
            0 => Motion::Rest(first),
            1 => Motion::slerp(
                first,
                Pose::new(first.given_rotation(), last.translation()).expect("finite"),
                DVec3::ZERO,
            )
            .expect("finite"),
            _ => Motion::nlerp(first, last, grid(dice.vector())).expect("finite"),
        };
        let (a, b) = (dice.triangle().map(grid), dice.triangle().map(grid));
        let area = |t: [DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).length();
        let between = Between::new(other.pose_at(0.0), moving.pose_at(0.0));
        if area(a) < 1e-3 || area(b) < 1e-3 || exact::meet(&between, a, b, &mut Visits::default()) {
            continue;
        }
        let leg = leg_of([&other, &moving], [0.0, 1.0], [DVec3::ZERO; 2]);
        let found = rational::first_contact(&leg, [a, b], [0.0, 1.0], 1e-9).expect("rational");
        let mut looks = 0;
        let divided = Pair { leg: &leg, a, b }.first_contact([0.0, 1.0], 1e-9, &mut Vec::new(), &mut looks);
        checked += u32::from(looks < 60);
        match (found, divided) {
            (Outcome::Free, Outcome::Free) => free += 1,
            (Outcome::Contact { lo, hi }, Outcome::Contact { lo: early, hi: late }) => {
                hits += 1;
                assert!(lo <= late + 1e-12 && early <= hi + 1e-12, "round {round}: {found:?} {divided:?}");
                assert!(hi - lo <= 1e-9);
            }
            _ => panic!("round {round}: {found:?} {divided:?}"),
        }
    }
    assert!(hits > 30 && free > 30 && checked > hits / 2 + free / 2, "{hits} {free} {checked}");
}

/// A tip and a ridge that come down on the turn exactly to the height of a table and go up again: contact at half time if the
/// table is not lower, by as little as a double tells.
#[test]
fn grazes_by_symmetry() {
    let tip = [DVec3::new(0.0, -1.0, 0.0), DVec3::new(0.25, 0.0, 0.5), DVec3::new(-0.25, 0.0, 0.5)];
    let ridge = [DVec3::new(-1.0, -1.0, 0.0), DVec3::new(1.0, -1.0, 0.0), DVec3::new(0.0, 0.0, 0.5)];
    let table = |y: f64| [DVec3::new(-3.0, y, -3.0), DVec3::new(3.0, y, -3.0), DVec3::new(0.0, y, 3.0)];
    let wedge =
        |y: f64| [DVec3::new(0.125, y, -3.0), DVec3::new(0.125, y, 3.0), DVec3::new(0.125, y - 2.0, 0.0)];
    let swing = |axis: DVec3, place: DVec3| {
        let turned = |sign: f64| {
            let v = axis * sign;
            Pose::new(DQuat::from_xyzw(0.28 * v.x, 0.28 * v.y, 0.28 * v.z, 0.96), place).expect("finite")
        };
        Motion::nlerp(turned(-1.0), turned(1.0), DVec3::ZERO).expect("finite")
    };
    let rest = Motion::Rest(Pose::IDENTITY);
    let spin = swing(DVec3::Y, DVec3::ZERO);
    for (axis, b, on_table) in
        [(DVec3::Z, tip, true), (DVec3::X, tip, true), (DVec3::X, ridge, true), (DVec3::X, ridge, false)]
    {
        let motion = swing(axis, DVec3::ZERO);
        // The table may turn about the upright, which does not change its plane.
        for other in if on_table { vec![&rest, &spin] } else { vec![&rest] } {
            let below = |y: f64| if on_table { table(y) } else { wedge(y) };
            let leg = leg_of([other, &motion], [0.0, 1.0], [DVec3::ZERO; 2]);
            for (y, meets) in [(-1.0, true), (-1.0 - f64::EPSILON, false), (-1.0 + f64::EPSILON, true)] {
                let mut looks = 0;
                let found = Pair { leg: &leg, a: below(y), b }.first_contact(
                    [0.0, 1.0],
                    1e-6,
                    &mut Vec::new(),
                    &mut looks,
                );
                match found {
                    Outcome::Contact { lo, hi } => {
                        assert!(
                            meets && lo <= 0.5 && hi >= 0.5 - 1e-6 && hi - lo <= 1e-6,
                            "{axis} {y} {found:?}"
                        );
                    }
                    Outcome::Free => assert!(!meets, "{axis} {y}"),
                    Outcome::Open { .. } => panic!("{axis} {y} {found:?} after {looks}"),
                }
            }
        }
    }
}

/// A point, a segment or a triangle that passes a block's face, edge or corner on a grid: the same first contact as that of the boxes they
/// are, in integers. Once triangles without area were left to doubles, which do not tell a touch of one instant.
#[test]
fn triangles_without_area_touch_when_boxes_do() {
    let mut dice = Dice::new(23);
    let mut hits = 0;
    for round in 0..4000 {
        let mut whole = |size: f64| (dice.vector() * size).round();
        let (low, way) = (whole(3.0), whole(4.0));
        // A box of the thing at rest, flat across one axis, and one of what moves, a segment along another or a point.
        let (mut extent, mut needle) = (whole(2.0).abs() + DVec3::ONE, DVec3::ZERO);
        extent[round % 3] = 0.0;
        if round % 4 > 0 {
            needle[round / 3 % 3] = whole(2.0).x.abs();
        }
        let at = whole(3.0) - way * 0.5;
        let mut step = DVec3::ZERO;
        step[(round + 1) % 3] = extent[(round + 1) % 3];
        let rect = [low, low + step, low + extent];
        let other = [low, low + extent - step, low + extent];
        // When both boxes meet: an interval for each axis.
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for k in 0..3 {
            let (gap, past) = (low[k] - at[k] - needle[k], low[k] + extent[k] - at[k]);
            if way[k] == 0.0 {
                (first, last) = if gap > 0.0 || past < 0.0 { (2.0, 1.0) } else { (first, last) };
            } else {
                let times = [gap / way[k], past / way[k]];
                (first, last) = (first.max(times[0].min(times[1])), last.min(times[0].max(times[1])));
            }
        }
        if first == 0.0 {
            continue;
        }
        let still = Motion::Rest(Pose::IDENTITY);
        let end = Pose::new(DQuat::IDENTITY, way).expect("finite");
        let moving = Motion::slerp(Pose::IDENTITY, end, DVec3::ZERO).expect("finite");
        let leg = leg_of([&still, &moving], [0.0, 1.0], [DVec3::ZERO; 2]);
        let moved = [at, at + needle, at + needle * 0.5];
        let found = [rect, other].map(|half| {
            match rational::first_contact(&leg, [half, moved], [0.0, 1.0], 1e-9).expect("rational") {
                Outcome::Contact { lo, hi } => {
                    assert!(hi - lo <= 1e-9);
                    lo
                }
                _ => 2.0,
            }
        });
        let found = found[0].min(found[1]);
        let expected = if first <= last { first } else { 2.0 };
        assert!(
            (found - expected).abs() <= 1e-9,
            "round {round}: {found} {expected}, {rect:?} {moved:?} by {way}"
        );
        hits += u32::from(first <= last);
    }
    assert!(hits > 150, "{hits}");
}
