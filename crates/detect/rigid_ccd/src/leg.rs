//! Both motions over a stretch of time in which both are smooth: B seen from A, and how much its points' ways bend.

#[cfg(test)]
mod tests;

use crate::course::{Course, UP};
use kontakt_math::motion::StraightPoint;
use kontakt_math::round::length_up;
use kontakt_math::{DMat3, DVec3, U};
use kontakt_mesh::face::distance;

/// A's frame from B's at one time, x ↦ turn·x + shift, with certified errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    pub(crate) turn: DMat3,
    pub(crate) shift: DVec3,
    /// **Never too small**: an image computed as turn·x + shift is off by at most `turn_error`·|x| + `shift_error`.
    turn_error: f64,
    shift_error: f64,
}

impl Relative {
    /// A point of B in A's frame, rounded.
    #[inline]
    pub(crate) fn b_in_a(&self, x: DVec3) -> DVec3 {
        self.turn * x + self.shift
    }

    /// A point of A in B's frame, rounded.
    #[inline]
    pub(crate) fn a_in_b(&self, x: DVec3) -> DVec3 {
        self.turn.transpose() * (x - self.shift)
    }

    /// **Never too small**: error of [`b_in_a`](Self::b_in_a) for points with |x| ≤ `farthest`, and of
    /// [`a_in_b`](Self::a_in_b) for points with |x − shift| ≤ `farthest`.
    #[inline]
    pub(crate) fn error_within(&self, farthest: f64) -> f64 {
        (farthest * self.turn_error + self.shift_error) * UP
    }
}

/// How the points of a ball move in the other body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    /// **Never too small**: acceleration.
    pub(crate) acceleration: f64,
    /// **Never too small**: how far a point can be from where it would be between its places at two times.
    most: f64,
}

impl Bend {
    /// Whether the span is so long that the bow is no more than a bound of the whole orbit.
    pub(crate) fn is_bounded_only(&self, span: f64) -> bool {
        self.acceleration * (span * span) * 0.125 > self.most
    }

    /// **Never too small**: distance of a point from where it would be if it went straight at constant speed between its places
    /// at two times `span` apart.
    ///
    /// Proof: linear interpolation of f over a span h errs by at most h²/8·max|f″| (for a vector: apply it to the component
    /// along the error).
    pub(crate) fn bow(&self, span: f64) -> f64 {
        (self.acceleration * (span * span) * 0.125 * UP).min(self.most)
    }
}

/// Both motions from `start` to `end`.
#[derive(Clone, Debug)]
pub(crate) struct Leg<'m> {
    pub(crate) a: Course<'m>,
    pub(crate) b: Course<'m>,
    pub(crate) start: f64,
    pub(crate) end: f64,
    anchor_a: Anchor,
    anchor_b: Anchor,
    /// Points that go straight.
    straight: [Option<StraightPoint>; 2],
}

/// All points within a distance of a segment.
struct Orbit {
    places: [DVec3; 2],
    reach: f64,
}

impl Orbit {
    /// The point of the segment nearest to another, to rounding.
    fn nearest_to(&self, x: DVec3) -> DVec3 {
        let way = self.places[1] - self.places[0];
        let along = (x - self.places[0]).dot(way) / way.length_squared();
        self.places[0] + way * if along.is_nan() { 0.0 } else { along.clamp(0.0, 1.0) }
    }

    /// Whether a plane across `direction` **proves** the hull of some points, grown by a radius, to be out of reach.
    ///
    /// Any direction gives a proof; that of the gap gives the best. Heights round by a few units in the last place of all sizes,
    /// which 10⁻¹² of them covers; squares of larger sizes would overflow, and infinity is no proof.
    fn clears(&self, points: &[DVec3], direction: DVec3, radius: f64) -> bool {
        let Some(n) = direction.try_normalize() else { return false };
        let size = points.iter().chain(&self.places).fold(0.0, |size, x| size + length_up(*x));
        let top = n.dot(self.places[0]).max(n.dot(self.places[1]));
        let bottom = points.iter().fold(f64::INFINITY, |low, x| low.min(n.dot(*x)));
        size < 1e150 && bottom - top > (self.reach + radius + 1e-12 * size) * UP
    }
}

/// The point of a body that its turning is reckoned about.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    point: DVec3,
    speed: f64,
    acceleration: f64,
}

impl Anchor {
    fn of(course: &Course, origin: DVec3) -> Anchor {
        let point = course.anchor(origin);
        Anchor { point, speed: course.speed(point, 0.0), acceleration: course.acceleration(point, 0.0) }
    }
}

