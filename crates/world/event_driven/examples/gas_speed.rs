//! How long 64,000 elastic spheres take to 20 collisions each, on one thread.
//! `cargo run --release -p kontakt-event-driven --example gas_speed [SPHERES PER SIDE]`

use kontakt_event_driven::{Domain, Gas, Restitution, Speeds, Sphere, Until};
use kontakt_math::DVec3;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let per_side: usize = std::env::args().nth(1).map_or(Ok(40), |typed| typed.parse())?;
    let mut random = fastrand::Rng::with_seed(1);
    let mut spheres = Vec::new();
    for place in 0..per_side.pow(3) {
        let at = [place % per_side, place / per_side % per_side, place / per_side / per_side];
        let velocity = loop {
            let v = DVec3::new(random.f64(), random.f64(), random.f64()) * 2.0 - 1.0;
            if (1e-4..1.0).contains(&v.length_squared()) {
                break v.normalize() * 10.0;
            }
        };
        let centre = DVec3::from_array(at.map(|k| 2.0 * k as f64 + 1.0));
        spheres.push(Sphere { centre, velocity, radius: 0.5, mass: 1.0 });
    }
    let clock = Instant::now();
    let domain = Domain::periodic(DVec3::splat(2.0 * per_side as f64));
    let mut gas = Gas::new(domain, Restitution::ELASTIC, &spheres)?;
    let made = clock.elapsed().as_secs_f64();
    gas.run(&Until::collisions(10 * spheres.len() as u64));
    let seconds = clock.elapsed().as_secs_f64();
    let speeds = Speeds::new(gas.spheres().map(|sphere| sphere.velocity.length()));
    println!(
        "made {made:.3} s, run {:.3} s, {} collisions, {} events, time {:.4}, hash {:016x}",
        seconds - made,
        gas.collisions(),
        gas.events(),
        gas.time(),
        gas.hash()
    );
    println!(
        "mean {:.4} variance {:.4} median {:.4} skewness {:.4} mean square − 100 {:.2e} KS {:.5}",
        speeds.mean,
        speeds.variance,
        speeds.median,
        speeds.skewness,
        speeds.mean_square - 100.0,
        speeds.distance_from_equilibrium(100.0)
    );
    gas.validate()?;
    Ok(())
}
