//! Partitions of which a part is decided: what branch-and-bound starts from and heuristics complete.

use super::rule::SplitSet;
use kontakt_math::DVec3;

/// Label of a face that is not in any part yet.
pub(super) const OPEN: u8 = u8::MAX;

/// A heuristic that can also complete a partial partition.
pub(super) trait Complete {
    /// Gives every open face a part; decided ones stay. All `parts` are used if there are enough open faces to.
    fn complete(&self, set: &SplitSet<'_>, labels: &[u8], parts: usize) -> Vec<u8>;
}

/// Squared distance of a place from the farthest corner of a face: the thesis's d(c, f), which a ball around c must reach
/// to hold the face.
pub(super) fn squared_reach(set: &SplitSet<'_>, from: DVec3, place: usize) -> f64 {
    set.corners(place).iter().map(|v| v.distance_squared(from)).fold(0.0, f64::max)
}

/// Faces in each part.
pub(super) fn counts(labels: &[u8], parts: usize) -> Vec<usize> {
    let mut counts = vec![0; parts];
    labels.iter().filter(|l| **l != OPEN).for_each(|label| counts[*label as usize] += 1);
    counts
}

/// Moves undecided faces from the largest parts into empty ones, until no part is empty or nothing can move. `decided`
/// are the labels before completion.
pub(super) fn refill(labels: &mut [u8], decided: &[u8], parts: usize) {
    let mut counts = counts(labels, parts);
    for empty in 0..parts {
        if counts[empty] > 0 {
            continue;
        }
        let movable = (0..labels.len()).filter(|i| decided[*i] == OPEN && counts[labels[*i] as usize] > 1);
        // The last face of the largest part, so that equal questions have equal answers.
        let Some(moved) = movable.max_by_key(|i| counts[labels[*i] as usize]) else { return };
        counts[labels[moved] as usize] -= 1;
        labels[moved] = empty as u8;
        counts[empty] += 1;
    }
}
