//! Bodies that fly at each other while they turn: what speed is measured on.

use super::Dice;
use kontakt_math::{DVec3, Motion, Pose};

/// What the flights of a series have in common.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// From where B comes, and whither it goes on the other side.
    pub far: f64,
    /// By how much it is off the middle.
    pub aside: f64,
    /// Whether A moves too.
    pub both: bool,
    /// How a body gets from pose to pose.
    pub between: Between,
}

/// How a body gets from pose to pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Straight, turning evenly.
    Slerp,
    /// Straight, turning by normalised interpolation.
    Nlerp,
    /// About the axis of a screw.
    Screw,
}

impl Between {
    fn motion(self, start: Pose, end: Pose) -> Motion {
        match self {
            Between::Slerp => Motion::slerp(start, end, DVec3::ZERO).expect("finite"),
            Between::Nlerp => Motion::nlerp(start, end, DVec3::ZERO).expect("finite"),
            Between::Screw => Motion::screw(start, end),
        }
    }
}

impl Flight {
    /// Motions of A and B: B flies through the middle, or past it, turning by up to 170°; A moves a little, or rests.
    pub fn motions(self, count: usize, seed: u64) -> Vec<[Motion; 2]> {
        let mut dice = Dice::new(seed);
        let mut one = || {
            let towards = dice.direction();
            let start = towards * self.far + towards.any_orthonormal_vector() * self.aside;
            let pose_b = dice.pose(start);
            let way = -towards * (2.0 * self.far) + dice.vector() * 0.5;
            let end_b = dice.moved(pose_b, way);
            let pose_a = dice.pose(DVec3::ZERO);
            let shift = dice.vector() * 0.5;
            let end_a = dice.moved(pose_a, shift);
            let motion_a = if self.both { self.between.motion(pose_a, end_a) } else { Motion::Rest(pose_a) };
            [motion_a, self.between.motion(pose_b, end_b)]
        };
        (0..count).map(|_| one()).collect()
    }
}
