//! The hull as a volume: exact membership, exact merge, images that hold the exact image.

use kontakt_bounds::{Bound, HullVolume};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::Generator;
use testkit::membership::image;
use testkit::min_norm::{hull_distance_squared, min_norm_point};
use testkit::rational::{Rational, sub, vector};

#[test]
fn membership_is_exact_and_images_hold_the_exact_image() {
    let mut inside = 0;
    for seed in 0..30 {
        let mut from = if seed % 2 == 0 { Generator::free(seed) } else { Generator::grid(seed) };
        let count = [8, 8, 3, 2, 1][from.index(5)];
        let points: Vec<DVec3> = from.points(count).into_iter().map(DVec3::from_array).collect();
        let volume = HullVolume::fit(&points).expect("fit");
        let corners: Vec<[f64; 3]> = points.iter().map(DVec3::to_array).collect();
        for p in points.iter().copied().chain(from.points(6).into_iter().map(|p| DVec3::from_array(p) * 0.6))
        {
            let truth = hull_distance_squared(&corners, &[p.to_array()]) == Rational::from_integer(0.into());
            inside += u32::from(truth && !points.contains(&p));
            if volume.topology().dimension() == 3 {
                assert_eq!(volume.contains(p), truth, "{seed}: {p}");
            } else {
                assert!(volume.contains(p) || !truth, "{seed}: {p}");
            }
        }
        let shift = [0.3, -5.0, 2.0];
        let pose = Pose::new(DQuat::from_array(from.quaternion()), DVec3::from_array(shift)).expect("pose");
        let moved = volume.transformed(&pose);
        for p in &points {
            let exact = image(&vector(p.to_array()), pose.rotation().to_array(), shift);
            let around: Vec<_> = moved.points().iter().map(|q| sub(&vector(q.to_array()), &exact)).collect();
            assert!(
                min_norm_point(&around).iter().all(|x| *x == Rational::from_integer(0.into())),
                "{seed}: lost {p}"
            );
        }
        let (before, after) = (volume.measure(), moved.measure());
        assert!((after.volume - before.volume).abs() < 1e-9 * (1.0 + before.volume), "{seed}");
        assert!((after.diameter - before.diameter).abs() < 1e-9 * (1.0 + before.diameter), "{seed}");
    }
    assert!(inside > 10, "generator drifted: {inside}");
}

#[test]
fn measures_of_a_cube() {
    let points: Vec<DVec3> = (0..8)
        .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0)
        .collect();
    let measure = HullVolume::fit(&points).expect("fit").measure();
    assert!((measure.volume - 8.0).abs() < 1e-14 && (measure.surface - 24.0).abs() < 1e-13, "{measure:?}");
    assert!((measure.diameter - 12.0_f64.sqrt()).abs() < 1e-14);
}
