//! What every volume promises about the points it was fitted to, tried in exact arithmetic.

use crate::case::{Case, farthest};
use crate::exact::{distance_squared, holds, numbers, point};
use kontakt_bounds::{
    AnyVolume, DirectionSet, FitError, Lss, Objective, Rss, Shell, SlabVolume, Support, VolumeKind,
};
use kontakt_math::DVec3;
use num_traits::ToPrimitive;
use std::sync::Arc;
use testkit::rational::{Vector, add, dot, exact, integer, scale, vector};
use testkit::rigid;

/// Coordinates beyond this may be refused: sums and differences of three of them leave the range of doubles.
const OVER_RANGE: f64 = 1e300;

/// How a target fits points.
type Fit<'a> = &'a dyn Fn(&[DVec3]) -> Result<AnyVolume, FitError>;

/// A kind of the list, as the command line fits it.
pub fn named(kind: &str, bytes: &[u8]) {
    let kind = VolumeKind::named(kind).expect("a kind of the list");
    let case = Case::of(bytes);
    check(&case, &|points| kind.fit(points, &[]));
}

/// Line-swept sphere by any objective.
pub fn lss(bytes: &[u8]) {
    let case = Case::of(bytes);
    check(&case, &|points| Lss::fit_by(points, objective(case.choice)).map(AnyVolume::from));
}

/// Rectangle-swept sphere by any objective.
pub fn rss(bytes: &[u8]) {
    let case = Case::of(bytes);
    check(&case, &|points| Rss::fit_by(points, objective(case.choice)).map(AnyVolume::from));
}

/// Slabs along directions made of the first points.
pub fn slabs(bytes: &[u8]) {
    let mut case = Case::of(bytes);
    let count = (usize::from(case.choice) % 7).min(case.points.len());
    let directions: Vec<DVec3> = case.points.drain(..count).collect();
    if let Ok(set) = DirectionSet::any(&directions) {
        let set = Arc::new(set);
        check(&case, &|points| SlabVolume::fit_along(Arc::clone(&set), points).map(AnyVolume::from));
    }
}

/// Shells around points, and around triangles: the faces may cross the hollow.
pub fn shell(bytes: &[u8]) {
    named("shell", bytes);
    let case = Case::of(bytes);
    let count = case.points.len() as u32;
    let triangles: Vec<[u32; 3]> = (2..count).map(|i| [i - 2, i - 1, i]).collect();
    if let Ok(found) = Shell::fit_mesh(&case.points, &triangles) {
        let volume = AnyVolume::from(found);
        for triangle in triangles.iter().take(6) {
            let [a, b, c] = triangle.map(|i| point(case.points[i as usize]));
            let third = scale(&(integer(1) / integer(3)), &add(&a, &add(&b, &c)));
            let half = scale(&(integer(1) / integer(2)), &add(&a, &b));
            assert!(holds(&volume, &third) != Some(false), "{volume:?} loses the middle of {triangle:?}");
            assert!(holds(&volume, &half) != Some(false), "{volume:?} loses an edge of {triangle:?}");
        }
    }
}

/// What is made small.
pub fn objective(choice: u8) -> Objective {
    [Objective::Volume, Objective::Surface, Objective::Diameter][usize::from(choice) % 3]
}

/// An error must tell the truth.
pub fn check_error(error: &FitError, case: &Case) {
    match error {
        FitError::Empty => assert!(case.points.is_empty(), "not empty: {case:?}"),
        FitError::NotFinite { index } => {
            assert_eq!(case.points.iter().position(|p| !p.is_finite()), Some(*index), "{case:?}");
        }
        FitError::Parameter { what } => {
            assert!(case.is_finite() && case.farthest() > OVER_RANGE, "{what}: {case:?}");
        }
    }
}

/// Everything a fit promises.
pub fn check(case: &Case, fit: Fit) {
    let volume = match fit(&case.points) {
        Err(error) => return check_error(&error, case),
        Ok(volume) => volume,
    };
    let points = &case.points;
    assert!(!points.is_empty() && case.is_finite(), "{volume:?} of {case:?}");
    let places: Vec<Vector> = points.iter().map(|p| point(*p)).collect();
    sound(&volume, case, "fit");
    holding(&volume, points, &places, case, "fit");
    if farthest(points) > OVER_RANGE {
        return;
    }
    snug(&volume, points);

    let image = volume.transformed(&case.pose);
    sound(&image, case, "image");
    let (q, t) = (case.pose.rotation().to_array(), case.pose.translation().to_array());
    let moved: Vec<Vector> = points.iter().map(|p| rigid::apply(q, t, p.to_array())).collect();
    holding(&image, &[], &moved, case, "image");

    two_parts(case, fit);
    far_copy(&volume, &places, case, fit);
}

/// No NaN, nothing negative that must not be.
fn sound(volume: &AnyVolume, case: &Case, what: &str) {
    let measure = volume.measure();
    for size in [measure.volume, measure.surface, measure.diameter] {
        assert!(size >= 0.0, "{what} {volume:?} has {measure:?}: {case:?}");
    }
    let numbers = numbers(volume);
    assert!(numbers.iter().all(|value| !value.is_nan()), "{what} {volume:?}: {case:?}");
    if numbers.iter().all(|value| value.is_finite()) {
        let inside = volume.centre();
        assert!(!inside.is_nan(), "{what} {volume:?} has centre {inside}: {case:?}");
    }
}

