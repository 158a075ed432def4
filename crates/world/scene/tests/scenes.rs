//! Scenes from outside: what is looked at, and what is refused.

use kontakt_convex::Shape;
use kontakt_math::motion::Interpolation;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_rigid_ccd::path::{PathOptions, PathVerdict, Segment, Unwatched};
use kontakt_scene::{Class, Exceptions, Limits, PathError, Rules, Scene, check_path};

fn at(place: DVec3) -> Pose {
    Pose::new(DQuat::IDENTITY, place).unwrap()
}

/// Blocks in a grid, each in touch with its neighbours: pairs that are near are looked at, not all there are.
#[test]
fn the_pairs_looked_at_grow_with_those_that_are_near() {
    let looked_at = |side: i32| {
        let mut scene = Scene::new();
        for k in 0..10 * 10 * side {
            let place = DVec3::new(f64::from(k % 10), f64::from(k / 10 % 10), f64::from(k / 100));
            scene.add(&format!("block {k}"), Shape::cuboid(DVec3::splat(0.5)).unwrap().into(), at(place));
        }
        let report = scene.check(Rules::default(), &Limits::NONE);
        assert!(!report.is_forbidden() && report.count(Class::Touching) > 300);
        (report.findings().count(), report.pair_count())
    };
    // More than 5000 pairs, so that those far apart are told by boxes.
    // Within a layer 342 pairs have a common corner at least, between two layers 784: (10 + 9 + 9)² of offsets.
    assert_eq!(looked_at(2), (2 * 342 + 784, 19_900));
    assert_eq!(looked_at(10), (10 * 342 + 9 * 784, 499_500));
}

/// A body that cannot be followed is no body that is not in the way.
#[test]
fn a_path_refuses_what_it_cannot_follow() {
    let mut scene = Scene::new();
    scene.add("mover", Shape::cuboid(DVec3::ONE).unwrap().into(), Pose::IDENTITY);
    scene.add("post", Shape::cuboid(DVec3::ONE).unwrap().into(), at(DVec3::X * 5.0));
    let how = Interpolation::Slerp { pivot: DVec3::ZERO };
    let segments = Segment::between(&[0.0, 1.0], &[Pose::IDENTITY, at(DVec3::X * 10.0)], how).unwrap();
    let check = |scene: &Scene| {
        check_path(scene, 1, &segments, &Exceptions::default(), &PathOptions::default(), &Unwatched)
    };
    let (pairs, report) = check(&scene).unwrap();
    assert_eq!(
        (pairs, report.verdict()),
        (1, PathVerdict::Contact),
        "sharp polytopes are followed as meshes"
    );
    scene.add("ball", Shape::sphere(1.0).unwrap().into(), at(DVec3::X * 5.0));
    assert_eq!(check(&scene).err(), Some(PathError::NoSurface { name: "ball".into() }));
}