impl<'m> Leg<'m> {
    /// Both courses between two times; `origin_a` and `origin_b` lie on or near the bodies.
    pub(crate) fn new(a: Course<'m>, b: Course<'m>, [start, end]: [f64; 2], origins: [DVec3; 2]) -> Leg<'m> {
        let (anchor_a, anchor_b) = (Anchor::of(&a, origins[0]), Anchor::of(&b, origins[1]));
        let straight = [a.straight_point(), b.straight_point()];
        Leg { a, b, start, end, anchor_a, anchor_b, straight }
    }

    /// B seen from A at a time.
    ///
    /// Errors: with both rotations known to α and β the product is off by their sum and its own rounding, 9u in norm;
    /// turn·x rounds by 6u|x|, the last sum by u(|x| + |shift|). The shift, Aᵀ·d with A's rotation and d the difference of the images of the
    /// origins: α·|d|, the errors of both images, u·|d| of the difference, 6u·|d| of the product.
    /// Second-order terms and the bound's own rounding are in 24u instead of 16u and 10u instead of 7u. Going back:
    /// turnᵀ·(x − shift) has the errors of shift, the product, and u·|x − shift| of the difference: the same.
    pub(crate) fn relative(&self, t: f64) -> Relative {
        let (a, b) = (self.a.at(t), self.b.at(t));
        let back = a.turn.transpose();
        let d = b.shift - a.shift;
        let size = d.abs().element_sum();
        Relative {
            turn: back * b.turn,
            shift: back * d,
            turn_error: a.turn_error + b.turn_error + 24.0 * U,
            shift_error: (a.turn_error + 12.0 * U) * size
                + (a.shift_error + b.shift_error) * UP
                + f64::MIN_POSITIVE,
        }
    }

    /// Where points of B (or of A, for `of_a`) stay at all times between those of `ends`, in the other body's frame; none
    /// where that body turns, or no point of theirs goes straight.
    ///
    /// Proof: seen from the body that keeps its orientation that point p goes straight from its first to its last place, up to its
    /// error; the others are never farther from it than |x − p|, which `arm` tells for all of them.
    fn orbit(&self, of_a: bool, arm: impl Fn(DVec3) -> f64, ends: &[Relative; 2]) -> Option<Orbit> {
        let (viewer, p) = if of_a { (&self.b, self.straight[0]?) } else { (&self.a, self.straight[1]?) };
        if !viewer.is_straight() {
            return None;
        }
        let far =
            |end: &Relative| if of_a { length_up(p.point - end.shift) * UP } else { length_up(p.point) };
        let error = |end: &Relative| end.error_within(far(end));
        let places = ends.map(|end| if of_a { end.a_in_b(p.point) } else { end.b_in_a(p.point) });
        Some(Orbit { places, reach: arm(p.point) + p.error + error(&ends[0]).max(error(&ends[1])) })
    }

    /// Whether a ball of A and a ball of B are **proven apart** at all times between those of `ends` because one body keeps its
    /// orientation and the other's ball stays within its lever of the straight way of a point.
    pub(crate) fn orbits_apart(
        &self,
        ball_a: (DVec3, f64),
        ball_b: (DVec3, f64),
        ends: &[Relative; 2],
    ) -> bool {
        let clears = |of_a: bool, (middle, spread): (DVec3, f64), (centre, radius): (DVec3, f64)| {
            let orbit = self.orbit(of_a, |p| length_up(p - middle) * UP + spread, ends);
            orbit.map(|orbit| orbit.clears(&[centre], centre - orbit.nearest_to(centre), radius))
        };
        clears(false, ball_b, ball_a).or_else(|| clears(true, ball_a, ball_b)).unwrap_or(false)
    }

    /// The same for triangles of A and of B instead of the balls around them, each in its body's frame.
    pub(crate) fn orbits_miss(&self, a: [DVec3; 3], b: [DVec3; 3], ends: &[Relative; 2]) -> bool {
        let clears = |of_a: bool, one: [DVec3; 3], other: [DVec3; 3]| {
            // A triangle's farthest point from another is a corner.
            let arm = |p: DVec3| one.iter().fold(0.0_f64, |far, x| far.max(length_up(*x - p) * UP));
            let orbit = self.orbit(of_a, arm, ends)?;
            let near = distance(other, [orbit.places[0], orbit.places[1], orbit.places[1]]);
            Some(orbit.clears(&other, near.point_a - near.point_b, 0.0))
        };
        clears(false, b, a).or_else(|| clears(true, a, b)).unwrap_or(false)
    }

    /// About how fast points of a ball of B move in A's frame at the time of `relative`; not less but for rounding.
    pub(crate) fn speed(&self, centre: DVec3, radius: f64, relative: &Relative) -> f64 {
        let away = length_up(relative.b_in_a(centre) - self.anchor_a.point) + radius;
        self.b.speed(centre, radius) + self.anchor_a.speed + self.a.turn * away
    }

    /// About how a point of B moves in A's frame at a time, by a difference over a short span within the leg.
    pub(crate) fn velocity(&self, point: DVec3, t: f64) -> DVec3 {
        let span = 1e-4 * (self.end - self.start);
        let late = (t + span).min(self.end);
        let early = if late - t < 0.5 * span { (t - span).max(self.start) } else { t };
        let [from, to] = [early, late].map(|t| self.relative(t).b_in_a(point));
        (to - from) / (late - early)
    }

    /// Whether both motions tell how they bend.
    pub(crate) fn is_smooth(&self) -> bool {
        self.a.is_smooth() && self.b.is_smooth()
    }

    /// **Never too small**: how far points of a ball of B may be, in A's frame, from where they would be between their places at two
    /// times, beside their bend: 0 where motions tell how they bend.
    ///
    /// Proof: |x(s) − (1−λ)x(t₀) − λx(t₁)| ≤ (1−λ)|x(s) − x(t₀)| + λ|x(s) − x(t₁)|, at most the largest distance D of two places. From
    /// the time s to r a point X of B and the point y of A that is at the same place at s part by |X(s) − X(r)| + |y(s) − y(r)|,
    /// and y is within B's displacement of the ball as seen at the first time.
    pub(crate) fn blur_of_b(&self, centre: DVec3, radius: f64, first: &Relative, span: [f64; 2]) -> f64 {
        if self.is_smooth() {
            return 0.0;
        }
        let own = self.b.displacement(centre, radius, span);
        let error = first.error_within(length_up(centre));
        sound((own + self.a.displacement(first.b_in_a(centre), (radius + own + error) * UP, span)) * UP)
    }

    /// The same for points of A in B's frame.
    pub(crate) fn blur_of_a(&self, centre: DVec3, radius: f64, first: &Relative, span: [f64; 2]) -> f64 {
        if self.is_smooth() {
            return 0.0;
        }
        let own = self.a.displacement(centre, radius, span);
        let error = first.error_within(length_up(centre - first.shift) * UP);
        sound((own + self.b.displacement(first.a_in_b(centre), (radius + own + error) * UP, span)) * UP)
    }

    /// How points of a ball of B move in A's frame during `span` after the time of `relative`.
    pub(crate) fn bend_of_b(&self, centre: DVec3, radius: f64, relative: &Relative, span: f64) -> Bend {
        let seen = relative.b_in_a(centre);
        let away = length_up(seen - self.anchor_a.point) + relative.error_within(length_up(centre));
        bend((&self.b, centre, radius), (&self.a, &self.anchor_a), away, span)
    }

    /// How points of a ball of A move in B's frame during `span` after the time of `relative`.
    pub(crate) fn bend_of_a(&self, centre: DVec3, radius: f64, relative: &Relative, span: f64) -> Bend {
        let seen = relative.a_in_b(centre);
        let error = relative.error_within(length_up(centre - relative.shift) * UP);
        let away = length_up(seen - self.anchor_b.point) + error;
        bend((&self.a, centre, radius), (&self.b, &self.anchor_b), away, span)
    }
}

