//! Two convex pieces followed through time, as long as planes keep them apart.

// Let n be a unit vector fixed in A's frame and g the gap along it: the least height of B's points above the greatest of A's, less
// the radii. Each point's height differs, at the share λ of a span, by at most λ(1−λ)q from linear, q = max|x″|·span²/2 (see
// `Ends::kept_apart`). The least of sums is not less than the sum of the leasts, so
//   g(λ) ≥ (1−λ)·g(0) + λ·g(1) − λ(1−λ)·q,
// and two support points, one at each end, prove what happens in between, whatever the number of corners or the
// curvature. Radii do not turn: only the core's points bend. Where a motion does not tell how it bends, `Leg::blur_of_b` is taken off.

use super::nearest::{Corners, Found, Near, Scene};
use super::piece::{Piece, Wall};
use crate::budget::Budget;
use crate::leg::{Leg, Relative};
use crate::outcome::Outcome;
use crate::triangles::positive_until;
use kontakt_answers::{Contact, Range};
use kontakt_convex::{Answer, ConvexQuery, Verdict, Want};
use kontakt_math::round::length_up;
use kontakt_math::{Between, DMat3, DQuat, DVec3, Pose, U};

/// How far a direction may be from the best, as a part of the gap.
const LOOSE: f64 = 1e-3;
/// Where the gap of curved pieces is below this part of their sizes, their own query at rest finds the direction.
const CLOSE: f64 = 1e-4;
/// A bound of the length of a normalised vector.
const ONE: f64 = 1.0 + 8.0 * f64::EPSILON;
/// Most planes for one pursuit, as for a pair of triangles: pieces that creep along each other as near as doubles tell are left open.
const MOST_LOOKS: u64 = 10_000;
/// Spans shorter than so many steps of doubles are not divided.
const SHORTEST: f64 = 4.0 * f64::EPSILON;

/// Two pieces on their way. A half-space is A.
pub(crate) struct Pursuit<'a> {
    pub(crate) leg: &'a Leg<'a>,
    pub(crate) a: &'a Piece<'a>,
    pub(crate) b: &'a Piece<'a>,
    pub(crate) tolerance: f64,
    /// A gap not larger ends the pursuit: 0 where contact is to be proven.
    pub(crate) enough: f64,
}

/// How a pursuit ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pursued {
    pub(crate) outcome: Outcome,
    /// Whether the pieces were proven apart where it began.
    pub(crate) began_apart: bool,
}

/// Where two pieces are nearest at a time, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// To rounding.
    pub(crate) near: Near,
    /// **Never less** than their distance.
    distance: f64,
    /// Whether a plane across the direction is proven to be between them.
    proven: bool,
}

/// B seen from A at one time.
#[derive(Clone, Copy, Debug)]
struct Spot {
    t: f64,
    relative: Relative,
}

/// A direction and the gap along it.
#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: DVec3,
    /// Greatest height of A along the normal, its radius included.
    top: f64,
    /// **Never more** than the gap at the spot it was made for.
    gap: f64,
}

