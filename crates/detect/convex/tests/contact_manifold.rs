//! Contacts of faces and edges: how many points, where, how deep, and what they are called.

use kontakt_answers::Feature;
use kontakt_convex::{ConvexQuery, Manifold, PlacedShape, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

fn turned(axis: DVec3, angle: f64, place: DVec3) -> Pose {
    Pose::from_axis_angle(axis, angle, place).unwrap()
}

fn manifold(a: (&Shape, Pose), b: (&Shape, Pose), gap: f64) -> Manifold {
    let found = ConvexQuery::new().manifold(PlacedShape::new(a.0, a.1), PlacedShape::new(b.0, b.1), gap);
    let other =
        ConvexQuery::new().manifold(PlacedShape::new(b.0, b.1), PlacedShape::new(a.0, a.1), gap).swapped();
    assert_eq!(found, other, "the order of the bodies changes nothing");
    for contact in &found.contacts {
        if found.answer.point_error == f64::INFINITY {
            continue;
        }
        let along = contact.normal.dot(contact.point_a - contact.point_b);
        let middle = 0.5 * (contact.depth.lo() + contact.depth.hi());
        assert!((along - middle).abs() < 1e-9 * (1.0 + middle.abs()), "{contact:?}");
        assert!((contact.point_a - contact.point_b - along * contact.normal).length() < 1e-9, "{contact:?}");
        assert!(contact.depth.hi() >= -gap);
    }
    found
}

/// Places of the contacts on A, sorted.
fn places(manifold: &Manifold) -> Vec<[f64; 3]> {
    let rounded = |x: f64| (x * 1e9).round() / 1e9 + 0.0;
    let mut places: Vec<[f64; 3]> =
        manifold.contacts.iter().map(|contact| contact.point_a.to_array().map(rounded)).collect();
    places.sort_by(|p, q| p.partial_cmp(q).unwrap());
    places
}

#[test]
fn a_box_on_a_box_touches_in_four_points() {
    let low = Shape::cuboid(DVec3::new(2.0, 2.0, 1.0)).unwrap();
    let high = Shape::cuboid(DVec3::ONE).unwrap();
    let found = manifold((&low, at(0.0, 0.0, 0.0)), (&high, at(1.5, 0.0, 2.0)), 0.0);
    assert_eq!(found.answer.verdict, Verdict::Touching);
    assert_eq!(places(&found), [[0.5, -1.0, 1.0], [0.5, 1.0, 1.0], [2.0, -1.0, 1.0], [2.0, 1.0, 1.0]]);
    let names: Vec<_> = found.contacts.iter().map(|c| (c.feature_a, c.feature_b)).collect();
    assert!(names.contains(&(Some(Feature::Face(5)), Some(Feature::Vertex(0)))), "{names:?}");
    assert!(names.contains(&(Some(Feature::edge(5, 7)), Some(Feature::edge(0, 1)))), "{names:?}");
}

#[test]
fn names_do_not_change_while_a_box_slides_and_sinks() {
    let low = Shape::cuboid(DVec3::new(2.0, 2.0, 1.0)).unwrap();
    let high = Shape::cuboid(DVec3::ONE).unwrap();
    let mut names = None;
    for step in 0..50 {
        let s = f64::from(step) * 1e-3;
        let pose = turned(DVec3::new(0.3, 1.0, 0.2), 1e-4 * s, DVec3::new(1.5 + s, 0.1 * s, 1.99 - 0.1 * s));
        let found = manifold((&low, at(0.0, 0.0, 0.0)), (&high, pose), 0.0);
        assert_eq!(found.contacts.len(), 4, "{step}: {found:?}");
        let mut now: Vec<_> = found.contacts.iter().map(|c| (c.feature_a, c.feature_b)).collect();
        now.sort();
        assert_eq!(*names.get_or_insert(now.clone()), now, "step {step}");
    }
}

#[test]
fn a_tilted_box_stands_on_an_edge_then_on_a_corner() {
    let floor = Shape::cuboid(DVec3::new(5.0, 5.0, 1.0)).unwrap();
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    // Tilted about y by 0.2: the lower edge is sqrt(2)·cos(π/4 − 0.2) below the centre.
    let low = 0.2_f64.cos() + 0.2_f64.sin();
    let edge = turned(DVec3::Y, 0.2, DVec3::new(0.0, 0.0, 1.0 + low - 1e-6));
    let found = manifold((&floor, at(0.0, 0.0, 0.0)), (&cube, edge), 0.0);
    assert_eq!(found.contacts.len(), 2, "{found:?}");
    assert!(found.contacts.iter().all(|c| c.feature_a == Some(Feature::Face(5))));
    assert!(found.contacts.iter().all(|c| (c.depth.lo() - 1e-6).abs() < 1e-12));
    let corner = Pose::new(edge.rotation() * DQuat::from_rotation_x(0.2), DVec3::ZERO).unwrap();
    let lowest = (0..8)
        .map(|i| [1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 }))
        .map(|corner_at| corner.apply(DVec3::from_array(corner_at)).z)
        .fold(0.0, f64::min);
    let corner = Pose::new(corner.rotation(), DVec3::new(0.0, 0.0, 1.0 - lowest - 1e-6)).unwrap();
    let found = manifold((&floor, at(0.0, 0.0, 0.0)), (&cube, corner), 0.0);
    assert_eq!(found.contacts.len(), 1);
    assert!(matches!(found.contacts[0].feature_b, Some(Feature::Vertex(_))));
    // With a gap as large as the box everything of its lowest face comes along.
    let found = manifold((&floor, at(0.0, 0.0, 0.0)), (&cube, corner), 2.0);
    assert_eq!(found.contacts.len(), 4);
}

