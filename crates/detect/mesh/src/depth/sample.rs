//! A few of many things, chosen by where they are and not by how they are numbered.

use super::outline::compare;
use kontakt_math::DVec3;

/// A box cut into `n`³ cells.
pub(super) struct Cells {
    low: DVec3,
    size: DVec3,
    n: u32,
}

impl Cells {
    pub(super) fn new(low: DVec3, high: DVec3, n: u32) -> Cells {
        Cells { low, size: high - low, n }
    }

    fn count(&self) -> usize {
        (self.n * self.n * self.n) as usize
    }

    /// The middle of each cell.
    pub(super) fn middles(&self) -> impl Iterator<Item = DVec3> {
        (0..self.count()).map(|cell| self.middle(cell))
    }

    fn middle(&self, cell: usize) -> DVec3 {
        let (n, cell) = (self.n, cell as u32);
        let at = DVec3::new(f64::from(cell % n), f64::from(cell / n % n), f64::from(cell / n / n));
        self.low + self.size * (at + 0.5) / f64::from(n)
    }

    /// The cell of a point of the box; one on a wall, to rounding, is in the upper cell.
    fn of(&self, point: DVec3) -> Option<usize> {
        const WALL: f64 = 1e-9;
        let part = (point - self.low) / self.size;
        let inside = part.cmpge(DVec3::splat(-WALL)).all() && part.cmple(DVec3::splat(1.0 + WALL)).all();
        let at =
            (part * f64::from(self.n) + WALL).floor().clamp(DVec3::ZERO, DVec3::splat(f64::from(self.n - 1)));
        let n = self.n as usize;
        inside.then(|| at.x as usize + n * (at.y as usize + n * at.z as usize))
    }

    /// One of the things in each cell: that nearest to its middle, of those equally near to rounding the first by their keys.
    pub(super) fn nearest<T: Copy>(
        &self,
        things: &[T],
        place: impl Fn(T) -> DVec3,
        key: impl Fn(T) -> DVec3,
    ) -> Vec<T> {
        let located = || things.iter().filter_map(|&thing| Some((thing, self.of(place(thing))?)));
        let distance =
            |thing: T, cell: usize| ((place(thing) - self.middle(cell)) / self.size).length_squared();
        let mut least = vec![f64::INFINITY; self.count()];
        for (thing, cell) in located() {
            least[cell] = least[cell].min(distance(thing, cell));
        }
        // Keys that differ by roundings only are alike; few fall on the limit between two whole numbers.
        let coarse = |thing: T| (key(thing) / self.size.max_element() * 1e6 + 0.271_828).round();
        let mut chosen: Vec<Option<T>> = vec![None; self.count()];
        for (thing, cell) in located() {
            let as_near = distance(thing, cell) <= least[cell] + 1e-9;
            if as_near && chosen[cell].is_none_or(|other| compare(coarse(thing), coarse(other)).is_lt()) {
                chosen[cell] = Some(thing);
            }
        }
        chosen.into_iter().flatten().collect()
    }
}
