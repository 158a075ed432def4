//! Seeded random data in two modes: free reals, and small integers, where touching, coplanar and duplicate cases
//! arise by themselves.

/// A reproducible source of test data.
#[derive(Clone, Debug)]
pub struct Generator {
    random: fastrand::Rng,
    grid: bool,
}

impl Generator {
    /// Coordinates uniform in [−1, 1].
    pub fn free(seed: u64) -> Self {
        Generator { random: fastrand::Rng::with_seed(seed), grid: false }
    }

    /// Coordinates are integers in [−3, 3].
    pub fn grid(seed: u64) -> Self {
        Generator { random: fastrand::Rng::with_seed(seed), grid: true }
    }

    /// One coordinate.
    pub fn coordinate(&mut self) -> f64 {
        if self.grid { f64::from(self.random.i32(-3..=3)) } else { self.random.f64().mul_add(2.0, -1.0) }
    }

    /// A point.
    pub fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.coordinate())
    }

    /// `n` points.
    pub fn points(&mut self, n: usize) -> Vec<[f64; 3]> {
        (0..n).map(|_| self.point()).collect()
    }

    /// A unit quaternion (x, y, z, w), uniform over rotations; in grid mode one of the 24 of the cube.
    pub fn quaternion(&mut self) -> [f64; 4] {
        if self.grid {
            let quarter = std::f64::consts::FRAC_1_SQRT_2;
            let candidates = [
                [0.0, 0.0, 0.0, 1.0],
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, 0.0],
                [quarter, 0.0, 0.0, quarter],
                [0.0, quarter, 0.0, quarter],
                [0.0, 0.0, quarter, quarter],
                [0.5, 0.5, 0.5, 0.5],
                [-0.5, 0.5, -0.5, 0.5],
            ];
            return candidates[self.random.usize(..candidates.len())];
        }
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.random.f64().mul_add(2.0, -1.0));
            let square: f64 = q.iter().map(|x| x * x).sum();
            if (0.01..=1.0).contains(&square) {
                return q.map(|x| x / square.sqrt());
            }
        }
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.random.f64()
    }

    /// Uniform in the range.
    pub fn integer(&mut self, range: std::ops::RangeInclusive<i32>) -> i32 {
        self.random.i32(range)
    }

    /// Uniform in `0..n`.
    pub fn index(&mut self, n: usize) -> usize {
        self.random.usize(..n)
    }
}
