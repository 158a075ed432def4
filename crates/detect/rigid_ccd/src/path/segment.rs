//! A piece of a path: a motion, and the user's times at which it starts and ends.

use kontakt_answers::Range;
use kontakt_math::motion::{Interpolation, MotionError};
use kontakt_math::{Motion, Pose};

/// A motion that takes its own [0, 1] while the user's time runs from `start` to `end`.
#[derive(Clone, Debug)]
pub struct Segment {
    start: f64,
    end: f64,
    motion: Motion,
}

impl Segment {
    /// A motion between two times, which must be finite, in order, and not so far apart that their difference overflows.
    pub fn new(start: f64, end: f64, motion: Motion) -> Result<Segment, MotionError> {
        if !start.is_finite() {
            return Err(MotionError::BadTime { index: 0, time: start });
        }
        if !(end - start).is_finite() {
            return Err(MotionError::BadTime { index: 1, time: end });
        }
        if end <= start {
            return Err(MotionError::TimesNotIncreasing { index: 1, time: end });
        }
        Ok(Segment { start, end, motion })
    }

    /// The segments between recorded poses at strictly increasing times; one pose alone has none.
    pub fn between(times: &[f64], poses: &[Pose], how: Interpolation) -> Result<Vec<Segment>, MotionError> {
        if times.len() != poses.len() {
            return Err(MotionError::CountMismatch { times: times.len(), poses: poses.len() });
        }
        if times.is_empty() {
            return Err(MotionError::EmptyPath);
        }
        let at = |index: usize| {
            let motion = match how {
                Interpolation::Slerp { pivot } => Motion::slerp(poses[index], poses[index + 1], pivot)?,
                Interpolation::Nlerp { pivot } => Motion::nlerp(poses[index], poses[index + 1], pivot)?,
                Interpolation::Screw => Motion::screw(poses[index], poses[index + 1]),
            };
            Segment::new(times[index], times[index + 1], motion).map_err(|error| match error {
                MotionError::BadTime { index: end, time } => {
                    MotionError::BadTime { index: index + end, time }
                }
                MotionError::TimesNotIncreasing { time, .. } => {
                    MotionError::TimesNotIncreasing { index: index + 1, time }
                }
                other => other,
            })
        };
        (0..times.len() - 1).map(at).collect()
    }

    /// When it starts and ends.
    pub fn times(&self) -> [f64; 2] {
        [self.start, self.end]
    }

    /// How the body moves, over its own [0, 1].
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Whether the motion ends exactly at the pose it says.
    pub(crate) fn ends_exactly(&self) -> bool {
        !matches!(self.motion, Motion::Helix(_) | Motion::Carried(_) | Motion::Law(_))
    }

    /// A width of the user's time as a share of the segment.
    pub(crate) fn share(&self, width: f64) -> f64 {
        width / (self.end - self.start)
    }

    /// The user's time at a share of the segment, to rounding.
    pub(crate) fn time(&self, share: f64) -> f64 {
        (self.start + share * (self.end - self.start)).clamp(self.start, self.end)
    }

    /// The user's times of two shares of the segment, **rounded outward**; 0 and 1 are the ends themselves.
    ///
    /// Proof: the difference of the ends and its product with the share round by u of the difference each, less than 2u·|end − start|
    /// with room for the second order, the sum by half a step of itself. Subtracting 2ε|end − start| rounds by another half step;
    /// two steps cover both also where steps halve.
    pub(crate) fn outward(&self, shares: [f64; 2]) -> Range {
        let whole = self.end - self.start;
        let slack = 2.0 * f64::EPSILON * whole + f64::MIN_POSITIVE;
        let rough = shares.map(|share| self.start + share * whole);
        let lo = match shares[0] {
            share if share >= 1.0 => self.end,
            share if share > 0.0 => (rough[0] - slack).next_down().next_down().clamp(self.start, self.end),
            _ => self.start,
        };
        let hi = match shares[1] {
            share if share >= 1.0 => self.end,
            share if share > 0.0 => (rough[1] + slack).next_up().next_up().clamp(self.start, self.end),
            0.0 => self.start,
            _ => self.end,
        };
        Range::new(lo, hi.max(lo)).unwrap_or(Range::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::DVec3;

    const SLERP: Interpolation = Interpolation::Slerp { pivot: DVec3::ZERO };

    #[test]
    fn times_that_do_not_grow_are_named() {
        let poses = [Pose::IDENTITY; 4];
        let refused = |times: [f64; 4]| Segment::between(&times, &poses, SLERP).unwrap_err();
        assert_eq!(
            refused([0.0, 1.0, 1.0, 2.0]),
            MotionError::TimesNotIncreasing { index: 2, time: 1.0 },
            "repeated"
        );
        assert_eq!(refused([0.0, 2.0, 1.0, 3.0]), MotionError::TimesNotIncreasing { index: 2, time: 1.0 });
        assert!(matches!(refused([0.0, 1.0, f64::NAN, 3.0]), MotionError::BadTime { index: 2, .. }));
        assert!(matches!(refused([-1e308, 1e308, 1.2e308, 1.3e308]), MotionError::BadTime { index: 1, .. }));
        assert_eq!(Segment::between(&[], &[], SLERP).unwrap_err(), MotionError::EmptyPath);
        assert!(Segment::between(&[0.0], &poses, SLERP).is_err());
        assert!(Segment::between(&[3.0], &poses[..1], SLERP).unwrap().is_empty(), "one pose has no segment");
    }

    #[test]
    fn times_are_rounded_outward_and_ends_are_exact() {
        let rest = Motion::Rest(Pose::IDENTITY);
        for [start, end] in [[0.0, 1.0], [1.7e9, 1.7e9 + 0.01], [-3.0, 5.0], [0.1, 0.1_f64.next_up()]] {
            let segment = Segment::new(start, end, rest.clone()).unwrap();
            let whole = segment.outward([0.0, 1.0]);
            assert_eq!([whole.lo(), whole.hi()], [start, end]);
            for share in [1e-300, 1e-9, 0.1, 1.0 / 3.0, 0.5, 1.0 - f64::EPSILON] {
                let range = segment.outward([share, share]);
                assert!(start <= range.lo() && range.lo() <= range.hi() && range.hi() <= end);
                let slack = 8.0 * f64::EPSILON * start.abs().max(end.abs());
                assert!(range.width() <= slack + f64::MIN_POSITIVE, "{range:?}");
                assert!((range.lo()..=range.hi()).contains(&segment.time(share)));
            }
        }
    }
}
