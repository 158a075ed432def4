//! Nelder and Mead's simplex in the space of Rodrigues vectors.

use super::landscape::Landscape;
use kontakt_math::DVec3;

/// Descends from `start` with a simplex of the given size, restarted smaller until it does not help any more.
/// Gives the best vector and its cost, never worse than the start.
#[inline(always)]
pub(super) fn descend(landscape: &Landscape, start: DVec3, size: f64, smallest: f64) -> (DVec3, f64) {
    let mut best = (start, landscape.cost(start));
    let mut size = size;
    let mut sign = 1.0;
    while size > smallest {
        let found = one_run(landscape, best, size * sign);
        let gain = best.1 - found.1;
        if found.1 < best.1 {
            best = found;
        }
        // A run that gained something may gain more from a fresh simplex of the same size.
        if gain <= 1e-3 * size * best.1 {
            size *= 0.1;
        }
        sign = -sign;
    }
    best
}

/// One simplex, until it has shrunk to a thousandth or 120 steps are done.
#[inline(always)]
fn one_run(landscape: &Landscape, start: (DVec3, f64), size: f64) -> (DVec3, f64) {
    let corner = |d: DVec3| {
        let r = start.0 + d * size;
        (r, landscape.cost(r))
    };
    let mut simplex = [start, corner(DVec3::X), corner(DVec3::Y), corner(DVec3::Z)];
    for _ in 0..120 {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let [best, .., worst] = simplex;
        if (worst.0 - best.0).abs().max_element() < 1e-3 * size.abs() {
            break;
        }
        let middle = (simplex[0].0 + simplex[1].0 + simplex[2].0) / 3.0;
        let at = |t: f64| {
            let r = middle + (worst.0 - middle) * t;
            (r, landscape.cost(r))
        };
        let reflected = at(-1.0);
        let next = if reflected.1 < best.1 {
            let expanded = at(-2.0);
            if expanded.1 < reflected.1 { expanded } else { reflected }
        } else if reflected.1 < simplex[2].1 {
            reflected
        } else {
            let contracted = at(if reflected.1 < worst.1 { -0.5 } else { 0.5 });
            if contracted.1 < worst.1.min(reflected.1) {
                contracted
            } else {
                for corner in &mut simplex[1..] {
                    let r = best.0 + (corner.0 - best.0) * 0.5;
                    *corner = (r, landscape.cost(r));
                }
                continue;
            }
        };
        simplex[3] = next;
    }
    simplex.into_iter().fold(start, |a, b| if b.1 < a.1 { b } else { a })
}