impl Pursuit<'_> {
    fn spot(&self, t: f64) -> Spot {
        Spot { t, relative: self.leg.relative(t) }
    }

    /// The way two pieces lie apart; none where they do not seem to.
    fn plane(&self, asker: &mut ConvexQuery, corners: &mut Corners, spot: &Spot) -> Option<Plane> {
        if let Some(wall) = self.a.wall {
            return self.plane_across(wall.normal, spot);
        }
        let scene = Scene { a: self.a, b: self.b, relative: &spot.relative };
        let plane = match scene.nearest(corners, LOOSE) {
            Found::Apart(near) => self.plane_across(near.direction, spot),
            Found::Meeting => None,
        };
        // Of curved pieces the search loses sight of what is near.
        let curved = self.a.is_curved() || self.b.is_curved();
        let close = |plane: Plane| plane.gap <= CLOSE * (self.a.reach + self.b.reach);
        if !curved || plane.is_some_and(|plane| !close(plane)) {
            return plane;
        }
        let other = self.plane_at_rest(asker, spot);
        match (plane, other) {
            (Some(x), Some(y)) => Some(if y.gap > x.gap { y } else { x }),
            (x, y) => x.or(y),
        }
    }

    /// The same by the query at rest, which sees a gap that is hardly more than rounding.
    fn plane_at_rest(&self, asker: &mut ConvexQuery, spot: &Spot) -> Option<Plane> {
        let (answer, _) = self.at_rest(asker, spot, Want::Distance)?;
        self.plane_across(answer.normal, spot)
    }

    /// The plane across a direction, if it keeps the pieces apart.
    fn plane_across(&self, direction: DVec3, spot: &Spot) -> Option<Plane> {
        let normal = direction.try_normalize()?;
        let top = match self.a.wall {
            Some(wall) => wall.offset,
            None => normal.dot(self.a.farthest(normal)),
        };
        let mut plane = Plane { normal, top: top + self.a.round[1] + self.b.round[1], gap: 0.0 };
        plane.gap = self.gap(&plane, spot);
        // Also for NaN.
        (plane.gap > 0.0).then_some(plane)
    }

    /// The query at rest for the pieces at a rounded place, in A's frame, and **never too small** how far that place is from the
    /// exact one.
    ///
    /// B is placed by the pose nearest to the rounded map; how far their turns differ is computed, off by the pose's own
    /// matrix, less than 64 units in the last place, and a few more.
    fn at_rest(&self, asker: &mut ConvexQuery, spot: &Spot, want: Want) -> Option<(Answer, f64)> {
        let (a, b) = (self.a.placed()?, self.b.placed()?);
        let turn = spot.relative.turn * b.1.matrix();
        let place = spot.relative.b_in_a(b.1.translation());
        let pose = Pose::new(DQuat::from_mat3(&turn).normalize(), place).ok()?;
        let answer = asker.convex(&a.0, &b.0, &Between::new(a.1, pose), want);
        let error = norm_of(pose.matrix() - turn) + 128.0 * f64::EPSILON;
        let error =
            error * self.b.reach + self.a.error + self.b.error + spot.relative.error_within(self.b.far);
        Some((answer, error * (1.0 + 1e-9)))
    }

    /// **Never more** than the gap along a plane's normal at a time.
    ///
    /// Proof, for |n| = 1 up to 8ε. The greatest height of A is off by A's error. B's farthest point against n is looked for
    /// along −Rᵀn as rounded, off by τ + 6u with τ the error of the turn; with the exact turn another point may be
    /// farther, by no more than twice that times |x|; then the point's place is off by B's error and `error_within`, which is
    /// at least (τ + 24u)|x|. Heights round by 3u of their size, sums by u each; radii count |n| times.
    fn gap(&self, plane: &Plane, spot: &Spot) -> f64 {
        let lowest = self.b.farthest(spot.relative.turn.transpose() * -plane.normal);
        let place = spot.relative.b_in_a(lowest);
        let radii = self.a.round[1] + self.b.round[1];
        let size = place.abs().element_sum() + plane.top.abs() + self.a.far + radii;
        let wall = self.a.wall.map_or(0.0, |wall| wall.doubt(place));
        let error = (self.a.error + self.b.error + 3.0 * spot.relative.error_within(self.b.far) + wall) * ONE;
        plane.normal.dot(place) - plane.top - error - 32.0 * U * size - f64::MIN_POSITIVE
    }

    /// From one time to another, as long as the budget lasts; `looks` counts planes.
    ///
    /// Never late: `here` only moves to where the pieces are proven apart on the way.
    pub(crate) fn follow(
        &self,
        asker: &mut ConvexQuery,
        [from, until]: [f64; 2],
        budget: &mut Budget,
        looks: &mut u64,
    ) -> Pursued {
        let mut corners = Corners::default();
        let (mut here, mut ahead) = (self.spot(from), None);
        let first = here.relative;
        let bend = self.leg.bend_of_b(self.b.centre, self.b.radius, &first, (until - from).next_up());
        let speed = self.leg.speed(self.b.centre, self.b.radius, &first);
        let mut pace = Pace { speed, acceleration: bend.acceleration, slope: 0.0, span: until - from };
        let (mut began_apart, mut tried) = (false, f64::NEG_INFINITY);
        let open = |lo: f64| Outcome::Open { lo, hi: until };
        if self.b.wall.is_some() {
            // Two half-spaces: nothing is known of their far parts.
            return Pursued { outcome: open(from), began_apart };
        }
        let most = *looks + MOST_LOOKS;
        let outcome = loop {
            let t = here.t;
            if budget.is_spent() || *looks >= most {
                break open(t);
            }
            budget.spend(1);
            *looks += 1;
            let plane = match self.plane(asker, &mut corners, &here) {
                Some(plane) => plane,
                None => match self.ended(asker, [t, until], began_apart, &corners) {
                    ended @ Outcome::Open { .. } => match self.plane_at_rest(asker, &here) {
                        Some(plane) => plane,
                        None => break ended,
                    },
                    ended => break ended,
                },
            };
            began_apart = true;
            if t >= until {
                break Outcome::Free;
            }
            if plane.gap <= self.enough {
                break open(t);
            }
            // Contact is expected within the tolerance.
            let soon = pace.slope > 0.0 && plane.gap < 0.25 * self.tolerance * pace.slope;
            if soon && t - tried > 0.25 * self.tolerance {
                tried = t;
                if let Some(contact) = self.contact_after(asker, [t, until], &corners) {
                    break contact;
                }
            }
            let to = (t + pace.next(plane.gap)).min(until);
            if to <= t || to.is_nan() {
                break self.ended(asker, [t, until], began_apart, &corners);
            }
            let end = ahead.filter(|spot: &Spot| spot.t == to).unwrap_or_else(|| self.spot(to));
            let share = self.kept(&plane, &here, &end, &mut pace);
            if share >= 1.0 {
                here = end;
                continue;
            }
            ahead = Some(end);
            let reached = (t + share * (to - t)).next_down().next_down();
            let advanced = reached - t;
            let stuck = advanced <= SHORTEST * to || advanced.is_nan();
            if (advanced <= 0.125 * self.tolerance || stuck) && t - tried > 0.25 * self.tolerance {
                tried = t;
                if let Some(contact) = self.contact_after(asker, [t, until], &corners) {
                    break contact;
                }
            }
            // Only for many turns.
            if bend.is_bounded_only(0.0625 * (until - t))
                && let Some(spot) = self.leap(&here, until, advanced)
            {
                here = spot;
                continue;
            }
            if stuck {
                if pace.shorten() {
                    continue;
                }
                break self.ended(asker, [t, until], began_apart, &corners);
            }
            here = self.spot(reached);
        };
        Pursued { outcome, began_apart }
    }

    /// The share of a span that a plane proves free; tells the pace how the gap closes.
    fn kept(&self, plane: &Plane, here: &Spot, end: &Spot, pace: &mut Pace) -> f64 {
        let span = (end.t - here.t).next_up();
        let blur = self.leg.blur_of_b(self.b.centre, self.b.radius, &here.relative, [here.t, end.t]) * ONE;
        let q = 0.5 * pace.acceleration * span * span * (1.0 + 32.0 * f64::EPSILON);
        let at_end = self.gap(plane, end);
        let share = positive_until(plane.gap - blur, at_end - blur, q);
        pace.learn(span, share, (plane.gap - at_end) / span);
        share
    }

    /// A later time before which two balls are proven apart by the orbit of one about the other: for many turns, where planes
    /// lead nowhere.
    fn leap(&self, here: &Spot, until: f64, advanced: f64) -> Option<Spot> {
        if self.a.wall.is_some() {
            return None;
        }
        let grown = |piece: &Piece| (piece.centre, (piece.radius + piece.round[1]) * ONE);
        let whole = until - here.t;
        for share in [1.0, 0.125] {
            if share * whole < 4.0 * advanced {
                break;
            }
            let spot = self.spot(if share == 1.0 { until } else { here.t + share * whole });
            if self.leg.orbits_apart(grown(self.a), grown(self.b), &[here.relative, spot.relative]) {
                return Some(spot);
            }
        }
        None
    }

    /// Whether the pieces are proven to meet at a time.
    fn meet_at(&self, asker: &mut ConvexQuery, t: f64, corners: &Corners) -> bool {
        let spot = self.spot(t);
        if let Some(wall) = self.a.wall {
            // The lowest point of B is certainly below the plane.
            let lowest = self.b.farthest(spot.relative.turn.transpose() * -wall.normal);
            let place = spot.relative.b_in_a(lowest);
            let size = place.abs().element_sum() + wall.offset.abs() + self.a.round[1] + self.b.round[1];
            let own = self.b.error + spot.relative.error_within(self.b.far) + 32.0 * U * size;
            let (error, height) = (own + wall.doubt(place), wall.normal.dot(place) - wall.offset);
            return height + error * ONE < self.a.round[0] + self.b.round[0];
        }
        if (Scene { a: self.a, b: self.b, relative: &spot.relative }).proves_contact(&mut corners.clone()) {
            return true;
        }
        // MovingMesh points by no more than an error changes the depth by no more than that.
        let answer = self.at_rest(asker, &spot, Want::Contact);
        answer.is_some_and(|(answer, error)| {
            answer.verdict == Verdict::Overlapping && answer.separation.hi() < -error
        })
    }

    /// A contact proven within the tolerance after a time until which all is free.
    pub(crate) fn contact_soon(&self, asker: &mut ConvexQuery, span: [f64; 2]) -> Option<Outcome> {
        self.contact_after(asker, span, &Corners::default())
    }

    fn contact_after(
        &self,
        asker: &mut ConvexQuery,
        [lo, until]: [f64; 2],
        corners: &Corners,
    ) -> Option<Outcome> {
        if self.enough > 0.0 || self.b.wall.is_some() {
            return None;
        }
        for share in [0.5, 0.98] {
            let hi = (lo + share * self.tolerance).min(until);
            if self.meet_at(asker, hi, corners) {
                return Some(Outcome::Contact { lo, hi: hi.max(lo) });
            }
            if hi >= until {
                break;
            }
        }
        None
    }

    /// Where planes end: contact is to be proven within the tolerance, or the rest is open.
    fn ended(
        &self,
        asker: &mut ConvexQuery,
        [lo, until]: [f64; 2],
        began_apart: bool,
        corners: &Corners,
    ) -> Outcome {
        if began_apart && let Some(contact) = self.contact_after(asker, [lo, until], corners) {
            return contact;
        }
        Outcome::Open { lo, hi: until }
    }

    /// Where the pieces are nearest at a time until which they are proven apart: points and normal in the world, to rounding; the
    /// depth, minus their distance then, is certified.
    /// Also whether a plane across the normal is **proven** to be between them.
    pub(crate) fn contact_at(&self, asker: &mut ConvexQuery, t: f64) -> Option<(Contact, bool)> {
        let Nearest { near, distance, proven } = self.nearest_at(asker, t)?;
        let world = self.leg.a.at(t);
        let [point_a, point_b] = near.points.map(|x| world.turn * x + world.shift);
        let contact = Contact {
            point_a,
            point_b,
            normal: world.turn * near.direction,
            depth: Range::new(-distance.max(0.0), 0.0).unwrap_or(Range::ZERO),
            feature_a: None,
            feature_b: None,
        };
        Some((contact, proven))
    }

    /// Nearest points of the pieces and direction at a time.
    pub(crate) fn nearest_at(&self, asker: &mut ConvexQuery, t: f64) -> Option<Nearest> {
        let spot = self.spot(t);
        if let Some(wall) = self.a.wall {
            let Wall { normal: direction, offset, .. } = wall;
            let low = spot.relative.b_in_a(self.b.farthest(spot.relative.turn.transpose() * -direction));
            let height = direction.dot(low) - offset;
            let [own, other] = [self.a.round[1], self.b.round[1]];
            let points = [low - direction * (height - own), low - direction * other];
            let size = low.abs().element_sum() + offset.abs() + own + other;
            let doubt = wall.doubt(low) + self.b.error + spot.relative.error_within(self.b.far);
            let most = height - self.a.round[0] - self.b.round[0] + (doubt + 32.0 * U * size) * ONE;
            return Some(Nearest { near: Near { direction, points }, distance: most, proven: true });
        }
        if let Some(found) = self.plainly_near(&spot) {
            return Some(found);
        }
        let (answer, error) = self.at_rest(asker, &spot, Want::Contact)?;
        let near = Near { direction: answer.normal, points: [answer.point_a, answer.point_b] };
        Some(Nearest { near, distance: answer.separation.hi() + error * ONE, proven: false })
    }

    /// The same for polytopes that the search in doubles finds apart, and a plane across its direction proves to be.
    fn plainly_near(&self, spot: &Spot) -> Option<Nearest> {
        if self.a.is_curved() || self.b.is_curved() {
            return None;
        }
        let scene = Scene { a: self.a, b: self.b, relative: &spot.relative };
        [1e-6, LOOSE].into_iter().find_map(|loose| {
            let Found::Apart(near) = scene.nearest(&mut Corners::default(), loose) else { return None };
            self.plane_across(near.direction, spot)?;
            let radii = [self.a.round[1], self.b.round[1]];
            let size = self.a.far + self.b.far + length_up(near.points[0]) + length_up(near.points[1]);
            let between = length_up(near.points[1] - near.points[0]) - self.a.round[0] - self.b.round[0];
            let most = between + (scene.error() + 64.0 * U * (size + radii[0] + radii[1])) * ONE;
            let points =
                [near.points[0] + near.direction * radii[0], near.points[1] - near.direction * radii[1]];
            Some(Nearest { near: Near { points, ..near }, distance: most, proven: true })
        })
    }

    /// **Never less** than the distance of any point of A from any of B at a time.
    pub(crate) fn spread(&self, t: f64) -> f64 {
        let spot = self.spot(t);
        let between = length_up(spot.relative.b_in_a(self.b.centre) - self.a.centre);
        (between
            + self.a.radius
            + self.b.radius
            + self.a.round[1]
            + self.b.round[1]
            + spot.relative.error_within(self.b.far))
            * ONE
    }

    /// **Never more** than the gap along a direction of A's frame at a time, and 0 where it is not positive.
    pub(crate) fn gap_along(&self, direction: DVec3, t: f64) -> f64 {
        self.plane_across(direction, &self.spot(t)).map_or(0.0, |plane| plane.gap)
    }

    /// **Never too small**: q of the proof above for a span; for motions that tell how they bend.
    pub(crate) fn bend_between(&self, from: f64, to: f64) -> f64 {
        let (span, first) = ((to - from).next_up(), self.leg.relative(from));
        let bend = self.leg.bend_of_b(self.b.centre, self.b.radius, &first, span).acceleration;
        0.5 * bend * span * span * (1.0 + 1e-9)
    }
}

