//! The thesis's gas, and the numbers that it is measured by.

use crate::failure::Failure;
use kontakt::event_driven::{Domain, Gas, Restitution, Speeds, Sphere};
use kontakt::math::DVec3;

/// All spheres are this fast at first.
pub(super) const SPEED: f64 = 10.0;
pub(super) const MEAN_SQUARE: f64 = SPEED * SPEED;
pub(super) const RADIUS: f64 = 0.5;
pub(super) const SPACING: f64 = 2.0;

/// Places and velocities at the beginning, on a lattice with so many along a side.
pub(super) fn start(side: u64, seed: u64) -> Vec<(DVec3, DVec3)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut direction = || loop {
        let v = DVec3::new(random.f64(), random.f64(), random.f64()) * 2.0 - 1.0;
        if (1e-4..=1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    };
    let at = |k: u64| DVec3::new((k % side) as f64, (k / side % side) as f64, (k / (side * side)) as f64);
    (0..side.pow(3)).map(|k| ((at(k) + 0.5) * SPACING, direction() * SPEED)).collect()
}

pub(super) fn side_length(side: u64) -> f64 {
    side as f64 * SPACING
}

pub(super) fn gas(side: u64, seed: u64) -> Result<Gas, Failure> {
    let sphere = |(centre, velocity)| Sphere { centre, velocity, radius: RADIUS, mass: 1.0 };
    let spheres: Vec<Sphere> = start(side, seed).into_iter().map(sphere).collect();
    let domain = Domain::periodic(DVec3::splat(side_length(side)));
    Gas::new(domain, Restitution::ELASTIC, &spheres).map_err(|error| Failure::Usage(error.to_string()))
}

pub(super) fn speeds(gas: &Gas) -> Speeds {
    Speeds::new(gas.spheres().map(|sphere| sphere.velocity.length()))
}

/// The values of a sample.
pub(super) struct Values {
    mean: f64,
    variance: f64,
    median: f64,
    skewness: f64,
    distance: f64,
    mean_square: f64,
}

/// A value: what the thesis has (iterative, analytic), what it is in equilibrium, and by how much a sample may differ.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) thesis: [f64; 2],
    pub(super) meant: f64,
    pub(super) allowed: f64,
    pub(super) decimals: usize,
    pub(super) ours: fn(&Values) -> f64,
}

impl Values {
    pub(super) fn of(speeds: &Speeds) -> Values {
        Values {
            mean: speeds.mean,
            variance: speeds.variance,
            median: speeds.median,
            skewness: speeds.skewness,
            distance: speeds.distance_from_equilibrium(MEAN_SQUARE),
            mean_square: speeds.mean_square,
        }
    }

    /// All of them, for a sample of so many.
    pub(super) fn rows(count: u64) -> Vec<Row> {
        let scatter = (64_000.0 / count as f64).sqrt();
        let row =
            |name, thesis, meant, allowed: f64, ours| Row { name, thesis, meant, allowed, decimals: 4, ours };
        vec![
            row("mean", [9.2214, 9.2093], 9.2132, 0.016 * scatter, |values| values.mean),
            row("variance", [15.0545, 15.1049], 15.1174, 0.28 * scatter, |values| values.variance),
            row("median", [8.8890, 8.8698], 8.8806, 0.055 * scatter, |values| values.median),
            row("skewness", [0.4836, 0.4975], 0.4857, 0.041 * scatter, |values| values.skewness),
            row("distance of the shares", [f64::NAN; 2], 0.0, 1.95 / (count as f64).sqrt(), |values| {
                values.distance
            }),
            Row {
                name: "mean square",
                thesis: [100.0887, 99.9161],
                meant: MEAN_SQUARE,
                allowed: 1e-10,
                decimals: 13,
                ours: |values| values.mean_square,
            },
        ]
    }
}
