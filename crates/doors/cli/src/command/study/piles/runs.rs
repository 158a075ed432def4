//! One pile: it falls, rests, is measured and drawn.

use super::picture;
use crate::clock::Clock;
use crate::failure::Failure;
use kontakt::convex::Shape;
use kontakt::dynamics::rigid::arrange::{Arrangement, Drop, Grain};
use kontakt::dynamics::rigid::{ContactCount, Fill, Form, Manifolds, Settings, World};
use kontakt::math::DVec3;

/// Diameter and edge.
pub(super) const SIZE: f64 = 1.2;
/// Width of the box for 3000 bodies.
const BASE: f64 = 12.0 * SIZE;
/// Without it single spheres on the floor roll and spin for ever, and no pile is at rest.
const ROLLING: f64 = 1e-3;
/// Steps between two looks at energy and depths.
const LOOK: u64 = 20;
/// Bodies begin in boxes of so many sizes, six by six in a layer: a little more than a turned cube needs.
const LOOSE: f64 = 1.75;
/// In the same boxes as spheres that touch nearly: for piles that need not fall far.
const DENSE: f64 = 1.02;

/// What falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Spheres,
    RoundEllipsoids,
    Mixture,
    Cubes,
    CubesSingle,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] =
        [Kind::Spheres, Kind::RoundEllipsoids, Kind::Mixture, Kind::Cubes, Kind::CubesSingle];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Spheres => "spheres",
            Kind::RoundEllipsoids => "round ellipsoids",
            Kind::Mixture => "spheres and cubes 1:1",
            Kind::Cubes => "cubes",
            Kind::CubesSingle => "cubes, single contacts",
        }
    }

    pub(super) fn file(self) -> &'static str {
        match self {
            Kind::Spheres => "spheres",
            Kind::RoundEllipsoids => "ellipsoids",
            Kind::Mixture => "mixture",
            Kind::Cubes => "cubes",
            Kind::CubesSingle => "cubes-single",
        }
    }

    fn grains(self) -> Result<Vec<Grain>, String> {
        let half = 0.5 * SIZE;
        let shapes = match self {
            Kind::Spheres => vec![Shape::sphere(half)],
            Kind::RoundEllipsoids => vec![Shape::ellipsoid(DVec3::splat(half))],
            Kind::Mixture => vec![Shape::sphere(half), Shape::cuboid(DVec3::splat(half))],
            Kind::Cubes | Kind::CubesSingle => vec![Shape::cuboid(DVec3::splat(half))],
        };
        let grain = |shape: Result<Shape, kontakt::convex::ShapeError>| {
            let shape = shape.map_err(|error| error.to_string())?;
            let form = Form::solid(shape).map_err(|error| error.to_string())?;
            Ok(Grain { form, part: 1, density: 1.0 })
        };
        shapes.into_iter().map(grain).collect()
    }

    fn settings(self) -> Settings {
        let manifolds = if self == Kind::CubesSingle { Manifolds::Single } else { Manifolds::Full };
        Settings { manifolds, rolling: ROLLING, ..Settings::default() }
    }
}

/// What came of a pile.
pub(super) struct Outcome {
    pub(super) fill: Fill,
    pub(super) counts: [ContactCount; 3],
    pub(super) at_rest: bool,
    pub(super) time: f64,
    pub(super) energy: f64,
    /// Of the last fifth of the run, on this thread.
    pub(super) step_ms: f64,
    /// Time and relative energy.
    pub(super) energies: Vec<[f64; 2]>,
    /// Time and mean depth in sizes.
    pub(super) depths: Vec<[f64; 2]>,
    pub(super) picture: String,
}

fn broken(error: impl Into<Box<dyn std::error::Error>>) -> Failure {
    Failure::Usage(format!("a pile: {}", error.into()))
}

/// Bodies in boxes of so many sizes above the floor.
fn world(kind: Kind, count: u64, boxes: f64, seed: u64) -> Result<World, Failure> {
    let (mut scene, base) = (Arrangement::default(), base_of(count));
    scene.container(base).map_err(broken)?;
    let grains = kind.grains().map_err(broken)?;
    let widest = grains.iter().map(|grain| 2.0 * grain.form.radius()).fold(0.0, f64::max);
    let drop = Drop { count, from: DVec3::ZERO, base, spacing: boxes * SIZE / widest, seed };
    scene.rain(&grains, &drop).map_err(broken)?;
    let mut world = World::new(kind.settings(), scene.forms).map_err(broken)?;
    scene.bodies.into_iter().try_for_each(|body| world.add(body)).map_err(broken)?;
    Ok(world)
}

/// A base that keeps a pile of so many as wide as it is high, like that of 3000.
fn base_of(count: u64) -> f64 {
    BASE * (count as f64 / 3000.0).cbrt()
}

pub(super) fn run(kind: Kind, count: u64, seed: u64, time: f64) -> Result<Outcome, Failure> {
    let base = base_of(count);
    let mut world = world(kind, count, LOOSE, seed)?;
    let (mut energies, mut depths, mut steps) = (Vec::new(), Vec::new(), 0);
    let (mut late, mut late_steps) = (0.0, 0_u32);
    while world.time() < time - 1e-9 && !world.is_at_rest() {
        let clock = Clock::start();
        world.step().map_err(broken)?;
        if world.time() > 0.5 * time {
            late += clock.seconds();
            late_steps += 1;
        }
        steps += 1;
        if steps % LOOK == 0 {
            energies.push([world.time(), world.energy().relative()]);
            let [count] = world.count_contacts([0.0]);
            depths.push([world.time(), count.mean_depth / SIZE]);
        }
    }
    let counts = world.count_contacts([1e-8, 1e-6, 1e-4]);
    Ok(Outcome {
        fill: world.fill(base),
        counts,
        at_rest: world.is_at_rest(),
        time: world.time(),
        energy: world.energy().relative(),
        step_ms: 1e3 * late / f64::from(late_steps.max(1)),
        energies,
        depths,
        picture: picture::of(&world, kind.name()),
    })
}

/// Milliseconds of a step of spheres that lie nearly as they will rest, and their contacts: a lattice that has settled for a while.
pub(super) fn step_time(count: u64) -> Result<(f64, usize), Failure> {
    let mut world = world(Kind::Spheres, count, DENSE, 1)?;
    let settle = (2.0 * (count as f64 / 3000.0).cbrt().max(1.0) * 200.0) as u32;
    for _ in 0..settle {
        world.step().map_err(broken)?;
    }
    let (clock, mut contacts) = (Clock::start(), 0);
    for _ in 0..10 {
        contacts = world.step().map_err(broken)?.contacts;
    }
    Ok((1e2 * clock.seconds(), contacts))
}
