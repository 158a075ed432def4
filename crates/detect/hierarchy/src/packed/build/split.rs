//! Where to cut a set of boxes in two: sixteen bins along the longest side, the cost of a collision with a small ball.
//!
//! A box is met by a ball of radius r at a random place with a probability in proportion to the volume of the box grown by
//! r (Steiner's formula). For the flat boxes of surfaces two of its terms matter, half surface and length of the sides;
//! the second also tells segments from points, which a surface does not.

use crate::packed::vector::{Bounds, Vector};

const BINS: usize = 16;
/// Size of the opponent in widths of the set, which is twice its extent.
const OPPONENT: f32 = 1.0 / 32.0;

/// One thing to be divided.
pub(super) trait Item: Copy {
    /// Its box.
    fn bounds(&self) -> Bounds;
    /// Triangles in it.
    fn weight(&self) -> u32;
}

/// Cuts `items` (indices into `all`) in two by that cost, reorders them so that the first part comes first and
/// returns its length, which is at least 1 and less than all.
#[inline(always)]
pub(super) fn split<T: Item>(all: &[T], items: &mut [u32]) -> usize {
    debug_assert!(items.len() >= 2);
    let mut spread = Bounds::EMPTY;
    for &i in items.iter() {
        spread = spread.include(all[i as usize].bounds().key());
    }
    let axis = spread.longest();
    let (low, width) = (spread.low.0[axis], spread.high.0[axis] - spread.low.0[axis]);
    let factor = BINS as f32 * (1.0 - 1e-6) / width;
    if !(width > 0.0 && factor.is_finite()) {
        return items.len() / 2;
    }
    let mut bins = [(Bounds::EMPTY, 0_u32); BINS];
    for &i in items.iter() {
        let item = &all[i as usize];
        let bounds = item.bounds();
        let bin = &mut bins[bin_of(bounds.key(), axis, low, factor)];
        *bin = (bin.0.join(bounds), bin.1 + item.weight());
    }
    let cut = cheapest(&bins, width * OPPONENT);
    let mut first = 0;
    for k in 0..items.len() {
        let i = items[k];
        let before = bin_of(all[i as usize].bounds().key(), axis, low, factor) < cut;
        items.swap(k, first);
        first += usize::from(before);
    }
    first
}

#[expect(clippy::cast_sign_loss, reason = "the key is at least `low`")]
#[inline(always)]
fn bin_of(key: Vector, axis: usize, low: f32, factor: f32) -> usize {
    // In range by construction; the mask only tells the compiler so.
    ((key.0[axis] - low) * factor) as usize & (BINS - 1)
}

/// The first bin of the second part. Both ends are not empty, because the lowest and the highest item are in them.
#[inline(always)]
fn cheapest(bins: &[(Bounds, u32); BINS], opponent: f32) -> usize {
    let mut right = [0.0_f32; BINS];
    let (mut bounds, mut weight) = (Bounds::EMPTY, 0);
    for b in (1..BINS).rev() {
        bounds = bounds.join(bins[b].0);
        weight += bins[b].1;
        right[b] = bounds.chance(opponent) * weight as f32;
    }
    let (mut bounds, mut weight) = (Bounds::EMPTY, 0);
    let (mut best, mut cut) = (f32::INFINITY, BINS / 2);
    for b in 1..BINS {
        bounds = bounds.join(bins[b - 1].0);
        weight += bins[b - 1].1;
        let cost = bounds.chance(opponent) * weight as f32 + right[b];
        if cost < best {
            (best, cut) = (cost, b);
        }
    }
    cut
}
