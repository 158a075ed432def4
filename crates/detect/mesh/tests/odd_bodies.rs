//! Bodies that nobody would make on purpose: answers, not panics.

mod bodies;

use bodies::{Shape, pose};
use kontakt_answers::Relation;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Asker, Mesh, Placed, RelationOptions, Verdict};

fn class(a: &Mesh, b: &Mesh, at: Pose) -> Relation {
    let (a, b) = (Placed::at_rest(a), Placed::new(b, at));
    let mut asker = Asker::new();
    let report = asker.relation(a, b, &RelationOptions::default());
    // None of these may fail either.
    let patches = asker.patches(a, b);
    assert!(patches.iter().all(|p| p.normal.is_finite() && !p.contacts.is_empty()));
    assert_eq!(patches.is_empty(), report.pairs == 0);
    let swapped = asker.relation(b, a, &RelationOptions { depth_effort: None, ..RelationOptions::default() });
    assert_eq!(std::mem::discriminant(&swapped.exact), std::mem::discriminant(&report.exact));
    report.exact
}

fn triangles(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Shape { vertices: points.iter().map(|&p| DVec3::from_array(p)).collect(), triangles: triangles.to_vec() }
        .mesh()
}

#[test]
fn faces_without_area() {
    let cube = Shape::block([0.0; 3], [2.0; 3]).mesh();
    let point = triangles(&[[1., 1., 1.]], &[[0, 0, 0]]);
    let needle = triangles(&[[-1., 1., 1.], [3., 1., 1.]], &[[0, 1, 1], [1, 1, 0]]);
    // No part of them has an area that could be inside: they touch or are apart.
    assert!(matches!(class(&cube, &point, Pose::IDENTITY), Relation::Separate { .. }));
    assert_eq!(class(&cube, &point, pose(DQuat::IDENTITY, DVec3::X)), Relation::Touching);
    assert_eq!(class(&cube, &needle, Pose::IDENTITY), Relation::Touching);
    assert_eq!(class(&point, &point, Pose::IDENTITY), Relation::Duplicate);
    assert_eq!(class(&needle, &needle, Pose::IDENTITY), Relation::Duplicate);
    assert_eq!(point.inside(DVec3::ONE).verdict, Verdict::OnBoundary);
    assert_eq!(point.inside(DVec3::ZERO).verdict, Verdict::Outside);
    assert!(point.ray(DVec3::new(1., 1., -5.), DVec3::Z, 9.0).is_some_and(|hit| hit.t == 6.0));
    assert!(
        needle.ray(DVec3::new(1., 1., -5.), DVec3::Z, 9.0).is_some_and(|hit| (hit.t - 6.0).abs() < 1e-12)
    );
    assert!(point.nearest(DVec3::ZERO).is_some_and(|near| (near.distance.lo() - 3f64.sqrt()).abs() < 1e-12));
}

