//! Generated steps of small bodies, of the kinds at which approximate methods fail.

use super::bay::{mesh, unusable};
use super::lathe::block;
use crate::failure::Failure;
use kontakt::answers::Impact;
use kontakt::math::{DQuat, DVec3, Motion, Pose};
use kontakt::mesh::Mesh;
use kontakt::rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};
use kontakt::shapes::make;

/// A kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// As recorded from a hand: short, turning little, near contact.
    Short,
    /// Long ways with turns of up to 170°.
    Turning,
    /// Passing by where contact just begins or just ends, by 1e-1 to 1e-7.
    Grazing,
    /// A small block through a thin plate.
    Tunnelling,
    /// Turning on the spot.
    Spinning,
}

impl Family {
    pub(super) const ALL: [Family; 5] =
        [Family::Short, Family::Turning, Family::Grazing, Family::Tunnelling, Family::Spinning];

    pub(super) fn name(self) -> &'static str {
        match self {
            Family::Short => "short",
            Family::Turning => "turning",
            Family::Grazing => "grazing",
            Family::Tunnelling => "tunnelling",
            Family::Spinning => "spinning",
        }
    }
}

/// The bodies.
pub(super) struct Bodies {
    all: Vec<Mesh>,
    plate: Mesh,
    bullet: Mesh,
}

/// Two of them on their way.
pub(super) struct Step<'a> {
    bodies: [&'a Mesh; 2],
    motions: [Motion; 2],
}

impl Step<'_> {
    pub(super) fn moving(&self) -> [MovingMesh<'_>; 2] {
        [0, 1].map(|k| MovingMesh { mesh: self.bodies[k], motion: &self.motions[k] })
    }
}

impl Bodies {
    pub(super) fn new() -> Result<Bodies, Failure> {
        let half =
            |x: f64, y: f64, z: f64| block(-DVec3::new(x, y, z), DVec3::new(x, y, z)).map_err(unusable);
        let body = |faces| mesh("body", faces);
        Ok(Bodies {
            all: vec![
                body(half(0.5, 0.7, 0.3)?)?,
                body(half(1.2, 0.1, 0.1)?)?,
                body(make::bumpy_ball(1, 0.2).map_err(unusable)?)?,
                body(half(0.9, 0.9, 1e-3)?)?,
            ],
            plate: body(half(2.0, 2.0, 1e-3)?)?,
            bullet: body(half(0.06, 0.04, 0.05)?)?,
        })
    }

