//! Quick proofs that two cores overlap: four points of the difference around the origin, or a point of one core deep in the other.

use super::ascent::unit;
use super::pair::{Pair, tangents};
use super::simplex::nearest_weights;
use kontakt_math::DVec3;

/// **Never more** than the radius of a ball about the origin in the difference B − A (as computed; noise apart); 0 when none was
/// found. Tries tetrahedra with the apex seen along a direction and the base seen from the other side.
///
/// `points`, one of A and one of B in A's frame, are tried as well, and the middles of both cores.
pub(super) fn enclosed(pair: &Pair, directions: [DVec3; 2], points: (DVec3, DVec3)) -> f64 {
    let centres = unit(pair.shift());
    let mut best = common_point(pair, points);
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

/// Where a point of one core has a ball around it inside of the other, the difference has that ball about the origin. Points
/// and their places in the other frame err by a noise each.
fn common_point(pair: &Pair, (on_a, on_b): (DVec3, DVec3)) -> f64 {
    let in_b = [pair.a.middle(), on_a].map(|point| pair.b.room_about(pair.to_frame_of_b(point)));
    let in_a = [pair.b_in_a(pair.b.middle()), on_b].map(|point| pair.a.room_about(point));
    in_a.into_iter().chain(in_b).fold(0.0, f64::max) - 2.0 * pair.noise
}
