//! Searches bit by bit, for all families: sound at every moment, narrowing, in the end the answer in one go; many of them in one budget.

use kontakt_answers::Impact;
use kontakt_convex::Shape;
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, DistanceSearch, ImpactSearch, Moving, Placed, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Budget, Policy, run, run_parallel};
use kontakt_shapes::make;

fn bodies() -> Vec<Body> {
    let mesh = |faces| Body::mesh(Mesh::with_threads(faces, 1).expect("mesh"));
    vec![
        mesh(make::bumpy_ball(6, 0.1).expect("faces")),
        mesh(make::hex_nut(2.0, 1.0, 1.0, 12).expect("faces")),
        mesh(make::terrain(8, 0.3).expect("faces")),
        Body::convex(Shape::sphere(0.3).expect("sphere")),
        Body::convex(Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)).expect("box")),
    ]
}

struct Scatter(fastrand::Rng);

impl Scatter {
    fn vector(&mut self, size: f64) -> DVec3 {
        (DVec3::new(self.0.f64(), self.0.f64(), self.0.f64()) * 2.0 - 1.0) * size
    }

    fn pose(&mut self, reach: f64) -> Pose {
        let axis = self.vector(3.0);
        let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::X), axis.length());
        Pose::new(turn, self.vector(reach)).expect("finite")
    }
}

#[test]
fn distances_narrow_to_the_answer_in_one_go() {
    let (bodies, mut scatter) = (bodies(), Scatter(fastrand::Rng::with_seed(8)));
    let (mut query, mut other) = (Query::new(), Query::new());
    let (mut apart, mut met, mut known_early) = (0, 0, 0);
    for round in 0..250 {
        let (i, j) = (round % 5, round / 5 % 5);
        let reach = [0.1, 1.0, 2.0][round % 3];
        let (pose_a, pose_b) = (scatter.pose(reach), scatter.pose(reach));
        let (a, b) = (Placed::new(&bodies[i], pose_a), Placed::new(&bodies[j], pose_b));
        let answer = query.distance(a, b);
        let contact = query.any_contact(a, b);
        let mut search = DistanceSearch::new(b, a);
        search.restart(a, b);
        let (mut last, mut total) = (search.proximity().range, 0);
        let mut told = None;
        while !search.is_done() {
            total += search.work(&mut other, [1, 7, 2][round % 3]).units;
            let range = search.proximity().range;
            assert!(range.lo() >= last.lo() && range.hi() <= last.hi(), "{range:?} after {last:?}");
            assert!(range.lo() <= answer.range.hi() && range.hi() >= answer.range.lo());
            last = range;
            let mut at_once = DistanceSearch::new(a, b);
            at_once.work(&mut other, total);
            assert_eq!(at_once.proximity(), search.proximity(), "after {total} units");
            if told.is_none() && search.any_contact().is_some() {
                told = search.any_contact();
                assert_eq!(told, contact, "bodies {i} and {j}");
                known_early += u32::from(!search.is_done());
            }
        }
        assert_eq!(search.proximity().range, answer.range, "bodies {i} and {j}");
        met += u32::from(answer.range.hi() == 0.0);
        apart += u32::from(answer.range.lo() > 0.0);
    }
    assert!(apart > 50 && met > 50 && known_early > 30, "{apart} apart, {met} meet, {known_early} early");
}

fn kind(impact: &Impact) -> usize {
    match impact {
        Impact::Free { .. } => 0,
        Impact::Contact { .. } => 1,
        Impact::Undecided { .. } => 2,
    }
}

#[test]
fn what_is_free_grows_to_the_answer_in_one_go() {
    let (bodies, mut scatter) = (bodies(), Scatter(fastrand::Rng::with_seed(9)));
    let (mut query, mut other) = (Query::new(), Query::new());
    let options = MotionOptions { most_work: 20_000, ..MotionOptions::default() };
    let mut kinds = [0; 3];
    for round in 0..150 {
        let (i, j) = (round % 5, round / 5 % 5);
        let ends = [scatter.pose(3.0), scatter.pose(2.0), scatter.pose(1.0)];
        let motion = Motion::slerp(ends[0], ends[1], DVec3::ZERO).expect("finite");
        let rest = Motion::Rest(ends[2]);
        let (a, b) = (Moving::new(&bodies[i], &motion), Moving::new(&bodies[j], &rest));
        let answer = query.first_contact(a, b, &options);
        let mut search = ImpactSearch::new(b, a, &options);
        search.restart(a, b, &options);
        let (mut until, mut total) = (0.0, 0);
        while !search.is_done() {
            total += search.work(&mut other, [3, 64, 11][round % 3]).units;
            let known = search.impact();
            assert!(known.free_until() >= until && known.free_until() <= answer.free_until());
            until = known.free_until();
            if total < 300 {
                let mut at_once = ImpactSearch::new(a, b, &options);
                at_once.work(&mut other, total);
                assert_eq!(format!("{:?}", at_once.impact()), format!("{known:?}"), "after {total} units");
            }
        }
        assert_eq!(format!("{:?}", search.impact()), format!("{answer:?}"), "bodies {i} and {j}");
        kinds[kind(&answer)] += 1;
    }
    assert!(kinds[0] > 20 && kinds[1] > 50, "{kinds:?}");
}

/// All that is known of many pairs after a budget.
fn known(searches: &[DistanceSearch]) -> Vec<[f64; 2]> {
    searches.iter().map(|search| search.proximity().range).map(|range| [range.lo(), range.hi()]).collect()
}

#[test]
fn more_budget_never_makes_a_bound_worse() {
    let (bodies, mut scatter) = (bodies(), Scatter(fastrand::Rng::with_seed(10)));
    let poses: Vec<[Pose; 2]> = (0..40).map(|_| [scatter.pose(3.0), scatter.pose(3.0)]).collect();
    let fresh = || -> Vec<DistanceSearch> {
        let search = |(k, [a, b]): (usize, &[Pose; 2])| {
            DistanceSearch::new(Placed::new(&bodies[k % 5], *a), Placed::new(&bodies[k / 5 % 5], *b))
        };
        poses.iter().enumerate().map(search).collect()
    };
    let mut query = Query::new();
    for policy in [Policy::Even, Policy::Weighted, Policy::Queue] {
        let mut last = known(&fresh());
        let mut better = 0;
        for units in (0..40).map(|k| k * k * 5) {
            let mut searches = fresh();
            run(&mut searches, &mut query, policy, Budget::Units(units));
            let now = known(&searches);
            for (old, new) in last.iter().zip(&now) {
                assert!(new[0] >= old[0] && new[1] <= old[1], "{policy:?}, {units}: {old:?}, {new:?}");
            }
            better += u32::from(now != last);
            let mut together = fresh();
            let mut desks = vec![Query::new(), Query::new(), Query::new()];
            run_parallel(&mut together, &mut desks, policy, Budget::Units(units));
            assert_eq!(known(&together), now, "{policy:?}, {units} units, in parallel");
            last = now;
        }
        assert!(better > 20, "{policy:?}: {better}");
    }
}
