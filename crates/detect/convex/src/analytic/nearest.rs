//! Nearest points of points, segments and boxes in closed form.

use crate::Core;
use kontakt_math::{Between, DVec3, U};

/// A core with a closed form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Solid {
    Point,
    Segment([DVec3; 2]),
    Box(DVec3),
}

impl Solid {
    pub(super) fn of(core: &Core) -> Option<Solid> {
        match core {
            Core::Point => Some(Solid::Point),
            Core::Segment(ends) if ends[0] != ends[1] => Some(Solid::Segment(*ends)),
            Core::Box(half) => Some(Solid::Box(*half)),
            _ => None,
        }
    }

    /// **Never less** than the largest |x|₁, to rounding.
    pub(super) fn reach(self) -> f64 {
        match self {
            Solid::Point => 0.0,
            Solid::Segment(ends) => ends[0].abs().element_sum().max(ends[1].abs().element_sum()),
            Solid::Box(half) => half.element_sum(),
        }
    }

    pub(super) fn support(self, d: DVec3) -> f64 {
        match self {
            Solid::Point => 0.0,
            Solid::Segment(ends) => ends[0].dot(d).max(ends[1].dot(d)),
            Solid::Box(half) => half.dot(d.abs()),
        }
    }
}

/// Nearest points of two cores in A's frame, or the shallowest way out of a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// From A to B.
    pub(super) normal: DVec3,
    pub(super) separation: f64,
    pub(super) points: (DVec3, DVec3),
    /// **Never less** than the distance of either point from an exact one.
    pub(super) doubt: f64,
    /// A point inside of a box: the separation is negative.
    pub(super) inside: bool,
}

impl Meeting {
    fn swapped(self) -> Meeting {
        Meeting { normal: -self.normal, points: (self.points.1, self.points.0), ..self }
    }

    /// None where the points are nearer than a few roundings: the direction would be noise.
    fn between(points: (DVec3, DVec3), doubt: f64, noise: f64) -> Option<Meeting> {
        let line = points.1 - points.0;
        let separation = line.length();
        let far = separation > 1e4 * noise;
        far.then(|| Meeting { normal: line / separation, separation, points, doubt, inside: false })
    }

    /// From B's frame to A's.
    fn placed(self, between: &Between) -> Meeting {
        let points = (between.b_in_a(self.points.0), between.b_in_a(self.points.1));
        Meeting { normal: between.turn() * self.normal, points, ..self }
    }
}

/// Nearest points; none for pairs without a closed form.
///
/// The doubts: the projection of a point to a convex set moves no more than the point does, so an error of the place gives the
/// same error of the point, and the rounding of the projection less than another. Segments: see [`segments`].
pub(super) fn meeting(a: Solid, b: Solid, between: &Between, noise: f64) -> Option<Meeting> {
    let placed = |ends: [DVec3; 2]| ends.map(|x| between.b_in_a(x));
    match (a, b) {
        (Solid::Point, Solid::Point) => Meeting::between((DVec3::ZERO, between.shift()), noise, noise),
        (Solid::Point, Solid::Segment(ends)) => to_segment(DVec3::ZERO, placed(ends), noise),
        (Solid::Segment(ends), Solid::Point) => {
            to_segment(between.shift(), ends, noise).map(Meeting::swapped)
        }
        (Solid::Segment(p), Solid::Segment(q)) => segments(p, placed(q), noise),
        (Solid::Box(half), Solid::Point) => out_of_box(between.shift(), half, noise),
        (Solid::Point, Solid::Box(half)) => {
            let back = between.swapped();
            Some(out_of_box(back.shift(), half, noise)?.placed(between).swapped())
        }
        (Solid::Box(half), Solid::Segment(ends)) => segment_to_box(placed(ends), half, noise),
        (Solid::Segment(ends), Solid::Box(half)) => {
            let back = between.swapped();
            let ends = ends.map(|x| back.b_in_a(x));
            Some(segment_to_box(ends, half, noise)?.placed(between).swapped())
        }
        (Solid::Box(_), Solid::Box(_)) => None,
    }
}

