//! Motions: certified displacement bounds and swept volumes against sampled places.

use crate::case::Case;
use kontakt_bounds::sweep::{BoxBy, Sweep, SweepOrientation, SweepWay};
use kontakt_bounds::{Aabb, Bound, Obb, Sphere, Support};
use kontakt_math::{DQuat, DVec3, Interpolation, IntervalVector, Motion, Pose};

/// A motion from the case's pose and points, over a span of time, with samples in it.
pub fn bounds(bytes: &[u8]) {
    let case = Case::of(bytes);
    let [end, pivot, times, turn, ..] = case.points.as_slice() else { return };
    let rotation = DQuat::from_xyzw(turn.x, turn.y, turn.z, 1.0);
    let rotation = if rotation.length().is_normal() { rotation.normalize() } else { DQuat::IDENTITY };
    let Ok(end) = Pose::new(rotation, *end) else { return };
    let Some(motion) = motion(&case, end, *pivot, *turn, *times) else { return };
    let share = |x: f64| if x.is_finite() { (x.abs() / 16.0).fract() } else { x };
    let (t0, t1) = (share(times.x), share(times.y));
    let span = [t0, t1].map(|t| if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) });
    let (low, high) = (span[0].min(span[1]), span[0].max(span[1]));
    let samples: Vec<f64> =
        [0.0, 0.3, 0.5, 0.9, 1.0].map(|s| low + (high - low) * s).map(|s| s.min(high)).to_vec();
    let body: Vec<DVec3> = case.points.iter().skip(4).take(4).filter(|p| p.is_finite()).copied().collect();
    let Ok(ball) = Sphere::fit(&body) else { return };
    let whole = motion.displacement_bound(ball.centre, ball.radius, t0, t1);
    let deviation = motion.deviation_bound(ball.centre, ball.radius, low, t0, t1);
    let bow = motion.bow_bound(ball.centre, ball.radius, t0, t1);
    for bound in [whole, deviation, bow] {
        assert!(bound >= 0.0, "{bound}: {motion:?} {case:?}");
    }
    for point in &body {
        let alone = motion.displacement_bound(*point, 0.0, t0, t1);
        let places: Vec<IntervalVector> =
            samples.iter().map(|t| motion.enclosure_at(*t).apply(IntervalVector::point(*point))).collect();
        for a in &places {
            for b in &places {
                let apart = apart(a, b);
                assert!(
                    apart <= alone && apart <= whole,
                    "{apart} > {alone} or {whole}: {motion:?} {case:?}"
                );
            }
            assert!(apart(&places[0], a) <= deviation, "{deviation}: {motion:?} {case:?}");
            let off = off_segment(a, &places[0], &places[4]);
            assert!(off <= bow, "{off} > bow {bow}: {motion:?} {case:?}");
        }
        sweeps(&case, &motion, &body, [t0, t1], &places);
    }
    // Rounded poses lie in the enclosure's neighbourhood.
    for t in samples {
        let pose = motion.pose_at(t);
        assert!(!pose.translation().is_nan(), "{motion:?} at {t}: {case:?}");
    }
}

/// One of the five kinds, or one of them carrying a body.
fn motion(case: &Case, end: Pose, pivot: DVec3, axis: DVec3, numbers: DVec3) -> Option<Motion> {
    let start = case.pose;
    let path = |how| {
        let middle = end.then_from(&start);
        Motion::path(vec![0.0, 1.0, 1.0 + numbers.z.abs()], vec![start, end, middle], how).ok()
    };
    let kind = match case.choice % 8 {
        0 => Motion::slerp(start, end, pivot).ok(),
        1 => Motion::nlerp(start, end, pivot).ok(),
        2 => Some(Motion::screw(start, end)),
        3 => Motion::helix(start, pivot, axis, numbers.z, numbers.y).ok(),
        4 => path(Interpolation::Slerp { pivot }),
        5 => path(Interpolation::Screw),
        6 => path(Interpolation::Nlerp { pivot }),
        _ => Some(Motion::Rest(start)),
    };
    if case.choice >= 128 { kind.map(|motion| motion.carrying(end)) } else { kind }
}

/// Never more than the distance of the points that the boxes stand for.
fn apart(a: &IntervalVector, b: &IntervalVector) -> f64 {
    let apart = (*a - *b).length().lo();
    if apart.is_nan() { 0.0 } else { apart }
}

/// Clearly less than the distance of a point from a segment, in doubles; 0 where rounding or the boxes could matter.
fn off_segment(p: &IntervalVector, a: &IntervalVector, b: &IntervalVector) -> f64 {
    let blur = [p, a, b].map(|place| place.farthest_from(place.middle())).iter().sum::<f64>();
    let (p, a, b) = (p.middle(), a.middle(), b.middle());
    let size = p.abs().max(a.abs()).max(b.abs()).max_element();
    if !(1e-100..1e100).contains(&size) {
        return 0.0;
    }
    let edge = b - a;
    let share = if edge == DVec3::ZERO { 0.0 } else { (p - a).dot(edge) / edge.length_squared() };
    let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
    ((p - (a + edge * share)).length() - 1e-11 * size - blur).max(0.0)
}

/// Every way to bound a sweep holds the places.
fn sweeps(case: &Case, motion: &Motion, body: &[DVec3], span: [f64; 2], places: &[IntervalVector]) {
    let way = [SweepWay::StartEnd, SweepWay::LongestDisplacement, SweepWay::Stations(3)];
    let way = way[usize::from(case.choice >> 3) % 3];
    let orientation = [
        SweepOrientation::Start,
        SweepOrientation::End,
        SweepOrientation::Interpolated,
        SweepOrientation::AlongTheWay,
    ][usize::from(case.choice >> 5) % 4];
    let (Ok(ball), Ok(upright), Ok(tilted)) = (Sphere::fit(body), Aabb::fit(body), Obb::fit(body)) else {
        return;
    };
    let of_ball = Sweep::new(&ball, motion, span[0], span[1], way);
    let of_upright = Sweep::new(&upright, motion, span[0], span[1], way);
    let of_tilted = Sweep::new(&tilted, motion, span[0], span[1], way);
    for place in places {
        let middle = place.middle();
        if !middle.is_finite() {
            continue;
        }
        // The middle of the enclosure is a point of it, not the point itself.
        let blur = place.farthest_from(middle);
        near(&of_ball.sphere(), middle, blur, motion);
        near(&of_tilted.sphere(), middle, blur, motion);
        near(&of_upright.aabb(BoxBy::Projection), middle, blur, motion);
        near(&of_upright.aabb(BoxBy::Sphere), middle, blur, motion);
        near(&of_tilted.obb(orientation), middle, blur, motion);
    }
}

/// No direction separates the place from the volume by more than the blur.
fn near<V: Support + std::fmt::Debug>(volume: &V, place: DVec3, blur: f64, motion: &Motion) {
    for direction in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z, DVec3::ONE] {
        let reach = volume.reach(direction);
        assert!(!reach.is_nan(), "{volume:?}: {motion:?}");
        let past = direction.dot(place) - reach;
        let slack = 2.0 * blur + 1e-15 * direction.dot(place).abs();
        assert!(past.is_nan() || past <= slack, "{volume:?} misses {place} by {past}: {motion:?}");
    }
}
