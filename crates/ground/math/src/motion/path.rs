//! A recorded path: poses at given times, joined piece by piece.

use super::error::MotionError;
use super::law::{MotionLaw, clamped_time, ordered_span, sound_bound, sound_radius};
use super::norm_bound::{product_up, sum_up};
use super::{Nlerp, Screw, Slerp};
use crate::{Interval, IntervalPose, IntervalVector, Pose};
use glam::DVec3;

/// How a path goes from one recorded pose to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interpolation {
    /// Pivot (body coordinates) straight, orientation by slerp.
    Slerp {
        /// The point that goes straight.
        pivot: DVec3,
    },
    /// Pivot (body coordinates) straight, orientation by normalised blend.
    Nlerp {
        /// The point that goes straight.
        pivot: DVec3,
    },
    /// The screw between the two poses.
    Screw,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "plain data that is copied; behind a box every place would cost one more step"
)]
enum Piece {
    Slerp(Slerp),
    Nlerp(Nlerp),
    Screw(Screw),
}

impl Piece {
    fn new(start: Pose, end: Pose, how: Interpolation) -> Result<Piece, MotionError> {
        Ok(match how {
            Interpolation::Slerp { pivot } => Piece::Slerp(Slerp::new(start, end, pivot)?),
            Interpolation::Nlerp { pivot } => Piece::Nlerp(Nlerp::new(start, end, pivot)?),
            Interpolation::Screw => Piece::Screw(Screw::new(start, end)),
        })
    }

    fn law(&self) -> &dyn MotionLaw {
        match self {
            Piece::Slerp(piece) => piece,
            Piece::Nlerp(piece) => piece,
            Piece::Screw(piece) => piece,
        }
    }

    fn enclosure(&self, t: Interval) -> IntervalPose {
        match self {
            Piece::Slerp(piece) => piece.enclosure(t),
            Piece::Nlerp(piece) => piece.enclosure(t),
            Piece::Screw(piece) => piece.enclosure(t),
        }
    }
}

/// Poses at strictly increasing times. Its t runs over [0, 1] in proportion to the recorded times; the *knots* are
/// those times divided by the whole span and rounded, and are exact by definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    times: Vec<f64>,
    poses: Vec<Pose>,
    knots: Vec<f64>,
    pieces: Vec<Piece>,
    how: Interpolation,
}