/// From a point (A) to a segment (B).
fn to_segment(p: DVec3, [start, end]: [DVec3; 2], noise: f64) -> Option<Meeting> {
    let along = end - start;
    let t = ((p - start).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    Meeting::between((p, start + along * t), 3.0 * noise, noise)
}

/// Two segments: the minimum of a quadratic over a square.
///
/// The doubt: in lengths along both segments its matrix has 1 − |cos| as least eigenvalue, so the minimum moves by no more
/// than the change of the linear part, √2 of an error of the place, divided by that.
fn segments(p: [DVec3; 2], q: [DVec3; 2], noise: f64) -> Option<Meeting> {
    let (d, e, r) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let (dr, er) = (d.dot(r), e.dot(r));
    let spread = 1.0 - de.abs() / (dd * ee).sqrt();
    // Nearly parallel ones have many nearly nearest points.
    if spread.is_nan() || spread <= 1e-6 {
        return None;
    }
    let s = ((de * er - dr * ee) / (dd * ee - de * de)).clamp(0.0, 1.0);
    let t = ((de * s + er) / ee).clamp(0.0, 1.0);
    let s = ((de * t - dr) / dd).clamp(0.0, 1.0);
    Meeting::between((p[0] + d * s, q[0] + e * t), 8.0 * noise / spread, noise)
}

/// From a box (A) to a point, which may be inside.
fn out_of_box(p: DVec3, half: DVec3, noise: f64) -> Option<Meeting> {
    let nearest = p.clamp(-half, half);
    if nearest != p {
        return Meeting::between((nearest, p), 3.0 * noise, noise);
    }
    let room = half - p.abs();
    let axis = if room.x <= room.y && room.x <= room.z {
        0
    } else if room.y <= room.z {
        1
    } else {
        2
    };
    // Two ways out that rounding cannot tell apart: no unique answer, left to others.
    if (0..3).any(|i| i != axis && room[i] - room[axis] <= 4.0 * noise) {
        return None;
    }
    let mut normal = DVec3::ZERO;
    normal[axis] = 1.0_f64.copysign(p[axis]);
    let mut wall = p;
    wall[axis] = half[axis].copysign(p[axis]);
    Some(Meeting { normal, separation: -room[axis], points: (wall, p), doubt: 3.0 * noise, inside: true })
}

/// From a box (A) to a segment outside of it: an end against the box or the line against an edge, whichever is nearest.
fn segment_to_box(ends: [DVec3; 2], half: DVec3, noise: f64) -> Option<Meeting> {
    let mut best: Option<Meeting> = None;
    let mut offer = |meeting: Option<Meeting>| {
        if let Some(meeting) = meeting.filter(|m| !m.inside)
            && best.is_none_or(|b| meeting.separation < b.separation)
        {
            best = Some(meeting);
        }
    };
    for end in ends {
        offer(out_of_box(end, half, noise));
    }
    for axis in 0..3 {
        for signs in 0..4 {
            let (mut low, mut high) = (half, half);
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            for (side, bit) in [(i, 1), (j, 2)] {
                let place = if signs & bit == 0 { half[side] } else { -half[side] };
                low[side] = place;
                high[side] = place;
            }
            low[axis] = -half[axis];
            if low != high {
                offer(segments([low, high], ends, noise));
            }
        }
    }
    // A segment through the box has no positive bound from below, which the caller notices. Points are only as good as the
    // ends tell: |v − w*|² ≤ |v|² − |w*|².
    best.map(|meeting| {
        let loose = (meeting.separation * 64.0 * noise).sqrt() + 256.0 * U * meeting.separation;
        Meeting { doubt: meeting.doubt.max(loose), ..meeting }
    })
}
