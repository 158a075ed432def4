//! Every way to walk two trees finds the same pairs, counts right and needs no stack.

mod bodies;

use bodies::{median_tree, pose, soup};
use kontakt_answers::{Range, Visits};
use kontakt_bounds::{Aabb, AnyVolume, Bound, Dop14, Obb, Sphere};
use kontakt_hierarchy::Faces;
use kontakt_lab_hierarchy::measure::Grades;
use kontakt_lab_hierarchy::walk::{
    Above, DistanceGoal, Expansion, Order, PlacedTree, Strategy, distance, face_pairs,
};
use kontakt_lab_hierarchy::{Content, Node, Tree};
use kontakt_math::{DVec3, Pose};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use testkit::Generator;

fn strategies() -> impl Iterator<Item = Strategy> {
    Expansion::ALL.into_iter().flat_map(|expansion| Order::ALL.map(|order| Strategy { expansion, order }))
}

fn all_pairs<B: Bound>(a: &mut PlacedTree<B>, b: &mut PlacedTree<B>, strategy: Strategy) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let walked = face_pairs(a, b, strategy, &mut |one, two| {
        found.push((one, two));
        ControlFlow::Continue(())
    });
    assert_eq!(walked.visits.face_tests as usize, found.len());
    assert!(!walked.stopped);
    found.sort_unstable();
    let before = found.len();
    found.dedup();
    assert_eq!(found.len(), before, "a pair was visited twice");
    found
}

