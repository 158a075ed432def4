//! Rectangle-swept sphere.

use super::swept::{self, Framed, candidate_frames, cheapest, cost, inner_nearest_of_segments, nearer};
use super::{Sphere, lss};
use crate::bound::{Bound, FitError, Measure, Objective, Parameter, Support, check_points, product};
use crate::min_ball::frame::Frame;
use crate::outward::{distance_up, length, product_up, share_along, sum_up, unit_or_zero};
use crate::probe::Point;
use crate::search::sorted;
use crate::separation::certified_gap;
use crate::turn::Turn;
use kontakt_math::round::{dot_up, length_up};
use kontakt_math::{DMat3, DVec3, Pose, U};
use std::f64::consts::PI;

/// Multiples of half the thickness that are tried as radius: a fatter volume may need a smaller rectangle.
/// (How far a site may lie beside it depends on the radius by a square root, so small steps matter.)
const FATTER: [f64; 5] = [1.0, 1.003, 1.015, 1.06, 1.2];

/// All points within `radius` of the rectangle {centre + s·`half_u` + t·`half_v` : |s|, |t| ≤ 1}.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rss {
    /// Centre of the rectangle.
    pub centre: DVec3,
    /// Half of one edge.
    pub half_u: DVec3,
    /// Half of the other edge, at right angles to the first, to rounding.
    pub half_v: DVec3,
    /// Radius, not negative.
    pub radius: f64,
}

impl Rss {
    /// The volume with finite vectors, edges at right angles (cosine within 1e-9) and a finite radius ≥ 0.
    pub fn new(centre: DVec3, half_u: DVec3, half_v: DVec3, radius: f64) -> Result<Rss, FitError> {
        let finite = centre.is_finite() && half_u.is_finite() && half_v.is_finite() && radius.is_finite();
        if !finite || radius < 0.0 {
            return Err(FitError::Parameter {
                what: format!(
                    "swept rectangle at {:?} with radius {radius:?} is not finite or negative",
                    centre.to_array()
                ),
            });
        }
        let cosine = unit_or_zero(half_u).dot(unit_or_zero(half_v));
        if cosine.abs() > 1e-9 {
            return Err(FitError::Parameter {
                what: format!("edges {half_u} and {half_v} of a swept rectangle have cosine {cosine}, not 0"),
            });
        }
        Ok(Rss { centre, half_u, half_v, radius })
    }

    /// Encloses all points; small by `objective`. The frame comes from a search, so it is good but not proven best.
    pub fn fit_by(points: &[DVec3], objective: Objective) -> Result<Rss, FitError> {
        check_points(points)?;
        // Sorted, so that the order in which the points came cannot change the search.
        let ball = |centre| Sphere { centre, radius: 0.0 };
        let balls: Vec<Sphere> = sorted(points).into_iter().map(ball).collect();
        let fitted = Rss::around(&balls, objective);
        if fitted == Rss::EVERYTHING {
            return Err(FitError::too_large(Rss::NAME));
        }
        Rss::new(fitted.centre, fitted.half_u, fitted.half_v, fitted.radius)
    }

    /// Encloses all balls (finite, at least one): each lies in the exact set.
    fn around(balls: &[Sphere], objective: Objective) -> Rss {
        let shape = if let Some(frame) = Frame::around(balls) {
            let inside: Vec<Sphere> = balls.iter().map(|ball| frame.enter(ball)).collect();
            let found = search(&inside, objective);
            Rss {
                centre: frame.leave_point(found.centre),
                half_u: frame.leave_vector(found.half_u),
                half_v: frame.leave_vector(found.half_v),
                radius: 0.0,
            }
        } else {
            // All balls are one point.
            let centre = balls.first().map_or(DVec3::ZERO, |ball| ball.centre);
            Rss { centre, half_u: DVec3::ZERO, half_v: DVec3::ZERO, radius: 0.0 }
        };
        let reach = |ball: &Sphere| sum_up(shape.core_distance_above(ball.centre), ball.radius);
        Rss { radius: balls.iter().map(reach).fold(0.0, f64::max), ..shape }.or_everything()
    }

