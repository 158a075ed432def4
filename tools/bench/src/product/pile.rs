//! kontakt's side of the questions about piles, and the ruler for everybody's depths.

use crate::clock::timed;
use crate::contest::Contender;
use crate::data::heap::{FRICTION, GRAVITY, Grain, Heap, SIZE, TIME_STEP};
use kontakt::convex::{Shape, ShapeError};
use kontakt::dynamics::rigid::arrange::{self, Arrangement};
use kontakt::dynamics::rigid::{Form, Settings, World};
use kontakt::math::{DQuat, DVec3, Pose};
use std::error::Error;

/// What a call of some steps came to.
#[derive(Clone, Debug)]
pub(crate) struct Stepped {
    /// Where the bodies are, as in [`Heap::places`].
    pub(crate) places: Vec<[f64; 7]>,
    /// Contact points that were solved, where that is known.
    pub(crate) contacts: Option<usize>,
}

fn form(grain: Grain) -> Result<Form, Box<dyn Error>> {
    let shape: Result<Shape, ShapeError> = match grain {
        Grain::Sphere => Shape::sphere(0.5 * SIZE),
        Grain::Cube => Shape::cuboid(DVec3::splat(0.5 * SIZE)),
    };
    Ok(Form::solid(shape?)?)
}

/// The default solver, which is what the command line takes.
fn settings() -> Settings {
    Settings {
        gravity: DVec3::NEG_Z * GRAVITY,
        friction: FRICTION,
        time_step: TIME_STEP,
        ..Settings::default()
    }
}

fn world(scene: Arrangement) -> Result<World, Box<dyn Error>> {
    let mut world = World::new(settings(), scene.forms)?;
    scene.bodies.into_iter().try_for_each(|body| world.add(body))?;
    Ok(world)
}

fn loaded(heap: &Heap) -> Result<World, Box<dyn Error>> {
    let mut scene = Arrangement::default();
    scene.wall(DVec3::ZERO, DVec3::Z)?;
    let [x, y] = heap.half;
    for (normal, half) in [(DVec3::X, x), (DVec3::NEG_X, x), (DVec3::Y, y), (DVec3::NEG_Y, y)] {
        scene.wall(normal * -half, normal)?;
    }
    let form = scene.form(form(heap.grain)?);
    for &[x, y, z, i, j, k, w] in &heap.places {
        scene.moving(form, Pose::new(DQuat::from_xyzw(i, j, k, w).normalize(), DVec3::new(x, y, z))?, 1.0);
    }
    world(scene)
}

fn places(world: &World) -> Vec<[f64; 7]> {
    let free = world.bodies().iter().filter(|body| body.is_free());
    free.map(|body| {
        let (p, q) = (body.place, body.turn);
        [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
    })
    .collect()
}

/// Bodies that have fallen into a box, as many seconds later.
pub(crate) fn settled(grain: Grain, count: usize, base: f64, seconds: f64) -> Result<Vec<[f64; 7]>, String> {
    let fallen = || -> Result<Vec<[f64; 7]>, Box<dyn Error>> {
        let mut scene = Arrangement::default();
        scene.container(base)?;
        let grains = [arrange::Grain { form: form(grain)?, part: 1, density: 1.0 }];
        let drop = arrange::Drop { count: count as u64, from: DVec3::ZERO, base, spacing: 1.02, seed: 1 };
        scene.rain(&grains, &drop)?;
        let mut world = world(scene)?;
        while world.time() < seconds {
            world.step()?;
        }
        Ok(places(&world))
    };
    fallen().map_err(|error| error.to_string())
}

/// Steps of the heap, after some that are not measured; a call is so many, its time the mean of one.
pub(crate) fn contender(
    heap: &Heap,
    before: usize,
    steps: usize,
) -> Result<Contender<'static, Stepped>, String> {
    let mut world = loaded(heap).map_err(|error| error.to_string())?;
    let step = |world: &mut World| world.step().map_err(|error| error.to_string());
    for _ in 0..before {
        step(&mut world)?;
    }
    Ok(Contender::new("kontakt", move || {
        let (seconds, contacts) = timed(|| -> Result<usize, String> {
            let mut contacts = 0;
            for _ in 0..steps {
                contacts = step(&mut world)?.contacts;
            }
            Ok(contacts)
        });
        let stepped = Stepped { places: places(&world), contacts: Some(contacts?) };
        Ok((seconds / steps as f64, stepped))
    }))
}

/// Mean and greatest depth of bodies that overlap, exactly, in widths of a body; whoever moved them.
pub(crate) fn depths(heap: &Heap, places: &[[f64; 7]]) -> Result<[f64; 2], String> {
    let there = Heap { places: places.to_vec(), ..*heap };
    let mut world = loaded(&there).map_err(|error| error.to_string())?;
    let [count] = world.count_contacts([0.0]);
    Ok([count.mean_depth / SIZE, count.greatest_depth / SIZE])
}
