//! The best of a few planes across each axis, for any cost of a box (Wald 2007): what the surface rules share.

use super::halving::in_halves;
use super::rule::{Split, SplitSet};
use super::workpiece::{NOTHING, union};
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// Most planes an axis, plus one.
const BINS: usize = 16;

/// Faces whose middles lie between two planes.
#[derive(Clone, Copy)]
struct Bin {
    around: Aabb,
    count: usize,
}

const EMPTY: Bin = Bin { around: NOTHING, count: 0 };

/// Cuts where `cost`(box)·faces, summed over both sides, is least. `cost` gets half widths of a box that is not empty.
pub(super) fn split_by(set: &SplitSet<'_>, parts: usize, cost: impl Fn(DVec3) -> f64) -> Option<Split> {
    in_halves(set, parts, |half| {
        let scale = Scale::of(half)?;
        let (axis, bin) = best_plane(half, &scale, &cost)?;
        Some(half.centroids().map(|c| scale.bin(c, axis) >= bin).collect())
    })
}

/// From places to bins.
struct Scale {
    low: DVec3,
    bins_per_length: DVec3,
    bins: usize,
}

impl Scale {
    /// `None` when all middles coincide. An axis along which they do has one bin.
    fn of(set: &SplitSet<'_>) -> Option<Scale> {
        // Few faces do not need many planes.
        let bins = set.faces.len().clamp(4, BINS);
        let around = set.workpiece.centroid_box(set.faces);
        let bins_per_length = (around.max - around.min).map(|width| {
            let scale = bins as f64 / width;
            if scale.is_finite() { scale } else { 0.0 }
        });
        (bins_per_length != DVec3::ZERO).then_some(Scale { low: around.min, bins_per_length, bins })
    }

    /// The bin of a place, which lies within the box that the scale was made for.
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "places are not below `low`")]
    fn bin(&self, place: DVec3, axis: usize) -> usize {
        (((place[axis] - self.low[axis]) * self.bins_per_length[axis]) as usize).min(self.bins - 1)
    }
}

/// Axis and first bin of the upper side.
fn best_plane(set: &SplitSet<'_>, scale: &Scale, cost: &impl Fn(DVec3) -> f64) -> Option<(usize, usize)> {
    let mut bins = [[EMPTY; BINS]; 3];
    for face in set.faces {
        let (around, place) = (&set.workpiece.boxes[*face as usize], set.workpiece.centroids[*face as usize]);
        for (axis, bins) in bins.iter_mut().enumerate() {
            let bin = &mut bins[scale.bin(place, axis)];
            bin.around = union(&bin.around, around);
            bin.count += 1;
        }
    }
    let cost_of = |side: &Bin| cost((side.around.max - side.around.min) * 0.5) * side.count as f64;
    let add = |side: Bin, bin: &Bin| Bin {
        around: union(&side.around, &bin.around),
        count: side.count + bin.count,
    };
    let mut best: Option<(f64, usize, usize)> = None;
    for (axis, bins) in bins.iter().enumerate() {
        let bins = &bins[..scale.bins];
        let mut upper = [EMPTY; BINS];
        let mut side = EMPTY;
        for i in (1..scale.bins).rev() {
            side = add(side, &bins[i]);
            upper[i] = side;
        }
        let mut lower = EMPTY;
        for i in 1..scale.bins {
            lower = add(lower, &bins[i - 1]);
            // The same faces on each side as one plane before.
            if bins[i - 1].count == 0 || upper[i].count == 0 {
                continue;
            }
            let sum = cost_of(&lower) + cost_of(&upper[i]);
            if best.is_none_or(|(least, ..)| sum < least) {
                best = Some((sum, axis, i));
            }
        }
    }
    best.map(|(_, axis, bin)| (axis, bin))
}
