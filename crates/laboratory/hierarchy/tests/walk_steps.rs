//! Moving bodies: the front of the last step gives what a fresh walk gives, for less; distances are those of brute force.

mod bodies;

use bodies::{median_tree, pose, soup};
use kontakt_answers::{Range, Visits};
use kontakt_bounds::hausdorff::HausdorffLimit;
use kontakt_bounds::separation::gap_below;
use kontakt_bounds::sets::PointSet;
use kontakt_bounds::{Aabb, Bound, Obb, Sphere};
use kontakt_hierarchy::Faces;
use kontakt_lab_hierarchy::Tree;
use kontakt_lab_hierarchy::measure::Grades;
use kontakt_lab_hierarchy::walk::{
    Above, DistanceGoal, Expansion, Front, Order, PlacedTree, Strategy, distance, face_pairs,
};
use kontakt_math::{DVec3, Pose};
use kontakt_shapes::FaceSet;
use kontakt_shapes::make::bumpy_ball;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use testkit::Generator;

fn strategies() -> impl Iterator<Item = Strategy> {
    Expansion::ALL.into_iter().flat_map(|expansion| Order::ALL.map(|order| Strategy { expansion, order }))
}

/// Past each other in small steps, through contact and out again.
fn path(steps: usize) -> impl Iterator<Item = Pose> {
    (0..steps).map(move |i| {
        let t = i as f64 / steps as f64;
        let shift = DVec3::new(3.0 - 6.0 * t, 1.2 - 0.4 * (3.0 * t).sin(), 0.3);
        Pose::from_axis_angle(DVec3::new(1.0, 2.0, 0.5), 2.0 * t, shift).expect("unit")
    })
}

#[test]
fn the_front_gives_what_a_fresh_walk_gives_for_less() {
    let (one, two) = (bumpy_ball(7, 0.2).unwrap(), bumpy_ball(6, 0.3).unwrap());
    let a: Tree<Aabb> = median_tree(Faces::of(&one), 2, 2);
    let b: Tree<Aabb> = median_tree(Faces::of(&two), 3, 1);
    let (grades_a, grades_b) = (Grades::by_surface(&a), Grades::by_surface(&b));
    for strategy in strategies() {
        let mut left = PlacedTree::new(&a, &grades_a);
        let mut right = PlacedTree::new(&b, &grades_b);
        let mut front = Front::new(strategy, 4);
        let (mut fresh, mut kept) = (Visits::default(), Visits::default());
        let (mut contacts, mut sprouted, mut pruned, mut largest) = (0, 0, 0, 0);
        for pose in path(120) {
            right.move_to(pose);
            let mut pairs: [BTreeSet<(u32, u32)>; 2] = Default::default();
            let walk = face_pairs(&mut left, &mut right, strategy, &mut |s, t| {
                pairs[0].insert((s, t));
                ControlFlow::Continue(())
            });
            let step = front.step(&mut left, &mut right, &mut |s, t| {
                assert!(pairs[1].insert((s, t)), "visited twice");
                ControlFlow::Continue(())
            });
            // Boxes lie in their parents', so the sets are equal, not only both complete.
            assert_eq!(pairs[0], pairs[1], "{strategy:?}");
            contacts += pairs[0].len();
            fresh += walk.visits;
            kept += step.visits;
            sprouted += front.counts().sprouted;
            pruned += front.counts().pruned;
            largest = largest.max(front.counts().size);
        }
        assert!(contacts > 3000, "{contacts}");
        assert!(sprouted > 500 && pruned > 500, "{sprouted} sprouted, {pruned} pruned");
        assert_eq!(fresh.face_tests, kept.face_tests);
        assert!(kept.volume_tests * 10 < fresh.volume_tests * 9, "{strategy:?}: {kept:?} of {fresh:?}");
        // Apart again: the front has shrunk.
        assert!(front.counts().size * 10 < largest, "{:?} of {largest}", front.counts());
    }
}

#[test]
fn a_stopped_step_loses_nothing_and_starts_next_time_where_it_stopped() {
    let ball = bumpy_ball(5, 0.2).unwrap();
    let tree: Tree<Obb> = median_tree(Faces::of(&ball), 2, 1);
    let grades = Grades::by_surface(&tree);
    let strategy = Strategy::default();
    let mut left = PlacedTree::new(&tree, &grades);
    let mut right = PlacedTree::new(&tree, &grades);
    let mut front = Front::new(strategy, 2);
    let mut again = 0;
    for (i, pose) in path(60).enumerate() {
        right.move_to(pose);
        let fresh = face_pairs(&mut left, &mut right, strategy, &mut |_, _| ControlFlow::Break(()));
        let step = front.step(&mut left, &mut right, &mut |_, _| ControlFlow::Break(()));
        if fresh.stopped {
            assert!(step.stopped, "step {i}");
            again += usize::from(step.visits.volume_tests == 1);
        }
    }
    assert!(again > 5, "the pair of the last step was still the first hit {again} times");
}

