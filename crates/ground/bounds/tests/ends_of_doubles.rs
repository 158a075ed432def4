//! Every kind of volume at the ends of the doubles: where sums overflow and products underflow, the promises of
//! `Support` and `Bound` must still hold against exact rationals.

use kontakt_bounds::sweep::{Sweep, SweepWay};
use kontakt_bounds::{Aabb, AnyVolume, Bound, FitError, Obb, Support, VolumeKind};
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use std::collections::BTreeSet;
use testkit::Generator;
use testkit::membership::image;
use testkit::rational::{Vector, dot, exact, vector};

/// Smallest positive double.
const TINIEST: f64 = f64::from_bits(1);
/// From all but zero to all but infinite.
const SCALES: [f64; 9] = [TINIEST, 1e-320, 1e-310, 1e-300, 1e-160, 1.0, 1e160, 1e300, 2e307];

fn cloud(from: &mut Generator, scale: f64) -> Vec<DVec3> {
    from.points(7).into_iter().map(|p| DVec3::from_array(p) * scale).collect()
}

fn directions(from: &mut Generator) -> Vec<DVec3> {
    let mut found = vec![DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::ONE, DVec3::ZERO];
    for scale in [1.0, 1e-320, 1e-300, 1e300] {
        found.extend(from.points(2).into_iter().map(|d| DVec3::from_array(d) * scale));
    }
    found
}

/// Promises found broken; shown all together at the end of a test.
#[derive(Default)]
struct Broken(BTreeSet<String>);

impl Broken {
    fn unless(&mut self, kept: bool, volume: &AnyVolume, case: &str, what: &str) {
        if !kept {
            self.0.insert(format!("{} {case}: {what}", volume.name()));
        }
    }

    /// `reach` is a number or plus infinity, and at least the exact d·x for every x.
    fn unless_reaching(&mut self, volume: &AnyVolume, points: &[Vector], directions: &[DVec3], case: &str) {
        for d in directions {
            let reach = volume.reach(*d);
            let numeric = !reach.is_nan() && reach > f64::NEG_INFINITY;
            self.unless(numeric, volume, case, "the reach is not a number");
            if numeric && reach < f64::INFINITY {
                let (reach, d) = (exact(reach), vector(d.to_array()));
                let beyond = points.iter().any(|x| dot(&d, x) > reach);
                self.unless(!beyond, volume, case, "a point lies beyond the reach");
            }
        }
    }

    fn none(self) {
        let all: Vec<String> = self.0.into_iter().collect();
        assert!(all.is_empty(), "{} broken promises:\n{}", all.len(), all.join("\n"));
    }
}

fn exact_points(points: &[DVec3]) -> Vec<Vector> {
    points.iter().map(|p| vector(p.to_array())).collect()
}

/// The kind's fit, but for the oriented box its quick one: the search for the smallest has tests of its own.
fn fit(kind: &VolumeKind, points: &[DVec3]) -> Result<AnyVolume, FitError> {
    if kind.name == Obb::NAME { Obb::fit(points).map(AnyVolume::from) } else { kind.fit(points, &[]) }
}

/// Fits that a kind may refuse (with an error) at this scale are left out; the count keeps the test honest.
fn fits(points: &[DVec3]) -> Vec<AnyVolume> {
    VolumeKind::all().iter().filter_map(|kind| fit(kind, points).ok()).collect()
}

#[test]
fn every_fit_reaches_its_points_along_every_direction() {
    let mut broken = Broken::default();
    let mut from = Generator::free(11);
    let mut fitted = 0;
    for scale in SCALES {
        let points = cloud(&mut from, scale);
        let directions = directions(&mut from);
        let case = format!("{scale:e}");
        for volume in fits(&points) {
            fitted += 1;
            broken.unless_reaching(&volume, &exact_points(&points), &directions, &case);
            let holds_all = points.iter().all(|p| volume.contains(*p));
            broken.unless(holds_all, &volume, &case, "a point is denied");
        }
    }
    broken.none();
    assert!(fitted > 8 * VolumeKind::all().len(), "{fitted} fits are too few");
}

