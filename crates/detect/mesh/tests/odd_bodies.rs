//! Bodies that nobody would make on purpose: answers, not panics.

mod bodies;

use bodies::{Shape, pose};
use kontakt_answers::{OverlapKind, Relation, Side};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Location, Mesh, MeshQuery, PlacedMesh, Ray, RelationOptions};

fn class(a: &Mesh, b: &Mesh, at: Pose) -> Relation {
    let (a, b) = (PlacedMesh::at_rest(a), PlacedMesh::new(b, at));
    let mut asker = MeshQuery::new();
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
    // A solid includes its inside. The point was called separate from it once, and the needle through it touching, because no
    // part of them has an area.
    assert_eq!(class(&cube, &point, Pose::IDENTITY), Relation::Contained { inner: Side::B });
    assert_eq!(class(&cube, &point, pose(DQuat::IDENTITY, DVec3::X)), Relation::Touching);
    assert_eq!(class(&cube, &needle, Pose::IDENTITY), Relation::Overlapping { kind: None, depth: None });
    assert_eq!(class(&cube, &needle, pose(DQuat::IDENTITY, DVec3::new(3., 1., 1.))), Relation::Touching);
    assert_eq!(class(&point, &point, Pose::IDENTITY), Relation::Duplicate);
    assert_eq!(class(&needle, &needle, Pose::IDENTITY), Relation::Duplicate);
    assert_eq!(point.inside(DVec3::ONE).verdict, Location::OnBoundary);
    assert_eq!(point.inside(DVec3::ZERO).verdict, Location::Outside);
    assert!(
        point.ray(Ray::new(DVec3::new(1., 1., -5.), DVec3::Z).unwrap(), 9.0).is_some_and(|hit| hit.t == 6.0)
    );
    assert!(
        needle
            .ray(Ray::new(DVec3::new(1., 1., -5.), DVec3::Z).unwrap(), 9.0)
            .is_some_and(|hit| (hit.t - 6.0).abs() < 1e-12)
    );
    assert!(point.nearest(DVec3::ZERO).is_some_and(|near| (near.distance.lo() - 3f64.sqrt()).abs() < 1e-12));
}

/// Bodies of several parts, one of which has no volume and lies inside the other body: no face of it touches anything, so once
/// they were called separate, with a gap for a certificate. Alone such a part is contained; beside a solid that is outside
/// it makes the bodies overlap, like a sheet that is partly inside.
#[test]
fn parts_without_volume_inside_a_solid() {
    let big = Shape::block([8., 0., 0.], [14., 4., 4.]).mesh();
    let cube = Shape::block([0.; 3], [1.; 3]);
    let corners = [[10., 1., 1.], [12., 1., 1.], [10., 3., 1.]].map(DVec3::from_array).to_vec();
    for faces in [vec![[0, 1, 2], [0, 2, 1]], vec![[0, 1, 1]], vec![[2, 2, 2]]] {
        let part = Shape { vertices: corners.clone(), triangles: faces };
        let inside = Relation::Contained { inner: Side::B };
        let overlapping = Relation::Overlapping { kind: None, depth: None };
        assert_eq!(class(&big, &part.mesh(), Pose::IDENTITY), inside, "{part:?}");
        assert_eq!(class(&big, &part.clone().with(&cube).mesh(), Pose::IDENTITY), overlapping, "{part:?}");
        // With the solid inside too, the volumes tell, and with the part outside nothing is common.
        let all = part.clone().with(&cube.moved(9., 2., 2.)).mesh();
        assert_eq!(class(&big, &all, Pose::IDENTITY), inside, "{part:?}");
        let away = class(&big, &part.with(&cube).mesh(), pose(DQuat::IDENTITY, DVec3::new(0., 9., 0.)));
        assert!(matches!(away, Relation::Separate { .. }), "{away:?}");
    }
    // A part in a solid's cavity is not in the solid.
    let hollow =
        Shape::block([7., -1., -1.], [15., 5., 5.]).with(&Shape::block([8., 0., 0.], [14., 4., 4.])).mesh();
    let flat = Shape { vertices: corners, triangles: vec![[0, 1, 2], [0, 2, 1]] };
    assert!(matches!(class(&hollow, &flat.mesh(), Pose::IDENTITY), Relation::Separate { .. }));
}

