//! Contacts of two shapes in the memory of the ones before take no memory: every allocation of this process is counted.

use kontakt_convex::{ConvexQuery, Manifold, PlacedShape, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::counting::{Counting, taken};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn shapes() -> Vec<(&'static str, Shape)> {
    let mut dice = fastrand::Rng::with_seed(4);
    let mut point = || DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0;
    let points: Vec<DVec3> = (0..24).map(|_| point()).collect();
    vec![
        ("sphere", Shape::sphere(0.8).expect("shape")),
        ("box", Shape::cuboid(DVec3::new(0.9, 0.7, 0.5)).expect("shape")),
        ("hull", Shape::hull(&points).expect("shape")),
        ("cylinder", Shape::cylinder(0.8, 0.6).expect("shape")),
        ("cone", Shape::cone(0.8, 0.6).expect("shape")),
        ("half-space", Shape::half_space(DVec3::Z, 0.0).expect("shape")),
    ]
}

/// Every pair of shapes, flat on each other and at random, touching deeper and deeper.
#[test]
fn contacts_in_kept_memory_allocate_nothing() {
    let (shapes, mut dice) = (shapes(), fastrand::Rng::with_seed(5));
    let (mut query, mut kept) = (ConvexQuery::new(), Manifold::default());
    let (mut contacts, mut counted, mut most) = (0, 0, 0);
    for round in 0..40 {
        for (name_a, a) in &shapes {
            for (name_b, b) in &shapes {
                let mut vector = || DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0;
                let turn = if round % 2 == 0 { DQuat::IDENTITY } else { DQuat::from_scaled_axis(vector()) };
                let pose = Pose::new(turn, vector() * 0.2 + DVec3::Z * 0.9).expect("finite");
                let (a, b) = (PlacedShape::new(a, Pose::IDENTITY), PlacedShape::new(b, pose));
                // Once to make room.
                let expected = query.manifold(a, b, 0.01);
                kept = query.manifold_in(a, b, 0.01, kept);
                let before = taken();
                query.contact(a, b);
                let answered = taken();
                kept = query.manifold_in(a, b, 0.01, kept);
                let taken = [answered - before, taken() - answered];
                assert_eq!(kept.contacts.len(), expected.contacts.len());
                // Certified answers about curved shapes take some memory; the contacts take none.
                assert!(taken[1] <= taken[0], "{name_a} and {name_b}, round {round}: {taken:?}");
                let curved = [name_a, name_b].iter().any(|name| ["cylinder", "cone"].contains(name));
                assert!(curved || taken[1] == 0, "{name_a} and {name_b}, round {round}: {taken:?}");
                (contacts, counted) = (contacts + kept.contacts.len(), counted + 1);
                most = most.max(kept.contacts.len());
            }
        }
    }
    assert!(contacts > counted && most >= 8, "{contacts} contacts of {counted} pairs, {most} at most");
}
