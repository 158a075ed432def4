//! Two bodies of not too many corners, followed through time as long as a plane keeps *all* of their corners apart.

// While a plane has all corners of A on one side and all of B on the other, no faces meet and neither body is inside the other. The
// plane turns with the features that are nearest (`Turning`), so that the time reached is off by the square of the step only.
// Convex bodies stay apart by a plane until they meet; for others the search goes on where planes end.

use crate::budget::Budget;
use crate::course::UP;
use crate::leg::{Leg, Relative};
use crate::report::Facing;
use crate::simplex::{Nearest, Simplex};
use crate::triangles::{Ends, norm_up, positive_until};
use kontakt_answers::Visits;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, U};
use kontakt_mesh::Mesh;
use kontakt_schedule::Ledger;

/// Most corners of a body: every step in time looks at all of them some ten times, which for more takes longer than the search.
const MOST: usize = 1024;
/// So many corners of both bodies make a step in time cost a unit of work more.
const CORNERS_A_UNIT: usize = 64;
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
    /// Proven free to the end, where they are **at least** so far apart.
    Free { gap: f64 },
}

/// How far bodies have been followed on a leg: enough to go on from there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trail {
    steps: u32,
    /// Where the last step led; none before the first.
    t: Option<f64>,
    /// How fast the gap closed in it.
    slope: f64,
    simplex: Simplex,
}

impl Trail {
    /// They are proven apart up to this time, if to any.
    pub(crate) fn apart_until(&self) -> Option<f64> {
        self.t
    }
}

/// Memory for corners.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    /// A's, relative to the origin.
    a: Vec<DVec3>,
    /// Here, the end of the span looked at, and the one reached in between.
    spots: [Spot; 3],
    /// Slots of triangles at the nearest points.
    touched: [Vec<u32>; 2],
}

/// Two bodies on their way.
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
    /// Largest coordinates of A's corners relative to it.
    reach_a: DVec3,
}

/// B's corners in A's frame, relative to the origin, at one time.
#[derive(Clone, Debug)]
struct Spot {
    t: f64,
    b: Vec<DVec3>,
    error: f64,
    /// At least every coordinate of both bodies' corners.
    size: f64,
}

impl Default for Spot {
    /// At no time.
    fn default() -> Spot {
        Spot { t: f64::NAN, b: Vec::new(), error: 0.0, size: 0.0 }
    }
}

/// Whether two meshes are followed by planes between all their corners, if their motions tell how they bend.
pub fn has_planes(a: &Mesh, b: &Mesh) -> bool {
    [a, b].iter().all(|mesh| (1..=MOST).contains(&mesh.faces().vertices().len()))
}

impl<'a> Convoy<'a> {
    /// None for bodies of many corners, or motions that do not tell how they bend.
    pub(crate) fn new(
        leg: &'a Leg<'a>,
        meshes: [&'a Mesh; 2],
        tolerance: f64,
        desk: &mut Desk,
    ) -> Option<Convoy<'a>> {
        let [vertices_a, vertices_b] = meshes.map(|mesh| mesh.faces().vertices());
        if !has_planes(meshes[0], meshes[1]) || !leg.is_smooth() {
            return None;
        }
        let first = leg.relative(leg.start);
        let (centre, radius) = crate::pair::ball(vertices_b);
        let bend = leg.bend_of_b(centre, radius, &first, (leg.end - leg.start).next_up());
        let origin = *vertices_a.first()?;
        desk.a.clear();
        desk.a.extend(vertices_a.iter().map(|x| *x - origin));
        let reach_a = desk.a.iter().fold(DVec3::ZERO, |reach, x| reach.max(x.abs()));
        desk.spots.iter_mut().for_each(|spot| spot.t = f64::NAN);
        Some(Convoy {
            leg,
            meshes,
            far_b: (length_up(centre) + radius) * UP,
            acceleration: bend.acceleration,
            speed: leg.speed(centre, radius, &first),
            tolerance,
            origin,
            reach_a,
        })
    }

    /// Puts B's corners at a time where they are kept.
    fn place(&self, t: f64, spot: &mut Spot) {
        let relative: Relative = self.leg.relative(t);
        spot.b.clear();
        spot.b.extend(self.meshes[1].faces().vertices().iter().map(|x| relative.b_in_a(*x) - self.origin));
        let reach = spot.b.iter().fold(self.reach_a, |reach, x| reach.max(x.abs()));
        (spot.t, spot.error, spot.size) = (t, relative.error_within(self.far_b), reach.max_element());
    }