/// **Never less** than the norm of a matrix.
fn norm_of(m: DMat3) -> f64 {
    length_up(DVec3::from_array([m.x_axis, m.y_axis, m.z_axis].map(length_up)))
}

/// How long the next span should be.
#[derive(Clone, Copy, Debug)]
struct Pace {
    speed: f64,
    acceleration: f64,
    /// How fast the gap closed last.
    slope: f64,
    /// The last span, or what is left of it that was proven free, with a little more.
    span: f64,
}

impl Pace {
    /// A span in which the gap is expected to close, not so long that ways bend much.
    fn next(&self, gap: f64) -> f64 {
        if !self.speed.is_finite() {
            return self.span;
        }
        // Dividing by nothing gives infinity: the whole leg. No `clamp`, which does not take NaN.
        let by_speed = 2.0 * gap / self.speed;
        let by_bend = (gap / self.acceleration).sqrt();
        if self.slope > 0.0 {
            (1.25 * gap / self.slope).max(by_speed).min(by_speed.max(4.0 * by_bend))
        } else {
            by_speed.max(by_bend)
        }
    }

    fn learn(&mut self, span: f64, share: f64, slope: f64) {
        self.slope = slope;
        self.span = if share >= 1.0 { 2.0 * span } else { (2.0 * share).clamp(0.125, 1.0) * span };
    }

    /// Tries a shorter span, where motions do not tell how they bend.
    fn shorten(&mut self) -> bool {
        self.span *= 0.25;
        !self.speed.is_finite() && self.span > 1e-13
    }
}
