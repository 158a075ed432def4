//! Half-spaces against everything: the separation is how far the other body stays above the plane.
//!
//! The verdict is exact for polytopal cores (points, segments, triangles, boxes, hulls, with any radii) and for two
//! half-spaces; for curved cores it is `Touching` where the certified bounds straddle zero.

mod exact;
mod parallel;

use crate::smooth::body::Body;
use crate::{Answer, Core, Shape, Verdict};
use exact::Plane;
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up, dot_error, length_down, length_up};
use kontakt_math::{Between, DVec3, U};

/// How a half-space and another body lie to each other; one of the cores must be a half-space, the other anything but a
/// union. Else nothing is known and the answer is `Undecided`.
pub fn answer(a: &Shape, b: &Shape, between: &Between) -> Answer {
    match (a.core(), b.core()) {
        (Core::HalfSpace { normal, offset }, Core::HalfSpace { normal: other, offset: beyond }) => {
            parallel::answer([a, b], [*normal, *other], [*offset, *beyond], between)
        }
        (Core::HalfSpace { normal, offset }, _) => above(a, *normal, *offset, b, between),
        (_, Core::HalfSpace { normal, offset }) => {
            above(b, *normal, *offset, a, &between.swapped()).swapped()
        }
        _ => Answer::undecided(),
    }
}

/// The lowest point of a body over a plane, in the plane's frame.
#[derive(Clone, Copy, Debug)]
struct Lowest {
    /// In A's frame, rounded.
    point: DVec3,
    /// Height over the plane through the origin, with its error: normal·x for the normal scaled to about 1.
    height: f64,
    error: f64,
    /// **Never less** than the distance of `point` from a lowest point.
    doubt: f64,
}

/// The half-space A below `b`.
fn above(a: &Shape, given: DVec3, offset: f64, b: &Shape, between: &Between) -> Answer {
    let Some(body) = Body::of(b.core()) else { return Answer::undecided() };
    // A power of two makes the largest coordinate about 1 and rounds nothing (what underflows is below 1e-300 of it).
    let unit = power_of_two_below(given.abs().max_element());
    let (normal, level) = (given / unit, offset / unit);
    let lowest = lowest(body, normal, between);
    let radii = [a.radii()[0], a.radii()[1], b.radii()[0], b.radii()[1]];
    let (length_lo, length_hi) = (length_down(normal), length_up(normal));
    let rise = lowest.height - level;
    let error = lowest.error + 2.0 * U * (lowest.height.abs() + level.abs());
    let divided = |x: f64, outward: f64| {
        let length = if x * outward > 0.0 { length_lo } else { length_hi };
        x / length + outward * 2.0 * U * (x / length).abs()
    };
    let (up, down) = (total(radii, add_up), total(radii, add_down));
    let mut lo = add_down(divided(rise - error, -1.0), -up);
    let mut hi = add_up(divided(rise + error, 1.0), -down);
    if lo.is_nan() || hi.is_nan() {
        (lo, hi) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    let verdict = if let Some(verdict) = Verdict::of_bounds(lo, hi) {
        verdict
    } else if let Some(verdict) = exact::verdict(&Plane { normal: given, offset }, b.core(), radii, between) {
        (lo, hi) = match verdict {
            Verdict::Separate => (lo.max(f64::from_bits(1)), hi.max(f64::from_bits(1))),
            Verdict::Touching => (0.0, 0.0),
            _ => (lo.min(-f64::from_bits(1)), hi.min(-f64::from_bits(1))),
        };
        verdict
    } else {
        Verdict::Touching
    };
    let upward = normal / normal.length();
    let foot = lowest.point - upward * (rise / normal.length());
    let pose = &between.poses()[0];
    let grow = |shape: &Shape| upward * (shape.radii()[0] + shape.radii()[1]);
    let (point_a, point_b) = (foot + grow(a), lowest.point - grow(b));
    let moved = 8.0 * U * (up + lowest.point.length() + rise.abs()) + error;
    Answer {
        verdict,
        separation: Range::new(lo, hi).unwrap_or(Range::ZERO),
        normal: pose.rotate(upward),
        normal_error: 64.0 * U,
        point_a: pose.apply(point_a),
        point_b: pose.apply(point_b),
        point_error: 1.5 * (lowest.doubt + moved) + pose.apply_error(point_a) + pose.apply_error(point_b),
    }
}

fn total(radii: [f64; 4], add: fn(f64, f64) -> f64) -> f64 {
    add(add(radii[0], radii[1]), add(radii[2], radii[3]))
}

fn power_of_two_below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7FF << 52)).max(f64::MIN_POSITIVE)
}

