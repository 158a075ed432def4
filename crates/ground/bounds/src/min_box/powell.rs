//! Powell's method of conjugate directions in the space of Rodrigues vectors.

use super::landscape::Landscape;
use kontakt_math::DVec3;

/// Golden section's ratio.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Descends from `start` along directions that Powell's rule renews. Never worse than the start.
pub(super) fn descend(landscape: &Landscape, start: DVec3, size: f64, smallest: f64) -> (DVec3, f64) {
    let mut best = (start, landscape.cost(start));
    let mut size = size;
    while size > smallest {
        let mut directions = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..8 {
            let before = best;
            let mut steepest = (0.0, 0);
            for (k, &direction) in directions.iter().enumerate() {
                let found = line(landscape, best, direction, size);
                if best.1 - found.1 > steepest.0 {
                    steepest = (best.1 - found.1, k);
                }
                best = found;
            }
            let Some(progress) = (best.0 - before.0).try_normalize() else { break };
            best = line(landscape, best, progress, size);
            directions[steepest.1] = progress;
            if before.1 - best.1 <= 1e-15 * best.1.abs() {
                break;
            }
        }
        size *= 0.2;
    }
    best
}

/// The best of the samples of a golden-section search within ±size.
fn line(landscape: &Landscape, start: (DVec3, f64), direction: DVec3, size: f64) -> (DVec3, f64) {
    let mut best = start;
    let mut at = |t: f64| {
        let r = start.0 + direction * t;
        let value = landscape.cost(r);
        if value < best.1 {
            best = (r, value);
        }
        value
    };
    let (mut low, mut high) = (-size, size);
    let (mut x, mut y) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut fx, mut fy) = (at(x), at(y));
    while high - low > 1e-3 * size {
        if fx <= fy {
            (high, y, fy) = (y, x, fx);
            x = high - GOLDEN * (high - low);
            fx = at(x);
        } else {
            (low, x, fx) = (x, y, fy);
            y = low + GOLDEN * (high - low);
            fy = at(y);
        }
    }
    best
}
