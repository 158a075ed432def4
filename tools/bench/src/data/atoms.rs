//! Elastic spheres on a lattice, all equally fast at first, in random directions.

/// Spheres in a cube from the origin on.
#[derive(Clone, Debug)]
pub(crate) struct Atoms {
    /// Of the cube.
    pub(crate) width: f64,
    /// Of every sphere.
    pub(crate) radius: f64,
    /// Middles.
    pub(crate) places: Vec<[f64; 3]>,
    /// All of the same length.
    pub(crate) velocities: Vec<[f64; 3]>,
}

/// The speed of all at first.
pub(crate) const SPEED: f64 = 10.0;
const SPACING: f64 = 2.0;

impl Atoms {
    /// So many along each side.
    pub(crate) fn new(side: usize, seed: u64) -> Atoms {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut direction = || loop {
            let v = [0; 3].map(|_| 2.0 * random.f64() - 1.0);
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (1e-2..1.0).contains(&length) {
                return v.map(|x| x / length * SPEED);
            }
        };
        let place =
            |k: usize| [k % side, k / side % side, k / side / side].map(|x| SPACING * (x as f64 + 0.5));
        let count = side * side * side;
        Atoms {
            width: SPACING * side as f64,
            radius: 0.5,
            places: (0..count).map(place).collect(),
            velocities: (0..count).map(|_| direction()).collect(),
        }
    }
}
