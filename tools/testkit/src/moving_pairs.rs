//! Seeded vertex–face and edge–edge pairs in motion, as they come and as a moving sheet gives them.

use crate::Generator;

/// Four points at t = 0 and at t = 1.
pub type Motion = [[[f64; 3]; 4]; 2];

/// Points anywhere in the cube [−1, 1]³ at both ends of time.
pub fn random(count: usize, seed: u64) -> Vec<Motion> {
    let mut g = Generator::free(seed);
    (0..count).map(|_| std::array::from_fn(|_| std::array::from_fn(|_| g.point()))).collect()
}

/// Neighbouring elements of a wrinkled sheet with edges of about 1 that moves by about 0.3 in a step and deforms by half of
/// that: what a search for overlapping swept boxes gives. Point 0 against a triangle, or two edges.
pub fn cloth(edges: bool, count: usize, seed: u64) -> Vec<Motion> {
    let mut g = Generator::free(seed);
    let mut motions = Vec::new();
    while motions.len() < count {
        let mut small = |size: f64| g.point().map(|x| x * size);
        let along = |p: [f64; 3], axis: usize, by: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|k| p[k] + by[k] + if k == axis { 1.0 } else { 0.0 })
        };
        let origin = [0.0; 3];
        let (b, c) = (along(origin, 0, small(0.3)), along(origin, 1, small(0.3)));
        let place = small(1.2);
        let place = [place[0], place[1], 0.6 * place[2]];
        let other = along(place, 1, small(0.3));
        let start = if edges { [origin, b, place, other] } else { [place, origin, b, c] };
        let drift = small(0.3);
        let end = start.map(|p| {
            let own = small(0.15);
            std::array::from_fn(|k| p[k] + drift[k] + own[k])
        });
        if boxes_overlap([start, end], if edges { 2 } else { 1 }) {
            motions.push([start, end]);
        }
    }
    motions
}

/// Whether the boxes around the ways of the points before and from `split` on overlap.
fn boxes_overlap(motion: Motion, split: usize) -> bool {
    (0..3).all(|k| {
        let of = |points: std::ops::Range<usize>| {
            points
                .flat_map(|i| [motion[0][i][k], motion[1][i][k]])
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
        };
        let ((a_lo, a_hi), (b_lo, b_hi)) = (of(0..split), of(split..4));
        a_lo <= b_hi && b_lo <= a_hi
    })
}