    /// Coordinates in [−1, 1]² of the rectangle's point nearest to `point`, to rounding.
    fn nearest_parameters(&self, point: DVec3) -> (f64, f64) {
        let offset = point - self.centre;
        let clamp = |half| share_along(offset, half).clamp(-1.0, 1.0);
        (clamp(self.half_u), clamp(self.half_v))
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Rss =
        Rss { centre: DVec3::ZERO, half_u: DVec3::ZERO, half_v: DVec3::ZERO, radius: f64::INFINITY };

    fn or_everything(self) -> Rss {
        let finite = [self.centre, self.half_u, self.half_v].into_iter().all(DVec3::is_finite);
        if finite && self.radius.is_finite() { self } else { Rss::EVERYTHING }
    }

    fn at(&self, s: f64, t: f64) -> DVec3 {
        self.centre + (self.half_u * s + self.half_v * t)
    }

    /// **Never less** than the exact distance of the point from the rectangle.
    ///
    /// Proof: the distance is at most that from W = centre + s·u + t·v for any |s|, |t| ≤ 1. Each component of the computed w is off by at most
    /// u(2|s·u| + 2|t·v| + |w|) (two products, two sums), for which 4u(|s·u| + |t·v| + |w|) leaves room.
    fn core_distance_above(&self, point: DVec3) -> f64 {
        let (s, t) = self.nearest_parameters(point);
        let (along_u, along_v) = (self.half_u * s, self.half_v * t);
        if along_u == DVec3::ZERO && along_v == DVec3::ZERO {
            return distance_up(point, self.centre);
        }
        let witness = self.at(s, t);
        let size = along_u.abs() + along_v.abs() + witness.abs();
        let error = size * (4.0 * U) + DVec3::splat(f64::from_bits(8));
        let above = sum_up(distance_up(point, witness), length_up(error));
        if above.is_nan() { f64::INFINITY } else { above }
    }

    /// Corners of the rectangle in cyclic order, to rounding.
    fn corners(&self) -> [DVec3; 4] {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(s, t)| self.at(s, t))
    }

    /// Balls whose hull encloses this volume: at the rounded corners, grown by their rounding (as above, |s| = |t| = 1).
    fn corner_balls(&self) -> [Sphere; 4] {
        self.corners().map(|centre| {
            let size = self.half_u.abs() + self.half_v.abs() + centre.abs();
            let exact = self.half_u == DVec3::ZERO && self.half_v == DVec3::ZERO;
            let error =
                if exact { 0.0 } else { length_up(size * (4.0 * U) + DVec3::splat(f64::from_bits(8))) };
            Sphere { centre, radius: sum_up(self.radius, error) }
        })
    }

    /// Points from this rectangle to the other, unit to rounding. Disjoint rectangles are nearest in a corner of one or in an edge
    /// of each; for rectangles that meet the direction means nothing, and then it proves nothing.
    fn way_to(&self, other: &Rss) -> DVec3 {
        let (a, b) = (self.corners(), other.corners());
        let mut best = [a[0], b[0]];
        for corner in a {
            let (s, t) = other.nearest_parameters(corner);
            best = nearer(best, [corner, other.at(s, t)]);
        }
        for corner in b {
            let (s, t) = self.nearest_parameters(corner);
            best = nearer(best, [self.at(s, t), corner]);
        }
        for i in 0..4 {
            for j in 0..4 {
                let edges = ([a[i], a[(i + 1) % 4]], [b[j], b[(j + 1) % 4]]);
                best = nearer(best, inner_nearest_of_segments(edges.0, edges.1));
            }
        }
        unit_or_zero(best[1] - best[0])
    }
}

/// A small volume around the balls of about unit size; its radius encloses them to rounding only.
fn search(balls: &[Sphere], objective: Objective) -> Rss {
    let normals = |frame: DMat3| {
        [0, 1, 2].map(|n| DMat3::from_cols(frame.col((n + 1) % 3), frame.col((n + 2) % 3), frame.col(n)))
    };
    let starts: Vec<DMat3> = candidate_frames(balls).into_iter().flat_map(normals).collect();
    let swept: Rss = swept::search(balls, &starts, objective);
    // A capsule, or a ball, is a rectangle without width.
    let capsule = lss::search(balls, objective);
    let line = Rss {
        centre: capsule.centre(),
        half_u: 0.5 * (capsule.end - capsule.start),
        half_v: DVec3::ZERO,
        radius: capsule.radius,
    };
    if cost(&line.measure(), objective) <= cost(&swept.measure(), objective) { line } else { swept }
}

impl Framed for Rss {
    const AXES: usize = 3;

    /// With its rectangle along the frame's first two columns.
    fn in_frame(balls: &[Sphere], frame: &DMat3, objective: Objective) -> Self {
        let back = frame.transpose();
        let seen: Vec<Sphere> =
            balls.iter().map(|ball| Sphere { centre: back * ball.centre, ..*ball }).collect();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for ball in &seen {
            low = low.min(ball.centre.z - ball.radius);
            high = high.max(ball.centre.z + ball.radius);
        }
        let middle = 0.5 * (low + high);
        let thickness = (high - low).max(0.0);
        let with = |[u, v]: [[f64; 2]; 2], radius: f64| Rss {
            centre: *frame * DVec3::new(0.5 * (u[0] + u[1]), 0.5 * (v[0] + v[1]), middle),
            half_u: frame.x_axis * (0.5 * (u[1] - u[0])),
            half_v: frame.y_axis * (0.5 * (v[1] - v[0])),
            radius,
        };
        let volumes = FATTER.map(|factor| {
            let radius = 0.5 * thickness * factor;
            with(widened(&seen, middle, radius, sides(&seen, middle, radius)), radius)
        });
        cheapest(volumes, objective)
    }

    fn overhang(&self, ball: &Sphere) -> f64 {
        let (s, t) = self.nearest_parameters(ball.centre);
        (ball.centre - self.at(s, t)).length() + ball.radius - self.radius
    }
}