/// Distance of two triangles at two poses, to rounding.
fn triangle_distance(one: [DVec3; 3], two: [DVec3; 3]) -> Range {
    let lower = gap_below(&PointSet(&one), &PointSet(&two));
    Range::new(lower, lower * (1.0 + 1e-9) + 1e-12).expect("ordered")
}

fn placed(set: &FaceSet, triangle: u32, pose: &Pose) -> [DVec3; 3] {
    Faces::of(set).corners(triangle).map(|p| pose.apply(p))
}

fn distances<B: Bound + Sync>() {
    let mut from = Generator::free(5);
    let (one, two) = (soup(&mut from, 30, 0.3), soup(&mut from, 25, 0.3));
    let a: Tree<B> = median_tree(Faces::of(&one), 2, 2);
    let b: Tree<B> = median_tree(Faces::of(&two), 3, 1);
    let (grades_a, grades_b) = (Grades::by_surface(&a), Grades::by_surface(&b));
    let (anchors_a, anchors_b) = (a.anchors(Faces::of(&one)), b.anchors(Faces::of(&two)));
    let limit = HausdorffLimit { absolute: 0.0, relative: 0.1, max_cells: 300 };
    let reaches = |tree: &Tree<B>, set: &FaceSet| {
        tree.hausdorff_reaches(&tree.measure_all(Faces::of(set), limit).expect("finite"))
    };
    let (reach_a, reach_b) = (reaches(&a, &one), reaches(&b, &two));
    let aboves = [
        Above::None,
        Above::Anchors { a: &anchors_a, b: &anchors_b },
        Above::Hausdorff { a: &reach_a, b: &reach_b },
    ];
    for round in 0..6 {
        let turn = pose(&mut from, 0.2);
        let there = Pose::new(turn.rotation(), turn.translation() + DVec3::X * f64::from(round)).unwrap();
        let mut left = PlacedTree::new(&a, &grades_a);
        let mut right = PlacedTree::new(&b, &grades_b).at(there);
        let mut face =
            |s: u32, t: u32| triangle_distance(placed(&one, s, &Pose::IDENTITY), placed(&two, t, &there));
        let mut truth = f64::INFINITY;
        for s in 0..one.triangles().len() as u32 {
            for t in 0..two.triangles().len() as u32 {
                truth = truth.min(face(s, t).lo());
            }
        }
        let (at_least, at_most) = (truth * (1.0 - 1e-8) - 1e-11, truth * (1.0 + 1e-8) + 1e-11);
        for strategy in strategies() {
            for above in aboves {
                let exact = DistanceGoal::Bounds { absolute: 0.0, relative: 0.0 };
                let found = distance(&mut left, &mut right, strategy, exact, above, &mut face);
                assert!(found.lower >= at_least && found.upper <= at_most, "{found:?} {truth}");
                assert!(found.lower <= at_most && found.upper >= at_least, "{found:?} {truth}");
                let rough = DistanceGoal::Bounds { absolute: 0.0, relative: 0.3 };
                let found = distance(&mut left, &mut right, strategy, rough, above, &mut face);
                assert!(found.lower <= at_most && found.upper >= at_least, "{found:?} {truth}");
                assert!(found.upper - found.lower <= 0.3 * found.upper + 1e-11, "{found:?} {truth}");
                for share in [0.5, 0.99, 1.01, 2.0] {
                    let limit = truth * share;
                    let goal = DistanceGoal::AtMost(limit);
                    let found = distance(&mut left, &mut right, strategy, goal, above, &mut face);
                    assert!(found.lower <= at_most && found.upper >= at_least, "{found:?} {truth}");
                    if truth > 1e-6 {
                        let says = (found.upper <= limit, found.lower > limit);
                        assert_eq!(says, (share > 1.0, share < 1.0), "{} {share} {found:?} {truth}", B::NAME);
                    }
                }
            }
        }
    }
}

#[test]
fn distances_are_those_of_brute_force() {
    distances::<Aabb>();
    distances::<Sphere>();
    distances::<Obb>();
}