    /// **Never more** than the distance of the bodies where the leg begins, as a plane tells; 0 where there is none.
    pub(crate) fn gap_at_start(&self, desk: &mut Desk) -> f64 {
        let Desk { a, spots: [here, ..], .. } = desk;
        self.place(self.leg.start, here);
        let Some(nearest) = Simplex::default().nearest(a, &here.b, LOOSE) else { return 0.0 };
        sound(Plane::new(a, nearest.direction, here).gap(here))
    }

    /// What a step in time counts for.
    fn units(&self) -> u64 {
        let corners: usize = self.meshes.iter().map(|mesh| mesh.faces().vertices().len()).sum();
        1 + (corners / CORNERS_A_UNIT) as u64
    }

    /// Follows the bodies from the beginning of the leg on, or from where the trail ends; `None` where the ledger is used up and that is
    /// to be continued. Planes count as tests of volumes.
    pub(crate) fn follow(
        &self,
        desk: &mut Desk,
        trail: &mut Trail,
        visits: &mut Visits,
        (budget, ledger): (&mut Budget, &mut Ledger),
    ) -> Option<Progress> {
        let end = self.leg.end;
        let [mut here, mut ahead, mut spare] = [0, 1, 2];
        let begin = trail.t.unwrap_or(self.leg.start);
        self.place(begin, &mut desk.spots[here]);
        let units = self.units();
        while trail.steps < MOST_STEPS && !budget.is_spent() {
            if ledger.is_spent() {
                trail.t = (trail.steps > 0).then_some(desk.spots[here].t);
                return None;
            }
            visits.volume_tests += 1;
            budget.spend(units);
            ledger.spend(units);
            trail.steps += 1;
            let (a, now) = (&desk.a, &desk.spots[here]);
            let (t, is_first) = (now.t, trail.steps == 1);
            let lost = if is_first { Progress::Nothing } else { Progress::Until(t) };
            let Some(nearest) = trail.simplex.nearest(a, &now.b, LOOSE) else { return Some(lost) };
            let plane = Plane::new(a, nearest.direction, now);
            let gap = plane.gap(now);
            if gap <= 0.0 || gap.is_nan() {
                return Some(if is_first { lost } else { self.ended(desk, here, &nearest, false) });
            }
            // Contact is expected within the tolerance.
            if trail.slope > 0.0 && gap < 0.25 * self.tolerance * trail.slope {
                return Some(self.ended(desk, here, &nearest, true));
            }
            let span = self.next_span(gap, trail.slope).min(end - t);
            let until = (t + span).min(end);
            if until <= t || until.is_nan() {
                return Some(self.ended(desk, here, &nearest, true));
            }
            if desk.spots[ahead].t != until {
                self.place(until, &mut desk.spots[ahead]);
            }
            let (a, spots) = (&desk.a, [&desk.spots[here], &desk.spots[ahead]]);
            let turned = Plane::new(a, trail.simplex.direction(a, &spots[1].b, plane.axis), spots[1]);
            let turning = Turning { spots, planes: [plane, turned] };
            let kept = turning.kept_until(self.acceleration);
            trail.slope = kept.closing;
            if kept.share >= 1.0 {
                if until >= end {
                    return Some(Progress::Free { gap: sound(kept.gap_at_end) });
                }
                (here, ahead) = (ahead, here);
                continue;
            }
            let reached = (t + kept.share * (until - t)).next_down().next_down();
            let advanced = reached - t;
            if advanced <= 0.125 * self.tolerance || advanced.is_nan() {
                return Some(self.ended(desk, here, &nearest, true));
            }
            self.place(reached, &mut desk.spots[spare]);
            (here, spare) = (spare, here);
        }
        // As far as planes led; nothing where not one was looked for.
        Some(if trail.steps == 0 { Progress::Nothing } else { Progress::Until(desk.spots[here].t) })
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
    fn ended(&self, desk: &mut Desk, here: usize, nearest: &Nearest, apart: bool) -> Progress {
        let lo = desk.spots[here].t;
        let hi = lo + 0.5 * self.tolerance;
        if !(hi > lo && hi <= self.leg.end) {
            return Progress::Until(lo);
        }
        let other = (here + 1) % 3;
        self.place(hi, &mut desk.spots[other]);
        let Desk { a, spots, touched } = desk;
        let (now, later) = (&spots[here], &spots[other]);
        let size = now.size.max(later.size);
        let near = 1e-6 * size + 4.0 * self.speed * self.tolerance;
        let at = |mesh: &Mesh, points: &[DVec3], slot: u32| {
            mesh.tree().corners()[slot as usize].map(|v| points[v as usize])
        };
        let is_touched = |[p, q, r]: [DVec3; 3], x: DVec3| {
            let (low, high) = (p.min(q).min(r) - near, p.max(q).max(r) + near);
            let n = (q - p).cross(r - p);
            x.cmpge(low).all() && x.cmple(high).all() && n.dot(x - p).abs() <= near * n.length()
        };
        for (k, points) in [&a[..], &now.b].into_iter().enumerate() {
            let mesh = self.meshes[k];
            let slots = 0..mesh.tree().order().len() as u32;
            touched[k].clear();
            touched[k].extend(slots.filter(|&slot| is_touched(at(mesh, points, slot), nearest.points[k])));
        }
        for &i in &touched[0] {
            for &j in &touched[1] {
                let b = at(self.meshes[1], &later.b, j);
                // The corners are already relative to the origin, which rounds by u of the size, A's as well.
                let error = later.error + 8.0 * U * size;
                let ends = Ends::new(at(self.meshes[0], a, i), [b, b], [error, error], [0.0, 0.0]);
                if ends.meet_at(1) {
                    let points = nearest.points.map(|x| x + self.origin);
                    let plane = apart.then_some(Facing { normal: nearest.direction, points });
                    return Progress::Contact { lo, hi, slots: [i, j], plane };
                }
            }
        }
        Progress::Until(lo)
    }
}

/// What cannot be told is no gap.
fn sound(gap: f64) -> f64 {
    if gap > 0.0 { gap } else { 0.0 }
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
    fn gap(&self, spot: &Spot) -> f64 {
        let low = spot.b.iter().fold(f64::INFINITY, |low, x| low.min(self.axis.dot(*x)));
        self.in_length(low - self.floor)
    }

    /// A height along the axis in units of length, rounded down where it is positive.
    fn in_length(&self, height: f64) -> f64 {
        height / self.length * (1.0 - 4.0 * f64::EPSILON)
    }
}

/// Two planes at the ends of a span: in between the one turns into the other.
struct Turning<'a> {
    spots: [&'a Spot; 2],
    planes: [Plane; 2],
}

/// What planes that turn prove of a span.
struct Kept {
    /// The share of it that is free.
    share: f64,
    /// How fast the gap closes in it.
    closing: f64,
    /// The gap at its end.
    gap_at_end: f64,
}

impl Turning<'_> {
    /// What is proven of the span.
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
    fn kept_until(&self, acceleration: f64) -> Kept {
        let ([here, ahead], [first, last]) = (self.spots, &self.planes);
        let span = (ahead.t - here.t).next_up();
        let turn = last.axis - first.axis;
        let doubt = here.error + ahead.error + 16.0 * U * here.size.max(ahead.size);
        let bend = 0.5 * acceleration * span * span * first.length.max(last.length)
            + turn.abs().element_sum() * doubt
            + f64::MIN_POSITIVE;
        let (mut share, mut lowest) = (1.0_f64, [f64::INFINITY; 2]);
        for (x0, x1) in here.b.iter().zip(&ahead.b) {
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
        let closing = (lowest[0] / first.length - lowest[1] / last.length) / span;
        Kept { share, closing, gap_at_end: last.in_length(lowest[1]) }
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
                let b = (0..4).map(|corner| at(corner, t)).collect();
                Spot { t, b, error: 0.0, size: 5.0 }
            };
            let spots = [spot(0.0), spot(1.0)];
            let planes = [0, 1].map(|end: usize| Plane::new(&a, axes[end], &spots[end]));
            let turning = Turning { spots: [&spots[0], &spots[1]], planes };
            let Kept { share, gap_at_end, .. } = turning.kept_until(acceleration);
            let nearest =
                (0..4).map(|corner| axes[1].normalize().dot(at(corner, 1.0))).fold(f64::INFINITY, f64::min);
            let highest = a.iter().map(|x| axes[1].normalize().dot(*x)).fold(f64::NEG_INFINITY, f64::max);
            assert!(gap_at_end <= nearest - highest + 1e-15, "round {round}");
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
