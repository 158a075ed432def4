//! A simple motion of bodies from where they are: a straight shift, a turn, or both at once.

use crate::timeline::Track;
use kontakt_math::motion::{Interpolation, MotionError};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_rigid_ccd::path::Segment;
use std::f64::consts::FRAC_PI_2;
use thiserror::Error;

/// A turn about an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Its direction, of any length.
    pub axis: DVec3,
    /// A point of the axis.
    pub through: DVec3,
    /// How far, in radians, counter-clockwise where the axis points at the eye.
    pub angle_rad: f64,
}

/// Where bodies go from where they are: a shift and a turn at constant speed, both at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The whole shift.
    pub shift: DVec3,
    /// The turn, if there is one.
    pub turn: Option<Turn>,
}

/// Why a way leads nowhere.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WayError {
    /// Neither a shift nor a turn.
    #[error("the way is of length 0: nothing moves")]
    Nowhere,
    /// An axis of length 0.
    #[error("the axis of the turn has no direction")]
    NoAxis,
    /// Farther than doubles reach.
    #[error("the way is too long to be followed")]
    TooFar,
    /// Not a motion.
    #[error("the way cannot be followed: {0}")]
    Motion(#[from] MotionError),
}

impl Way {
    /// A straight shift.
    pub fn straight(shift: DVec3) -> Way {
        Way { shift, turn: None }
    }

    /// The motion in pieces that turn by a quarter at most, as a shorter turn is the only one that poses can tell. Time is the way: the
    /// length of the shift, or degrees where there is only a turn.
    pub fn segments(&self) -> Result<Vec<Segment>, WayError> {
        let whole = self.length()?;
        let (shares, poses) = self.poses()?;
        let times: Vec<f64> = shares.iter().map(|share| share * whole).collect();
        Ok(Segment::between(&times, &poses, Interpolation::Slerp { pivot: self.pivot() })?)
    }

    /// The same motion of something that is at a pose where it begins, over the times given.
    pub fn track(&self, start: Pose, times: [f64; 2]) -> Result<Track, WayError> {
        self.length()?;
        let (shares, poses) = self.poses()?;
        let pivot = start.inverse().apply(self.pivot());
        Ok(Track {
            times: shares.iter().map(|share| times[0] + share * (times[1] - times[0])).collect(),
            poses: poses.iter().map(|pose| pose.then_from(&start)).collect(),
            how: Interpolation::Slerp { pivot },
        })
    }

    /// The length of the shift, or degrees where there is only a turn.
    fn length(&self) -> Result<f64, WayError> {
        let angle = self.turn.map_or(0.0, |turn| turn.angle_rad);
        let length = self.shift.length();
        let whole = if length > 0.0 { length } else { angle.abs().to_degrees() };
        if whole == 0.0 {
            return Err(WayError::Nowhere);
        }
        if !whole.is_finite() {
            return Err(WayError::TooFar);
        }
        Ok(whole)
    }

    /// The point that goes straight.
    fn pivot(&self) -> DVec3 {
        self.turn.map_or(DVec3::ZERO, |turn| turn.through)
    }

    /// Shares of the way, and where it leads what begins in the world's frame.
    fn poses(&self) -> Result<(Vec<f64>, Vec<Pose>), WayError> {
        let axis = match self.turn {
            Some(turn) => turn.axis.try_normalize().ok_or(WayError::NoAxis)?,
            None => DVec3::Z,
        };
        let angle = self.turn.map_or(0.0, |turn| turn.angle_rad);
        let pieces = (angle.abs() / FRAC_PI_2).ceil().max(1.0);
        let shares: Vec<f64> = (0..=pieces as u32).map(|k| f64::from(k) / pieces).collect();
        let poses = shares.iter().map(|share| self.pose(axis, self.pivot(), *share));
        let poses = poses.collect::<Result<Vec<_>, _>>()?;
        Ok((shares, poses))
    }

    /// The pose after a share of the way: the axis goes along with the shift.
    fn pose(&self, axis: DVec3, pivot: DVec3, share: f64) -> Result<Pose, WayError> {
        let angle = self.turn.map_or(0.0, |turn| turn.angle_rad);
        let rotation =
            if angle == 0.0 { DQuat::IDENTITY } else { DQuat::from_axis_angle(axis, angle * share) };
        let at = self.shift * share + (pivot - rotation * pivot);
        Pose::new(rotation, at).map_err(|_| WayError::TooFar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_shift_is_one_piece_and_time_is_its_length() {
        let segments = Way::straight(DVec3::new(0.0, 3.0, 4.0)).segments().unwrap();
        let [segment] = &segments[..] else { panic!("{segments:?}") };
        assert_eq!(segment.times(), [0.0, 5.0]);
        assert_eq!(segment.motion().pose_at(1.0).translation(), DVec3::new(0.0, 3.0, 4.0));
        assert_eq!(segment.motion().pose_at(0.0), Pose::IDENTITY);
    }

    #[test]
    fn a_turn_goes_all_the_way_round_its_axis() {
        let turn = Turn { axis: DVec3::Z * 7.0, through: DVec3::X, angle_rad: -1.5 * PI };
        let segments = Way { shift: DVec3::ZERO, turn: Some(turn) }.segments().unwrap();
        assert_eq!(segments.len(), 3);
        assert!((segments[2].times()[1] - 270.0).abs() < 1e-12);
        // The origin goes round (1, 0, 0), from the left of it by three quarters clockwise: up, right, down.
        let ends = segments.iter().map(|segment| segment.motion().pose_at(1.0).apply(DVec3::ZERO));
        let expected = [DVec3::new(1.0, 1.0, 0.0), DVec3::new(2.0, 0.0, 0.0), DVec3::new(1.0, -1.0, 0.0)];
        for (at, expected) in ends.zip(expected) {
            assert!(at.distance(expected) < 1e-12, "{at} {expected}");
        }
    }

    #[test]
    fn what_leads_nowhere_is_refused() {
        assert_eq!(Way::straight(DVec3::ZERO).segments().unwrap_err(), WayError::Nowhere);
        assert_eq!(Way::straight(DVec3::splat(1e308)).segments().unwrap_err(), WayError::TooFar);
        let turn = Turn { axis: DVec3::ZERO, through: DVec3::ZERO, angle_rad: 1.0 };
        assert_eq!(Way { shift: DVec3::X, turn: Some(turn) }.segments().unwrap_err(), WayError::NoAxis);
    }
}
