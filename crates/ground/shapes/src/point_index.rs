//! Which points are the same? An open-addressing table from positions to ids.

use crate::memory::{OutOfMemory, reserve};
use kontakt_math::DVec3;

const EMPTY: u32 = u32::MAX;

/// Finds equal points among a growing list that the caller keeps; −0 equals 0. Ids follow first appearance, so that the
/// result depends on nothing but the order of the points.
#[derive(Clone, Debug, Default)]
pub struct PointIndex {
    slots: Vec<u32>,
    used: usize,
}

impl PointIndex {
    /// The id under which `point` was entered before, or `id` after entering it so. `points[i]` must be the point entered as
    /// `i` for every id so far; all are finite.
    #[inline]
    pub fn find_or_enter(&mut self, points: &[DVec3], point: DVec3, id: u32) -> u32 {
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow(points);
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(point) as usize & mask;
        loop {
            match self.slots[slot] {
                EMPTY => {
                    self.slots[slot] = id;
                    self.used += 1;
                    return id;
                }
                other if points[other as usize] == point => return other,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Makes room for so many points more at once, while there is memory: entering them does not fail then.
    #[inline]
    pub fn reserve(&mut self, known: &[DVec3], more: usize) -> Result<(), OutOfMemory> {
        let needed = 2 * (self.used + more + 1);
        if needed <= self.slots.len() {
            Ok(())
        } else {
            self.resize(known, needed.next_power_of_two().max(64))
        }
    }

    /// Looks where `next` would be found, all at once: their memory is then near when they are entered one by one, each of
    /// which would otherwise wait for the one before.
    #[inline]
    pub fn approach(&self, next: &[DVec3]) {
        let mask = self.slots.len().wrapping_sub(1);
        let look = |&point: &DVec3| self.slots.get(hash(point) as usize & mask).copied().unwrap_or(EMPTY);
        std::hint::black_box(next.iter().map(look).fold(0, |all, slot| all ^ slot));
    }

    /// Without memory this ends the program; who reads files asks [`reserve`](PointIndex::reserve) before.
    #[cold]
    fn grow(&mut self, points: &[DVec3]) {
        let size = (2 * self.slots.len()).max(64);
        self.enter_all(points, vec![EMPTY; size]);
    }

    #[cold]
    fn resize(&mut self, points: &[DVec3], size: usize) -> Result<(), OutOfMemory> {
        let mut slots = Vec::new();
        reserve(&mut slots, size)?;
        slots.resize(size, EMPTY);
        self.enter_all(points, slots);
        Ok(())
    }

    /// Moves to an empty table, as large as a power of two.
    fn enter_all(&mut self, points: &[DVec3], slots: Vec<u32>) {
        let size = slots.len();
        let old = std::mem::replace(&mut self.slots, slots);
        for id in old.into_iter().filter(|&id| id != EMPTY) {
            let mut slot = hash(points[id as usize]) as usize & (size - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = id;
        }
    }
}

/// For each point the first one at the same place; `None` when all differ.
pub fn first_at_same_place(points: &[DVec3]) -> Option<Vec<u32>> {
    let mut index = PointIndex::default();
    index.enter_all(&[], vec![EMPTY; (2 * points.len() + 2).next_power_of_two()]);
    let mut first = Vec::with_capacity(points.len());
    first.extend(points.iter().enumerate().map(|(id, &point)| index.find_or_enter(points, point, id as u32)));
    (index.used < points.len()).then_some(first)
}

/// Multiplies and folds each coordinate in turn; adding zero makes −0 and 0 alike.
#[inline]
fn hash(point: DVec3) -> u64 {
    let mix = |state: u64, x: f64| {
        let wide = u128::from((x + 0.0).to_bits() ^ state) * 0x9E37_79B9_7F4A_7C15;
        (wide >> 64) as u64 ^ wide as u64
    };
    mix(mix(mix(0x2545_F491_4F6C_DD1D, point.x), point.y), point.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_points_share_the_first_id() {
        let mut points: Vec<DVec3> =
            (0..5000).map(|i| DVec3::new(f64::from(i % 1000), f64::from(i % 8), -0.5)).collect();
        points.push(DVec3::new(0.0, -0.0, -0.5));
        let first = first_at_same_place(&points).unwrap();
        for (i, &f) in first.iter().enumerate() {
            assert_eq!(points[i], points[f as usize]);
            assert!(points[..f as usize].iter().all(|&p| p != points[i]));
        }
        assert_eq!(first_at_same_place(&points[..1000]), None);
    }
}
