//! Motions of several things on one clock.

use kontakt_math::{Interpolation, Motion, MotionError, Pose};

/// Poses of something in the world at growing times.
#[derive(Clone, Debug)]
pub struct Track {
    /// When.
    pub times: Vec<f64>,
    /// Where.
    pub poses: Vec<Pose>,
    /// How from one to the next.
    pub how: Interpolation,
}

/// From the first time of any track to the last of any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline {
    start: f64,
    end: f64,
}

impl Timeline {
    /// The clock of some tracks; `None` where there is no time at all, or more than doubles hold.
    pub fn around<'a>(tracks: impl IntoIterator<Item = &'a Track>) -> Option<Timeline> {
        let (mut start, mut end) = (f64::INFINITY, f64::NEG_INFINITY);
        for track in tracks {
            start = track.times.iter().copied().fold(start, f64::min);
            end = track.times.iter().copied().fold(end, f64::max);
        }
        (start < end && (end - start).is_finite()).then_some(Timeline { start, end })
    }

    /// The time at a share of the whole, rounded.
    pub fn at(&self, share: f64) -> f64 {
        if share >= 1.0 { self.end } else { self.start + share * (self.end - self.start) }
    }

    /// The whole motion of a track: before its first time and after its last it rests.
    pub fn motion(&self, track: &Track) -> Result<Motion, MotionError> {
        let (mut times, mut poses) = (track.times.clone(), track.poses.clone());
        if let (Some(&time), Some(&pose)) = (times.first(), poses.first())
            && time > self.start
        {
            times.insert(0, self.start);
            poses.insert(0, pose);
        }
        if let (Some(&time), Some(&pose)) = (times.last(), poses.last())
            && time < self.end
        {
            times.push(self.end);
            poses.push(pose);
        }
        Motion::path(times, poses, track.how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::{DQuat, DVec3};

    #[test]
    fn a_track_rests_before_and_after_itself() {
        let at = |x: f64| Pose::new(DQuat::IDENTITY, DVec3::X * x).unwrap();
        let track = |times: [f64; 2], to: f64| Track {
            times: times.into(),
            poses: vec![at(0.0), at(to)],
            how: Interpolation::Screw,
        };
        let [early, late] = [track([0.0, 2.0], 1.0), track([3.0, 4.0], 5.0)];
        let clock = Timeline::around([&early, &late]).unwrap();
        assert_eq!((clock.at(0.0), clock.at(0.25), clock.at(1.0)), (0.0, 1.0, 4.0));
        let x = |track: &Track, share: f64| clock.motion(track).unwrap().pose_at(share).translation().x;
        assert_eq!([x(&early, 0.25), x(&early, 0.5), x(&early, 1.0)], [0.5, 1.0, 1.0]);
        assert_eq!([x(&late, 0.0), x(&late, 0.75), x(&late, 0.875), x(&late, 1.0)], [0.0, 0.0, 2.5, 5.0]);
        assert!(Timeline::around([]).is_none());
    }
}