/// `contains` for points given in doubles; the exact set and `reach` for exact points.
fn holding(volume: &AnyVolume, points: &[DVec3], places: &[Vector], case: &Case, what: &str) {
    for p in points {
        assert!(volume.contains(*p), "{what} {volume:?} denies {p}: {case:?}");
    }
    // Exact arithmetic is slow: a few points of a case, others in other cases.
    let stride = places.len().div_ceil(6).max(1);
    let few = || places.iter().skip(usize::from(case.choice >> 4) % stride).step_by(stride);
    for place in few() {
        assert!(holds(volume, place) != Some(false), "{what} {volume:?} loses {place:?}: {case:?}");
    }
    for direction in directions(case) {
        let reach = volume.reach(direction);
        assert!(!reach.is_nan(), "{what} {volume:?} has reach NaN along {direction}: {case:?}");
        let farthest = volume.farthest(direction);
        assert!(
            !farthest.is_nan() || !reach.is_finite(),
            "{what} {volume:?} has farthest {farthest} along {direction}: {case:?}"
        );
        let along = vector(direction.to_array());
        for place in few() {
            assert!(
                clearly_beyond(reach, direction, place) || exact(reach) >= dot(&along, place),
                "{what} {volume:?} falls short along {direction}: {reach}, {case:?}"
            );
        }
    }
}

/// Whether plain doubles see that reach ≥ d·x: exact arithmetic is kept for the close calls.
fn clearly_beyond(reach: f64, direction: DVec3, place: &Vector) -> bool {
    let near = DVec3::from_array([0, 1, 2].map(|i| place[i].to_f64().unwrap_or(f64::NAN)));
    let slack = 1e-12 * direction.abs().dot(near.abs()) + 1e-300;
    reach == f64::INFINITY || reach - direction.dot(near) > slack
}

/// Directions at several scales, one of them along an edge of the points.
fn directions(case: &Case) -> Vec<DVec3> {
    let edge = match case.points.as_slice() {
        [first, .., last] => *last * 0.5 - *first * 0.5,
        _ => DVec3::ONE,
    };
    let d = case.direction;
    vec![DVec3::NEG_Z, d, d * 1e-290, d * 1e200, edge]
}

/// Not absurdly larger than the points; a loose bound that any search passes and any blunder misses.
fn snug(volume: &AnyVolume, points: &[DVec3]) {
    if matches!(volume, AnyVolume::Slabs(_)) {
        return;
    }
    let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), p| (l.min(*p), h.max(*p)));
    let across = (high - low).max_element();
    let room = 16.0 * across + 1e-12 * farthest(points) + 1e-300;
    let diameter = volume.measure().diameter;
    assert!(diameter <= room, "{volume:?} is {diameter} across for {points:?}");
}

/// Two fits with a common point touch, and their merger holds both.
fn two_parts(case: &Case, fit: Fit) {
    let points = &case.points;
    let middle = points.len() / 2;
    let (Ok(one), Ok(two)) = (fit(&points[..=middle]), fit(&points[middle..])) else {
        panic!("a part has no fit where the whole has one: {case:?}");
    };
    for (a, b) in [(&one, &two), (&two, &one)] {
        assert!(a.may_overlap(b), "{a:?} and {b:?} have a common point: {case:?}");
        assert!(a.gap_below(b) == 0.0, "{a:?} and {b:?} have a gap and a common point: {case:?}");
    }
    let both = one.merge(&two).expect("of one kind");
    let places: Vec<Vector> = points.iter().map(|p| point(*p)).collect();
    sound(&both, case, "merger");
    holding(&both, points, &places, case, "merger");
}

/// The gap to a distant copy is not more than the distance of any two points.
fn far_copy(volume: &AnyVolume, places: &[Vector], case: &Case, fit: Fit) {
    let shift = case.pose.translation() * 4.0;
    let shifted: Vec<DVec3> = case.points.iter().map(|p| *p + shift).collect();
    let Ok(copy) = fit(&shifted) else {
        assert!(farthest(&shifted) > OVER_RANGE, "a shifted copy has no fit: {case:?}");
        return;
    };
    let gap = volume.gap_below(&copy);
    assert!(gap >= 0.0 && gap.is_finite(), "{volume:?} and {copy:?} have gap {gap}: {case:?}");
    assert!(
        gap == 0.0 || !volume.may_overlap(&copy),
        "{volume:?} and {copy:?} overlap with gap {gap}: {case:?}"
    );
    if gap > 0.0 {
        let squared = exact(gap) * exact(gap);
        let stride = places.len().div_ceil(4).max(1);
        for place in places.iter().step_by(stride) {
            for other in shifted.iter().rev().step_by(stride) {
                assert!(
                    squared <= distance_squared(place, &point(*other)),
                    "{volume:?} and {copy:?} have gap {gap}, more than two points: {case:?}"
                );
            }
        }
    }
    let both = volume.merge(&copy).expect("of one kind");
    sound(&both, case, "distant merger");
    let all: Vec<DVec3> = case.points.iter().chain(&shifted).copied().collect();
    let all_places: Vec<Vector> = all.iter().map(|p| point(*p)).collect();
    holding(&both, &all, &all_places, case, "distant merger");
}
