//! Descent from many starts, compiled for the instruction set at hand.

#![allow(unsafe_code, reason = "calls functions compiled for instruction sets found at run time")]

use super::landscape::Landscape;
use super::nelder_mead;
use crate::bound::Objective;
use kontakt_math::DVec3;

/// Starts a side of the cube of Rodrigues vectors.
const SIDE: u32 = 4;
/// Half the distance of two starts.
const STEP: f64 = 0.1035;

/// The starts: a grid over all orientations, those beyond the fundamental domain left out.
pub(super) fn grid() -> impl Iterator<Item = DVec3> {
    let place = |k: u32| STEP * (2.0 * f64::from(k) - f64::from(SIDE - 1));
    (0..SIDE * SIDE * SIDE)
        .map(move |k| DVec3::new(place(k % SIDE), place(k / SIDE % SIDE), place(k / SIDE / SIDE)))
        .filter(|r| r.abs().element_sum() <= 1.0)
}

/// Nelder–Mead from each given start and from the most promising `count` of the grid; the best end and its cost.
pub(super) fn best_of_starts(
    vertices: &[DVec3],
    objective: Objective,
    given: &[DVec3],
    count: usize,
) -> (DVec3, f64) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f")]
        fn wide(v: &[DVec3], objective: Objective, given: &[DVec3], count: usize) -> (DVec3, f64) {
            body(v, objective, given, count)
        }
        #[target_feature(enable = "avx2")]
        fn middle(v: &[DVec3], objective: Objective, given: &[DVec3], count: usize) -> (DVec3, f64) {
            body(v, objective, given, count)
        }
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the feature, asked for just now.
            return unsafe { wide(vertices, objective, given, count) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature, asked for just now.
            return unsafe { middle(vertices, objective, given, count) };
        }
    }
    body(vertices, objective, given, count)
}

#[inline(always)]
fn body(vertices: &[DVec3], objective: Objective, given: &[DVec3], count: usize) -> (DVec3, f64) {
    // Loops, not iterator chains: a closure need not be compiled for the caller's instruction set.
    let all = Landscape::around(vertices, objective, DVec3::ZERO, 10.0);
    let mut starts = Vec::new();
    for r in grid() {
        starts.push((r, all.cost(r)));
    }
    starts.sort_by(|a, b| a.1.total_cmp(&b.1));
    starts.truncate(count);
    for &r in given {
        starts.push((r, all.cost(r)));
    }
    let mut ends = Vec::new();
    for &(start, _) in &starts {
        let near = Landscape::around(vertices, objective, start, 2.0 * STEP);
        ends.push(nelder_mead::descend(&near, start, 0.5 * STEP, 1e-3));
    }
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    ends.truncate(2);
    let mut best = (DVec3::ZERO, all.cost(DVec3::ZERO));
    for &(end, _) in &ends {
        let near = Landscape::around(vertices, objective, end, 0.02);
        let (r, _) = nelder_mead::descend(&near, end, 2e-3, 1e-9);
        // Judged once more with all vertices in view.
        starts.push((r, all.cost(r)));
    }
    for &start in &starts {
        if start.1 < best.1 {
            best = start;
        }
    }
    best
}