/// The lowest point of a core above a plane through A's origin.
///
/// The error: each vertex as placed errs by `error_at`, times |normal| ≤ 4; the dot product by `dot_error`. A curved core has
/// its blur besides, and a direction turned into B's frame with 6u of its reach and the turn's own error.
fn lowest(body: Body, normal: DVec3, between: &Between) -> Lowest {
    let Body::Points(points) = body else { return lowest_of_map(body, normal, between) };
    let mut best = Lowest { point: DVec3::ZERO, height: f64::INFINITY, error: 0.0, doubt: 0.0 };
    let (mut top, mut bottom) = (f64::INFINITY, f64::INFINITY);
    for x in points {
        let (height, error, point) = height_of(*x, normal, between);
        if height < best.height {
            best.point = point;
            best.height = height;
        }
        top = top.min(height + error);
        bottom = bottom.min(height - error);
    }
    // The lowest one is between the least ends.
    best.error = ((best.height - bottom).max(top - best.height)).max(0.0) * (1.0 + 4.0 * U);
    for x in points {
        let (height, error, point) = height_of(*x, normal, between);
        if height - error <= top {
            best.doubt = best.doubt.max((point - best.point).length() + between.error_at(*x));
        }
    }
    best
}

fn height_of(x: DVec3, normal: DVec3, between: &Between) -> (f64, f64, DVec3) {
    let point = between.b_in_a(x);
    let error = 4.0 * between.error_at(x) + dot_error(normal, point);
    (normal.dot(point), error, point)
}

fn lowest_of_map(body: Body, normal: DVec3, between: &Between) -> Lowest {
    let reach = body.reach();
    let turn = between.turn();
    let down = -DVec3::new(turn.x_axis.dot(normal), turn.y_axis.dot(normal), turn.z_axis.dot(normal));
    let length = down.length();
    let spot = body.look(down / length);
    let point = between.b_in_a(spot.point);
    if let Body::Box(_) = body {
        // Corners that are as low up to rounding differ by whole edges.
        let (height, error, _) = height_of(spot.point, normal, between);
        let level = |i: usize| down[i].abs() <= 128.0 * U * length;
        let doubt = (0..3).filter(|&i| level(i)).map(|i| 2.0 * spot.point[i].abs()).sum::<f64>();
        let slip = 4.0 * between.error_within(reach) * f64::from(u8::from(doubt > 0.0));
        return Lowest { point, height, error: error + slip, doubt: doubt + between.error_at(spot.point) };
    }
    let error =
        4.0 * (between.error_within(reach) + body.blur(reach) + 8.0 * U * reach) + dot_error(normal, point);
    Lowest {
        point,
        height: normal.dot(point),
        error,
        doubt: doubt_of_curved(body, spot.point, down / length, reach),
    }
}

/// **Never less** than how far the farthest point moves when the direction turns by the error of a turn, 128u.
fn doubt_of_curved(body: Body, point: DVec3, down: DVec3, reach: f64) -> f64 {
    let turn = 128.0 * U;
    let swing =
        |extent: f64, norm: f64| if norm > 64.0 * turn { 2.0 * extent * turn / norm } else { 2.0 * extent };
    let across = down.x.hypot(down.y);
    match body {
        // |Dd|'' ≤ (largest radius)²/|Dd|, and |Dd| itself moves by no more than the largest radius times the turn.
        Body::Ellipsoid(radii) => {
            let (most, norm) = (radii.max_element(), (radii * down).length());
            if norm > 64.0 * turn * most { 2.0 * most * most * turn / norm } else { 2.0 * most }
        }
        Body::Cylinder { half_length, radius } => {
            let ends = if down.z.abs() > turn { 0.0 } else { 2.0 * half_length };
            swing(radius, across) + ends
        }
        Body::Cone { half_length, radius } => {
            let (apex, rim) = (2.0 * half_length * down.z, radius * across);
            let even = (apex - rim).abs() <= 4.0 * turn * (2.0 * half_length + radius);
            let other = if even { 2.0 * (half_length + radius) } else { 0.0 };
            let curved = if point.z < 0.0 || half_length == 0.0 { swing(radius, across) } else { 0.0 };
            curved + other
        }
        _ => 2.0 * reach,
    }
}
