//! The smallest ball by branch and bound over boxes of centres, with the midpoint test of chapter 4.

use kontakt_math::DVec3;

/// What is known at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The radius about the best centre.
    pub upper: f64,
    /// No ball has a lesser radius.
    pub lower: f64,
    /// Times the farthest point was looked for.
    pub calls: usize,
}

/// Boxes whose centres cannot be better than the best middle of a box are dropped: no centre's radius is less than that of the box's middle by more than
/// its distance from it.
pub fn smallest_ball(
    mut radius: impl FnMut(DVec3) -> f64,
    low: DVec3,
    high: DVec3,
    gap: f64,
    most: usize,
) -> Bounded {
    let mut calls = 1;
    let first = radius(0.5 * (low + high));
    let mut upper = first;
    let bound = |value: f64, half: DVec3| value - half.length();
    let mut open = vec![(bound(first, 0.5 * (high - low)), 0.5 * (low + high), 0.5 * (high - low))];
    while calls < most {
        // The least bound is opened next.
        let Some(at) = (0..open.len()).min_by(|&a, &b| open[a].0.total_cmp(&open[b].0)) else { break };
        if open[at].0 >= upper * (1.0 - gap) {
            break;
        }
        let (_, middle, mut half) = open.swap_remove(at);
        let axis = half.max_position();
        half[axis] *= 0.5;
        for side in [-1.0, 1.0] {
            let mut middle = middle;
            middle[axis] += side * half[axis];
            let value = radius(middle);
            calls += 1;
            upper = upper.min(value);
            open.push((bound(value, half), middle, half));
        }
        open.retain(|cell| cell.0 < upper);
    }
    let lower = open.iter().map(|cell| cell.0).fold(upper, f64::min);
    Bounded { upper, lower, calls }
}
