//! Random poses and motions for the tests inside this crate.

use kontakt_math::{DQuat, DVec3, Motion, Pose};

pub(crate) struct Dice(pub(crate) fastrand::Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        let mut signed = || 2.0 * self.0.f64() - 1.0;
        DVec3::new(signed(), signed(), signed())
    }

    pub(crate) fn triangle(&mut self) -> [DVec3; 3] {
        [self.vector(), self.vector(), self.vector()]
    }

    pub(crate) fn pose(&mut self, place: DVec3) -> Pose {
        let (v, w) = (self.vector(), 2.0 * self.0.f64() - 1.0);
        // Of length 1 to rounding only: the direction counts.
        Pose::new(DQuat::from_xyzw(v.x, v.y, v.z, w + 0.01).normalize(), place).expect("finite")
    }

    /// One of five kinds.
    pub(crate) fn motion(&mut self, kind: u32) -> Motion {
        let places = [self.vector() * 2.0, self.vector() * 2.0];
        let (start, end) = (self.pose(places[0]), self.pose(places[1]));
        let pivot = self.vector();
        match kind % 5 {
            0 => Motion::Rest(start),
            1 => Motion::slerp(start, end, pivot).expect("finite"),
            2 => Motion::nlerp(start, end, pivot).expect("finite"),
            3 => Motion::screw(start, end),
            _ => Motion::helix(start, pivot, self.vector(), 5.0, 1.0).expect("finite"),
        }
    }
}
