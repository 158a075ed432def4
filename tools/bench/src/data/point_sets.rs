//! A million points four ways, always the same.

use fastrand::Rng;

/// Points of a generated set.
type Points = Vec<[f64; 3]>;

/// How many points each set has.
pub(crate) const COUNT: usize = 1_000_000;

/// Name and maker of a set.
type Set = (&'static str, fn() -> Points);

/// All sets.
pub(crate) const SETS: [Set; 4] = [
    ("in a ball", || make(1, in_ball)),
    ("on a sphere", || make(2, on_sphere)),
    ("in a box", || make(3, in_box)),
    ("clustered", clustered),
];

fn make(seed: u64, point: fn(&mut Rng) -> [f64; 3]) -> Points {
    let mut random = Rng::with_seed(seed);
    (0..COUNT).map(|_| point(&mut random)).collect()
}

fn symmetric(random: &mut Rng) -> f64 {
    random.f64().mul_add(2.0, -1.0)
}

fn in_box(random: &mut Rng) -> [f64; 3] {
    std::array::from_fn(|_| symmetric(random))
}

fn in_ball(random: &mut Rng) -> [f64; 3] {
    loop {
        let p = in_box(random);
        if square(p) <= 1.0 {
            return p;
        }
    }
}

fn on_sphere(random: &mut Rng) -> [f64; 3] {
    loop {
        let p = in_ball(random);
        let length = square(p).sqrt();
        if length > 0.1 {
            return p.map(|x| x / length);
        }
    }
}

/// Thirty small balls of points, scattered in the unit box.
fn clustered() -> Points {
    let mut random = Rng::with_seed(4);
    let centres: Vec<[f64; 3]> = (0..30).map(|_| in_box(&mut random)).collect();
    (0..COUNT)
        .map(|_| {
            let centre = centres[random.usize(..centres.len())];
            let offset = in_ball(&mut random);
            std::array::from_fn(|i| centre[i] + 0.1 * offset[i])
        })
        .collect()
}

fn square(p: [f64; 3]) -> f64 {
    p.iter().map(|x| x * x).sum()
}
