//! Line-swept sphere, also known as capsule.

use super::Sphere;
use super::swept::{
    self, Framed, candidate_frames, cheapest, frame_along, nearest_of_segments, nearest_on_segment,
};
use crate::bound::{Bound, FitError, Measure, Objective, Parameter, Support, check_points, product};
use crate::min_ball::frame::Frame;
use crate::min_ball::min_ball_of_balls;
use crate::outward::{distance_up, length, product_up, share_along, sum_up, unit_or_zero};
use crate::probe::Point;
use crate::search::sorted;
use crate::separation::certified_gap;
use crate::turn::Turn;
use kontakt_math::round::{dot_up, length_up};
use kontakt_math::{DMat3, DVec3, Pose, U};
use std::f64::consts::PI;

/// Multiples of the least radius about an axis that are tried: a fatter capsule may be a shorter one.
const FATTER: [f64; 6] = [1.0, 1.003, 1.015, 1.06, 1.18, 1.4];

/// All points within `radius` of the segment `start`–`end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lss {
    /// One end of the segment.
    pub start: DVec3,
    /// The other end.
    pub end: DVec3,
    /// Radius, not negative.
    pub radius: f64,
}

impl Lss {
    /// The capsule with finite ends and a finite radius ≥ 0.
    pub fn new(start: DVec3, end: DVec3, radius: f64) -> Result<Lss, FitError> {
        if !start.is_finite() || !end.is_finite() || !radius.is_finite() || radius < 0.0 {
            return Err(FitError::Parameter {
                what: format!(
                    "capsule from {:?} to {:?} with radius {radius:?} is not finite or negative",
                    start.to_array(),
                    end.to_array()
                ),
            });
        }
        Ok(Lss { start, end, radius })
    }

    /// Encloses all points; small by `objective`. The axis comes from a search, so it is good but not proven best.
    pub fn fit_by(points: &[DVec3], objective: Objective) -> Result<Lss, FitError> {
        check_points(points)?;
        // Sorted, so that the order in which the points came cannot change the search.
        let ball = |centre| Sphere { centre, radius: 0.0 };
        let balls: Vec<Sphere> = sorted(points).into_iter().map(ball).collect();
        let fitted = Lss::around(&balls, objective);
        Lss::new(fitted.start, fitted.end, fitted.radius).map_err(|_| FitError::too_large(Lss::NAME))
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Lss = Lss { start: DVec3::ZERO, end: DVec3::ZERO, radius: f64::INFINITY };

    fn or_everything(self) -> Lss {
        let finite = self.start.is_finite() && self.end.is_finite() && self.radius.is_finite();
        if finite { self } else { Lss::EVERYTHING }
    }

    /// Encloses all balls (finite, at least one): each lies in the exact set.
    fn around(balls: &[Sphere], objective: Objective) -> Lss {
        let shape = if let Some(frame) = Frame::around(balls) {
            let inside: Vec<Sphere> = balls.iter().map(|ball| frame.enter(ball)).collect();
            let found = search(&inside, objective);
            Lss { start: frame.leave_point(found.start), end: frame.leave_point(found.end), radius: 0.0 }
        } else {
            // All balls are one point.
            let point = balls.first().map_or(DVec3::ZERO, |ball| ball.centre);
            Lss { start: point, end: point, radius: 0.0 }
        };
        let reach = |ball: &Sphere| sum_up(shape.axis_distance_above(ball.centre), ball.radius);
        Lss { radius: balls.iter().map(reach).fold(0.0, f64::max), ..shape }.or_everything()
    }

    /// **Never less** than the exact distance of the point from the segment.
    ///
    /// Proof: the distance is at most that from W = start + t(end − start) for any t in [0, 1]. The computed w differs from W by at
    /// most u(2t|e| + |w|) in each component (difference, product, sum), for which 4u(|e|t + |w|) leaves room.
    fn axis_distance_above(&self, point: DVec3) -> f64 {
        let along = self.end - self.start;
        let t = share_along(point - self.start, along);
        if t <= 0.0 || along == DVec3::ZERO {
            return distance_up(point, self.start);
        }
        if t >= 1.0 {
            return distance_up(point, self.end);
        }
        let witness = self.start + along * t;
        let error = (along.abs() * t + witness.abs()) * (4.0 * U) + DVec3::splat(f64::from_bits(8));
        let above = sum_up(distance_up(point, witness), length_up(error));
        if above.is_nan() { f64::INFINITY } else { above }
    }

    /// The two balls whose hull this is.
    fn end_balls(&self) -> [Sphere; 2] {
        [self.start, self.end].map(|centre| Sphere { centre, radius: self.radius })
    }

    /// Points from this capsule's axis to the other's, unit to rounding.
    fn way_to(&self, other: &Lss) -> DVec3 {
        let [from, to] = nearest_of_segments([self.start, self.end], [other.start, other.end]);
        unit_or_zero(to - from)
    }
}

/// A small capsule around the balls of about unit size; its radius encloses them to rounding only.
pub(super) fn search(balls: &[Sphere], objective: Objective) -> Lss {
    let axes = |frame: DMat3| [0, 1, 2].map(|axis| frame_along(frame.col(axis)));
    let starts: Vec<DMat3> = candidate_frames(balls).into_iter().flat_map(axes).collect();
    let capsule: Lss = swept::search(balls, &starts, objective);
    // A body as round as a ball is best served by one.
    match min_ball_of_balls(balls) {
        Ok(ball) if ball.sphere.measure().by(objective) <= capsule.measure().by(objective) => {
            Lss { start: ball.sphere.centre, end: ball.sphere.centre, radius: ball.sphere.radius }
        }
        _ => capsule,
    }
}

impl Framed for Lss {
    /// A turn about the third, the capsule's own axis, changes nothing.
    const AXES: usize = 2;

