//! Inversion in closed form, with ranges: each formula is evaluated for all points of a box around the given one.

use crate::frame::Frame;
use kontakt_math::trigonometry::{atan, half_pi};
use kontakt_math::{DVec3, Interval, IntervalVector};
use std::f64::consts::TAU;

/// Contains the coordinates, in the frame, of all points within a distance.
///
/// With the axes as columns of M and G the products of the axes, coordinates of q are G⁻¹Mᵀq. Where the sums of |G − I| in a row are at most δ < 1, they
/// differ from Mᵀq by no more than δ/(1 − δ) of its greatest coordinate, and |M⁻¹| is at most 1/√(1 − δ).
pub(super) fn local(frame: &Frame, point: DVec3, distance: f64) -> [Interval; 3] {
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
    if skew.is_nan() || skew >= 0.5 {
        return [Interval::ENTIRE; 3];
    }
    let rest = Interval::ONE / (Interval::ONE - Interval::point(skew));
    let size = raw.iter().map(|x| x.magnitude()).fold(0.0, f64::max);
    let by = (Interval::point(skew) * rest * Interval::point(size) + Interval::point(distance) * rest).hi();
    raw.map(|x| x + Interval::new(-by, by))
}

/// Contains the angles of all (x, y) but the origin; none where the origin is among them, so that every angle is.
pub(crate) fn angle(x: Interval, y: Interval) -> Option<Interval> {
    let found = if x.lo() > 0.0 {
        atan(y / x)
    } else if y.lo() > 0.0 {
        half_pi() - atan(x / y)
    } else if y.hi() < 0.0 {
        -half_pi() - atan(x / y)
    } else if x.hi() < 0.0 {
        atan(y / x) + half_pi() + half_pi()
    } else {
        return None;
    };
    Some(found)
}

/// A turn and all of it.
pub(crate) fn turn() -> Interval {
    Interval::new(0.0, TAU.next_up())
}

/// An angle begun in [0, 2π).
pub(crate) fn begun(angle: Interval) -> Interval {
    if angle.width() >= TAU {
        return turn();
    }
    let turns = (angle.lo() / TAU).floor();
    if turns == 0.0 {
        return angle;
    }
    // The lower end may round to just below zero.
    angle - Interval::point(4.0 * turns) * half_pi()
}

fn or_turn(angle: Option<Interval>) -> Interval {
    angle.map_or_else(turn, begun)
}

fn hypot(x: Interval, y: Interval) -> Interval {
    (x.square() + y.square()).sqrt()
}

/// (p − o)·d/d², all of it within the distance.
pub(super) fn on_line(origin: DVec3, direction: DVec3, point: DVec3, distance: f64) -> Interval {
    let way = IntervalVector::point(direction);
    let from = IntervalVector::point(point) - IntervalVector::point(origin);
    let by = (Interval::point(distance) / way.length()).hi();
    from.dot(way) / way.length_squared() + Interval::new(-by, by)
}

/// The angle of (x/a, y/b), where the point is near the plane and that may have length one.
pub(super) fn on_ellipse(frame: &Frame, radii: [f64; 2], point: DVec3, distance: f64) -> Option<Interval> {
    let [x, y, z] = local(frame, point, distance);
    let [x, y] = [x / Interval::point(radii[0]), y / Interval::point(radii[1])];
    (z.contains(0.0) && hypot(x, y).contains(1.0)).then(|| or_turn(angle(x, y)))
}

pub(super) fn on_plane(frame: &Frame, point: DVec3, distance: f64) -> Vec<[Interval; 2]> {
    let [x, y, z] = local(frame, point, distance);
    if z.contains(0.0) { vec![[x, y]] } else { Vec::new() }
}

/// z = r sin v and √(x² + y²) = r cos v, v between the poles: every angle v has such a u within half a turn.
pub(super) fn on_sphere(frame: &Frame, radius: f64, point: DVec3, distance: f64) -> Vec<[Interval; 2]> {
    let [x, y, z] = local(frame, point, distance);
    let across = hypot(x, y);
    if !hypot(across, z).contains(radius) {
        return Vec::new();
    }
    let quarter = Interval::new(-half_pi().hi(), half_pi().hi());
    let v = angle(across, z).unwrap_or(quarter).intersect(quarter);
    vec![[or_turn(angle(x, y)), v]]
}

/// v = z; then (x, y) = (1 + vs)(a cos u, b sin u), any u at the apex. A cylinder has no slope.
pub(super) fn on_cone(
    frame: &Frame,
    [a, b]: [f64; 2],
    slope: f64,
    point: DVec3,
    distance: f64,
) -> Vec<[Interval; 2]> {
    let [x, y, v] = local(frame, point, distance);
    let scale = Interval::ONE + v * Interval::point(slope) / Interval::point(a);
    let [x, y] = [x / Interval::point(a), y / Interval::point(b)];
    if hypot(x, y).intersect(scale.abs()).is_empty() {
        return Vec::new();
    }
    let u = if scale.contains(0.0) {
        turn()
    } else if scale.lo() > 0.0 {
        or_turn(angle(x, y))
    } else {
        or_turn(angle(-x, -y))
    };
    vec![[u, v]]
}

/// (x, y) = ±ρ(cos u, sin u) with R + r cos v = ±ρ, r sin v = z: the angle of (x, y) or of (−x, −y), and v the angle of (±ρ − R, z). On
/// the axis u is any and both signs are one.
pub(super) fn on_torus(
    frame: &Frame,
    [major, minor]: [f64; 2],
    point: DVec3,
    distance: f64,
) -> Vec<[Interval; 2]> {
    let [x, y, z] = local(frame, point, distance);
    let across = hypot(x, y);
    let found = |reach: Interval, u: Interval| {
        let out = reach - Interval::point(major);
        hypot(out, z).contains(minor).then(|| [u, or_turn(angle(out, z))])
    };
    match (angle(x, y), angle(-x, -y)) {
        (Some(near), Some(far)) => {
            [found(across, begun(near)), found(-across, begun(far))].into_iter().flatten().collect()
        }
        _ => found(across.hull(-across), turn()).into_iter().collect(),
    }
}
