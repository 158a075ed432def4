//! The default hierarchy: every claim holds, on ordinary and on bad faces.

use kontakt_hierarchy::{BuildError, Faces, Packed};
use kontakt_math::DVec3;
use kontakt_shapes::make;

fn check(vertices: &[DVec3], triangles: &[[u32; 3]], name: &str) -> Packed {
    let faces = Faces { vertices, triangles };
    let tree = Packed::build(faces, 1).unwrap();
    tree.validate(faces).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
    tree
}

#[test]
fn formula_bodies_are_enclosed() {
    for faces in [
        make::bumpy_ball(12, 0.3).unwrap(),
        make::terrain(20, 0.1).unwrap(),
        make::hex_nut(2.0, 1.0, 1.0, 24).unwrap(),
    ] {
        check(faces.vertices(), faces.triangles(), "formula body");
    }
}

#[test]
fn places_and_sizes_do_no_harm() {
    let ball = make::bumpy_ball(6, 0.3).unwrap();
    for (scale, shift) in [
        (1.0, 1e12),
        (1e300, 0.0),
        (1e-300, 0.0),
        (1e-310, 0.0),
        (1.3e308, 0.0),
        (1e-20, 1e-3),
        (8_388_608.0, -0.5),
    ] {
        let vertices: Vec<DVec3> = ball.vertices().iter().map(|v| *v * scale + DVec3::splat(shift)).collect();
        check(&vertices, ball.triangles(), &format!("x {scale} + {shift}"));
    }
}

#[test]
fn bad_faces_are_enclosed() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE];
    check(&corners, &[[0, 1, 2]], "one triangle");
    check(&corners, &[[1, 1, 1]], "one point");
    check(&corners, &vec![[0, 1, 2]; 1000], "equal triangles");
    check(&corners, &vec![[3, 3, 3]; 1000], "equal points");
    check(&corners, &(0..999).map(|i| [0, 1 + i % 3, 0]).collect::<Vec<_>>(), "segments");
    assert_eq!(Packed::build(Faces { vertices: &corners, triangles: &[] }, 1), Err(BuildError::NoTriangles));
}