/// Points of a ball of one body, seen from another.
///
/// Proof: the viewer's frame turns by R with angular velocity ω about its anchor c. A point at X in the world is at
/// Rᵀ·y + const with y = X − c, and (Rᵀy)″ = Rᵀ(y″ − 2ω×y′ + ω×(ω×y) − ω′×y), of length at most
/// |X″| + |c″| + 2|ω||y′| + (|ω|² + |ω′|)|y|, with |y′| ≤ |X′| + |c′| and |y| at most its value at the beginning (`away`, the
/// centre's distance from the anchor, and the ball's radius) and |y′| times the span.
/// A point never leaves the ball of radius max|y| about the anchor (or, seen from a frame that does not turn, that of its lever
/// about a straight way), and both it and the place between two places are in it: twice that is the most they differ.
fn bend(
    (body, centre, radius): (&Course, DVec3, f64),
    (viewer, anchor): (&Course, &Anchor),
    away: f64,
    span: f64,
) -> Bend {
    if !(body.is_smooth() && viewer.is_smooth()) {
        // Their blur says all.
        return Bend { acceleration: 0.0, most: 0.0 };
    }
    let own = body.acceleration(centre, radius);
    let sum = own + anchor.acceleration;
    if viewer.is_straight() {
        let most = if anchor.acceleration == 0.0 { 2.0 * body.lever(own) * UP } else { f64::INFINITY };
        return Bend { acceleration: sum * UP, most: sound(most) };
    }
    let speed = body.speed(centre, radius) + anchor.speed;
    let far = (away + radius + speed * span) * UP;
    let turn = viewer.turn;
    let acceleration = sum + 2.0 * turn * speed + (turn * turn + viewer.turn_change) * far;
    Bend { acceleration: sound(acceleration * UP), most: sound(2.0 * far * UP) }
}

/// NaN becomes infinity: no bound.
fn sound(bound: f64) -> f64 {
    if bound.is_nan() { f64::INFINITY } else { bound }
}
