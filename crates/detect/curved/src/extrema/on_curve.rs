//! Extrema on lines and ellipses.

use super::unknowns::One;
use super::{Aim, Extrema, only_one, place};
use crate::curve::Curve;
use crate::frame::Frame;
use crate::invert::analytic::{angle, begun, turn};
use crate::newton::{Options, Place, search};
use kontakt_math::trigonometry::half_pi;
use kontakt_math::{DVec3, Interval, IntervalVector};

/// Angles are narrowed to this.
pub(super) const NARROW: f64 = 1e-11;

pub(super) fn line(origin: DVec3, direction: DVec3, aim: Aim) -> Extrema<1> {
    let way = IntervalVector::point(direction);
    match aim {
        Aim::Distance(p) => {
            let from = IntervalVector::point(p) - IntervalVector::point(origin);
            Extrema::direct(vec![only_one([from.dot(way) / way.length_squared()])])
        }
        // Level or not at all; a line that may be level is all of it.
        Aim::Extent(d) => {
            let level = IntervalVector::point(d).dot(way).contains(0.0);
            Extrema::direct(level.then(|| place([Interval::ENTIRE])).into_iter().collect())
        }
    }
}

/// A circle is nearest and farthest where the point's angle is, and opposite. The distance from an ellipse has at most four extrema, found
/// by Newton's method in the angle, where the thesis solves a quartic in its half's tangent, which is singular at π.
pub(super) fn ellipse(curve: &Curve, frame: &Frame, [a, b]: [f64; 2], aim: Aim) -> Extrema<1> {
    match aim {
        Aim::Extent(d) => {
            let d = IntervalVector::point(d);
            let [x, y] = [frame.x, frame.y].map(|axis| d.dot(IntervalVector::point(axis)));
            opposite(x * Interval::point(a), y * Interval::point(b))
        }
        Aim::Distance(p) if a == b => {
            let [x, y, _] = about(frame, p, a);
            opposite(x, y)
        }
        Aim::Distance(_) => {
            let value = |t: Interval| {
                let [point, slope] = curve.range_over([t.lo(), t.hi()]);
                aim.gradient(point).dot(slope)
            };
            let bend = |t: Interval| {
                let [point, slope] = curve.range_over([t.lo(), t.hi()]);
                let out = IntervalVector::point(frame.origin) - point;
                aim.bend(aim.gradient(point), [slope; 2], out)
            };
            round(value, bend).into()
        }
    }
}

/// The angle of (x, y) and the one opposite; all of them where both may be zero.
fn opposite(x: Interval, y: Interval) -> Extrema<1> {
    let places =
        both(x, y).map_or_else(|| vec![place([turn()])], |both| both.map(|t| only_one([t])).to_vec());
    Extrema::direct(places)
}

/// The angle of (x, y) and the one opposite, unless every angle may be.
pub(super) fn both(x: Interval, y: Interval) -> Option<[Interval; 2]> {
    let one = angle(x, y)?;
    Some([begun(one), begun(one + half_pi() + half_pi())])
}

/// All zeros of a function of an angle; one at the start of the turn is found at its end as well and kept once.
pub(super) fn round(
    value: impl Fn(Interval) -> Interval,
    slope: impl Fn(Interval) -> Interval,
) -> crate::newton::Searched<1> {
    // A turn that begins a little early, so that a zero at its start lies inside.
    let early = Interval::new(-1e-3, turn().hi());
    let system = One { value, slope, small: |t: Interval, _: Interval| t.width() <= NARROW };
    let mut searched = search(&system, [early], &Options { boxes: 2000, ..Options::default() });
    let whole = half_pi() * Interval::point(4.0);
    // What lies before zero is found a turn later as well; what lies about zero may be, and is kept here.
    searched.places.retain(|place| place.within[0].hi() >= 0.0);
    let kept: Vec<Interval> = searched.places.iter().map(|place| place.within[0]).collect();
    let is_copy = |place: &Place<1>| kept.iter().any(|kept| kept.encloses(place.within[0] - whole));
    searched.places.retain(|place| !is_copy(place));
    searched
}

/// Products of the frame's axes with the way from its origin to a point, widened so that formulas for axes exactly at right angles hold.
///
/// With the true axes each derivative, divided by its radius, has the form A sin t − B cos t + e, where |e| is at most δ times the sizes
/// that meet in it, δ the greatest row sum of |G − I|. It is zero for A′ sin t − B′ cos t with A′ = A + e sin t and B′ = B − e cos t.
pub(super) fn about(frame: &Frame, point: DVec3, radius: f64) -> [Interval; 3] {
    let axes = [frame.x, frame.y, frame.z].map(IntervalVector::point);
    let from = IntervalVector::point(point) - IntervalVector::point(frame.origin);
    let raw = axes.map(|axis| axis.dot(from));
    let off = |i: usize| {
        (0..3).fold(Interval::ZERO, |sum, j| {
            let unit = if i == j { Interval::ONE } else { Interval::ZERO };
            sum + (axes[i].dot(axes[j]) - unit).abs()
        })
    };
    let skew = off(0).max(off(1)).max(off(2)).hi();
    let size = raw.iter().map(|x| x.magnitude()).fold(radius.abs(), f64::max);
    let by = (Interval::point(8.0) * Interval::point(skew) * Interval::point(size)).hi();
    raw.map(|x| x + Interval::new(-by, by))
}