    /// With its axis along the frame's third column, through the centre of the smallest circle of the projections.
    fn in_frame(balls: &[Sphere], frame: &DMat3, objective: Objective) -> Self {
        let (x, y, axis) = (frame.x_axis, frame.y_axis, frame.z_axis);
        let project = |b: &Sphere| Sphere { centre: DVec3::new(x.dot(b.centre), y.dot(b.centre), 0.0), ..*b };
        let flat: Vec<Sphere> = balls.iter().map(project).collect();
        let Ok(circle) = min_ball_of_balls(&flat).map(|found| found.sphere) else {
            return Lss::EVERYTHING;
        };
        let foot = x * circle.centre.x + y * circle.centre.y;
        // Squared distance from the axis, height and radius of each ball.
        let seen: Vec<(f64, f64, f64)> = balls
            .iter()
            .zip(&flat)
            .map(|(ball, flat)| {
                ((flat.centre - circle.centre).length_squared(), axis.dot(ball.centre), ball.radius)
            })
            .collect();
        let with_radius = |radius: f64| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &(off_axis_squared, height, ball_radius) in &seen {
                // A ball inside the round end reaches past the segment's end by at most this.
                let room = radius - ball_radius;
                let slack = (room * room - off_axis_squared).max(0.0).sqrt();
                low = low.min(height + slack);
                high = high.max(height - slack);
            }
            if low > high {
                (low, high) = (0.5 * (low + high), 0.5 * (low + high));
            }
            Lss { start: foot + axis * low, end: foot + axis * high, radius }
        };
        cheapest(FATTER.map(|factor| with_radius(circle.radius * factor)), objective)
    }

    fn overhang(&self, ball: &Sphere) -> f64 {
        let nearest = nearest_on_segment(self.start, self.end, ball.centre);
        (ball.centre - nearest).length() + ball.radius - self.radius
    }
}

impl Support for Lss {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let end = if direction.dot(self.end - self.start) > 0.0 { self.end } else { self.start };
        end + unit_or_zero(direction) * self.radius
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let axis = dot_up(direction, self.start).max(dot_up(direction, self.end));
        let round = product_up(length_up(direction), self.radius);
        sum_up(axis, round)
    }

    fn centre(&self) -> DVec3 {
        self.start * 0.5 + self.end * 0.5
    }
}

impl Bound for Lss {
    const NAME: &'static str = "lss";

    /// Small by volume, see [`Lss::fit_by`].
    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        Lss::fit_by(points, Objective::Volume)
    }

    /// A small capsule around the four end balls, hence around both (capsules are convex).
    fn merge(&self, other: &Self) -> Self {
        let [a, b] = self.end_balls();
        let [c, d] = other.end_balls();
        let inside = |outer: &Lss, balls: [Sphere; 2]| {
            balls
                .iter()
                .all(|ball| sum_up(outer.axis_distance_above(ball.centre), ball.radius) <= outer.radius)
        };
        if self == other || inside(self, [c, d]) {
            *self
        } else if inside(other, [a, b]) {
            *other
        } else {
            Lss::around(&[a, b, c, d], Objective::Volume)
        }
    }

    /// The radius grows by the rounding of the ends, which `Turn` bounds.
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let ((start, start_error), (end, end_error)) = (turn.image(self.start), turn.image(self.end));
        let error = length_up(start_error).max(length_up(end_error));
        Lss { start, end, radius: sum_up(self.radius, error) }.or_everything()
    }

    fn measure(&self) -> Measure {
        let (r, length) = (self.radius, length(self.end - self.start));
        Measure {
            volume: product([PI, r, r, length + 4.0 / 3.0 * r]),
            surface: product([2.0 * PI, r, length + 2.0 * r]),
            diameter: length + 2.0 * r,
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("start", self.start.into()), ("end", self.end.into()), ("radius", self.radius.into())]
    }

    /// Outside only if a plane between point and capsule proves it.
    fn contains(&self, point: DVec3) -> bool {
        let way = unit_or_zero(point - nearest_on_segment(self.start, self.end, point));
        certified_gap(self, &Point(point), way).is_none()
    }

    fn may_overlap(&self, other: &Self) -> bool {
        certified_gap(self, other, self.way_to(other)).is_none()
    }

    fn gap_below(&self, other: &Self) -> f64 {
        certified_gap(self, other, self.way_to(other)).unwrap_or(0.0)
    }
}