    /// The step of a number: the same for the same number.
    pub(super) fn step(&self, family: Family, number: u64) -> Result<Step<'_>, Failure> {
        let mut dice = Dice(fastrand::Rng::with_seed(1000 * number + family as u64));
        match family {
            Family::Short => self.short(&mut dice),
            Family::Turning => self.turning(&mut dice, 3.0),
            Family::Grazing => self.grazing(&mut dice),
            Family::Tunnelling => self.tunnelling(&mut dice),
            Family::Spinning => self.spinning(&mut dice),
        }
    }

    fn two(&self, dice: &mut Dice) -> [&Mesh; 2] {
        [0; 2].map(|_| &self.all[dice.0.usize(0..self.all.len())])
    }

    /// From nearly touching, a twentieth of the size on, by up to 6°.
    fn short(&self, dice: &mut Dice) -> Result<Step<'_>, Failure> {
        let bodies = self.two(dice);
        let (away, rest) = (dice.direction(), dice.pose(DVec3::ZERO)?);
        let turn = dice.rotation();
        let at = |distance: f64| Pose::new(turn, away * distance).map_err(moving);
        // The distance at which they touch, by halving.
        let (mut near, mut far) = (0.0, 4.0);
        let mut asker = kontakt::mesh::MeshQuery::new();
        for _ in 0..30 {
            let middle = f64::midpoint(near, far);
            let (a, b) = (
                kontakt::mesh::PlacedMesh::new(bodies[0], rest),
                kontakt::mesh::PlacedMesh::new(bodies[1], at(middle)?),
            );
            if asker.any_contact(a, b).is_some() { near = middle } else { far = middle }
        }
        let start = at(far + 0.03 * dice.0.f64())?;
        let turned = DQuat::from_axis_angle(dice.direction(), 0.1 * dice.0.f64()) * turn;
        let end = Pose::new(turned, start.translation() + 0.06 * dice.vector()).map_err(moving)?;
        Ok(Step { bodies, motions: [Motion::Rest(rest), slerp(start, end)?] })
    }

    fn turning(&self, dice: &mut Dice, aside: f64) -> Result<Step<'_>, Failure> {
        let bodies = self.two(dice);
        let start = dice.direction() * 3.5;
        let from = dice.pose(start)?;
        let way = -2.0 * start + aside * dice.vector();
        let other = dice.pose(DVec3::ZERO)?;
        let small = dice.vector();
        let motions = [dice.turned(other, small)?, dice.turned(from, way)?];
        Ok(Step { bodies, motions })
    }

    /// A long way shifted sideways to where contact ends, and then a little more or less.
    fn grazing(&self, dice: &mut Dice) -> Result<Step<'_>, Failure> {
        let mut step = self.turning(dice, 1.0)?;
        let ends = [0.0, 1.0].map(|t| step.motions[1].pose_at(t));
        let aside = dice.direction();
        let shifted = |by: f64| {
            let moved = |pose: Pose| {
                Pose::new(pose.given_rotation(), pose.translation() + aside * by).map_err(moving)
            };
            slerp(moved(ends[0])?, moved(ends[1])?)
        };
        let (mut near, mut far) = (0.0, 12.0);
        let mut asker = MotionQuery::new();
        for _ in 0..32 {
            let middle = f64::midpoint(near, far);
            step.motions[1] = shifted(middle)?;
            let [a, b] = step.moving();
            let clear = matches!(asker.impact(a, b, &MotionOptions::default()), Impact::Free { .. });
            if clear { far = middle } else { near = middle }
        }
        let by = 10_f64.powf(-1.0 - 6.0 * dice.0.f64()) * if dice.0.bool() { 1.0 } else { -1.0 };
        step.motions[1] = shifted(far + by)?;
        Ok(step)
    }

    fn tunnelling(&self, dice: &mut Dice) -> Result<Step<'_>, Failure> {
        let start = dice.direction() * 4.0;
        let from = dice.pose(start)?;
        let way = -start * (1.3 + dice.0.f64()) + dice.vector();
        let plate = dice.pose(DVec3::ZERO)?;
        let motions = [Motion::Rest(plate), dice.turned(from, way)?];
        Ok(Step { bodies: [&self.plate, &self.bullet], motions })
    }

    fn spinning(&self, dice: &mut Dice) -> Result<Step<'_>, Failure> {
        let bodies = self.two(dice);
        let place = dice.direction() * (0.7 + dice.0.f64());
        let (rest, from) = (dice.pose(DVec3::ZERO)?, dice.pose(place)?);
        Ok(Step { bodies, motions: [Motion::Rest(rest), dice.turned(from, DVec3::ZERO)?] })
    }
}

/// Seeded randomness.
struct Dice(fastrand::Rng);

impl Dice {
    fn vector(&mut self) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| 2.0 * self.0.f64() - 1.0))
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), std::f64::consts::PI * (2.0 * self.0.f64() - 1.0))
    }

    fn pose(&mut self, place: DVec3) -> Result<Pose, Failure> {
        Pose::new(self.rotation(), place).map_err(moving)
    }

    /// From a pose by a way, turning by up to 170°.
    fn turned(&mut self, start: Pose, way: DVec3) -> Result<Motion, Failure> {
        let turn = DQuat::from_axis_angle(self.direction(), 2.96 * self.0.f64());
        let end = Pose::new(turn * start.rotation(), start.translation() + way).map_err(moving)?;
        slerp(start, end)
    }
}

fn slerp(start: Pose, end: Pose) -> Result<Motion, Failure> {
    Motion::slerp(start, end, DVec3::ZERO).map_err(moving)
}

fn moving(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("the study's own step: {error}"))
}
