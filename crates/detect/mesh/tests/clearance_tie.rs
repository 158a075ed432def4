//! Gaps that equal the clearance, or nearly so: decided exactly.

mod bodies;

use bodies::{Shape, exact_turns, pose, turned_back};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Limit, Mesh, MeshQuery, PlacedMesh};
use kontakt_shapes::FaceSet;
use testkit::Generator;
use testkit::min_norm::{at_most_root, hull_distance_squared, root};
use testkit::rational::exact as rational;

fn one(triangle: [DVec3; 3]) -> Mesh {
    Mesh::with_threads(FaceSet::from_triangles(triangle.to_vec(), vec![[0, 1, 2]]).unwrap(), 1).unwrap()
}

/// The doubles about the distance, against rational arithmetic. On the grid some distances are doubles: 1, 2, 5 and so on.
#[test]
fn triangles_against_exact_distances() {
    let (mut ties, mut closer, mut apart) = (0, 0, 0);
    for (grid, seed) in [(true, 71), (false, 72)] {
        let mut source = if grid { Generator::grid(seed) } else { Generator::free(seed) };
        let mut asker = MeshQuery::new();
        for round in 0..120 {
            let [mut a, mut b] = [0, 1].map(|_| [0, 1, 2].map(|_| DVec3::from_array(source.point())));
            if grid && round % 2 == 0 {
                // In parallel planes: where one is over the other, the distance is a double.
                (a, b) = (a.map(|x| x.with_z(0.0)), b.map(|x| x.with_z(3.0)));
            } else {
                let away = 3.0 * DVec3::from_array(source.point()).round();
                a = a.map(|x| x + away);
            }
            let exact = hull_distance_squared(&a.map(|x| x.to_array()), &b.map(|x| x.to_array()));
            let (x, y) = (one(a), one(b));
            let (x, y) = (PlacedMesh::at_rest(&x), PlacedMesh::at_rest(&y));
            let range = asker.distance(x, y).range;
            if range.lo() == 0.0 {
                continue;
            }
            let near = root(&exact);
            for clearance in
                [range.lo(), near.next_down().next_down(), near.next_down(), near, near.next_up(), range.hi()]
            {
                if clearance <= 0.0 {
                    continue;
                }
                let truth = !at_most_root(clearance, &exact);
                let within = asker.within(x, y, clearance);
                assert_eq!(within.closer, Some(truth), "{a:?} {b:?} {clearance}");
                assert_eq!(asker.within(y, x, clearance).closer, Some(truth));
                assert_eq!(within.pair.is_some(), truth);
                // A tolerance counts its own length in.
                let tie = rational(clearance) * rational(clearance) == exact;
                for (x, y) in [(x, y), (y, x)] {
                    let limits = [Limit::AtMost(clearance), Limit::Below(clearance)];
                    let held = limits.map(|limit| asker.within_limit(x, y, limit).closer);
                    assert_eq!(held, [Some(truth || tie), Some(truth)], "{a:?} {b:?} {clearance}");
                    assert_eq!(limits.map(|limit| asker.gap_holds(x, y, range, limit)), held);
                }
                let (lo, hi) = (within.distance.lo(), within.distance.hi());
                assert!(at_most_root(lo, &exact));
                assert!(hi == f64::INFINITY || !at_most_root(hi.next_up(), &exact));
                ties += usize::from(rational(clearance) * rational(clearance) == exact);
                closer += usize::from(truth);
                apart += usize::from(!truth);
            }
        }
    }
    assert!(ties >= 10 && closer > 200 && apart > 200, "{ties} {closer} {apart}");
}

/// Two boxes side by side: thousands of bodies later still the same, in any exact turn and with equal inexact ones.
#[test]
fn boxes_with_a_gap_equal_to_the_clearance() {
    let (a, b) = (Shape::block([0.0; 3], [1.0; 3]), Shape::block([1.375, -0.5, 0.25], [2.0, 2.0, 3.0]));
    let mut asker = MeshQuery::new();
    let mut check = |x: &Shape, y: &Shape, poses: [Pose; 2]| {
        let (x, y) = (x.mesh(), y.mesh());
        let (x, y) = (PlacedMesh::new(&x, poses[0]), PlacedMesh::new(&y, poses[1]));
        let gap = 0.375_f64;
        for (clearance, closer) in [(gap, false), (gap.next_up(), true), (gap.next_down(), false)] {
            assert_eq!(asker.within(x, y, clearance).closer, Some(closer), "{clearance} {poses:?}");
            let within = asker.within_limit(x, y, Limit::AtMost(clearance)).closer;
            assert_eq!(within, Some(clearance >= gap), "{clearance} {poses:?}");
        }
    };
    check(&a, &b, [Pose::IDENTITY; 2]);
    for q in exact_turns() {
        check(&a, &b.map(|v| turned_back(q, v)), [Pose::IDENTITY, pose(q, DVec3::ZERO)]);
    }
    let q = DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64);
    check(&a, &b, [pose(q, DVec3::new(0.1, 1e3, 0.0)); 2]);
}
