//! What stands stays where it is: a stack, a house of cards, an arch. `KONTAKT_STEPS` asks for more steps than a few.

use kontakt_dynamics::rigid::arrange::{Arch, Arrangement, Cards};
use kontakt_dynamics::rigid::{Settings, Sweeps, World};
use kontakt_math::DVec3;

/// Steps in which impulses are found and roundings of the start come to rest; places are compared with those after them.
const SETTLING: u32 = 200;

fn steps() -> u32 {
    std::env::var("KONTAKT_STEPS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// How far any point of a body has gone: at the start's end, and from there to the end, in units of the size.
fn drifts(mut scene: Arrangement, friction: f64, size: f64) -> [f64; 2] {
    scene.wall(DVec3::ZERO, DVec3::Z).unwrap();
    let sweeps = Sweeps { least: 20, most: 100_000, shifts: 20, accuracy: 1e-10 };
    let settings = Settings { sweeps, friction, ..Settings::default() };
    let mut world = World::new(settings, scene.forms).unwrap();
    for body in scene.bodies {
        world.add(body).unwrap();
    }
    let corners = |world: &World| -> Vec<DVec3> {
        let free = world.bodies().iter().filter(|body| body.is_free());
        let points = |body: &kontakt_dynamics::rigid::Body| {
            [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
                .map(|axis| body.place + body.turn * (axis * 0.5 * size))
        };
        free.flat_map(points).collect()
    };
    let farthest = |from: &[DVec3], to: &[DVec3]| {
        from.iter().zip(to).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / size
    };
    let first = corners(&world);
    for _ in 0..SETTLING {
        world.step().unwrap();
    }
    let settled = corners(&world);
    for _ in 0..steps() {
        world.step().unwrap();
    }
    [farthest(&first, &settled), farthest(&settled, &corners(&world))]
}

fn stands(name: &str, scene: Arrangement, friction: f64, size: f64, settling: f64) {
    let [first, after] = drifts(scene, friction, size);
    println!(
        "{name}: moves by {first:.1e} of its size while it settles, then by {after:.1e} in {} steps",
        steps()
    );
    assert!(first < settling && after < 1e-6, "{name}: {first:e}, {after:e}");
}

#[test]
fn a_stack_of_ten_cubes_stands() {
    let mut scene = Arrangement::default();
    scene.stack(1.0, 10, 1.0).unwrap();
    stands("stack of ten cubes", scene, 0.5, 1.0, 1e-9);
}

#[test]
fn a_house_of_cards_stands() {
    let mut scene = Arrangement::default();
    scene.card_house(&Cards { storeys: 3, length: 1.0, thickness: 0.02, lean: 0.3, density: 1.0 }).unwrap();
    stands("house of cards", scene, 0.7, 1.0, 1e-3);
}

#[test]
fn an_arch_stands() {
    let mut scene = Arrangement::default();
    scene.arch(&Arch { wedges: 9, radii: [1.0, 1.3], depth: 0.5, density: 1.0 }).unwrap();
    stands("arch", scene, 0.7, 0.3, 1e-3);
}
