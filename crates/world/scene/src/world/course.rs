//! The way of a group in a step: poses at knots, joined by one law, that can be cut short.

use super::node::WorldError;
use kontakt_math::{DVec3, Interpolation, Motion, MotionError, Pose};
use std::f64::consts::FRAC_PI_2;

/// Most screws that a helix is cut into.
const MOST_SCREWS: f64 = 4096.0;

/// Where a group is at the times 0 to 1. Every pose at a knot is kept as it is: what is proven is proven for these doubles.
#[derive(Clone, Debug)]
pub(super) struct Course {
    way: Way,
    how: Interpolation,
}

#[derive(Clone, Debug)]
enum Way {
    /// Poses at 0 and 1.
    Ends([Pose; 2]),
    /// Poses at knots from 0 to 1.
    Knots { knots: Vec<f64>, poses: Vec<Pose> },
}

impl Course {
    /// The course of a motion. A helix becomes screws of at most a quarter turn; a caller's law has no poses to keep.
    pub(super) fn of(motion: &Motion, name: &str) -> Result<Course, WorldError> {
        let ends = |how: Interpolation| Course { way: Way::Ends([0.0, 1.0].map(|t| motion.pose_at(t))), how };
        Ok(match motion {
            Motion::Rest(_) | Motion::Screw(_) => ends(Interpolation::Screw),
            Motion::Slerp(slerp) => ends(Interpolation::Slerp { pivot: slerp.pivot() }),
            Motion::Nlerp(nlerp) => ends(Interpolation::Nlerp { pivot: nlerp.pivot() }),
            Motion::Path(path) if path.knots().len() > 1 => {
                let (knots, poses) = (path.knots().to_vec(), path.poses().to_vec());
                Course { way: Way::Knots { knots, poses }, how: path.how() }
            }
            Motion::Path(path) => ends(path.how()),
            Motion::Helix(helix) => {
                let pieces = (helix.angle().abs() / FRAC_PI_2).ceil().clamp(1.0, MOST_SCREWS) as u32;
                let knots: Vec<f64> = (0..=pieces).map(|k| f64::from(k) / f64::from(pieces)).collect();
                let poses = knots.iter().map(|&t| motion.pose_at(t)).collect();
                Course { way: Way::Knots { knots, poses }, how: Interpolation::Screw }
            }
            Motion::Carried(_) | Motion::Law(_) => return Err(WorldError::Law { name: name.to_owned() }),
        })
    }

    pub(super) fn start(&self) -> Pose {
        self.poses()[0]
    }

    pub(super) fn end(&self) -> Pose {
        self.poses()[self.poses().len() - 1]
    }

    pub(super) fn poses(&self) -> &[Pose] {
        match &self.way {
            Way::Ends(poses) => poses,
            Way::Knots { poses, .. } => poses,
        }
    }

    fn knots(&self) -> &[f64] {
        match &self.way {
            Way::Ends(_) => &[0.0, 1.0],
            Way::Knots { knots, .. } => knots,
        }
    }

    /// The motion of the group itself.
    pub(super) fn own_motion(&self) -> Result<Motion, MotionError> {
        self.motion(self.poses(), &Pose::IDENTITY)
    }

    /// The motion of a member: `poses` are its own at the knots, `body_from_group` takes the pivot to its frame.
    ///
    /// Members stay rigid to one another but for roundings: they share the knots, the law and the way of the pivot. What is proven is
    /// proven for each member's own motion.
    pub(super) fn motion(&self, poses: &[Pose], body_from_group: &Pose) -> Result<Motion, MotionError> {
        let seen = |pivot: DVec3| body_from_group.apply(pivot);
        let how = match self.how {
            Interpolation::Slerp { pivot } => Interpolation::Slerp { pivot: seen(pivot) },
            Interpolation::Nlerp { pivot } => Interpolation::Nlerp { pivot: seen(pivot) },
            Interpolation::Screw => Interpolation::Screw,
        };
        match (how, poses) {
            (_, [start, end]) if start == end => Ok(Motion::Rest(*start)),
            (Interpolation::Slerp { pivot }, &[start, end]) => Motion::slerp(start, end, pivot),
            (Interpolation::Nlerp { pivot }, &[start, end]) => Motion::nlerp(start, end, pivot),
            (Interpolation::Screw, &[start, end]) => Ok(Motion::screw(start, end)),
            _ => Motion::path(self.knots().to_vec(), poses.to_vec(), how),
        }
    }

    /// The same way up to a time, and rest from there on.
    pub(super) fn stopped_at(&self, t: f64) -> Course {
        let stands = || Course { way: Way::Ends([self.start(); 2]), how: self.how };
        if t >= 1.0 {
            return self.clone();
        }
        let Some(there) = self.own_motion().ok().filter(|_| t > 0.0).map(|motion| motion.pose_at(t)) else {
            return stands();
        };
        let before = self.knots().partition_point(|&knot| knot < t);
        let (mut knots, mut poses) = (self.knots()[..before].to_vec(), self.poses()[..before].to_vec());
        knots.extend([t, 1.0]);
        poses.extend([there, there]);
        Course { way: Way::Knots { knots, poses }, how: self.how }
    }
}
