//! Random boxes, few enough for the first-level cache, about half of whose pairs overlap.

use crate::product::overlap::PlainObb;
use fastrand::Rng;

/// Oriented boxes with centres in a cube whose size decides how many overlap.
pub(crate) fn oriented(seed: u64, count: usize) -> Vec<PlainObb> {
    let mut random = Rng::with_seed(seed);
    (0..count)
        .map(|_| {
            let centre = std::array::from_fn(|_| random.f64() * 2.9);
            (centre, turn(&mut random), std::array::from_fn(|_| 0.2 + random.f64()))
        })
        .collect()
}

/// Lower and upper corners.
pub(crate) fn axis_aligned(seed: u64, count: usize) -> Vec<[[f64; 3]; 2]> {
    let mut random = Rng::with_seed(seed);
    (0..count)
        .map(|_| {
            let low: [f64; 3] = std::array::from_fn(|_| random.f64() * 1.5);
            [low, low.map(|x| x + 0.2 + 1.5 * random.f64())]
        })
        .collect()
}

/// A unit quaternion x y z w, uniform over rotations.
fn turn(random: &mut Rng) -> [f64; 4] {
    loop {
        let q: [f64; 4] = std::array::from_fn(|_| random.f64().mul_add(2.0, -1.0));
        let square: f64 = q.iter().map(|x| x * x).sum();
        if (0.01..=1.0).contains(&square) {
            return q.map(|x| x / square.sqrt());
        }
    }
}
