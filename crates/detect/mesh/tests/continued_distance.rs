//! A distance searched for bit by bit: sound and narrowing all the time, the same however it is portioned, in the end the answer in one go.

use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{DistanceSearch, Mesh, MeshQuery, PlacedMesh};
use kontakt_shapes::make;

fn mesh(kind: usize) -> Mesh {
    let faces = match kind {
        0 => make::bumpy_ball(9, 0.1),
        1 => make::bumpy_knot(60, 8, 0.3, 0.1),
        2 => make::hex_nut(2.0, 1.0, 1.0, 12),
        _ => make::terrain(16, 0.3),
    };
    Mesh::with_threads(faces.expect("faces"), 1).expect("mesh")
}

/// Pairs at random poses: in contact, near, far and out of all proportion.
fn pairs() -> Vec<([usize; 2], [Pose; 2])> {
    let mut dice = fastrand::Rng::with_seed(5);
    let mut vector = |size: f64| (DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0) * size;
    let mut all = Vec::new();
    for round in 0..60 {
        let reach = [0.0, 1.0, 2.0, 3.0, 10.0, 1e4, 1e9][round % 7];
        let pose = |shift: DVec3, axis: DVec3| {
            let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::X), axis.length());
            Pose::new(turn, shift).expect("finite")
        };
        let a = pose(vector(1.0), vector(3.0));
        let b = pose(a.translation() + vector(reach), vector(3.0));
        all.push(([round % 4, round / 4 % 4], [a, b]));
    }
    // Faces that touch exactly; numbers beyond single precision's.
    all.push(([2, 2], [Pose::IDENTITY, Pose::new(DQuat::IDENTITY, DVec3::Z).expect("finite")]));
    all.push(([2, 2], [Pose::IDENTITY, Pose::new(DQuat::IDENTITY, DVec3::X * 1e300).expect("finite")]));
    all
}

#[test]
fn bounds_narrow_until_they_are_the_answer_in_one_go() {
    let meshes: Vec<Mesh> = (0..4).map(mesh).collect();
    let (mut query, mut other) = (MeshQuery::new(), MeshQuery::new());
    let (mut met, mut early, mut improved, mut units) = (0, 0, 0, 0);
    for ([i, j], [pose_a, pose_b]) in pairs() {
        let (a, b) = (PlacedMesh::new(&meshes[i], pose_a), PlacedMesh::new(&meshes[j], pose_b));
        let answer = query.distance(a, b);
        let mut search = DistanceSearch::new(a, b);
        let mut last = search.distance().range;
        assert_eq!((last.lo(), last.hi()), (0.0, f64::INFINITY));
        let mut rises = 0;
        while !search.is_done() {
            assert_eq!(search.work(&mut other, [a.mesh, b.mesh], 1).units, 1);
            let range = search.distance().range;
            assert!(range.lo() >= last.lo() && range.hi() <= last.hi(), "{range:?} after {last:?}");
            assert!(range.lo() <= answer.range.hi() && range.hi() >= answer.range.lo());
            rises += u32::from(range.lo() > last.lo());
            last = range;
        }
        assert_eq!(search.distance(), answer);
        assert_eq!(search.work(&mut other, [a.mesh, b.mesh], 9).units, 0, "nothing is left to do");
        met += u32::from(answer.range.hi() == 0.0);
        early += u32::from(rises > 3);
        improved += rises;
        units += search.spent();
        // Seen from the other body it is the same search.
        let mut swapped = DistanceSearch::new(b, a);
        swapped.work(&mut other, [b.mesh, a.mesh], u64::MAX);
        assert_eq!(swapped.distance(), answer.swapped());
    }
    assert!(met > 10 && early > 15 && improved > 150, "{met} met, {early} early, {improved} in {units}");
}

#[test]
fn portions_and_others_in_between_do_not_matter() {
    let meshes: Vec<Mesh> = (0..4).map(mesh).collect();
    let mut dice = fastrand::Rng::with_seed(6);
    let (mut query, mut open) = (MeshQuery::new(), 0);
    for ([i, j], [pose_a, pose_b]) in pairs() {
        let (a, b) = (PlacedMesh::new(&meshes[i], pose_a), PlacedMesh::new(&meshes[j], pose_b));
        let both = [a.mesh, b.mesh];
        // Questions of other bodies in between leave their traces in the query's memory.
        let mut other = DistanceSearch::new(b, PlacedMesh::new(&meshes[3 - i], pose_a));
        let mut in_pieces = DistanceSearch::new(a, b);
        let mut total = 0;
        for _ in 0..12 {
            let units = dice.u64(1..40);
            total += units;
            in_pieces.work(&mut query, both, units);
            other.work(&mut query, [b.mesh, &meshes[3 - i]], units);
            let mut at_once = other.clone();
            at_once.restart(a, b);
            at_once.work(&mut query, both, total);
            let mut limited = MeshQuery::new();
            limited.max_work = total;
            assert_eq!(in_pieces.distance(), at_once.distance(), "after {total} units");
            assert_eq!(in_pieces.distance(), limited.distance(a, b), "after {total} units");
            assert_eq!(in_pieces.is_done(), at_once.is_done());
            open += u32::from(!in_pieces.is_done());
        }
    }
    assert!(open > 200, "{open} stops on the way");
}

#[test]
fn other_meshes_end_a_search_where_it_is() {
    let (one, two, three) = (mesh(0), mesh(1), mesh(2));
    let there = Pose::new(DQuat::IDENTITY, DVec3::new(3.0, 0.2, 0.1)).expect("finite");
    let mut search = DistanceSearch::new(PlacedMesh::new(&one, Pose::IDENTITY), PlacedMesh::new(&two, there));
    let mut query = MeshQuery::new();
    search.work(&mut query, [&one, &two], 20);
    let known = search.distance();
    assert!(!search.is_done());
    assert!(search.work(&mut query, [&one, &three], 20).done);
    assert_eq!(search.distance(), known);
}
