//! The next ear of a long polygon, in a time that hardly grows with its corners.

use crate::corner_tree::CornerTree;
use crate::ear_clip::{Ring, blocks};
use kontakt_math::DVec2;
use std::collections::BTreeSet;

/// Steps that one corner may cost, on average, before the rest of a polygon is cut without looking. Simple polygons take some
/// hundred; this bites where polygons cross themselves.
const STEPS_PER_CORNER: usize = 2048;

/// Finds what going round a [`Ring`] would find.
///
/// Cutting off an ear leaves less of the polygon, so a diagonal that was not inside before is not inside after: only the two
/// neighbours of an ear can become ears. A polygon that crosses itself has no inside, and all are looked at again.
pub(crate) struct EarFinder {
    /// Corners that turn left and are not known to be no ears.
    candidates: BTreeSet<usize>,
    /// How many corners turn left.
    left_turns: usize,
    remaining: CornerTree,
    steps_left: usize,
}

impl EarFinder {
    pub(crate) fn new(flat: &[DVec2], ring: &Ring) -> EarFinder {
        let candidates: BTreeSet<usize> =
            (0..flat.len()).filter(|&corner| ring.turns_left(flat, corner)).collect();
        EarFinder {
            left_turns: candidates.len(),
            candidates,
            remaining: CornerTree::new(flat),
            steps_left: flat.len() * STEPS_PER_CORNER,
        }
    }

    #[cfg(test)]
    pub(crate) fn steps_taken(&self, corners: usize) -> usize {
        corners * STEPS_PER_CORNER - self.steps_left
    }

    /// The first ear from `start` on.
    pub(crate) fn find(&mut self, flat: &[DVec2], ring: &Ring, start: usize) -> Option<usize> {
        if let Some(ear) = self.first_candidate(flat, ring, start) {
            return Some(ear);
        }
        if self.left_turns == 0 || self.steps_left == 0 {
            return None;
        }
        let mut corner = start;
        loop {
            if ring.turns_left(flat, corner) {
                self.candidates.insert(corner);
            }
            self.steps_left = self.steps_left.saturating_sub(1);
            corner = ring.next[corner];
            if corner == start {
                return self.first_candidate(flat, ring, start);
            }
        }
    }

    /// The first candidate from `start` on that is an ear; those before are candidates no more.
    fn first_candidate(&mut self, flat: &[DVec2], ring: &Ring, start: usize) -> Option<usize> {
        while self.steps_left > 0 {
            let later = self.candidates.range(start..).next();
            let corner = *later.or_else(|| self.candidates.first())?;
            let triangle = [ring.previous[corner], corner, ring.next[corner]].map(|i| flat[i]);
            let blocked =
                self.remaining.any_in_triangle(triangle, &mut self.steps_left, |k| blocks(flat[k], triangle));
            if !blocked {
                return Some(corner);
            }
            self.candidates.remove(&corner);
        }
        None
    }

    /// An ear is about to be cut off.
    pub(crate) fn leave(&mut self, flat: &[DVec2], ring: &Ring, ear: usize) {
        let changed = [ring.previous[ear], ear, ring.next[ear]];
        self.left_turns -= changed.into_iter().filter(|&corner| ring.turns_left(flat, corner)).count();
        self.candidates.remove(&ear);
        self.remaining.remove(ear);
    }

    /// Two corners have become neighbours.
    pub(crate) fn joined(&mut self, flat: &[DVec2], ring: &Ring, neighbours: [usize; 2]) {
        for corner in neighbours {
            if ring.turns_left(flat, corner) {
                self.left_turns += 1;
                self.candidates.insert(corner);
            } else {
                self.candidates.remove(&corner);
            }
        }
    }
}