impl Path {
    /// From recorded times and poses; one pose alone is a body at rest.
    pub fn new(times: Vec<f64>, poses: Vec<Pose>, how: Interpolation) -> Result<Path, MotionError> {
        if times.len() != poses.len() {
            return Err(MotionError::CountMismatch { times: times.len(), poses: poses.len() });
        }
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return Err(MotionError::EmptyPath);
        };
        for (index, &time) in times.iter().enumerate() {
            if !(time - first).is_finite() {
                return Err(MotionError::BadTime { index, time });
            }
            if index > 0 && time <= times[index - 1] {
                return Err(MotionError::TimesNotIncreasing { index, time });
            }
        }
        let span = last - first;
        let mut knots = Vec::with_capacity(times.len());
        for (index, &time) in times.iter().enumerate() {
            let knot = if index == 0 { 0.0 } else { ((time - first) / span).min(1.0) };
            if knots.last().is_some_and(|&before| knot <= before) {
                return Err(MotionError::TimesNotIncreasing { index, time });
            }
            knots.push(knot);
        }
        let pieces =
            poses.windows(2).map(|pair| Piece::new(pair[0], pair[1], how)).collect::<Result<_, _>>()?;
        Ok(Path { times, poses, knots, pieces, how })
    }

    /// The recorded times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The recorded poses.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The recorded times mapped to [0, 1].
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// How it goes from pose to pose.
    pub fn how(&self) -> Interpolation {
        self.how
    }

    /// The motion between recorded poses `index` and `index + 1`, over its own [0, 1].
    pub fn segment(&self, index: usize) -> Option<super::Motion> {
        self.pieces.get(index).map(|piece| match *piece {
            Piece::Slerp(piece) => super::Motion::Slerp(piece),
            Piece::Nlerp(piece) => super::Motion::Nlerp(piece),
            Piece::Screw(piece) => super::Motion::Screw(piece),
        })
    }

    /// Recorded time at t, rounded.
    pub fn time_at(&self, t: f64) -> f64 {
        let t = clamped_time(t);
        let first = self.times.first().copied().unwrap_or(0.0);
        let last = self.times.last().copied().unwrap_or(0.0);
        if t == 1.0 { last } else { (first + t * (last - first)).min(last) }
    }

    /// Index of the piece that holds `t`, and the pieces' own time there, enclosed; none for a body at rest.
    fn locate(&self, t: f64) -> Option<(usize, Interval)> {
        let after = self.knots.partition_point(|&knot| knot <= t);
        let index = after.saturating_sub(1).min(self.pieces.len().checked_sub(1)?);
        Some((index, self.local_time(index, t)))
    }

    /// (t − knot)/(next − knot) within [0, 1].
    fn local_time(&self, index: usize, t: f64) -> Interval {
        let [start, end, t] = [self.knots[index], self.knots[index + 1], t].map(Interval::point);
        ((t - start) / (end - start)).intersect(Interval::new(0.0, 1.0))
    }

    /// Bound for the part of [t0, t1] that lies in one piece.
    fn piece_bound(&self, index: usize, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let from = if t0 <= self.knots[index] { 0.0 } else { self.local_time(index, t0).lo() };
        let to = if t1 >= self.knots[index + 1] { 1.0 } else { self.local_time(index, t1).hi() };
        self.pieces[index].law().displacement_bound(centre, radius, from, to)
    }

    /// Never less than the distance between a ball point's places at two recorded poses.
    ///
    /// |(P−Q)(c + y)| ≤ |P(c) − Q(c)| + ‖R(P) − R(Q)‖·r, and the norm of a difference of rotations is at most 2.
    fn knot_distance(&self, i: usize, j: usize, centre: DVec3, radius: f64) -> f64 {
        let body = IntervalVector::point(centre);
        let place = |k: usize| IntervalPose::point(&self.poses[k]).apply(body);
        let apart = (place(i) - place(j)).length().hi();
        sum_up(apart, product_up(2.0, radius))
    }
}

impl MotionLaw for Path {
    fn pose_at(&self, t: f64) -> Pose {
        let t = clamped_time(t);
        match self.locate(t) {
            Some((index, _)) if t == self.knots[index] => self.poses[index],
            Some((index, _)) if t == self.knots[index + 1] => self.poses[index + 1],
            Some((index, local)) => self.pieces[index].law().pose_at(local.middle()),
            None => self.poses.first().copied().unwrap_or(Pose::IDENTITY),
        }
    }

    /// The lesser of two bounds: the pieces' bounds added up, and twice the farthest distance from the pose in the
    /// middle of the span (a path that comes back does not go as far as it is long). Linear in the pieces spanned.
    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let radius = sound_radius(radius);
        let (Some((first, _)), Some((last, _))) = (self.locate(t0), self.locate(t1)) else { return 0.0 };
        if t0 == t1 {
            return 0.0;
        }
        if first == last {
            return sound_bound(self.piece_bound(first, centre, radius, t0, t1));
        }
        let reference = first.midpoint(last) + 1;
        let (mut sum, mut farthest) = (0.0, 0.0_f64);
        for index in first..=last {
            let bound = self.piece_bound(index, centre, radius, t0, t1);
            // A piece hangs on the knot that is nearer to the reference and inside the span.
            let knot = if index < reference { index + 1 } else { index };
            let away =
                if knot == reference { 0.0 } else { self.knot_distance(knot, reference, centre, radius) };
            farthest = farthest.max(sound_bound(sum_up(away, bound)));
            sum = sum_up(sum, bound);
        }
        sound_bound(sum.min(2.0 * farthest))
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        let t = clamped_time(t);
        match self.locate(t) {
            Some((index, _)) if t == self.knots[index] => IntervalPose::point(&self.poses[index]),
            Some((index, _)) if t == self.knots[index + 1] => IntervalPose::point(&self.poses[index + 1]),
            Some((index, local)) => self.pieces[index].enclosure(local),
            None => IntervalPose::point(&self.poses.first().copied().unwrap_or(Pose::IDENTITY)),
        }
    }
}