#[test]
fn crossed_edges_meet_in_one_point_and_parallel_ones_in_two() {
    let bar = Shape::cuboid(DVec3::new(3.0, 0.5, 0.5)).unwrap();
    let ridge = |turn: f64, z: f64| {
        let q = DQuat::from_rotation_z(turn) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
        Pose::new(q, DVec3::new(0.0, 0.0, z)).unwrap()
    };
    let reach = 0.5_f64.sqrt();
    let crossed = manifold((&bar, ridge(0.0, 0.0)), (&bar, ridge(1.0, 2.0 * reach - 1e-3)), 0.0);
    assert_eq!(crossed.contacts.len(), 1, "{crossed:?}");
    let [contact] = crossed.contacts[..] else { unreachable!() };
    assert!(matches!(
        (contact.feature_a, contact.feature_b),
        (Some(Feature::Edge(..)), Some(Feature::Edge(..)))
    ));
    assert!((contact.point_a - DVec3::Z * reach).length() < 1e-9);
    let along = manifold((&bar, ridge(0.0, 0.0)), (&bar, ridge(0.0, 2.0 * reach + 1e-3)), 0.01);
    assert_eq!(along.contacts.len(), 2, "{along:?}");
    assert!((along.contacts[0].point_a - along.contacts[1].point_a).length() > 5.9);
    assert!(along.contacts.iter().all(|c| (c.depth.lo() + 1e-3).abs() < 1e-9));
}

