//! Recorded motions: a hand that turns a part out of its bayonet, pulls it and carries it away, as lists of poses.

use super::bay::{Part, unusable};
use super::lamp::{BULB, COVER};
use crate::command::study::hand::{eased, unsteady};
use crate::failure::Failure;
use kontakt::math::{DQuat, DVec3, Interpolation, Motion, Pose};

/// How many poses each stretch gets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub(super) turn: u32,
    pub(super) pull: u32,
    pub(super) away: u32,
}

/// How a part is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// Turned out of its bayonet, pulled, carried away below the sheet.
    Careful,
    /// Turned and pulled, then jerked on outward: through the sheet, if nobody stops it.
    Hasty,
    /// Pulled without being turned.
    Forcing,
}

/// The poses of a part in the world.
pub(super) fn poses(part: Part, hand: Hand, steps: Steps) -> Result<Vec<Pose>, Failure> {
    let scale = part.lamp().scale;
    let turn = if part.is_cover() { COVER.turn } else { BULB.turn };
    // So high that the lower end is above the rim; the sheet leaves some 12 mm above the bulb's upper end.
    let height = scale * if part.is_cover() { 32.0 } else { 101.0 };
    let stretch = |count: u32| (1..=count).map(move |i| eased(f64::from(i) / f64::from(count)));
    // Angle, height and way carried.
    let mut way = vec![[0.0; 3]];
    if hand != Hand::Forcing {
        way.extend(stretch(steps.turn).map(|s| [-turn * s, 0.0, 0.0]));
    }
    let angle = if hand == Hand::Forcing { 0.0 } else { -turn };
    way.extend(stretch(steps.pull).map(|s| [angle, height * s, 0.0]));
    way.extend(match hand {
        Hand::Careful => stretch(steps.away).map(|s| [angle, height, s]).collect(),
        Hand::Hasty => jerk(steps.away, scale * 34.0).map(|z| [angle, height + z, 0.0]).collect::<Vec<_>>(),
        Hand::Forcing => Vec::new(),
    });
    let count = way.len().max(2) - 1;
    way.iter()
        .enumerate()
        .map(|(i, &[angle, height, carried])| {
            let shake = unsteady(i as f64 / count as f64);
            let local = Pose::new(
                DQuat::from_scaled_axis(shake * 3e-4) * DQuat::from_rotation_z(angle),
                DVec3::Z * height + shake * (0.03 * scale),
            );
            let aside = if part.is_auxiliary() {
                DVec3::new(-150.0, 20.0, 10.0)
            } else {
                DVec3::new(-4.0, 170.0, -2.0)
            };
            let tilt = DQuat::from_axis_angle(DVec3::new(0.8, 0.6, 0.0), -0.35 * carried * carried);
            let local = part.place().then_from(&local.map_err(unusable)?);
            Pose::new(tilt * local.rotation(), local.translation() + aside * carried).map_err(unusable)
        })
        .collect()
}

/// A hand that holds still and then jerks outward by `most` in one step, again and again.
fn jerk(steps: u32, most: f64) -> impl Iterator<Item = f64> {
    let every = (steps / 4).max(2);
    let mut height = 10.0;
    (0..steps).map(move |i| {
        height += if i % every == every - 1 { most } else { 0.01 };
        height
    })
}

/// The motions between successive poses: the part's origin goes straight, its orientation turns evenly.
pub(super) fn motions(poses: &[Pose]) -> Result<Vec<Motion>, Failure> {
    poses.windows(2).map(|ends| Motion::slerp(ends[0], ends[1], DVec3::ZERO).map_err(unusable)).collect()
}

/// All of it as one motion over [0, 1].
pub(super) fn whole(poses: &[Pose]) -> Result<Motion, Failure> {
    let times = (0..poses.len()).map(|i| i as f64).collect();
    Motion::path(times, poses.to_vec(), Interpolation::Slerp { pivot: DVec3::ZERO }).map_err(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::study::motion::bay::{SHEET, SHEET_THICKNESS};

    #[test]
    fn the_hasty_hand_jumps_over_the_sheet() {
        let poses = poses(Part::Cover, Hand::Hasty, Steps { turn: 4, pull: 4, away: 12 }).unwrap();
        // The cover reaches from 12 below its origin to 14 above it.
        let over = |pose: &Pose| pose.translation().z - 12.0 > SHEET + SHEET_THICKNESS + 0.5;
        let under = |pose: &Pose| pose.translation().z + 14.0 < SHEET - 0.5;
        assert!(
            poses.iter().all(|pose| over(pose) || under(pose)),
            "{:?}",
            poses.iter().map(|p| p.translation().z).collect::<Vec<_>>()
        );
        assert!(poses.iter().any(over) && poses.iter().any(under));
    }
}
