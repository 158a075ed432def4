//! Four points of the difference around the origin: a quick proof that two cores overlap.

use super::ascent::unit;
use super::pair::{Pair, tangents};
use super::simplex::nearest_weights;
use kontakt_math::DVec3;

/// **Never more** than the radius of a ball about the origin in the difference B − A (as computed; noise apart); 0 when none was
/// found. Tries tetrahedra with the apex seen along a direction and the base seen from the other side.
pub(super) fn enclosed(pair: &Pair, directions: [DVec3; 2]) -> f64 {
    let centres = unit(pair.shift());
    let mut best: f64 = 0.0;
    let middle = centres.and_then(|centre| unit(centre + directions[0]));
    for n in directions.into_iter().chain(centres).chain(middle) {
        let apex = pair.look(n).w;
        let (e, f) = tangents(n);
        for (turn, lean) in (0..18).flat_map(|turn| [(turn, 0.1), (turn, 0.5), (turn, 2.0)]) {
            let base = |k: i32| {
                let angle = std::f64::consts::TAU / 54.0 * f64::from(turn + 18 * k);
                pair.look((e * angle.cos() + f * angle.sin() - n * lean).normalize()).w
            };
            let (_, radius) = nearest_weights(&[apex, base(0), base(1), base(2)]);
            best = best.max(radius);
        }
    }
    best
}
