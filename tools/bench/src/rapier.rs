//! rapier, linked: the same code for its single-precision and its double-precision crate.

use crate::clock::timed;
use crate::contest::Contender;
use crate::data::atoms::Atoms;
use crate::data::heap::{FRICTION, GRAVITY, Grain, Heap, SIZE, TIME_STEP};
use crate::product::pile::Stepped;

/// rapier as one sets it up: its default solver, floor and walls as boxes (half-spaces would make a pair with every body), nobody sleeps.
macro_rules! rapier_worlds {
    ($module:ident, $rapier:ident, $real:ty) => {
        /// One of the two crates.
        pub(crate) mod $module {
            use super::{Atoms, Contender, FRICTION, GRAVITY, Grain, Heap, SIZE, Stepped, TIME_STEP, timed};
            use $rapier::dynamics::{RigidBodyBuilder, RigidBodyHandle};
            use $rapier::geometry::ColliderBuilder;
            use $rapier::math::{Pose, Rotation, Vector};
            use $rapier::pipeline::PhysicsWorld;

            /// Thickness of walls, in sizes.
            const THICK: f64 = 5.0;

            fn vector(v: [f64; 3]) -> Vector {
                Vector::from_array(v.map(|x| x as $real))
            }

            fn wall(world: &mut PhysicsWorld, middle: [f64; 3], half: [f64; 3], grip: [f64; 2]) {
                let [x, y, z] = half.map(|x| x as $real);
                world.insert(
                    RigidBodyBuilder::fixed().translation(vector(middle)),
                    surfaced(ColliderBuilder::cuboid(x, y, z), grip),
                );
            }

            /// With friction and restitution.
            fn surfaced(collider: ColliderBuilder, [friction, restitution]: [f64; 2]) -> ColliderBuilder {
                collider.friction(friction as $real).restitution(restitution as $real)
            }

            /// Everything in the heap's box, which has no lid.
            fn loaded(heap: &Heap) -> (PhysicsWorld, Vec<RigidBodyHandle>) {
                let mut world = PhysicsWorld::new();
                world.gravity = vector([0.0, 0.0, -GRAVITY]);
                world.integration_parameters.dt = TIME_STEP as $real;
                let ([x, y], thick) = (heap.half, THICK * SIZE);
                let high = heap.places.iter().map(|place| place[2]).fold(0.0, f64::max) + SIZE;
                let grip = [FRICTION, 0.0];
                let (outer_x, outer_y) = (x + 2.0 * thick, y + 2.0 * thick);
                wall(&mut world, [0.0, 0.0, -thick], [outer_x, outer_y, thick], grip);
                for side in [-1.0, 1.0] {
                    wall(&mut world, [side * (x + thick), 0.0, high], [thick, outer_y, high], grip);
                    wall(&mut world, [0.0, side * (y + thick), high], [outer_x, thick, high], grip);
                }
                let half = (0.5 * SIZE) as $real;
                let mut bodies = Vec::with_capacity(heap.places.len());
                for &[x, y, z, i, j, k, w] in &heap.places {
                    let turn = Rotation::from_array([i, j, k, w].map(|x| x as $real));
                    let pose = Pose::from_parts(vector([x, y, z]), turn);
                    let shape = match heap.grain {
                        Grain::Sphere => ColliderBuilder::ball(half),
                        Grain::Cube => ColliderBuilder::cuboid(half, half, half),
                    };
                    let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
                    bodies.push(world.insert(body, surfaced(shape, grip).density(1.0)).0);
                }
                (world, bodies)
            }

            fn places(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> Vec<[f64; 7]> {
                let place = |body: &RigidBodyHandle| {
                    let at = world.bodies[*body].position();
                    let ([x, y, z], [i, j, k, w]) = (at.translation.to_array(), at.rotation.to_array());
                    [x, y, z, i, j, k, w].map(f64::from)
                };
                bodies.iter().map(place).collect()
            }

            /// Steps of the heap, after some that are not measured; a call is so many, its time the mean of one.
            pub(crate) fn contender(
                name: &'static str,
                heap: &Heap,
                before: usize,
                steps: usize,
            ) -> Contender<'static, Stepped> {
                let (mut world, bodies) = loaded(heap);
                for _ in 0..before {
                    world.step();
                }
                Contender::new(name, move || {
                    let (seconds, ()) = timed(|| (0..steps).for_each(|_| world.step()));
                    let stepped = Stepped { places: places(&world, &bodies), contacts: None };
                    Ok((seconds / steps as f64, stepped))
                })
            }

            /// Elastic spheres in a closed box for so long; the speeds at the end.
            #[allow(dead_code, reason = "asked of one of the two crates")]
            pub(crate) fn gas(name: &'static str, atoms: &Atoms, time: f64) -> Contender<'static, Vec<f64>> {
                let atoms = atoms.clone();
                Contender::new(name, move || {
                    let mut world = PhysicsWorld::new();
                    world.gravity = vector([0.0; 3]);
                    world.integration_parameters.dt = TIME_STEP as $real;
                    let (half, grip) = (0.5 * atoms.width, [0.0, 1.0]);
                    for side in [-1.0, 1.0] {
                        for axis in 0..3 {
                            let (mut middle, mut walls) = ([half; 3], [half + 2.0; 3]);
                            middle[axis] += side * (half + 1.0);
                            walls[axis] = 1.0;
                            wall(&mut world, middle, walls, grip);
                        }
                    }
                    let mut bodies = Vec::with_capacity(atoms.places.len());
                    for (place, velocity) in atoms.places.iter().zip(&atoms.velocities) {
                        let body = RigidBodyBuilder::dynamic().translation(vector(*place));
                        let body = body.linvel(vector(*velocity)).can_sleep(false);
                        let ball = surfaced(ColliderBuilder::ball(atoms.radius as $real), grip);
                        bodies.push(world.insert(body, ball).0);
                    }
                    let steps = (time / TIME_STEP).ceil() as usize;
                    let (seconds, ()) = timed(|| (0..steps).for_each(|_| world.step()));
                    let speed = |body: &RigidBodyHandle| f64::from(world.bodies[*body].linvel().length());
                    Ok((seconds, bodies.iter().map(speed).collect()))
                })
            }
        }
    };
}

rapier_worlds!(single, rapier3d, f32);
rapier_worlds!(double, rapier3d_f64, f64);
