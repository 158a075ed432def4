//! Memory and threads: the packed form is small, and no number of threads changes a bit of it.

use kontakt_hierarchy::{Faces, Packed};
use kontakt_math::DVec3;
use kontakt_shapes::{FaceSet, make};
use testkit::Generator;

/// Triangles without any order, many of them degenerate, half of them crowded into a thousandth of the space.
fn soup(mut from: Generator, count: usize) -> FaceSet {
    let crowd = |v: [f64; 3], i: usize| DVec3::from_array(v) * if i.is_multiple_of(2) { 1.0 } else { 1e-3 };
    let vertices = (0..count).map(|i| crowd(from.point(), i)).collect();
    let near = |i: usize, step: usize| ((i + 2 * step) % count) as u32;
    let triangles =
        (0..count).map(|i| [near(i, 0), near(i, from.index(3)), near(i, from.index(3))]).collect();
    FaceSet::from_triangles(vertices, triangles).unwrap()
}

fn bodies() -> Vec<(&'static str, FaceSet)> {
    vec![
        ("ball", make::bumpy_ball(32, 0.3).unwrap()),
        ("terrain", make::terrain(101, 0.1).unwrap()),
        ("nut", make::hex_nut(2.0, 1.0, 1.0, 3000).unwrap()),
        ("soup", soup(Generator::free(1), 20_000)),
        ("soup of integers", soup(Generator::grid(2), 20_000)),
    ]
}

#[test]
fn threads_change_nothing() {
    for (name, body) in bodies() {
        let one = Packed::build(Faces::of(&body), 1).unwrap();
        for threads in [0, 2, 3, 8] {
            assert!(Packed::build(Faces::of(&body), threads).unwrap() == one, "{name}, {threads} threads");
        }
    }
}

#[test]
fn claims_hold_and_memory_is_small() {
    for (name, body) in bodies() {
        let tree = Packed::build(Faces::of(&body), 1).unwrap();
        tree.validate(Faces::of(&body)).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
        let each = tree.heap_bytes() as f64 / body.triangles().len() as f64;
        assert!(each <= 64.0, "{name}: {each} bytes a triangle");
        assert!(tree.counts().depth <= 30, "{name}: {:?}", tree.counts());
    }
}

#[test]
fn vertices_without_triangles_do_not_matter() {
    let ball = make::bumpy_ball(8, 0.3).unwrap();
    let mut vertices = ball.vertices().to_vec();
    vertices.push(DVec3::splat(1e200));
    let with = Packed::build(Faces { vertices: &vertices, triangles: ball.triangles() }, 1).unwrap();
    assert!(with == Packed::build(Faces::of(&ball), 1).unwrap());
}

#[test]
fn many_equal_triangles_are_no_trouble() {
    let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
    for triangles in [vec![[0, 1, 2]; 200_000], vec![[1, 1, 1]; 200_000]] {
        let faces = Faces { vertices: &vertices, triangles: &triangles };
        let tree = Packed::build(faces, 2).unwrap();
        assert!(
            tree.heap_bytes() <= 64 * triangles.len() && tree.counts().depth <= 16,
            "{:?}",
            tree.counts()
        );
        tree.validate(faces).unwrap();
    }
}

/// Geometric series of sizes: the worst for splits by place.
#[test]
fn trees_of_shrinking_steps_stay_shallow() {
    let vertices: Vec<DVec3> = (0..3000).map(|i| DVec3::X * 0.97_f64.powi(i)).collect();
    let triangles: Vec<[u32; 3]> = (0..2999).map(|i| [i, i, i + 1]).collect();
    let faces = Faces { vertices: &vertices, triangles: &triangles };
    let tree = Packed::build(faces, 1).unwrap();
    tree.validate(faces).unwrap();
    assert!(tree.counts().depth <= 30, "{:?}", tree.counts());
}
