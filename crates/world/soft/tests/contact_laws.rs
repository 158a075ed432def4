//! Friction and restitution: asked for, and measured on bodies that are nearly rigid.

use kontakt_math::DVec3;
use kontakt_shapes::tetrahedra::slab;
use kontakt_soft::{Body, Forces, Material, Options, Report, System};

const DT: f64 = 0.005;
const G: f64 = 9.81;
const SLOPE: f64 = std::f64::consts::FRAC_PI_6;

fn material(stiffness: f64, friction: f64, restitution: f64) -> Material {
    let rubber = Material::rubber();
    Material { stiffness, volume_stiffness: stiffness, friction, restitution, ..rubber }
}

/// A block above a held slab; the block's vertices come first.
fn scene(material: Material, gap: f64, velocity: DVec3) -> (System, usize) {
    let cuboid = |cells, size| Body::solid(&slab(cells, size).expect("a slab"), material).expect("a body");
    let block = cuboid([2, 2, 1], DVec3::new(0.1, 0.1, 0.04));
    let floor = cuboid([9, 3, 1], DVec3::new(3.0, 0.4, 0.04)).pinned(|_| true);
    let count = block.places().len();
    let block = block.moved(DVec3::new(-1.2, 0.011, 0.04 + gap)).at_velocity(velocity);
    (System::new(&[block, floor]).expect("free"), count)
}

fn mean(of: &[DVec3]) -> DVec3 {
    of.iter().sum::<DVec3>() / of.len() as f64
}

fn step(system: &mut System, forces: &Forces) -> Report {
    system.step(DT, forces, &Options::default()).expect("a step ends")
}

/// Coulomb: down a slope of 30° a block accelerates by g (sin − μ cos), and stays where tan 30° is less than μ.
#[test]
fn a_block_on_a_slope_has_the_friction_asked_for() {
    let gravity = DVec3::new(G * SLOPE.sin(), 0.0, -G * SLOPE.cos());
    let forces = Forces { gravity, ..Forces::none() };
    for stiffness in [1e5, 1e6, 1e7] {
        for asked in [0.0, 0.2, 0.4, 0.8] {
            let (mut system, count) = scene(material(stiffness, asked, 0.0), 2e-4, DVec3::ZERO);
            let mut speeds = Vec::new();
            for _ in 0..100 {
                step(&mut system, &forces);
                speeds.push(mean(&system.velocities()[..count]).x);
            }
            let acceleration = (speeds[99] - speeds[39]) / (60.0 * DT);
            let measured = (SLOPE.sin() - acceleration / G) / SLOPE.cos();
            println!(
                "{stiffness:e} Pa: friction {asked} asked for, {measured:.4} measured, {:.2e} m/s",
                speeds[99]
            );
            if asked > SLOPE.tan() {
                assert!(speeds[99].abs() < 1e-3, "it slides at {}", speeds[99]);
            } else {
                assert!((measured - asked).abs() < 0.01, "{measured} instead of {asked}");
            }
        }
    }
}

/// Restitution acts on features; what a deforming block makes of it is more for more, and never more than it had.
#[test]
fn a_block_that_falls_flat_bounces_and_gains_nothing() {
    let mut bounces = Vec::new();
    for asked in [0.0, 0.5, 1.0] {
        let (mut system, count) =
            scene(Material { damping: 0.0, ..material(1e6, 0.0, asked) }, 0.05, DVec3::Z * -2.0);
        for _ in 0..20 {
            step(&mut system, &Forces::none());
        }
        bounces.push(mean(&system.velocities()[..count]).z / 2.0);
    }
    println!("bounces {bounces:?}");
    assert!(bounces.is_sorted() && bounces[0] >= 0.0 && bounces[2] <= 1.0, "{bounces:?}");
}