/// A triangle and the same triangle two-sided (closed, so once it was asked whether the sheet lay inside it) crossed by a sheet.
#[test]
fn a_sheet_through_a_flat_closed_body() {
    let corners = [[0., 1., 2.], [2., 1., 2.], [2., 1., 0.]];
    let sheet = triangles(&[[1., 2., 2.], [2., 1., 1.], [1., 0., 0.]], &[[0, 1, 2]]);
    let one = triangles(&corners, &[[0, 1, 2]]);
    let two = triangles(&corners, &[[0, 1, 2], [0, 2, 1]]);
    let overlapping = Relation::Overlapping { kind: None, depth: None };
    assert_eq!(class(&one, &sheet, Pose::IDENTITY), overlapping);
    assert_eq!(class(&two, &sheet, Pose::IDENTITY), overlapping);
    assert_eq!(class(&two, &one, Pose::IDENTITY), Relation::Duplicate);
    // As a part beside a solid as well.
    let far = Shape::block([7.; 3], [9.; 3]);
    let part =
        Shape { vertices: corners.map(DVec3::from_array).to_vec(), triangles: vec![[0, 1, 2], [0, 2, 1]] };
    assert_eq!(class(&part.with(&far).mesh(), &sheet, Pose::IDENTITY), overlapping);
}

/// Sheets that cross themselves: the same faces in the same numbers were duplicates, in other numbers (a turn that rounds, a
/// finer cut) overlapping, since faces of the one cross faces of the other.
#[test]
fn a_sheet_that_crosses_itself_twice() {
    let cross = Shape {
        vertices: [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [1., 1., -1.], [1., 1., 2.], [2., 1., 1.]]
            .map(DVec3::from_array)
            .to_vec(),
        triangles: vec![[0, 1, 2], [3, 4, 5]],
    };
    let turn = pose(DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64), DVec3::new(0.1, 0.2, -0.3));
    let (a, b) = (cross.mesh(), cross.refined().mesh());
    let mut asker = MeshQuery::new();
    for (x, y, at) in [(&a, &a, Pose::IDENTITY), (&a, &a, turn), (&a, &b, Pose::IDENTITY), (&b, &a, turn)] {
        let found =
            asker.relation(PlacedMesh::new(x, at), PlacedMesh::new(y, at), &RelationOptions::default());
        assert_eq!(found.exact, Relation::Duplicate);
    }
}

/// The curves in which two surfaces cross tell whether one is cut, if neither meets itself. The closed surface of eight faces here
/// crosses itself and cuts the tetrahedron in two parts of 8.03 and 20.3; by the curves it only protruded.
#[test]
fn a_body_that_crosses_itself_cuts_another_in_two() {
    let crossed = Shape {
        vertices: [[2., 2., 4.], [6., 2., 0.], [6., 8., 0.], [9., 7., 7.], [9., 3., 4.], [3., 6., 4.]]
            .map(DVec3::from_array)
            .to_vec(),
        triangles: vec![
            [0, 1, 2],
            [1, 3, 2],
            [3, 4, 2],
            [4, 0, 2],
            [1, 0, 5],
            [3, 1, 5],
            [4, 3, 5],
            [0, 4, 5],
        ],
    };
    let tetrahedron = Shape::tetrahedron([[4., 7., 2.], [9., 2., 1.], [8., 6., 5.], [2., 2., 8.]]);
    let found = class(&crossed.mesh(), &tetrahedron.mesh(), Pose::IDENTITY);
    assert!(matches!(found, Relation::Overlapping { kind: Some(OverlapKind::Piercing), .. }), "{found:?}");
}

#[test]
fn points_that_are_no_numbers_or_beyond_them() {
    let cube = Shape::block([0.0; 3], [2.0; 3]).mesh();
    let turned =
        PlacedMesh::new(&cube, pose(DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8), DVec3::new(1e308, 0.0, 0.0)));
    for k in 0..3 {
        for (value, verdict) in [
            (f64::NAN, Location::Unclear),
            (f64::INFINITY, Location::Outside),
            (f64::NEG_INFINITY, Location::Outside),
        ] {
            let mut point = DVec3::ONE;
            point[k] = value;
            assert_eq!(cube.inside(point).verdict, verdict, "{point}");
            assert_eq!(PlacedMesh::at_rest(&cube).inside(point).verdict, verdict, "{point}");
            assert_eq!(turned.inside(point).verdict, verdict, "{point}");
        }
    }
    assert_eq!(cube.inside(DVec3::new(f64::INFINITY, f64::NAN, 0.0)).verdict, Location::Unclear);
    // Finite, but beyond doubles in the body's frame.
    assert_eq!(turned.inside(DVec3::new(-1e308, 0.0, 0.0)).verdict, Location::Outside);
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
    assert_eq!(flat.inside(DVec3::new(0.5, 0.5, 0.1)).verdict, Location::Outside);
}

