//! Shapes that others have made, and refitting: every claim holds afterwards, and what is no tree is refused.

use kontakt_hierarchy::packed::{Child, WIDTH};
use kontakt_hierarchy::{BuildError, Faces, Packed};
use kontakt_math::DVec3;
use kontakt_shapes::{FaceSet, make};
use testkit::Generator;

fn bodies() -> [FaceSet; 2] {
    [make::bumpy_ball(7, 0.3).unwrap(), make::terrain(13, 0.2).unwrap()]
}

/// The lanes of a node with these children.
fn lanes<const N: usize>(children: [Child; N]) -> [Child; WIDTH] {
    std::array::from_fn(|lane| children.get(lane).copied().unwrap_or(Child::Empty))
}

#[test]
fn the_shape_of_a_hierarchy_gives_it_again() {
    for body in bodies() {
        let faces = Faces::of(&body);
        let built = Packed::build(faces, 1).unwrap();
        let shape: Vec<[Child; WIDTH]> =
            built.nodes().iter().map(|node| node.child.map(Child::decode)).collect();
        let again = Packed::from_shape(&shape, built.order().to_vec(), faces).unwrap();
        again.validate(faces).unwrap();
        assert!(again.nodes().iter().zip(built.nodes()).all(|(a, b)| a.child == b.child));
    }
}

#[test]
fn shapes_that_are_no_trees_are_refused() {
    let body = make::terrain(1, 0.0).unwrap();
    let faces = Faces::of(&body);
    let leaf = |first, count| Child::Leaf { first, count };
    let fine = Packed::from_shape(&[lanes([leaf(0, 1), leaf(1, 1)])], vec![1, 0], faces);
    fine.unwrap().validate(faces).unwrap();
    for (shape, order) in [
        (vec![], vec![0, 1]),
        (vec![lanes([leaf(0, 2)])], vec![0]),
        (vec![lanes([leaf(0, 2)])], vec![0, 0]),
        (vec![lanes([leaf(0, 2)])], vec![0, 2]),
        (vec![lanes([leaf(0, 1)])], vec![0, 1]),
        (vec![lanes([leaf(0, 3)])], vec![0, 1]),
        (vec![lanes([leaf(0, 10)])], vec![0, 1]),
        (vec![lanes([leaf(1, 1), leaf(0, 1)])], vec![0, 1]),
        (vec![lanes([Child::Empty, leaf(0, 2)])], vec![0, 1]),
        (vec![lanes([])], vec![0, 1]),
        (vec![lanes([Child::Inner(0)])], vec![0, 1]),
        (vec![lanes([Child::Inner(7)])], vec![0, 1]),
        (vec![lanes([Child::Inner(1), Child::Inner(1)]), lanes([leaf(0, 2)])], vec![0, 1]),
        (vec![lanes([leaf(0, 2)]), lanes([leaf(0, 2)])], vec![0, 1]),
    ] {
        let result = Packed::from_shape(&shape, order, faces);
        assert!(matches!(result, Err(BuildError::Mismatch { .. })), "{result:?}");
    }
}

#[test]
fn refit_follows_moved_vertices() {
    let mut g = Generator::free(5);
    for body in bodies() {
        let faces = Faces::of(&body);
        let mut tree = Packed::build(faces, 1).unwrap();
        for (scale, shift) in [(1.0, 0.0), (0.5, 0.1), (100.0, 1e12), (1e-200, 0.0), (1.0, 3.0)] {
            let moved: Vec<DVec3> = body
                .vertices()
                .iter()
                .map(|v| {
                    let [x, y, z] = v.to_array();
                    let shaken = DVec3::new(y, z, x) + DVec3::from_array(g.point()) * 0.01;
                    shaken * scale + DVec3::splat(shift)
                })
                .collect();
            let moved = Faces { vertices: &moved, triangles: faces.triangles };
            tree.refit(moved).unwrap();
            tree.validate(moved).unwrap();
        }
        tree.refit(faces).unwrap();
        tree.validate(faces).unwrap();
        let others: Vec<[u32; 3]> = faces.triangles.iter().map(|[a, b, c]| [*b, *c, *a]).collect();
        let before = tree.clone();
        let wrong = Faces { vertices: faces.vertices, triangles: &others };
        assert!(matches!(tree.refit(wrong), Err(BuildError::Mismatch { .. })));
        assert_eq!(tree, before);
    }
}
