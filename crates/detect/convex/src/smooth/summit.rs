//! From a direction to a local maximum of the gap of overlapping cores, also where the maximum is at a kink.

use super::active::Active;
use super::ascent::{Stand, climb};
use super::cap::Cap;
use super::nearest::nearest;
use super::pair::Pair;

/// A local maximum not below the start, with its cap.
///
/// Where the cores are smooth: Newton's method. Elsewhere B is moved away along n by a little more than the depth, and
/// the nearest points of the separate cores tell the next direction m: f(m) + L·m·n ≥ f(n) + L, so f(m) ≥ f(n). They also
/// tell the pieces on which it rests, and those Newton's method polishes.
pub(super) fn summit(pair: &Pair, start: Stand) -> Cap {
    if pair.is_smooth() {
        let top = climb(pair, start, 30);
        return Cap::new(pair, top, &Active::single(&top));
    }
    let mut here = start;
    let mut active = Active::single(&start);
    for _ in 0..24 {
        let away = 1.0625 * (-here.gap).max(0.0) + 4.0 * pair.noise;
        let near = nearest(&pair.moved(here.n * away), here.n);
        let before = here;
        let mut polished = near.active();
        polished.back(here.n * away);
        active = polished.clone();
        if let Some(stand) = Stand::new(pair, near.stand.n)
            && stand.gap > here.gap
        {
            here = stand;
        }
        if polished.polish(pair, 8)
            && let Some(stand) = Stand::new(pair, polished.n)
            && stand.gap >= here.gap - pair.noise
        {
            let cap = Cap::new(pair, stand, &polished);
            if cap.radius > 0.0 {
                return cap;
            }
        }
        if here.gap - before.gap <= 0.25 * pair.noise {
            break;
        }
    }
    Cap::new(pair, here, &active)
}