/// Every leaf with every leaf, no tree.
fn brute_leaf_pairs<B: Bound>(a: &Tree<B>, pose_a: &Pose, b: &Tree<B>, pose_b: &Pose) -> Vec<(u32, u32)> {
    let at = |tree: &Tree<B>, id: u32, pose: &Pose| tree.node(id).volume.transformed(pose);
    let mut found = Vec::new();
    for (one, triangles_a) in a.leaves() {
        let volume = at(a, one, pose_a);
        for (two, triangles_b) in b.leaves() {
            if volume.may_overlap(&at(b, two, pose_b)) {
                found.extend(triangles_a.iter().flat_map(|s| triangles_b.iter().map(move |t| (*s, *t))));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Every strategy visits a superset of the true contacts and a subset of the leaf pairs that overlap; all of
/// these where volumes are nested.
fn same_answers<B: Bound>(nested: bool) {
    let (mut hits, mut contacts) = (0, 0);
    for seed in 0..8 {
        let mut from = if seed % 2 == 0 { Generator::free(seed) } else { Generator::grid(seed) };
        let (one, two) = (soup(&mut from, 70, 0.35), soup(&mut from, 50, 0.5));
        let a: Tree<B> = median_tree(Faces::of(&one), 2 + from.index(3), 1 + from.index(2));
        let b: Tree<B> = median_tree(Faces::of(&two), 2 + from.index(4), 1);
        let (grades_a, grades_b) = (Grades::by_surface(&a), Grades::by_surface(&b));
        for resting in [true, false] {
            let pose_a = if resting { Pose::IDENTITY } else { pose(&mut from, 0.3) };
            let pose_b = pose(&mut from, 0.4);
            let mut left = PlacedTree::new(&a, &grades_a).at(pose_a);
            let mut right = PlacedTree::new(&b, &grades_b).at(pose_b);
            let brute = brute_leaf_pairs(&a, &pose_a, &b, &pose_b);
            let truth = meeting(&one, &pose_a, &two, &pose_b);
            hits += brute.len();
            contacts += truth.len();
            for strategy in strategies() {
                let found = all_pairs(&mut left, &mut right, strategy);
                if nested {
                    assert_eq!(found, brute, "{} {strategy:?}", B::NAME);
                }
                let set: BTreeSet<_> = brute.iter().collect();
                assert!(found.iter().all(|pair| set.contains(pair)), "{} {strategy:?}", B::NAME);
                let found: BTreeSet<_> = found.into_iter().collect();
                assert!(truth.is_subset(&found), "{} {strategy:?} lost a contact", B::NAME);
            }
        }
    }
    assert!(hits > 1500 && contacts > 200, "{hits} pairs, {contacts} contacts are too few to prove anything");
}

/// Pairs of triangles that cross clearly: an edge of one passes through the other, decided far from rounding.
fn meeting(
    one: &kontakt_shapes::FaceSet,
    pose_a: &Pose,
    two: &kontakt_shapes::FaceSet,
    pose_b: &Pose,
) -> BTreeSet<(u32, u32)> {
    let corners = |set: &kontakt_shapes::FaceSet, t: usize, pose: &Pose| {
        Faces::of(set).corners(t as u32).map(|p| pose.apply(p))
    };
    let mut found = BTreeSet::new();
    for s in 0..one.triangles().len() {
        let a = corners(one, s, pose_a);
        for t in 0..two.triangles().len() {
            let b = corners(two, t, pose_b);
            if (0..3).any(|i| pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a)) {
                found.insert((s as u32, t as u32));
            }
        }
    }
    found
}

fn pierces(from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let clear = 1e-9;
    let sides = [volume(a, b, c, from), volume(a, b, c, to)];
    let around = [volume(from, to, a, b), volume(from, to, b, c), volume(from, to, c, a)];
    sides[0] * sides[1] < 0.0
        && sides.iter().all(|s| s.abs() > clear)
        && (around.iter().all(|s| *s > clear) || around.iter().all(|s| *s < -clear))
}

#[test]
fn every_strategy_finds_what_brute_force_over_the_leaves_finds() {
    // Boxes at rest lie in their parents', and so do their images; spheres and oriented boxes need not.
    same_answers::<Aabb>(true);
    same_answers::<Sphere>(false);
    same_answers::<Obb>(false);
    same_answers::<Dop14>(false);
}

#[test]
fn trees_of_different_kinds_meet_as_any_volumes() {
    let mut from = Generator::free(21);
    let (one, two) = (soup(&mut from, 60, 0.5), soup(&mut from, 50, 0.5));
    let a = median_tree::<Obb>(Faces::of(&one), 2, 1).map(|v| AnyVolume::from(*v));
    let b = median_tree::<Sphere>(Faces::of(&two), 3, 1).map(|v| AnyVolume::from(*v));
    let (grades_a, grades_b) = (Grades::by_surface(&a), Grades::by_surface(&b));
    let there = pose(&mut from, 0.3);
    let truth = meeting(&one, &Pose::IDENTITY, &two, &there);
    assert!(truth.len() > 5);
    for strategy in strategies() {
        let mut left = PlacedTree::new(&a, &grades_a);
        let mut right = PlacedTree::new(&b, &grades_b).at(there);
        let found: BTreeSet<_> = all_pairs(&mut left, &mut right, strategy).into_iter().collect();
        assert!(truth.is_subset(&found), "{strategy:?}");
    }
}

/// A root of two unit boxes side by side along x, each over two halves; a triangle a leaf.
fn four(shift: f64) -> Tree<Aabb> {
    let around = |low: f64, high: f64| Aabb {
        min: DVec3::new(low + shift, 0.0, 0.0),
        max: DVec3::new(high + shift, 1.0, 1.0),
    };
    let inner = |volume, first| Node { volume, content: Content::Inner { first, count: 2 } };
    let leaf = |volume, first| Node { volume, content: Content::Leaf { first, count: 1 } };
    Tree {
        nodes: vec![
            inner(around(0.0, 4.0), 1),
            inner(around(0.0, 2.0), 3),
            inner(around(2.0, 4.0), 5),
            leaf(around(0.0, 1.0), 0),
            leaf(around(1.0, 2.0), 1),
            leaf(around(2.0, 3.0), 2),
            leaf(around(3.0, 4.0), 3),
        ],
        order: vec![0, 1, 2, 3],
    }
}

#[test]
fn counters_by_hand() {
    let count = |shift: f64, expansion: Expansion| {
        let (a, b) = (four(0.0), four(shift));
        let (grades_a, grades_b) = (Grades::by_surface(&a), Grades::by_surface(&b));
        let (mut a, mut b) = (PlacedTree::new(&a, &grades_a), PlacedTree::new(&b, &grades_b));
        let counts = Order::ALL.map(|order| {
            let strategy = Strategy { expansion, order };
            let walked = face_pairs(&mut a, &mut b, strategy, &mut |_, _| ControlFlow::Continue(()));
            assert_eq!(walked.cost, walked.visits.volume_tests as f64);
            walked.visits
        });
        assert!(counts.iter().all(|c| *c == counts[0]), "the order changes no count of a full walk");
        counts[0]
    };
    let visits = |volume_tests, face_tests| Visits { volume_tests, face_tests, exact_tests: 0 };
    assert_eq!(count(9.0, Expansion::OneSided), visits(1, 0));
    // 3.5: the last half box of A over the first of B, found by root, two pairs a level for each of four expansions.
    assert_eq!(count(3.5, Expansion::OneSided), visits(9, 1));
    // Root, then four pairs twice.
    assert_eq!(count(3.5, Expansion::Simultaneous), visits(9, 1));
    // 3: touching boxes count.
    assert_eq!(count(4.0, Expansion::Simultaneous), visits(9, 1));
    // Equal trees: of the four child pairs all touch; of the sixteen of each, those that touch.
    let equal = count(0.0, Expansion::Simultaneous);
    assert_eq!(equal, visits(1 + 4 + 16, 10));
}

#[test]
fn the_visitor_can_stop() {
    let a = four(0.0);
    let grades = Grades::by_surface(&a);
    let (mut left, mut right) = (PlacedTree::new(&a, &grades), PlacedTree::new(&a, &grades));
    for strategy in strategies() {
        let mut seen = 0;
        let walked = face_pairs(&mut left, &mut right, strategy, &mut |_, _| {
            seen += 1;
            if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(walked.stopped && walked.visits.face_tests == 2, "{strategy:?}");
    }
}

/// The thesis's Figure 4.14 expands nothing when c₁(q₁ᵉ+q₂) = c₂(q₂ᵉ+q₁) < c₁c₂(q₁ᵉ+q₂ᵉ): as with two equal trees of two
/// children each (2·(1+2) = 2·(1+2) < 4·(1+1)); and it expands a leaf (c = 0) for ever. Both lose the contact.
#[test]
fn hybrid_expansion_loses_nothing_where_the_thesis_does() {
    let a = four(0.0);
    let b = four(0.0);
    let (grades_a, grades_b) = (Grades::by_surface(&a), Grades::by_surface(&b));
    assert_eq!(grades_a.quality(0), grades_b.quality(0));
    let strategy = Strategy { expansion: Expansion::Hybrid, order: Order::Fifo };
    let (mut left, mut right) = (PlacedTree::new(&a, &grades_a), PlacedTree::new(&b, &grades_b));
    assert_eq!(all_pairs(&mut left, &mut right, strategy).len(), 10);
    // A leaf against a deep tree.
    let lone = Tree::leaf(Aabb { min: DVec3::ZERO, max: DVec3::ONE }, vec![0]);
    let grades = Grades::by_surface(&lone);
    let mut lone = PlacedTree::new(&lone, &grades);
    assert_eq!(all_pairs(&mut lone, &mut right, strategy), [(0, 0), (0, 1)]);
    assert_eq!(all_pairs(&mut right, &mut lone, strategy), [(0, 0), (1, 0)]);
}

#[test]
fn as_deep_as_a_tree_can_be() {
    let n = 100_000_u32;
    let around = |from: u32, to: u32| Aabb {
        min: DVec3::new(f64::from(from), 0.0, 0.0),
        max: DVec3::new(f64::from(to) + 0.5, 1.0, 0.0),
    };
    let mut nodes = Vec::new();
    for level in 0..n - 1 {
        let first = 2 * level + 1;
        nodes.push(Node { volume: around(level, n), content: Content::Inner { first, count: 2 } });
        let leaf = Content::Leaf { first: level, count: 1 };
        nodes.push(Node { volume: around(level, level), content: leaf });
    }
    // Siblings side by side: a leaf, then the rest.
    let last = Content::Leaf { first: n - 1, count: 1 };
    nodes.push(Node { volume: around(n - 1, n), content: last });
    let tree = Tree { nodes, order: (0..n).collect() };
    assert_eq!(tree.validate_structure(n as usize), Ok(()));
    assert_eq!(tree.depth(), n);
    let grades = Grades::by_surface(&tree);
    let probe = Tree::leaf(around(n - 2, n), vec![0]);
    let probe_grades = Grades::by_surface(&probe);
    for strategy in strategies() {
        let mut left = PlacedTree::new(&tree, &grades);
        let mut right = PlacedTree::new(&probe, &probe_grades);
        assert_eq!(all_pairs(&mut left, &mut right, strategy), [(n - 2, 0), (n - 1, 0)]);
        let found = distance(
            &mut left,
            &mut right,
            strategy,
            DistanceGoal::AtMost(0.25),
            Above::None,
            &mut |_, _| Range::ZERO,
        );
        assert_eq!(found.upper, 0.0);
    }
}

#[test]
fn nothing_meets_nothing() {
    let (none, some) = (Tree::<Aabb>::EMPTY, four(0.0));
    let (no_grades, grades) = (Grades::by_surface(&none), Grades::by_surface(&some));
    for strategy in strategies() {
        let (mut none, mut some) = (PlacedTree::new(&none, &no_grades), PlacedTree::new(&some, &grades));
        assert!(all_pairs(&mut none, &mut some, strategy).is_empty());
        assert!(all_pairs(&mut some, &mut none, strategy).is_empty());
        let goal = DistanceGoal::Bounds { absolute: 0.0, relative: 0.0 };
        let found = distance(&mut none, &mut some, strategy, goal, Above::None, &mut |_, _| Range::ZERO);
        assert_eq!((found.lower, found.upper), (f64::INFINITY, f64::INFINITY));
    }
}
