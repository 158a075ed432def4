//! A small motion of the dragged body.

use kontakt_math::{DQuat, DVec3, Pose};

/// The centre goes by `shift`, the body turns about it by the vector `turn` (radians, in the world).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) shift: DVec3,
    pub(crate) turn: DVec3,
}

impl Step {
    pub(crate) const NONE: Step = Step { shift: DVec3::ZERO, turn: DVec3::ZERO };

    /// From one pose to another by the shorter turn, about a centre in the body's frame.
    pub(crate) fn between(from: &Pose, to: &Pose, centre: DVec3) -> Step {
        let turn = (to.rotation() * from.rotation().conjugate()).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let axis = DVec3::new(turn.x, turn.y, turn.z);
        let sine = axis.length();
        let angle = 2.0 * sine.atan2(turn.w);
        // For small angles the vector part is half the turn.
        let factor = if sine > 1e-9 { angle / sine } else { 2.0 };
        let shift =
            (to.translation() - from.translation()) + (to.rotation() * centre - from.rotation() * centre);
        Step { shift, turn: axis * factor }
    }

    pub(crate) fn scaled(&self, share: f64) -> Step {
        Step { shift: self.shift * share, turn: self.turn * share }
    }

    /// Where a body is after the step; where it was if that is beyond the doubles.
    pub(crate) fn after(&self, from: &Pose, centre: DVec3) -> Pose {
        if self.turn == DVec3::ZERO {
            // The same doubles: a translation is exactly one.
            return Pose::new(from.given_rotation(), from.translation() + self.shift).unwrap_or(*from);
        }
        let rotation = (DQuat::from_scaled_axis(self.turn) * from.rotation()).normalize();
        let at = from.translation() + self.shift + (from.rotation() * centre - rotation * centre);
        Pose::new(rotation, at).unwrap_or(*from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_leads_from_pose_to_pose() {
        let centre = DVec3::new(0.3, -1.0, 2.0);
        let from = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 1.0, DVec3::new(4.0, 5.0, 6.0)).unwrap();
        for angle in [0.0, 1e-12, 0.3, 3.0, -3.1] {
            let to = Pose::from_axis_angle(DVec3::new(1.0, -1.0, 0.4), angle, DVec3::ONE).unwrap();
            let there = Step::between(&from, &to, centre).after(&from, centre);
            assert!(there.apply(centre).distance(to.apply(centre)) < 1e-14 * 20.0);
            assert!(there.apply(DVec3::X).distance(to.apply(DVec3::X)) < 1e-13, "{angle}");
        }
    }
}
