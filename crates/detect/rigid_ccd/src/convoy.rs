//! Two bodies of few corners, followed through time as long as a plane keeps *all* of their corners apart.

// While a plane has all corners of A on one side and all of B on the other, no faces meet and neither body is inside the other. The
// plane turns with the features that are nearest (`Turning`), so that the time reached is off by the square of the step only.
// Convex bodies stay apart by a plane until they meet; for others the search goes on where planes end.

use crate::course::UP;
use crate::leg::{Leg, Relative};
use crate::report::Facing;
use crate::simplex::{Nearest, Simplex};
use crate::triangles::{Ends, norm_up, positive_until};
use kontakt_answers::Visits;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, U};
use kontakt_mesh::Mesh;

/// Most corners of a body.
const MOST: usize = 32;
/// How far a direction may be from the best, as a part of the gap: a new one is found at every step.
const LOOSE: f64 = 1e-3;
/// Most steps in time.
const MOST_STEPS: u32 = 60;

/// How far planes lead.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Progress {
    /// No plane at the beginning.
    #[default]
    Nothing,
    /// Proven free before this time; what comes then is not known.
    Until(f64),
    /// Proven free before `lo`; the triangles in two slots are proven to meet by `hi`. With the plane between all corners at `lo`
    /// where there is one.
    Contact { lo: f64, hi: f64, slots: [u32; 2], plane: Option<Facing> },
    /// Proven free to the end.
    Free,
}

/// Two small bodies on their way.
pub(crate) struct Convoy<'a> {
    leg: &'a Leg<'a>,
    meshes: [&'a Mesh; 2],
    /// |x| of B's farthest corner.
    far_b: f64,
    /// **Never too small**: acceleration of B's corners in A's frame.
    acceleration: f64,
    /// About the largest speed of B's corners in A's frame.
    speed: f64,
    tolerance: f64,
    /// Where A's coordinates are reckoned from.
    origin: DVec3,
    /// A's corners relative to the origin.
    a: [DVec3; MOST],
    count_a: usize,
    /// Their largest coordinates.
    reach_a: DVec3,
}

/// B's corners in A's frame, relative to the origin, at one time.
#[derive(Clone, Copy)]
struct Spot {
    t: f64,
    b: [DVec3; MOST],
    error: f64,
    /// At least every coordinate of both bodies' corners.
    size: f64,
}

impl Spot {
    /// At no time.
    const NOWHERE: Spot = Spot { t: f64::NAN, b: [DVec3::ZERO; MOST], error: 0.0, size: 0.0 };
}

