//! Every kind of the list, and every pair of kinds.

use kontakt_bounds::{Aabb, AnyVolume, Bound, FitError, Lss, Probe, Rss, Sphere, Support, VolumeKind};
use kontakt_math::{DQuat, DVec3, Pose};
use std::collections::HashSet;
use testkit::Generator;

fn points(from: &mut Generator, count: usize) -> Vec<DVec3> {
    from.points(count).into_iter().map(DVec3::from_array).collect()
}

fn fitted(points: &[DVec3]) -> Vec<AnyVolume> {
    VolumeKind::all()
        .iter()
        .map(|kind| kind.fit(points, &[]).unwrap_or_else(|e| panic!("{}: {e}", kind.name)))
        .collect()
}

#[test]
fn names_are_unique_and_found() {
    let names: HashSet<&str> = VolumeKind::all().iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), VolumeKind::all().len());
    for name in names {
        assert_eq!(VolumeKind::named(name).map(|kind| kind.name), Some(name));
        let volume =
            VolumeKind::named(name).expect("named").fit(&[DVec3::ONE, DVec3::X, DVec3::Z], &[]).expect("fit");
        assert_eq!(volume.name(), name);
    }
    assert!(VolumeKind::named("teapot").is_none());
    for promised in ["sphere", "aabb", "obb", "kdop14", "kdop18", "kdop26", "lss", "rss", "hull"] {
        assert!(VolumeKind::named(promised).is_some(), "the command line promises {promised}");
    }
}

#[test]
fn every_pair_with_a_common_point_may_overlap_and_distant_pairs_are_apart() {
    let mut pairs = 0;
    for seed in 0..6 {
        let mut from = if seed % 2 == 0 { Generator::free(seed) } else { Generator::grid(seed) };
        let first = points(&mut from, 6);
        let mut second: Vec<DVec3> =
            points(&mut from, 5).iter().map(|p| *p + DVec3::new(1.0, 0.5, 0.0)).collect();
        second.push(first[0]);
        let far: Vec<DVec3> = second.iter().map(|p| *p + DVec3::new(40.0, 30.0, -20.0)).collect();
        let (ones, twos, fars) = (fitted(&first), fitted(&second), fitted(&far));
        for one in &ones {
            for (two, distant) in twos.iter().zip(&fars) {
                pairs += 1;
                let names = (one.name(), two.name());
                assert!(
                    one.may_overlap(two) && two.may_overlap(one),
                    "{names:?} {seed}: a common point is denied"
                );
                assert_eq!((one.gap_below(two), two.gap_below(one)), (0.0, 0.0), "{names:?} {seed}");
                assert!(
                    !one.may_overlap(distant) && !distant.may_overlap(one),
                    "{names:?} {seed}: far and not apart"
                );
                let gap = one.gap_below(distant);
                let nearest = first
                    .iter()
                    .flat_map(|p| far.iter().map(move |q| p.distance(*q)))
                    .fold(f64::MAX, f64::min);
                assert!(gap > 0.0 && gap <= nearest, "{names:?} {seed}: gap {gap} over {nearest}");
                assert!(
                    (gap - distant.gap_below(one)).abs() <= 1e-6 * gap,
                    "{names:?} {seed}: order matters"
                );
            }
        }
    }
    assert_eq!(pairs, 6 * VolumeKind::all().len().pow(2));
}

#[test]
fn every_kind_transforms_merges_and_is_probed() {
    let mut from = Generator::free(7);
    let (a, b) = (points(&mut from, 8), points(&mut from, 8));
    let pose = Pose::new(DQuat::from_scaled_axis(DVec3::new(0.3, 1.0, -0.4)), DVec3::new(2.0, 0.0, 1.0))
        .expect("pose");
    for (one, two) in fitted(&a).iter().zip(fitted(&b)) {
        let merged = one.merge(&two).expect("same kind");
        for p in a.iter().chain(&b) {
            assert!(merged.contains(*p), "{}", one.name());
            assert!(merged.transformed(&pose).contains(pose.apply(*p)), "{}", one.name());
        }
        let measure = merged.measure();
        assert!(measure.volume > 0.0 && measure.surface > 0.0 && measure.diameter > 0.0, "{}", one.name());
        let towards =
            kontakt_bounds::probe::Ray::new(one.centre() + DVec3::X * 50.0, DVec3::NEG_X).expect("ray");
        assert!(one.ray_entry(&towards).is_some_and(|t| t > 40.0 && t < 50.0), "{}", one.name());
        let away = kontakt_bounds::probe::Ray::new(one.centre() + DVec3::X * 50.0, DVec3::X).expect("ray");
        assert!(one.ray_entry(&away).is_none(), "{}", one.name());
    }
}

