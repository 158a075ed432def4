//! Cutting sets by rank along their longest side; small ones with all comparisons at once instead of sorting.

use crate::packed::vector::Bounds;

/// Most items of a small set.
const MOST: usize = 32;

/// Reorders `items` (indices into `boxes`) so that the first `cut` have the smallest centres along the longest side of all
/// centres.
#[inline(always)]
pub(super) fn halve(boxes: &[Bounds], items: &mut [u32], cut: usize) {
    let count = items.len();
    let mut spread = Bounds::EMPTY;
    for &i in items.iter() {
        spread = spread.include(boxes[i as usize].key());
    }
    let axis = spread.longest();
    if count > MOST {
        items.select_nth_unstable_by_key(cut, |&i| (ordered(boxes[i as usize].key().0[axis]), i));
        return;
    }
    // The last bits are replaced by the place so that no two are equal.
    let mut keys = [u32::MAX; MOST];
    let mut old = [0; MOST];
    for (k, &i) in items.iter().enumerate() {
        keys[k] = ordered(boxes[i as usize].key().0[axis]) & !(MOST as u32 - 1) | k as u32;
        old[k] = i;
    }
    let ranks =
        if count <= MOST / 2 { ranks::<{ MOST / 2 }>(&keys, count) } else { ranks::<MOST>(&keys, count) };
    let (mut low, mut high) = (0, cut);
    for k in 0..count {
        let first = (ranks[k] as usize) < cut;
        let place = if first { low } else { high };
        items[place] = old[k];
        low += usize::from(first);
        high += usize::from(!first);
    }
}

/// An integer in the order of finite numbers.
#[inline(always)]
fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// How many keys are less than each of the first N.
#[inline(always)]
fn ranks<const N: usize>(keys: &[u32; MOST], count: usize) -> [u32; MOST] {
    let mut ranks = [0; MOST];
    for &other in &keys[..count] {
        for k in 0..N {
            ranks[k] += u32::from(other < keys[k]);
        }
    }
    ranks
}