#[test]
fn the_same_shell_twice_in_one_body_cancels() {
    let cube = Shape::block([0.0; 3], [2.0; 3]);
    let (double, single) = (cube.clone().with(&cube).mesh(), cube.mesh());
    assert_eq!(double.inside(DVec3::ONE).verdict, Location::Outside);
    // By parity nothing is inside the double cube: it is a sheet on the single one's faces.
    assert_eq!(class(&single, &double, Pose::IDENTITY), Relation::Touching);
    // A body that overlaps itself: the common part of its two blocks is outside.
    let crossed = cube.clone().with(&cube.moved(1.0, 0.0, 0.0)).mesh();
    let slice = Shape::block([1.0, 0.0, 0.0], [2.0, 2.0, 2.0]).mesh();
    assert_eq!(crossed.inside(DVec3::new(1.5, 1.0, 1.0)).verdict, Location::Outside);
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
        assert_eq!(cube.inside(DVec3::splat(0.5 * size)).verdict, Location::Inside, "{size}");
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
    let mut asker = MeshQuery::new();
    for (x, touching, apart) in [(1.0, true, false), (1.0 - step, false, false), (1.0 + step, false, true)] {
        let found = asker.relation(
            PlacedMesh::new(&cube, a),
            PlacedMesh::new(&cube, there(x)),
            &RelationOptions::default(),
        );
        assert_eq!(found.exact == Relation::Touching, touching, "{x}");
        assert_eq!(matches!(found.exact, Relation::Separate { .. }), apart, "{x}");
    }
}

/// A triangle of three points of an edge has no area and opens nothing: a box with one was no solid, and what lay in it was not seen.
#[test]
fn a_triangle_along_an_edge_opens_no_solid() {
    let mut shape = Shape::block([0.0; 3], [2.0; 3]);
    shape.vertices.push(DVec3::new(1.0, 0.0, 0.0));
    shape.triangles.push([0, 1, 8]);
    let pin = Shape::block([0.5; 3], [1.0; 3]).mesh();
    let cube = shape.mesh();
    assert!(cube.is_closed());
    assert_eq!(class(&cube, &pin, Pose::IDENTITY), Relation::Contained { inner: Side::B });
    // An open box with one stays open.
    shape.triangles.remove(3);
    assert!(!shape.mesh().is_closed());
}

#[test]
fn shells_that_contradict_their_order_are_told() {
    let outer = Shape::block([0.0; 3], [4.0; 3]);
    let inner = Shape::block([1.0; 3], [2.0; 3]);
    let reversed = |shape: &Shape| Shape {
        vertices: shape.vertices.clone(),
        triangles: shape.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
    };
    let beside = inner.moved(9.0, 0.0, 0.0);
    for (shape, at_odds) in [
        (outer.clone(), false),
        (outer.clone().with(&reversed(&inner)), false),
        (outer.clone().with(&beside), false),
        (reversed(&outer).with(&inner), false),
        (outer.clone().with(&inner), true),
        (outer.with(&reversed(&beside)), true),
    ] {
        assert_eq!(shape.mesh().has_shells_at_odds(), at_odds);
    }
}

/// An open tray has no outward side: a solid that meets its floor is pushed back to where it is, however the faces are turned.
#[test]
fn open_surfaces_face_the_solid_that_meets_them() {
    let tray = Shape::block([-3.0, -3.0, 0.0], [3.0, 3.0, 1.0]);
    let open = |turned: bool| {
        let mut shape = tray.clone();
        shape.triangles.retain(|t| t.iter().any(|&v| shape.vertices[v as usize].z < 0.5));
        if turned {
            shape.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        }
        shape.mesh()
    };
    let cube = Shape::block([-0.5; 3], [0.5; 3]).mesh();
    for turned in [false, true] {
        let tray = open(turned);
        assert!(!tray.is_closed());
        for (height, up) in [(0.45, 1.0), (0.5, 1.0), (-0.45, -1.0)] {
            let at = pose(DQuat::IDENTITY, DVec3::new(0.2, 0.1, height));
            for patch in MeshQuery::new().patches(PlacedMesh::at_rest(&tray), PlacedMesh::new(&cube, at)) {
                assert!(
                    (patch.normal - DVec3::Z * up).length() < 1e-9,
                    "{turned} {height}: {}",
                    patch.normal
                );
            }
        }
    }
}