#[test]
fn a_body_folded_flat_has_no_inside() {
    // Two sheets back to back: closed, but without volume.
    let flat = triangles(&[[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], &[[0, 1, 2], [0, 2, 1]]);
    assert!(flat.is_closed());
    let cube = Shape::block([-3.0; 3], [3.0; 3]).mesh();
    assert!(matches!(class(&cube, &flat, Pose::IDENTITY), Relation::Contained { .. }));
    assert!(matches!(
        class(&cube, &flat, pose(DQuat::IDENTITY, DVec3::new(2., 0., 0.))),
        Relation::Overlapping { depth: None, .. }
    ));
    assert_eq!(class(&cube, &flat, pose(DQuat::IDENTITY, DVec3::new(3., 0., 0.))), Relation::Touching);
    assert_eq!(flat.inside(DVec3::new(0.5, 0.5, 0.1)).verdict, Verdict::Outside);
}

#[test]
fn the_same_shell_twice_in_one_body_cancels() {
    let cube = Shape::block([0.0; 3], [2.0; 3]);
    let (double, single) = (cube.clone().with(&cube).mesh(), cube.mesh());
    assert_eq!(double.inside(DVec3::ONE).verdict, Verdict::Outside);
    // By parity nothing is inside the double cube: it is a sheet on the single one's faces.
    assert_eq!(class(&single, &double, Pose::IDENTITY), Relation::Touching);
    // A body that overlaps itself: the common part of its two blocks is outside.
    let crossed = cube.clone().with(&cube.moved(1.0, 0.0, 0.0)).mesh();
    let slice = Shape::block([1.0, 0.0, 0.0], [2.0, 2.0, 2.0]).mesh();
    assert_eq!(crossed.inside(DVec3::new(1.5, 1.0, 1.0)).verdict, Verdict::Outside);
    assert_eq!(class(&crossed, &slice, Pose::IDENTITY), Relation::Touching);
    let left = Shape::block([0.0; 3], [1.0, 2.0, 2.0]).mesh();
    assert!(matches!(class(&crossed, &left, Pose::IDENTITY), Relation::Contained { .. }));
}

#[test]
fn the_ends_of_doubles() {
    for size in [1e-300, 1e-30, 1e12, 1e140, 1e300] {
        let cube = Shape::block([0.0; 3], [size; 3]).mesh();
        let at = |x: f64| pose(DQuat::IDENTITY, DVec3::new(x, 0.0, 0.0));
        assert_eq!(class(&cube, &cube, at(size)), Relation::Touching, "{size}");
        assert_eq!(class(&cube, &cube, at(0.0)), Relation::Duplicate, "{size}");
        assert!(matches!(class(&cube, &cube, at(0.5 * size)), Relation::Overlapping { .. }), "{size}");
        assert!(matches!(class(&cube, &cube, at(4.0 * size)), Relation::Separate { .. }), "{size}");
        assert_eq!(cube.inside(DVec3::splat(0.5 * size)).verdict, Verdict::Inside, "{size}");
        let turned = pose(DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5), DVec3::ZERO);
        assert_eq!(class(&cube, &cube, turned), Relation::Duplicate, "{size}");
    }
    // A grain on a planet, apart, touching and sunk by the last bit.
    let planet = Shape::block([-1e12; 3], [0.0, 1e12, 1e12]).mesh();
    let grain = Shape::block([0.0; 3], [1e-3; 3]).mesh();
    let at = |x: f64| pose(DQuat::IDENTITY, DVec3::new(x, 0.0, 0.0));
    assert_eq!(class(&planet, &grain, Pose::IDENTITY), Relation::Touching);
    assert!(matches!(class(&planet, &grain, at(1e-300)), Relation::Separate { .. }));
    assert!(matches!(class(&planet, &grain, at(-1e-300)), Relation::Overlapping { .. }));
}

#[test]
fn overlaps_of_the_last_bit_are_told_from_touching() {
    let cube = Shape::block([0.0; 3], [1.0; 3]).mesh();
    let at = |x: f64, y: f64| pose(DQuat::IDENTITY, DVec3::new(x, y, 0.25));
    assert_eq!(class(&cube, &cube, at(1.0, 0.5)), Relation::Touching);
    assert!(matches!(class(&cube, &cube, at(1.0 - f64::EPSILON / 2.0, 0.5)), Relation::Overlapping { .. }));
    assert!(matches!(class(&cube, &cube, at(1.0 + f64::EPSILON, 0.5)), Relation::Separate { .. }));
    // Far away: one step of the pose is larger than the cube's own roundings.
    let far = 2f64.powi(40);
    let there = |x: f64| pose(DQuat::IDENTITY, DVec3::new(far + x, far, -far));
    let (a, step) = (there(0.0), 2f64.powi(-12));
    let mut asker = Asker::new();
    for (x, touching, apart) in [(1.0, true, false), (1.0 - step, false, false), (1.0 + step, false, true)] {
        let found =
            asker.relation(Placed::new(&cube, a), Placed::new(&cube, there(x)), &RelationOptions::default());
        assert_eq!(found.exact == Relation::Touching, touching, "{x}");
        assert_eq!(matches!(found.exact, Relation::Separate { .. }), apart, "{x}");
    }
}