#[test]
fn round_bodies_lie_on_lines_and_discs() {
    let floor = Shape::cuboid(DVec3::new(5.0, 5.0, 1.0)).unwrap();
    let lying = |shape: &Shape, z: f64| {
        let pose = turned(DVec3::Y, std::f64::consts::FRAC_PI_2, DVec3::new(0.0, 0.0, z));
        manifold((&floor, at(0.0, 0.0, 0.0)), (shape, pose), 0.0)
    };
    let capsule = Shape::capsule(2.0, 0.5).unwrap();
    let found = lying(&capsule, 1.5 - 1e-3);
    assert_eq!(found.contacts.len(), 2, "{found:?}");
    assert!(found.contacts.iter().all(|c| (c.depth.hi() - 1e-3).abs() < 1e-9));
    assert_eq!(lying(&Shape::cylinder(2.0, 0.5).unwrap(), 1.5 - 1e-3).contacts.len(), 2);
    let standing =
        |shape: &Shape, z: f64| manifold((&floor, at(0.0, 0.0, 0.0)), (shape, at(4.8, 0.0, z)), 0.0);
    let disc = standing(&Shape::cylinder(2.0, 0.5).unwrap(), 3.0 - 1e-3);
    assert!((4..=10).contains(&disc.contacts.len()), "{disc:?}");
    assert!(disc.contacts.iter().all(|c| c.point_a.x <= 5.0 + 1e-12 && (c.depth.hi() - 1e-3).abs() < 1e-9));
    assert!(standing(&Shape::cone(2.0, 0.5).unwrap(), 3.0 - 1e-3).contacts.len() >= 4);
    assert_eq!(standing(&Shape::ellipsoid(DVec3::new(0.1, 0.2, 0.3)).unwrap(), 1.29).contacts.len(), 1);
    assert_eq!(standing(&Shape::sphere(0.3).unwrap(), 1.29).contacts.len(), 1);
}

#[test]
fn hulls_meet_like_the_boxes_they_are() {
    let corners = |half: DVec3| -> Vec<DVec3> {
        (0..8)
            .map(|i| half * DVec3::from_array([1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 })))
            .collect()
    };
    let (low, high) = (DVec3::new(2.0, 2.0, 1.0), DVec3::ONE);
    let boxes = [Shape::cuboid(low).unwrap(), Shape::cuboid(high).unwrap()];
    let hulls = [Shape::hull(&corners(low)).unwrap(), Shape::hull(&corners(high)).unwrap()];
    for gap in [0.0, 0.3] {
        let pose = turned(DVec3::Z, 0.3, DVec3::new(1.5, 0.4, 2.1 - gap));
        let of_boxes = manifold((&boxes[0], at(0.0, 0.0, 0.0)), (&boxes[1], pose), gap);
        let of_hulls = manifold((&hulls[0], at(0.0, 0.0, 0.0)), (&hulls[1], pose), gap);
        let close = |p: &[[f64; 3]], q: &[[f64; 3]]| {
            p.len() == q.len()
                && p.iter().flatten().zip(q.iter().flatten()).all(|(x, y)| (x - y).abs() < 1e-8)
        };
        assert!(close(&places(&of_boxes), &places(&of_hulls)), "{of_boxes:?}\n{of_hulls:?}");
        assert_eq!(of_boxes.contacts.is_empty(), gap == 0.0);
    }
}

/// Bodies without thickness: what coincides counts once, and no contact lies outside of either body.
#[test]
fn flat_bodies_touch_where_they_are() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let flat = |x: f64, y: f64, z: f64| Shape::cuboid(DVec3::new(x, y, z)).unwrap();
    let corner = Shape::hull(&[DVec3::ZERO; 5]).unwrap();
    let line = Shape::hull(&[-DVec3::X, DVec3::X, DVec3::X * 0.5]).unwrap();
    for (thin, count) in [
        (flat(0.0, 0.0, 0.0), 1),
        (flat(1e-18, 1e-18, 1e-18), 1),
        (corner, 1),
        (flat(1.0, 0.0, 0.0), 2),
        (line, 2),
        (flat(1.0, 1.0, 0.0), 4),
    ] {
        for high in [1.0, 0.75] {
            let found = manifold((&cube, at(0.5, 0.0, 0.0)), (&thin, at(0.0, 0.0, high)), 0.0);
            assert_eq!(found.contacts.len(), count, "{found:?}");
            for contact in &found.contacts {
                assert!((contact.point_a - DVec3::X * 0.5).abs().max_element() <= 1.0 + 1e-12, "{contact:?}");
                assert!(contact.point_b.abs().max_element() <= 1.0 + 1e-12, "{contact:?}");
            }
            // The plane through the cube's top.
            let ground = Shape::half_space(DVec3::Z, 1.0).unwrap();
            let found = manifold((&ground, at(0.0, 0.0, 0.0)), (&thin, at(0.0, 0.0, high)), 0.0);
            assert_eq!(found.contacts.len(), count, "{found:?}");
        }
    }
}

