//! How much larger than itself a box is kept, so that it need not be looked up again at every step.

use crate::Frame;
use crate::ends::Ends;

/// Steps ahead for which a fat box has room if the box goes on as in its last step. More make looking up rarer and near pairs
/// more. Cubes of side 1 at speeds up to 0.1, ms a step of 10⁴, 10⁵ and 10⁶: with 5 steps 0.74, 8.6, 104; with 7 0.70, 7.2, 97; with
/// 10 0.48, 6.0, 81; with 14 0.57, 7.1, 83.
const AHEAD: f32 = 10.0;
/// Room on every side, in last steps: for a box that slows down, speeds up or turns.
const ASIDE: f32 = 0.25;
/// How much of its width a box may grow by, at most: what moves faster is looked up at every step rather than meet half the scene.
const MOST: f32 = 2.0;
/// A room for fewer steps is not worth making.
const FEWEST: f32 = 2.0;

/// The box with room for the steps to come. **Encloses** the box: what is added is never negative, and rounding keeps order.
pub(crate) fn fatten(ends: &Ends, step: [f32; 3], frame: &Frame) -> Ends {
    let step = step.map(|s| frame.length(s));
    let longest = step[0].abs().max(step[1].abs()).max(step[2].abs());
    let widest = (0..3).map(|k| ends.high[k] - ends.low[k]).fold(0.0, f32::max);
    let ahead = (MOST * widest / longest - ASIDE).min(AHEAD);
    // Also for NaN: no step, or boxes without end.
    if !(longest > 0.0 && ahead >= FEWEST) {
        return *ends;
    }
    let aside = ASIDE * longest;
    let mut fat = *ends;
    for (k, step) in step.into_iter().enumerate() {
        fat.low[k] -= aside + (-step * ahead).max(0.0);
        fat.high[k] += aside + (step * ahead).max(0.0);
    }
    fat
}