/// How far a ball's centre may lie beside the rectangle at height `middle` with this radius.
fn slack(ball: &Sphere, middle: f64, radius: f64) -> f64 {
    let (room, height) = (radius - ball.radius, ball.centre.z - middle);
    (room * room - height * height).max(0.0).sqrt()
}

/// Intervals of u and v of the smallest rectangle that has all balls within `radius` but for those beyond a corner.
fn sides(balls: &[Sphere], middle: f64, radius: f64) -> [[f64; 2]; 2] {
    let mut sides = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for ball in balls {
        let slack = slack(ball, middle, radius);
        for (side, at) in sides.iter_mut().zip([ball.centre.x, ball.centre.y]) {
            *side = [side[0].min(at + slack), side[1].max(at - slack)];
        }
    }
    sides.map(|side| if side[0] > side[1] { [0.5 * (side[0] + side[1]); 2] } else { side })
}

/// How far a ball's centre lies beside the rectangle, in u and in v.
fn beyond(ball: &Sphere, sides: &[[f64; 2]; 2]) -> [f64; 2] {
    let at = [ball.centre.x, ball.centre.y];
    std::array::from_fn(|k| at[k] - at[k].clamp(sides[k][0], sides[k][1]))
}

/// The rectangle widened so that the balls beyond its corners are within `radius`, too: corners move straight
/// towards them.
fn widened(balls: &[Sphere], middle: f64, radius: f64, mut sides: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    for ball in balls {
        let slack = slack(ball, middle, radius);
        let beyond = beyond(ball, &sides);
        let distance = beyond[0].hypot(beyond[1]);
        if distance > slack {
            for (side, beyond) in sides.iter_mut().zip(beyond) {
                let move_by = beyond * (1.0 - slack / distance);
                side[usize::from(move_by > 0.0)] += move_by;
            }
        }
    }
    sides
}

impl Support for Rss {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let sign = |half: DVec3| if direction.dot(half) < 0.0 { -1.0 } else { 1.0 };
        self.at(sign(self.half_u), sign(self.half_v)) + unit_or_zero(direction) * self.radius
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let extent = |half: DVec3| {
            if half == DVec3::ZERO { 0.0 } else { dot_up(direction, half).max(dot_up(-direction, half)) }
        };
        let round = product_up(length_up(direction), self.radius);
        let flat = sum_up(extent(self.half_u), extent(self.half_v));
        sum_up(sum_up(dot_up(direction, self.centre), flat), round)
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }
}

impl Bound for Rss {
    const NAME: &'static str = "rss";

    /// Small by volume, see [`Rss::fit_by`].
    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        Rss::fit_by(points, Objective::Volume)
    }

    /// A small volume around the eight corner balls, hence around both (the volumes are convex).
    fn merge(&self, other: &Self) -> Self {
        let inside = |outer: &Rss, balls: &[Sphere; 4]| {
            balls
                .iter()
                .all(|ball| sum_up(outer.core_distance_above(ball.centre), ball.radius) <= outer.radius)
        };
        let (mine, theirs) = (self.corner_balls(), other.corner_balls());
        if self == other || inside(self, &theirs) {
            *self
        } else if inside(other, &mine) {
            *other
        } else {
            let balls: Vec<Sphere> = mine.into_iter().chain(theirs).collect();
            Rss::around(&balls, Objective::Volume)
        }
    }

    /// The radius grows by the rounding of centre and edges, which `Turn` bounds.
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let turn_only = Turn { translation: DVec3::ZERO, ..turn };
        let (centre, centre_error) = turn.image(self.centre);
        let ((half_u, u_error), (half_v, v_error)) =
            (turn_only.image(self.half_u), turn_only.image(self.half_v));
        let error = [centre_error, u_error, v_error].into_iter().map(length_up).fold(0.0, sum_up);
        Rss { centre, half_u, half_v, radius: sum_up(self.radius, error) }.or_everything()
    }

    /// By Steiner's formula for a flat rectangle with edges a, b: 2ab·r + π(a+b)r² + 4/3·πr³ and its derivative in r.
    fn measure(&self) -> Measure {
        let (a, b, r) = (2.0 * length(self.half_u), 2.0 * length(self.half_v), self.radius);
        Measure {
            volume: product([2.0, a, b, r]) + product([PI, r, r, a + b + 4.0 / 3.0 * r]),
            surface: product([2.0, a, b]) + product([2.0 * PI, r, a + b + 2.0 * r]),
            diameter: a.hypot(b) + 2.0 * r,
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("centre", self.centre.into()),
            ("half_u", self.half_u.into()),
            ("half_v", self.half_v.into()),
            ("radius", self.radius.into()),
        ]
    }

    /// Outside only if a plane between point and volume proves it.
    fn contains(&self, point: DVec3) -> bool {
        let (s, t) = self.nearest_parameters(point);
        let way = unit_or_zero(point - self.at(s, t));
        certified_gap(self, &Point(point), way).is_none()
    }

    fn may_overlap(&self, other: &Self) -> bool {
        certified_gap(self, other, self.way_to(other)).is_none()
    }

    fn gap_below(&self, other: &Self) -> f64 {
        certified_gap(self, other, self.way_to(other)).unwrap_or(0.0)
    }
}
