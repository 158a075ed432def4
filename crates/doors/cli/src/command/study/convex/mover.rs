//! A small mover: bodies fly about in a box, turn, and bounce off each other and off the walls. What they run into is the
//! material of the brute-force test; the physics need not be good.

use super::reference::{Simple, SimpleCore};
use crate::failure::Failure;
use kontakt::convex::{Core, Shape};
use kontakt::math::{DQuat, DVec3, Pose};

/// What flies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sphere,
    Box,
    Capsule,
    Ellipsoid,
}

/// Bodies of a scene.
pub(super) const BODIES: usize = 150;
/// Half the edge of the room.
const ROOM: f64 = 4.0;
/// Time of a step.
const STEP: f64 = 2e-3;
/// No component of a velocity is larger at the start.
const SPEED: f64 = 4.0;

/// A body on its way.
pub(super) struct Body {
    pub(super) kind: Kind,
    pub(super) shape: Shape,
    /// For the formulas; ellipsoids have none.
    pub(super) simple: Option<Simple>,
    pub(super) pose: Pose,
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
    /// Half extents, along the world's axes, of a box around it as it is turned now.
    extents: DVec3,
}

/// All bodies.
pub(super) struct Mover {
    pub(super) bodies: Vec<Body>,
}

impl Mover {
    /// Bodies of the kinds in turn, on a grid, with random velocities.
    pub(super) fn new(kinds: &[Kind], seed: u64) -> Result<Mover, Failure> {
        let mut random = fastrand::Rng::with_seed(seed);
        let side = 6_usize; // 6 × 6 × 6 ≥ 150 places
        let mut bodies = Vec::with_capacity(BODIES);
        for i in 0..BODIES {
            let place = [i % side, i / side % side, i / side / side];
            let at = |k: usize| (place[k] as f64 + 0.5) / side as f64 * 2.0 - 1.0;
            let position = (ROOM - 0.4) * DVec3::new(at(0), at(1), at(2));
            let mut signed = || 2.0 * random.f64() - 1.0;
            let velocity = SPEED * DVec3::new(signed(), signed(), signed());
            let spin = 3.0 * DVec3::new(signed(), signed(), signed());
            let turn = DVec3::new(signed(), signed(), signed());
            let rotation = DQuat::from_scaled_axis(3.0 * turn);
            bodies.push(Body::new(kinds[i % kinds.len()], i, position, rotation, velocity, spin)?);
        }
        Ok(Mover { bodies })
    }

    /// Moves everything on by a step; bodies turn back at the walls.
    pub(super) fn step(&mut self) {
        for body in &mut self.bodies {
            body.position += STEP * body.velocity;
            body.rotation = (DQuat::from_scaled_axis(STEP * body.spin) * body.rotation).normalize();
            for k in 0..3 {
                let over = body.position[k].abs() + 0.5 - ROOM;
                if over > 0.0 && body.velocity[k] * body.position[k] > 0.0 {
                    body.velocity[k] = -body.velocity[k];
                }
            }
            if let Ok(pose) = Pose::new(body.rotation, body.position) {
                body.pose = pose;
                body.extents = body.extents_now();
            }
        }
    }

    /// Pairs whose boxes along the axes overlap: what a coarse detection hands on.
    pub(super) fn candidates(&self, pairs: &mut Vec<[usize; 2]>) {
        pairs.clear();
        for (j, b) in self.bodies.iter().enumerate() {
            for (i, a) in self.bodies[..j].iter().enumerate() {
                let apart = (a.position - b.position).abs() - (a.extents + b.extents);
                if apart.max_element() <= 0.0 {
                    pairs.push([i, j]);
                }
            }
        }
    }

    /// An elastic bounce of equal masses along the normal, if they approach.
    pub(super) fn bounce(&mut self, [i, j]: [usize; 2], normal: DVec3) {
        let approach = (self.bodies[i].velocity - self.bodies[j].velocity).dot(normal);
        if approach > 0.0 {
            self.bodies[i].velocity -= approach * normal;
            self.bodies[j].velocity += approach * normal;
        }
    }
}

impl Body {
    fn new(
        kind: Kind,
        number: usize,
        position: DVec3,
        rotation: DQuat,
        velocity: DVec3,
        spin: DVec3,
    ) -> Result<Body, Failure> {
        let simple = |core, radius| Some(Simple { core, radius });
        let stretch = [0.35, 0.5, 0.65][number % 3];
        let (shape, simple) = match kind {
            Kind::Sphere => (Shape::sphere(0.5), simple(SimpleCore::Point, 0.5)),
            Kind::Box => {
                let half = DVec3::splat(0.5);
                (Shape::cuboid(half), simple(SimpleCore::Box(half), 0.0))
            }
            Kind::Capsule => (Shape::capsule(0.5, 0.3), simple(SimpleCore::Segment(0.5), 0.3)),
            Kind::Ellipsoid => (Shape::ellipsoid(DVec3::new(stretch, 0.4, 0.7)), None),
        };
        let shape = shape.map_err(|error| Failure::Usage(error.to_string()))?;
        let pose = Pose::new(rotation, position).map_err(|error| Failure::Usage(error.to_string()))?;
        let extents = DVec3::ONE;
        let mut body = Body { kind, shape, simple, pose, position, rotation, velocity, spin, extents };
        body.extents = body.extents_now();
        Ok(body)
    }

    fn extents_now(&self) -> DVec3 {
        let turn = self.pose.matrix();
        let [x, y, z] = [turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()];
        match (self.simple, self.shape.core()) {
            (Some(Simple { core: SimpleCore::Box(half), .. }), _) => x * half.x + y * half.y + z * half.z,
            (Some(Simple { core: SimpleCore::Segment(half), radius }), _) => z * half + DVec3::splat(radius),
            (_, Core::Ellipsoid(radii)) => {
                let squares = (x * radii.x).powf(2.0) + (y * radii.y).powf(2.0) + (z * radii.z).powf(2.0);
                squares.map(f64::sqrt)
            }
            (simple, _) => DVec3::splat(simple.map_or(1.0, |simple| simple.radius)),
        }
    }
}
