//! The volumes of the plane.

use crate::case::Case;
use kontakt_bounds::FitError;
use kontakt_lab_flat::{Circle, FlatBound, FlatHull, FlatKDop, FlatPose, OrientedRectangle, Rectangle};
use kontakt_math::DVec2;
use testkit::membership::root_bounds;
use testkit::rational::{Rational, exact};

/// Every kind on the points' first two coordinates.
pub fn every_kind(bytes: &[u8]) {
    let case = Case::of(bytes);
    let points: Vec<DVec2> = case.points.iter().map(|p| p.truncate()).collect();
    check::<Circle>(&case, &points);
    check::<Rectangle>(&case, &points);
    check::<OrientedRectangle>(&case, &points);
    check::<FlatHull>(&case, &points);
    check::<FlatKDop<2>>(&case, &points);
    check::<FlatKDop<4>>(&case, &points);
    check::<FlatKDop<8>>(&case, &points);
}

type Place = [Rational; 2];

fn place(p: DVec2) -> Place {
    [exact(p.x), exact(p.y)]
}

fn check<V: FlatBound + std::fmt::Debug>(case: &Case, points: &[DVec2]) {
    let far = points.iter().fold(0.0, |far: f64, p| far.max(p.abs().max_element()));
    let volume = match V::fit(points) {
        Err(FitError::Empty) => return assert!(points.is_empty()),
        Err(FitError::NotFinite { index }) => {
            return assert_eq!(points.iter().position(|p| !p.is_finite()), Some(index));
        }
        Err(FitError::Parameter { what }) => return assert!(far > 1e300, "{}: {what}: {points:?}", V::NAME),
        Ok(volume) => volume,
    };
    assert!(points.iter().all(|p| p.is_finite()) && !points.is_empty());
    let places: Vec<Place> = points.iter().map(|p| place(*p)).collect();
    let d = case.direction.truncate();
    holding(&volume, points, &places, d);
    if far > 1e300 {
        return;
    }
    let pose = FlatPose::new(case.direction.z, case.pose.translation().truncate()).expect("finite");
    let moved: Vec<Place> = places.iter().map(|p| image(&pose, p)).collect();
    holding(&volume.transformed(&pose), &[], &moved, d);

    let middle = points.len() / 2;
    let one = V::fit(&points[..=middle]).expect("a part of what has a fit");
    let two = V::fit(&points[middle..]).expect("a part of what has a fit");
    assert!(one.may_overlap(&two) && two.may_overlap(&one), "{one:?} {two:?} touch: {points:?}");
    assert!(one.gap_below(&two) == 0.0 && two.gap_below(&one) == 0.0, "{one:?} {two:?}: {points:?}");
    holding(&one.merge(&two), points, &places, d);
    far_copy(&volume, points, &places, &pose);
}

fn holding<V: FlatBound + std::fmt::Debug>(volume: &V, points: &[DVec2], places: &[Place], d: DVec2) {
    let measure = volume.measure();
    for size in [measure.area, measure.perimeter, measure.diameter] {
        assert!(size >= 0.0, "{volume:?} has {measure:?}: {points:?}");
    }
    for p in points {
        assert!(volume.contains(*p), "{volume:?} denies {p}: {points:?}");
    }
    let stride = places.len().div_ceil(4).max(1);
    for direction in [d, DVec2::NEG_Y, d.perp() * 1e-290, d * 1e200] {
        let reach = volume.reach(direction);
        assert!(!reach.is_nan(), "{volume:?} along {direction}: {points:?}");
        assert!(
            !volume.farthest(direction).is_nan() || !reach.is_finite(),
            "{volume:?} along {direction}: {points:?}"
        );
        let [x, y] = place(direction);
        for p in places.iter().step_by(stride) {
            assert!(
                reach == f64::INFINITY || exact(reach) >= &x * &p[0] + &y * &p[1],
                "{volume:?} falls short along {direction}: {points:?}"
            );
        }
    }
}

/// The image under the turn to heading/|heading|, right to 2⁻¹⁹⁰ of its size, taken nearer to the origin by that.
fn image(pose: &FlatPose, p: &Place) -> Place {
    let ([c, s], [x, y]) = (place(pose.heading()), p);
    let t = place(pose.translation());
    if c == exact(0.0) || s == exact(0.0) {
        return [&c * x - &s * y + &t[0], &s * x + &c * y + &t[1]];
    }
    let (_, length) = root_bounds(&(&c * &c + &s * &s));
    [(&c * x - &s * y) / &length + &t[0], (&s * x + &c * y) / &length + &t[1]]
}

fn far_copy<V: FlatBound + std::fmt::Debug>(volume: &V, points: &[DVec2], places: &[Place], pose: &FlatPose) {
    let shifted: Vec<DVec2> = points.iter().map(|p| *p + pose.translation() * 4.0).collect();
    let Ok(copy) = V::fit(&shifted) else { return };
    let gap = volume.gap_below(&copy);
    assert!(gap >= 0.0 && gap.is_finite(), "{volume:?} {copy:?} {gap}: {points:?}");
    if gap > 0.0 {
        assert!(!volume.may_overlap(&copy), "{volume:?} {copy:?} {gap}: {points:?}");
        let squared = exact(gap) * exact(gap);
        for p in places.iter().take(4) {
            for q in shifted.iter().rev().take(4).map(|q| place(*q)) {
                let (x, y) = (&p[0] - &q[0], &p[1] - &q[1]);
                assert!(squared <= &x * &x + &y * &y, "{volume:?} {copy:?} {gap}: {points:?}");
            }
        }
    }
}