#[test]
fn four_contacts_of_many_are_spread_out() {
    let floor = Shape::cuboid(DVec3::new(5.0, 5.0, 1.0)).unwrap();
    let disc =
        manifold((&floor, at(0.0, 0.0, 0.0)), (&Shape::cylinder(1.0, 1.0).unwrap(), at(0.0, 0.0, 1.99)), 0.0);
    assert_eq!(disc.contacts.len(), 8);
    let four = disc.clone().at_most(4);
    assert_eq!(four.contacts.len(), 4);
    for (i, one) in four.contacts.iter().enumerate() {
        for other in &four.contacts[..i] {
            assert!(one.point_a.distance(other.point_a) > 1.4, "{four:?}");
        }
    }
    assert_eq!(disc.clone().at_most(9), disc);
    assert!(disc.at_most(0).contacts.is_empty());
}

#[test]
fn bodies_on_a_half_space() {
    let ground = Shape::half_space(DVec3::new(0.0, 0.0, 2.0), 0.0).unwrap();
    let on_ground = |shape: &Shape, pose: Pose| manifold((&ground, at(0.0, 0.0, 0.0)), (shape, pose), 0.0);
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let found = on_ground(&cube, at(0.3, 0.0, 1.0));
    assert_eq!(found.answer.verdict, Verdict::Touching);
    assert_eq!(found.contacts.len(), 4, "{found:?}");
    assert!(found.contacts.iter().all(|c| c.feature_a == Some(Feature::Face(0))));
    assert!(
        found.contacts.iter().all(|c| c.depth.lo().abs() < 1e-12 && c.depth.hi().abs() < 1e-12),
        "{found:?}"
    );
    // Sunk and tilted: four corners of their own depth each.
    let found = on_ground(&cube, turned(DVec3::Y, 0.01, DVec3::new(0.0, 0.0, 0.9)));
    assert_eq!(found.contacts.len(), 4, "{found:?}");
    let depths: Vec<f64> = found.contacts.iter().map(|c| c.depth.lo()).collect();
    let (deepest, least) =
        (depths.iter().copied().fold(0.0, f64::max), depths.iter().copied().fold(1.0, f64::min));
    let [low, high] = [1.0, -1.0].map(|side| 0.01_f64.cos() + side * 0.01_f64.sin() - 0.9);
    assert!((deepest - low).abs() < 1e-12 && (least - high).abs() < 1e-12, "{depths:?}");
    assert!((found.answer.depth().lo() - deepest).abs() < 1e-12);
    let side = turned(DVec3::Y, std::f64::consts::FRAC_PI_2, DVec3::new(0.0, 0.0, 0.5 - 1e-4));
    assert_eq!(on_ground(&Shape::capsule(1.0, 0.5).unwrap(), side).contacts.len(), 2);
    assert_eq!(on_ground(&Shape::cylinder(1.0, 0.5).unwrap(), side).contacts.len(), 2);
    assert_eq!(on_ground(&Shape::cylinder(1.0, 0.5).unwrap(), at(0.0, 0.0, 1.0)).contacts.len(), 8);
    assert_eq!(on_ground(&Shape::cone(1.0, 0.5).unwrap(), at(0.0, 0.0, 1.0)).contacts.len(), 8);
    assert_eq!(on_ground(&Shape::sphere(1.0).unwrap(), at(0.0, 0.0, 1.0)).contacts.len(), 1);
    assert_eq!(on_ground(&Shape::ellipsoid(DVec3::ONE).unwrap(), at(0.0, 0.0, 0.9)).contacts.len(), 1);
}
