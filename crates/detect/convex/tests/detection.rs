//! Detection distance by Algorithm 1 of the thesis, for curved bodies: how far from touching the verdict changes.

use kontakt_convex::{ConvexQuery, PlacedShape, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};

/// Moves B along z, apart while in contact and together while not, by steps that are halved; from where the two touch.
fn detection_distance(a: &Shape, b: &Shape, touching: f64) -> f64 {
    let (mut step, mut distance) = (0.5, 0.0);
    let mut asker = ConvexQuery::new();
    while step > 1e-17 {
        let place = Pose::new(DQuat::IDENTITY, DVec3::Z * (touching + distance)).expect("a pose");
        let apart = asker.intersect(PlacedShape::new(a, Pose::IDENTITY), PlacedShape::new(b, place))
            == Verdict::Separate;
        distance += if apart { -step } else { step };
        step /= 2.0;
    }
    distance
}

#[test]
fn curved_bodies_are_told_apart_at_1e_14_of_their_size() {
    let pairs = [
        (
            Shape::ellipsoid(DVec3::new(0.5, 0.75, 1.0)).expect("radii"),
            Shape::ellipsoid(DVec3::new(1.0, 0.5, 1.0)).expect("radii"),
        ),
        (Shape::cylinder(1.0, 0.5).expect("sizes"), Shape::cone(1.0, 0.5).expect("sizes")),
    ];
    for (a, b) in &pairs {
        // Both are of size 2 and touch at a distance of 2.
        let distance = detection_distance(a, b, 2.0).abs() / 2.0;
        assert!(distance <= 1e-14, "{distance:e} for {a:?} and {b:?}");
    }
}
