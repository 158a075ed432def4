//! Contacts of meshes: hand cases with known places, and random pairs against a look at every face.

mod bodies;

use bodies::Shape;
use kontakt_answers::Feature;
use kontakt_bounds::hausdorff::distance_to_triangle;
use kontakt_convex::PlacedShape;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{FaceContact, Location, Mesh, MeshQuery, MeshShapeQuery, PlacedMesh};
use kontakt_shapes::make;

fn at(mesh: &Mesh, place: [f64; 3]) -> PlacedMesh<'_> {
    PlacedMesh::new(mesh, bodies::pose(DQuat::IDENTITY, DVec3::from_array(place)))
}

fn contacts(a: PlacedMesh, b: PlacedMesh, gap: f64) -> Vec<FaceContact> {
    MeshQuery::new().contacts(a, b, gap)
}

/// (corner of A or B, is it A's), in order.
fn kinds(found: &[FaceContact]) -> Vec<[&'static str; 2]> {
    let kind = |feature: Option<Feature>| match feature {
        Some(Feature::Vertex(_)) => "vertex",
        Some(Feature::Edge(..)) => "edge",
        Some(Feature::Face(_)) => "face",
        None => "none",
    };
    let mut all: Vec<_> =
        found.iter().map(|found| [kind(found.contact.feature_a), kind(found.contact.feature_b)]).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_block_over_a_larger_one_is_told_by_its_four_corners() {
    let small = Shape::block([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]).mesh();
    let large = Shape::block([-4.0, -5.0, -1.0], [4.0, 5.0, 0.0]).mesh();
    for (height, depth) in [(0.25, -0.25), (0.0, 0.0), (-0.125, 0.125)] {
        let found = contacts(at(&small, [0.0, 0.0, height]), at(&large, [0.0; 3]), 0.5);
        let deep: Vec<_> = found.iter().filter(|found| found.contact.depth.hi() >= depth - 1e-12).collect();
        let corners: Vec<_> =
            deep.iter().filter(|found| matches!(found.contact.feature_a, Some(Feature::Vertex(_)))).collect();
        assert_eq!(corners.len(), 4, "{height}: {:?}", kinds(&found));
        for found in corners {
            let contact = found.contact;
            assert!(contact.depth.lo() <= depth && depth <= contact.depth.hi(), "{height}: {contact:?}");
            assert!(contact.depth.width() < 1e-12);
            assert!(contact.normal.distance(DVec3::NEG_Z) < 1e-12, "{height}: {contact:?}");
            assert_eq!(contact.point_a.abs().truncate(), kontakt_math::DVec2::ONE);
            if height != 0.0 {
                assert!(matches!(contact.feature_b, Some(Feature::Face(2..))), "{height}: {contact:?}");
                assert!((contact.point_b.z).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn crossed_bars_are_told_by_the_corners_of_what_lies_over_each_other() {
    let long = Shape::block([-3.0, -1.0, 0.0], [3.0, 1.0, 1.0]).mesh();
    let across = Shape::block([-1.0, -3.0, -1.0], [1.0, 3.0, 0.0]).mesh();
    let found = contacts(at(&long, [0.0, 0.0, 0.25]), at(&across, [0.0; 3]), 0.5);
    assert_eq!(kinds(&found), [["edge", "edge"]; 4]);
    for found in &found {
        assert!(found.contact.depth.lo() <= -0.25 && -0.25 <= found.contact.depth.hi());
        assert!(found.contact.depth.width() < 1e-12);
        assert!(found.contact.normal.distance(DVec3::NEG_Z) < 1e-12);
        assert!((found.contact.point_a.abs() - DVec3::new(1.0, 1.0, 0.25)).length() < 1e-12);
    }
    assert!(contacts(at(&long, [0.0, 0.0, 0.75]), at(&across, [0.0; 3]), 0.5).is_empty(), "too far");
}

#[test]
fn what_hangs_over_is_told_by_no_slanting_way() {
    let upper = Shape::block([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]).mesh();
    let lower = Shape::block([-1.0, -1.0, -1.0], [1.0, 1.0, 0.0]).mesh();
    let found = contacts(at(&upper, [0.5, 0.25, 0.125]), at(&lower, [0.0; 3]), 2.0);
    assert_eq!(found.len(), 4, "{:?}", kinds(&found));
    assert!(found.iter().all(|found| found.contact.normal.distance(DVec3::NEG_Z) < 1e-12));
    assert_eq!(kinds(&found), [["edge", "edge"], ["edge", "edge"], ["face", "vertex"], ["vertex", "face"]]);
}

/// A corner that stands on the diagonal that the triangulation drew over a face of four corners stands on that face.
#[test]
fn a_cut_through_a_face_of_the_file_is_no_edge() {
    let tip = Shape::pyramid(1.0, [0.0, 0.0, 0.0]).mesh();
    let mut faces = kontakt_shapes::FaceList::default();
    let quads: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for quad in quads {
        faces.push(&quad).unwrap();
    }
    let corner = |i: u32| {
        DVec3::new(f64::from(i & 1) * 2.0 - 1.0, f64::from(i >> 1 & 1) * 2.0 - 1.0, f64::from(i >> 2) - 1.0)
    };
    let block = kontakt_shapes::FaceSet::new((0..8).map(corner).collect(), faces).unwrap();
    let block = Mesh::with_threads(block, 1).unwrap();
    for (height, gap) in [(0.125, 0.25), (0.0, 0.0)] {
        let found = contacts(at(&tip, [0.0, 0.0, height]), at(&block, [0.0; 3]), gap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].contact.feature_a, Some(Feature::Vertex(4)));
        assert_eq!(found[0].contact.feature_b, Some(Feature::Face(5)));
    }
}

/// The least distance of a world point from all faces of a body.
fn from_faces(body: PlacedMesh, x: DVec3) -> f64 {
    let faces = body.mesh.faces();
    let corners = |t: usize| faces.triangle_points(t).map(|v| body.pose.apply(v));
    (0..faces.triangles().len())
        .map(|t| distance_to_triangle(x, corners(t)).upper)
        .fold(f64::INFINITY, f64::min)
}

/// Near bodies: the nearest contact is where the distance is, none is farther than asked for, and with the bodies in the other order
/// they are the same places. Overlapping ones: every place is inside the other body as deep as told, and none is deeper than the
/// interference.
#[test]
fn contacts_of_random_pairs_hold_against_every_face() {
    let [ball, gear] = [make::bumpy_ball(3, 0.2), make::gear(8, 0.2, 4)]
        .map(|faces| Mesh::with_threads(faces.unwrap(), 1).unwrap());
    let (mut query, mut dice) = (MeshQuery::new(), fastrand::Rng::with_seed(7));
    let (mut near, mut deep, mut touching) = (0, 0, 0);
    for round in 0..80 {
        let mut vector = || DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0;
        let (axis, place) = (vector(), vector() * 2.2);
        let a = PlacedMesh::new(&ball, Pose::from_axis_angle(axis, 3.0 * axis.x, place).unwrap());
        let b = PlacedMesh::at_rest(&gear);
        let gap = 0.3;
        let found = query.contacts(a, b, gap);
        let distance = query.distance(a, b).range;
        if distance.hi() > 0.0 && !found.iter().any(|found| found.contact.depth.hi() > 0.0) {
            let nearest = found.iter().map(|found| -found.contact.depth.hi()).fold(f64::INFINITY, f64::min);
            assert_eq!(nearest.is_finite(), distance.lo() <= gap, "round {round}: {distance:?}");
            if nearest.is_finite() {
                near += 1;
                let range = |found: &&FaceContact| {
                    (found.contact.depth.hi() + distance.lo()).abs() < 1e-9 * (1.0 + distance.hi())
                };
                assert!(found.iter().any(|found| range(&found)), "round {round}: {distance:?} {nearest}");
            }
            for FaceContact { contact, .. } in &found {
                let length = contact.point_a.distance(contact.point_b);
                assert!(-contact.depth.hi() <= length + 1e-12 && length <= -contact.depth.lo() + 1e-12);
                assert!(length <= gap + 1e-9 && contact.feature_a.is_some() && contact.feature_b.is_some());
                assert!((contact.point_b - contact.point_a).dot(contact.normal) > 0.0);
            }
            let mut own: Vec<_> =
                found.iter().map(|found| (found.contact.feature_a, found.contact.feature_b)).collect();
            let swapped = query.contacts(b, a, gap);
            let mut other: Vec<_> =
                swapped.iter().map(|found| (found.contact.feature_b, found.contact.feature_a)).collect();
            let order = |pair: &(Option<Feature>, Option<Feature>)| format!("{pair:?}");
            own.sort_by_key(order);
            other.sort_by_key(order);
            assert_eq!(own, other, "round {round}");
            continue;
        }
        let most = query.overlap(a, b).map_or(f64::INFINITY, |overlap| overlap.depth().hi());
        for FaceContact { contact, triangles } in &found {
            if contact.depth.hi() == 0.0 {
                touching += 1;
                assert!(from_faces(a, contact.point_a) < 1e-9 && from_faces(b, contact.point_b) < 1e-9);
                continue;
            }
            deep += 1;
            assert!(triangles.is_some(), "round {round}: measured");
            assert!(contact.depth.lo() <= most, "round {round}: {contact:?}");
            assert!(from_faces(a, contact.point_a) < 1e-9 && from_faces(b, contact.point_b) < 1e-9);
            let length = contact.point_a.distance(contact.point_b);
            assert!(
                contact.depth.lo() <= length + 1e-9 && length <= contact.depth.hi() + 1e-9,
                "{contact:?}"
            );
            let inside = |body: PlacedMesh, x: DVec3| body.inside(x).verdict == Location::Inside;
            let is_inside = inside(b, contact.point_a) || inside(a, contact.point_b);
            assert!(is_inside, "round {round}: {contact:?}");
            // Moved along the normal by the depth, the place is out of the other body.
            assert!((contact.point_a - contact.point_b).dot(contact.normal) > 0.9 * length, "{contact:?}");
        }
    }
    assert!(near > 10 && deep > 50 && touching > 50, "{near} {deep} {touching}");
}

/// A mesh over a shape is told by the corners of what lies before each other, in the names of the mesh.
#[test]
fn a_block_over_a_shape_is_told_by_its_own_corners() {
    let small = Shape::block([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]).mesh();
    let large = kontakt_convex::Shape::cuboid(DVec3::new(4.0, 5.0, 1.0)).unwrap();
    let below = PlacedShape::new(&large, bodies::pose(DQuat::IDENTITY, DVec3::NEG_Z));
    for (height, depth) in [(0.25, -0.25), (0.0, 0.0)] {
        let found = MeshShapeQuery::new().contacts(at(&small, [0.0, 0.0, height]), below, 0.5);
        let corners: std::collections::BTreeSet<Feature> =
            found.iter().filter_map(|found| found.contact.feature_a).collect();
        let all = [0, 1, 2, 3].map(Feature::Vertex);
        assert!(all.iter().all(|corner| corners.contains(corner)), "{height}: {corners:?}");
        for found in &found {
            assert!(found.contact.depth.lo() <= depth && depth <= found.contact.depth.hi());
            assert!(found.triangles.is_some());
        }
    }
}
