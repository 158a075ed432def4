//! Closed forms for spheres, capsules, boxes and half-spaces: no iteration, certified bounds, exact verdicts.
//!
//! What has no short closed form is left to the general methods (`None`): two boxes that overlap (their separating axes are the
//! business of `depth`) or lie level to each other, a segment through a box, and cores nearer than rounding.

pub(crate) mod boxes;
mod nearest;

use crate::{Answer, Core, Shape, Verdict, Warm, gjk, half_space};
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Between, DVec3, U};
use nearest::{Meeting, Solid};

/// How two of the simple shapes lie to each other; none for other pairs and for what closed forms cannot tell.
pub fn answer(a: &Shape, b: &Shape, between: &Between) -> Option<Answer> {
    if matches!(a.core(), Core::HalfSpace { .. }) || matches!(b.core(), Core::HalfSpace { .. }) {
        let answer = half_space::answer(a, b, between);
        return (answer.verdict != Verdict::Undecided).then_some(answer);
    }
    let (solid_a, solid_b) = (Solid::of(a.core())?, Solid::of(b.core())?);
    let reach_b = solid_b.reach();
    let size = solid_a.reach() + reach_b + between.shift().abs().element_sum();
    if !(size > 1e-140 && size < 1e140) {
        return None;
    }
    if let (Solid::Box(half_a), Solid::Box(half_b)) = (solid_a, solid_b) {
        return boxes::answer(a, b, [half_a, half_b], between);
    }
    let noise = between.error_within(reach_b) + 16.0 * U * size;
    let meeting = nearest::meeting(solid_a, solid_b, between, noise)?;
    certified(a, b, between, &Cores { solids: [solid_a, solid_b], meeting, noise })
}

struct Cores {
    solids: [Solid; 2],
    meeting: Meeting,
    /// **Never less** than the error of B's points in A's frame and of a computed support.
    noise: f64,
}

/// The ends: from above the points found, from below the plane across their line; for a point in a box both are the depth.
fn certified(a: &Shape, b: &Shape, between: &Between, cores: &Cores) -> Option<Answer> {
    let Cores { solids: [solid_a, solid_b], meeting, noise } = cores;
    let (noise, n) = (*noise, meeting.normal);
    let (low, high) = if meeting.inside {
        (meeting.separation - noise, meeting.separation + noise)
    } else {
        let turn = between.turn();
        let back = DVec3::new(turn.x_axis.dot(n), turn.y_axis.dot(n), turn.z_axis.dot(n));
        let gap = n.dot(between.shift()) - solid_a.support(n) - solid_b.support(-back);
        (gap - noise, meeting.separation + noise)
    };
    if high - low > 16.0 * noise {
        return None;
    }
    let ([p, q], [r, s]) = (a.radii(), b.radii());
    let mut lo = add_down(low, -add_up(add_up(p, q), add_up(r, s)));
    let mut hi = add_up(high, -add_down(add_down(p, q), add_down(r, s)));
    let verdict =
        Verdict::of_bounds(lo, hi).unwrap_or_else(|| gjk::verdict(a, b, between, &mut Warm::default()));
    let tiny = f64::from_bits(1);
    match verdict {
        Verdict::Separate => (lo, hi) = (lo.max(tiny), hi.max(tiny)),
        Verdict::Overlapping => (lo, hi) = (lo.min(-tiny), hi.min(-tiny)),
        Verdict::Touching => (lo, hi) = (0.0, 0.0),
        Verdict::Undecided => return None,
    }
    let pose = &between.poses()[0];
    let (point_a, point_b) = (meeting.points.0 + n * (p + q), meeting.points.1 - n * (r + s));
    let angle = if meeting.inside { 64.0 * U } else { 2.0 * meeting.doubt / low } + 64.0 * U;
    let placing = 2.0 * pose.apply_error(point_a.abs().max(point_b.abs()));
    Some(Answer {
        verdict,
        separation: Range::new(lo, hi).ok()?,
        normal: pose.rotate(n),
        normal_error: angle.min(std::f64::consts::PI),
        point_a: pose.apply(point_a),
        point_b: pose.apply(point_b),
        point_error: 2.0 * meeting.doubt + (p + q + r + s) * angle + placing,
    })
}