impl<'a> Convoy<'a> {
    /// None for bodies of many corners, or motions that do not tell how they bend.
    pub(crate) fn new(leg: &'a Leg<'a>, meshes: [&'a Mesh; 2], tolerance: f64) -> Option<Convoy<'a>> {
        let [vertices_a, vertices_b] = meshes.map(|mesh| mesh.faces().vertices());
        if vertices_a.len() > MOST || vertices_b.len() > MOST || !leg.is_smooth() {
            return None;
        }
        let first = leg.relative(leg.start);
        let (centre, radius) = crate::pair::ball(vertices_b);
        let bend = leg.bend_of_b(centre, radius, &first, (leg.end - leg.start).next_up());
        let origin = *vertices_a.first()?;
        let mut a = [DVec3::ZERO; MOST];
        let mut reach_a = DVec3::ZERO;
        for (to, from) in a.iter_mut().zip(vertices_a) {
            *to = *from - origin;
            reach_a = reach_a.max(to.abs());
        }
        Some(Convoy {
            leg,
            meshes,
            far_b: (length_up(centre) + radius) * UP,
            acceleration: bend.acceleration,
            speed: leg.speed(centre, radius, &first),
            tolerance,
            origin,
            a,
            count_a: vertices_a.len(),
            reach_a,
        })
    }

    /// Puts B's corners at a time where they are kept.
    fn place(&self, t: f64, spot: &mut Spot) {
        let relative: Relative = self.leg.relative(t);
        let mut reach = self.reach_a;
        for (to, from) in spot.b.iter_mut().zip(self.meshes[1].faces().vertices()) {
            *to = relative.b_in_a(*from) - self.origin;
            reach = reach.max(to.abs());
        }
        (spot.t, spot.error, spot.size) = (t, relative.error_within(self.far_b), reach.max_element());
    }

    /// Follows the bodies from the beginning of the leg on. Planes count as tests of volumes.
    pub(crate) fn follow(&self, visits: &mut Visits) -> Progress {
        let end = self.leg.end;
        let count_b = self.meshes[1].faces().vertices().len();
        let mut simplex = Simplex::default();
        // Three places are enough: here, the end of the span looked at, and the one reached in between.
        let mut spots = [Spot::NOWHERE; 3];
        let [mut here, mut ahead, mut spare] = [0, 1, 2];
        self.place(self.leg.start, &mut spots[here]);
        let mut slope = 0.0;
        for step in 0..MOST_STEPS {
            visits.volume_tests += 1;
            let now = &spots[here];
            let t = now.t;
            let lost = if step == 0 { Progress::Nothing } else { Progress::Until(t) };
            let a = &self.a[..self.count_a];
            let Some(nearest) = simplex.nearest(a, &now.b[..count_b], LOOSE) else { return lost };
            let plane = Plane::new(a, nearest.direction, now);
            let gap = plane.gap(now, count_b);
            if gap <= 0.0 || gap.is_nan() {
                return if step == 0 { lost } else { self.ended(now, &nearest, false) };
            }
            // Contact is expected within the tolerance.
            if slope > 0.0 && gap < 0.25 * self.tolerance * slope {
                return self.ended(now, &nearest, true);
            }
            let span = self.next_span(gap, slope).min(end - t);
            let until = (t + span).min(end);
            if until <= t || until.is_nan() {
                return self.ended(now, &nearest, true);
            }
            if spots[ahead].t != until {
                self.place(until, &mut spots[ahead]);
            }
            let then = &spots[ahead];
            let turned = Plane::new(a, simplex.direction(a, &then.b[..count_b], plane.axis), then);
            let turning = Turning { spots: [&spots[here], then], planes: [plane, turned] };
            let (share, closing) = turning.kept_until(self.acceleration, count_b);
            slope = closing;
            if share >= 1.0 {
                if until >= end {
                    return Progress::Free;
                }
                (here, ahead) = (ahead, here);
                continue;
            }
            let reached = (t + share * (until - t)).next_down().next_down();
            let advanced = reached - t;
            if advanced <= 0.125 * self.tolerance || advanced.is_nan() {
                return self.ended(&spots[here], &nearest, true);
            }
            self.place(reached, &mut spots[spare]);
            (here, spare) = (spare, here);
        }
        Progress::Until(spots[here].t)
    }

    /// A span in which the gap is expected to close, not so long that ways bend much.
    fn next_span(&self, gap: f64, slope: f64) -> f64 {
        let by_speed = 2.0 * gap / self.speed;
        let by_bend = (gap / self.acceleration).sqrt();
        // Dividing by nothing gives infinity: the whole leg. No `clamp`, which does not take NaN.
        if slope > 0.0 {
            (1.25 * gap / slope).max(by_speed).min(by_speed.max(4.0 * by_bend))
        } else {
            by_speed.max(by_bend)
        }
    }

    /// Where planes end: contact is to be proven within the tolerance, by triangles at the nearest points. `apart` where a plane across
    /// their direction still keeps the bodies apart.
    fn ended(&self, here: &Spot, nearest: &Nearest, apart: bool) -> Progress {
        let hi = here.t + 0.5 * self.tolerance;
        if !(hi > here.t && hi <= self.leg.end) {
            return Progress::Until(here.t);
        }
        let mut later = Spot::NOWHERE;
        self.place(hi, &mut later);
        let size = here.size.max(later.size);
        let near = 1e-6 * size + 4.0 * self.speed * self.tolerance;
        let at = |mesh: &Mesh, points: &[DVec3; MOST], slot: usize| {
            mesh.tree().corners()[slot].map(|v| points[v as usize])
        };
        let touched = |mesh: &Mesh, points: &[DVec3; MOST], x: DVec3, slot: usize| {
            let [p, q, r] = at(mesh, points, slot);
            let (low, high) = (p.min(q).min(r) - near, p.max(q).max(r) + near);
            let n = (q - p).cross(r - p);
            x.cmpge(low).all() && x.cmple(high).all() && n.dot(x - p).abs() <= near * n.length()
        };
        let [mesh_a, mesh_b] = self.meshes;
        for i in 0..mesh_a.tree().order().len() {
            if !touched(mesh_a, &self.a, nearest.points[0], i) {
                continue;
            }
            for j in 0..mesh_b.tree().order().len() {
                if !touched(mesh_b, &here.b, nearest.points[1], j) {
                    continue;
                }
                let b = at(mesh_b, &later.b, j);
                // The corners are already relative to the origin, which rounds by u of the size, A's as well.
                let error = later.error + 8.0 * U * size;
                if Ends::new(at(mesh_a, &self.a, i), [b, b], [error, error], [0.0, 0.0]).meet_at(1) {
                    let points = nearest.points.map(|x| x + self.origin);
                    let plane = apart.then_some(Facing { normal: nearest.direction, points });
                    return Progress::Contact { lo: here.t, hi, slots: [i as u32, j as u32], plane };
                }
            }
        }
        Progress::Until(here.t)
    }
}

/// A direction at one time: how far it keeps the bodies apart.
struct Plane {
    axis: DVec3,
    length: f64,
    /// Highest corner of A, and what rounding and the corners' errors may amount to; as in `Ends::kept_apart`.
    floor: f64,
}

impl Plane {
    fn new(a: &[DVec3], axis: DVec3, spot: &Spot) -> Plane {
        let length = norm_up(axis);
        let top = a.iter().fold(f64::NEG_INFINITY, |top, x| top.max(axis.dot(*x)));
        let rounding = 16.0 * U * spot.size * axis.abs().element_sum();
        Plane { axis, length, floor: top + (rounding + spot.error * length + f64::MIN_POSITIVE) }
    }

    /// Certified gap, in units of length.
    fn gap(&self, spot: &Spot, count_b: usize) -> f64 {
        let low = spot.b[..count_b].iter().fold(f64::INFINITY, |low, x| low.min(self.axis.dot(*x)));
        (low - self.floor) / self.length
    }
}

/// Two planes at the ends of a span: in between the one turns into the other.
struct Turning<'a> {
    spots: [&'a Spot; 2],
    planes: [Plane; 2],
}

impl Turning<'_> {
    /// The share of the span that is proven free, and how fast the gap closes in it.
    ///
    /// Proof. At the share λ of the span let n = (1−λ)n₀ + λn₁ and h = (1−λ)h₀ + λh₁, where h₀ and h₁ are the heights of A's highest
    /// corners along n₀ and n₁ (A rests in its own frame): n·a ≤ h for all corners a of A. A corner of B is at x = (1−λ)x₀ + λx₁ + w,
    /// |w| ≤ λ(1−λ)·max|x″|·span²/2 (the error of linear interpolation). Multiplied out,
    ///   n·x − h = (1−λ)(n₀·x₀ − h₀) + λ(n₁·x₁ − h₁) − λ(1−λ)·(n₁−n₀)·(x₁−x₀) + n·w,
    /// and |n| ≤ max(|n₀|, |n₁|). As long as this is positive for all corners of B, n is across a plane between the bodies.
    /// It is at least (1−λ)f₀ + λf₁ − λ(1−λ)q with f₀, f₁ rounded down as in `Ends::kept_apart`, and
    /// q = max(|n₀|, |n₁|)·max|x″|·span²/2 + (n₁−n₀)·(x₁−x₀), the latter rounded up: the x are off by their errors and u·S each
    /// (S = size), their difference by 2u·S more, that of the n by u of itself and the dot product by 3u, of |n₁−n₀|₁·2S:
    /// together less than |n₁−n₀|₁·(errors + 16u·S).
    fn kept_until(&self, acceleration: f64, count_b: usize) -> (f64, f64) {
        let ([here, ahead], [first, last]) = (self.spots, &self.planes);
        let span = (ahead.t - here.t).next_up();
        let turn = last.axis - first.axis;
        let doubt = here.error + ahead.error + 16.0 * U * here.size.max(ahead.size);
        let bend = 0.5 * acceleration * span * span * first.length.max(last.length)
            + turn.abs().element_sum() * doubt
            + f64::MIN_POSITIVE;
        let (mut share, mut lowest) = (1.0_f64, [f64::INFINITY; 2]);
        for (x0, x1) in here.b[..count_b].iter().zip(&ahead.b[..count_b]) {
            let f0 = first.axis.dot(*x0) - first.floor;
            let f1 = last.axis.dot(*x1) - last.floor;
            let q = (bend + turn.dot(*x1 - *x0)) * (1.0 + 16.0 * f64::EPSILON);
            // No `max`, which does not take NaN.
            let q = if q < 0.0 { 0.0 } else { q };
            // Positive at both ends by more than it can bend in between: nothing to solve.
            if !(f0 > q && f1 > q) {
                share = share.min(positive_until(f0, f1, q));
            }
            lowest = [lowest[0].min(f0), lowest[1].min(f1)];
        }
        (share, (lowest[0] / first.length - lowest[1] / last.length) / span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners that accelerate at random, as much as is said, and planes that turn at random: what is said to be kept apart is.
    #[test]
    fn turning_planes_keep_corners_apart() {
        let mut dice = fastrand::Rng::with_seed(11);
        let mut vector = |size: f64| (DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0) * size;
        let (mut some, mut all) = (0, 0);
        for round in 0..20_000 {
            let a: [DVec3; 4] = std::array::from_fn(|_| vector(0.5));
            let first = vector(1.0).normalize_or(DVec3::X);
            let axes = [first, first + vector([0.0, 0.3, 1.0][round % 3])];
            let acceleration = [0.0, 2.0][round % 2];
            let bends: [DVec3; 4] =
                std::array::from_fn(|_| vector(1.0).normalize_or(DVec3::X) * acceleration);
            let starts: [DVec3; 4] = std::array::from_fn(|_| first * 1.2 + vector(0.6));
            let ways: [DVec3; 4] = std::array::from_fn(|_| vector(1.5));
            let at =
                |corner: usize, t: f64| starts[corner] + ways[corner] * t + bends[corner] * (0.5 * t * t);
            let spot = |t: f64| {
                let mut spot = Spot { t, size: 5.0, ..Spot::NOWHERE };
                (0..4).for_each(|corner| spot.b[corner] = at(corner, t));
                spot
            };
            let spots = [spot(0.0), spot(1.0)];
            let planes = [0, 1].map(|end: usize| Plane::new(&a, axes[end], &spots[end]));
            let turning = Turning { spots: [&spots[0], &spots[1]], planes };
            let (share, _) = turning.kept_until(acceleration, 4);
            some += u32::from(share > 0.0 && share < 1.0);
            all += u32::from(share == 1.0);
            for step in 0..=64 {
                let t = share * f64::from(step) / 64.0;
                let axis = axes[0] * (1.0 - t) + axes[1] * t;
                let top = a.iter().fold(f64::NEG_INFINITY, |top, x| top.max(axis.dot(*x)));
                let low = (0..4).fold(f64::INFINITY, |low, corner| low.min(axis.dot(at(corner, t))));
                assert!(share == 0.0 || low > top - 1e-12, "round {round}: {t} of {share}: {low} {top}");
            }
        }
        assert!(some > 2000 && all > 2000, "{some} in part, {all} all the time");
    }
}