#[test]
fn images_are_enclosed_even_where_they_leave_the_doubles() {
    let mut broken = Broken::default();
    let mut from = Generator::free(12);
    for scale in [TINIEST, 1e-310, 1e-160, 1.0, 2e307] {
        let points = cloud(&mut from, scale);
        let directions = &directions(&mut from)[..9];
        let quaternion = from.quaternion();
        for shift in [0.0, scale, 1e300, 1.7e308] {
            let translation = DVec3::new(shift, -shift, 0.5 * shift);
            let pose = Pose::new(DQuat::from_array(quaternion), translation).expect("unit quaternion");
            let images: Vec<Vector> = points
                .iter()
                .map(|p| image(&vector(p.to_array()), pose.rotation().to_array(), translation.to_array()))
                .collect();
            for volume in fits(&points) {
                let moved = volume.transformed(&pose);
                let case = format!("{scale:e} moved by {shift:e}");
                broken.unless_reaching(&moved, &images, directions, &case);
                // What came out of an overflow goes on through the same doors.
                if shift > 1e300 {
                    let again: Vec<Vector> = images
                        .iter()
                        .map(|p| image(p, pose.rotation().to_array(), translation.to_array()))
                        .collect();
                    let twice = moved.transformed(&pose);
                    broken.unless_reaching(&twice, &again, &directions[..4], &format!("{case} twice"));
                }
            }
        }
    }
    broken.none();
}

#[test]
fn unions_are_enclosed_even_where_they_leave_the_doubles() {
    let mut broken = Broken::default();
    let mut from = Generator::free(13);
    for (scale, apart) in [
        (TINIEST, 0.0),
        (1e-310, 1e-309),
        (1e-300, 1.0),
        (1.0, 1e300),
        (1e300, 1e308),
        (1e306, 1.7e308),
        (1.0, 1.7e308),
    ] {
        let place = |points: Vec<DVec3>, at: DVec3| points.into_iter().map(|p| p + at).collect::<Vec<_>>();
        let first = place(cloud(&mut from, scale), DVec3::new(apart, apart, -apart));
        let second = place(cloud(&mut from, scale), DVec3::new(-apart, -apart, apart));
        let all: Vec<DVec3> = first.iter().chain(&second).copied().collect();
        let directions = directions(&mut from);
        for kind in VolumeKind::all() {
            let (Ok(a), Ok(b)) = (fit(kind, &first), fit(kind, &second)) else { continue };
            let merged = a.merge(&b).expect("same kind");
            let case = format!("{scale:e} apart by {apart:e}");
            broken.unless_reaching(&merged, &exact_points(&all), &directions, &case);
            let holds_all = all.iter().all(|p| merged.contains(*p));
            broken.unless(holds_all, &merged, &case, "a point is denied");
            broken.unless(merged.gap_below(&a) == 0.0, &merged, &case, "it is away from its own part");
            // What came out of an overflow goes on through the same doors.
            let again = merged.merge(&merged.transformed(&Pose::IDENTITY)).expect("same kind");
            broken.unless_reaching(&again, &exact_points(&all), &directions, &format!("{case}, again"));
            let meets = again.may_overlap(&a) && a.may_overlap(&again);
            broken.unless(meets, &again, &case, "it is apart from its own part");
        }
    }
    broken.none();
}

/// A body whose distance from the origin overflows was lost from its own sweep: the reach came out as minus infinity.
#[test]
fn a_body_at_rest_stays_in_its_sweep_at_any_distance() {
    let place = DVec3::splat(1.5e308);
    let body = Aabb::new(place * 0.999, place).expect("a box");
    for motion in [Motion::Rest(Pose::IDENTITY), Motion::screw(Pose::IDENTITY, Pose::IDENTITY)] {
        let sweep = Sweep::new(&body, &motion, 0.0, 1.0, SweepWay::StartEnd);
        for direction in [DVec3::X, DVec3::NEG_X, DVec3::ONE * 0.1, -DVec3::ONE * 0.1] {
            assert!(sweep.reach(direction) >= direction.dot(body.farthest(direction)), "{direction}");
        }
    }
}

/// Half extents came out as 0 where differences of coordinates overflow.
#[test]
fn fits_are_finite_or_refused() {
    for size in [f64::MAX, 1.7e308, 1e308, 7e307] {
        let corners: Vec<DVec3> =
            Aabb::new(DVec3::splat(-size), DVec3::splat(size)).expect("box").corners().to_vec();
        for kind in VolumeKind::all() {
            match fit(kind, &corners) {
                Ok(volume) => {
                    assert!(
                        corners.iter().all(|p| volume.contains(*p)),
                        "{} {size:e}: a corner is denied",
                        kind.name
                    );
                    assert!(volume.reach(DVec3::X) >= size, "{} {size:e}: {volume:?}", kind.name);
                    let numbers = format!("{:?}", volume.parameters());
                    assert!(
                        !numbers.contains("inf") && !numbers.contains("NaN"),
                        "{} {size:e}: {numbers}",
                        kind.name
                    );
                }
                Err(error) => assert!(error.to_string().len() < 200, "{} {size:e}: {error}", kind.name),
            }
        }
    }
}