#[test]
fn every_kind_refuses_what_it_cannot_enclose() {
    for kind in VolumeKind::all() {
        assert!(matches!(kind.fit(&[], &[]), Err(FitError::Empty)), "{}", kind.name);
        let bad = [DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)];
        assert!(matches!(kind.fit(&bad, &[]), Err(FitError::NotFinite { index: 1 })), "{}", kind.name);
        let single = kind.fit(&[DVec3::ONE], &[]).expect("one point");
        assert!(single.contains(DVec3::ONE), "{}", kind.name);
    }
}

#[test]
fn mixed_pairs_know_their_distance() {
    let ball = AnyVolume::from(Sphere::new(DVec3::new(5.0, 4.0, 0.5), 1.0).expect("ball"));
    let cube = AnyVolume::from(Aabb::new(DVec3::ZERO, DVec3::ONE).expect("box"));
    let turned = Pose::new(DQuat::from_rotation_z(0.7), DVec3::ZERO).expect("pose");
    let capsule =
        AnyVolume::from(Lss::new(DVec3::new(3.0, -5.0, 0.5), DVec3::new(3.0, 5.0, 0.5), 0.5).expect("lss"));
    let plate = AnyVolume::from(Rss::new(DVec3::Z * 4.0, DVec3::X * 9.0, DVec3::Y * 9.0, 1.0).expect("rss"));
    let known = [
        (&ball, &cube, 4.0),
        (&ball, &capsule, 0.5),
        (&cube, &capsule, 1.5),
        (&cube, &plate, 2.0),
        (&ball, &plate, 1.5),
    ];
    for (a, b, distance) in known {
        for (a, b) in [(a, b), (b, a)] {
            let gap = a.gap_below(b);
            assert!(
                gap <= distance && gap >= distance - 1e-13,
                "{} {}: {gap} for {distance}",
                a.name(),
                b.name()
            );
            let gap = a.transformed(&turned).gap_below(&b.transformed(&turned));
            let loose = if a.name() == "aabb" || b.name() == "aabb" { 1.0 } else { 1e-12 };
            assert!(gap <= distance && gap >= distance - loose, "{} {}: {gap} turned", a.name(), b.name());
        }
    }
    // Touching within rounding is a maybe, a little more is apart.
    let at = |x: f64| AnyVolume::from(Sphere::new(DVec3::new(x, 0.5, 0.5), 1.0).expect("ball"));
    assert!(at(2.0).may_overlap(&cube) && !at(2.0 + 1e-14).may_overlap(&cube));
}

/// The order of the points says nothing about the body, so it must not change the volume: a review found zonotopes that
/// differed by 2 % after a shuffle.
#[test]
fn the_order_of_points_does_not_change_any_volume() {
    let mut generator = testkit::Generator::free(77);
    let points: Vec<DVec3> = (0..300).map(|_| DVec3::from_array(generator.point())).collect();
    let mut shuffled = points.clone();
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, generator.index(i + 1));
    }
    for kind in VolumeKind::all() {
        let sizes = [&points, &shuffled].map(|set| kind.fit(set, &[]).unwrap().measure().volume);
        assert!((sizes[0] / sizes[1] - 1.0).abs() < 1e-9, "{}: {sizes:?}", kind.name);
    }
}

#[test]
fn mixed_volumes_merge_into_a_box_around_both_and_keep_their_kind_when_fitted_again() {
    let mut from = Generator::free(77);
    let (first, second) = (points(&mut from, 7), points(&mut from, 5));
    let (ones, others) = (fitted(&first), fitted(&second));
    for (i, one) in ones.iter().enumerate() {
        let again = Bound::fit_again(one, &second, &[]).expect("finite points");
        assert_eq!(again.kind(), one.kind());
        assert!(second.iter().all(|p| again.contains(*p)), "{}", one.name());
        let other = &others[(i + 3) % others.len()];
        let both = Bound::merge(one, other);
        assert!(matches!(both, AnyVolume::Aabb(_)), "{} and {}", one.name(), other.name());
        for direction in points(&mut from, 9) {
            assert!(both.reach(direction) >= one.reach(direction).max(other.reach(direction)));
        }
    }
}
