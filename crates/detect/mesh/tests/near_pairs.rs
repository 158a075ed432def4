//! All pairs of triangles within a distance, against a look at every pair.

use kontakt_answers::Visits;
use kontakt_convex::{ConvexQuery, PlacedShape, Shape};
use kontakt_math::{Between, DVec3, Pose};
use kontakt_mesh::face::distance_range;
use kontakt_mesh::{FacePair, Mesh, MeshQuery, MeshShapeQuery, PlacedMesh};
use kontakt_shapes::make;

fn bodies() -> [Mesh; 2] {
    [make::bumpy_ball(3, 0.2), make::gear(8, 0.2, 4)]
        .map(|faces| Mesh::with_threads(faces.unwrap(), 1).unwrap())
}

fn pose(dice: &mut fastrand::Rng, far: f64) -> Pose {
    let mut vector = || DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0;
    let (axis, place) = (vector(), vector());
    Pose::from_axis_angle(axis + DVec3::X * 1e-3, 3.0 * axis.x, place * far).unwrap()
}

/// What is within the distance is found; what is found is not much farther; the numbers show that this says something.
#[test]
fn all_pairs_within_a_distance_are_found_and_hardly_more() {
    let [ball, gear] = bodies();
    let (mut asker, mut dice) = (MeshQuery::new(), fastrand::Rng::with_seed(5));
    let (mut near, mut some) = (0, 0);
    for round in 0..40 {
        // Far from the origin too, where numbers have fewer digits for places.
        let centre = DVec3::splat([0.0, 1e6][round % 2]);
        let placed = |pose: Pose| Pose::new(pose.rotation(), pose.translation() + centre).unwrap();
        let (pose_a, pose_b) = (placed(pose(&mut dice, 0.1)), placed(pose(&mut dice, 2.0)));
        let distance = [0.0, 0.02, 0.1, 0.5][round % 4];
        let (a, b) = (PlacedMesh::new(&ball, pose_a), PlacedMesh::new(&gear, pose_b));
        let mut found = Vec::new();
        assert!(asker.near_pairs(a, b, distance, usize::MAX, &mut found));
        assert!(found.is_sorted_by_key(|near| near.pair));
        let between = Between::new(pose_a, pose_b);
        for i in 0..ball.faces().triangles().len() {
            for j in 0..gear.faces().triangles().len() {
                let (range, _) = distance_range(
                    &between,
                    ball.faces().triangle_points(i),
                    gear.faces().triangle_points(j),
                    &mut Visits::default(),
                );
                let pair = FacePair { a: i as u32, b: j as u32 };
                let place = found.binary_search_by_key(&pair, |near| near.pair);
                let is_found = place.is_ok();
                assert!(place.is_err() || found[place.unwrap()].gap <= range.hi());
                assert!(is_found || range.hi() > distance, "round {round}: {i} {j} {range:?}");
                assert!(!is_found || range.lo() < distance + 1e-3, "round {round}: {i} {j} {range:?}");
                near += usize::from(range.hi() <= distance);
            }
        }
        some += found.len();
    }
    assert!(near > 2000 && some < near + 4000, "{near} near, {some} found");
}

#[test]
fn more_pairs_than_wanted_are_said_to_be_too_many() {
    let [ball, gear] = bodies();
    let (mut asker, mut found) = (MeshQuery::new(), Vec::new());
    let (a, b) = (PlacedMesh::at_rest(&ball), PlacedMesh::at_rest(&gear));
    assert!(!asker.near_pairs(a, b, 1.0, 100, &mut found));
    assert!(found.len() <= 101);
    found.clear();
    assert!(asker.near_pairs(a, b, f64::NAN, 100, &mut found) && found.is_empty());
    let there = Pose::from_axis_angle(DVec3::X, 1.0, DVec3::X * 1e30).unwrap();
    assert!(asker.near_pairs(a, PlacedMesh::new(&gear, there), 1e6, 100, &mut found) && found.is_empty());
}

#[test]
fn all_triangles_near_a_shape_are_found() {
    let [ball, _] = bodies();
    let shapes = [
        Shape::sphere(0.4).unwrap(),
        Shape::cylinder(0.5, 0.3).unwrap(),
        Shape::half_space(DVec3::new(1.0, 2.0, 0.5), 0.3).unwrap(),
    ];
    let (mut asker, mut convex) = (MeshShapeQuery::new(), ConvexQuery::new());
    let mut dice = fastrand::Rng::with_seed(6);
    let (mut near, mut some) = (0, 0);
    for round in 0..60 {
        let shape = &shapes[round % 3];
        let distance = [0.0, 0.05, 0.3][round / 3 % 3];
        let (pose_a, pose_b) = (pose(&mut dice, 0.1), pose(&mut dice, 2.0));
        let mut found = Vec::new();
        let (mesh, placed) = (PlacedMesh::new(&ball, pose_a), PlacedShape::new(shape, pose_b));
        assert!(asker.near_pairs(mesh, placed, distance, usize::MAX, &mut found));
        for i in 0..ball.faces().triangles().len() {
            let triangle = Shape::triangle(ball.faces().triangle_points(i)).unwrap();
            let range = convex.distance(PlacedShape::new(&triangle, pose_a), placed).distance();
            let pair = FacePair { a: i as u32, b: 0 };
            let is_found = found.binary_search_by_key(&pair, |near| near.pair).is_ok();
            assert!(is_found || range.hi() > distance, "round {round}: {i} {range:?}");
            near += usize::from(range.hi() <= distance);
        }
        some += found.len();
    }
    assert!(near > 500 && some < 3 * near, "{near} near, {some} found");
}
