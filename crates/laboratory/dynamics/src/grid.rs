//! Spheres that may touch, by cells of a periodic cube.

use kontakt_math::DVec3;

const NONE: u32 = u32::MAX;

/// Cells at least as wide as a sphere, at least three along a side.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    side: f64,
    count: usize,
    heads: Vec<u32>,
    next: Vec<u32>,
}

/// The half of a cell's neighbours: of a pair of cells one names the other.
const AHEAD: [[isize; 3]; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

impl Grid {
    pub(crate) fn new(side: f64, diameter: f64, spheres: usize) -> Grid {
        let most = (spheres as f64).cbrt().ceil().max(3.0);
        let count = (side / diameter).floor().clamp(3.0, most) as usize;
        Grid { side, count, heads: vec![NONE; count.pow(3)], next: vec![NONE; spheres] }
    }

    /// All spheres into the cells of their places, which lie in the cube.
    pub(crate) fn fill(&mut self, places: &[DVec3]) {
        self.heads.fill(NONE);
        let scale = self.count as f64 / self.side;
        for (sphere, place) in places.iter().enumerate() {
            let at = (*place * scale).to_array().map(|x| (x as usize).min(self.count - 1));
            let cell = (at[2] * self.count + at[1]) * self.count + at[0];
            self.next[sphere] = self.heads[cell];
            self.heads[cell] = sphere as u32;
        }
    }

    /// All pairs in one cell or in neighbouring ones, each once; the shift is that of the second as seen from the first.
    pub(crate) fn each_pair(&self, mut tell: impl FnMut(usize, usize, DVec3)) {
        let count = self.count;
        for cell in 0..self.heads.len() {
            let at = [cell % count, cell / count % count, cell / (count * count)];
            for first in self.within(self.heads[cell]) {
                self.within(self.next[first]).for_each(|second| tell(first, second, DVec3::ZERO));
            }
            if self.heads[cell] == NONE {
                continue;
            }
            for step in AHEAD {
                let (other, shift) = self.beside(at, step);
                for first in self.within(self.heads[cell]) {
                    self.within(self.heads[other]).for_each(|second| tell(first, second, shift));
                }
            }
        }
    }

    fn beside(&self, at: [usize; 3], step: [isize; 3]) -> (usize, DVec3) {
        let mut shift = DVec3::ZERO;
        let mut place = [0; 3];
        for axis in 0..3 {
            (place[axis], shift[axis]) = match step[axis] {
                -1 if at[axis] == 0 => (self.count - 1, -self.side),
                1 if at[axis] + 1 == self.count => (0, self.side),
                step => (at[axis].wrapping_add_signed(step), 0.0),
            };
        }
        ((place[2] * self.count + place[1]) * self.count + place[0], shift)
    }

    fn within(&self, first: u32) -> impl Iterator<Item = usize> + '_ {
        let known = |sphere: u32| (sphere != NONE).then_some(sphere as usize);
        std::iter::successors(known(first), move |&sphere| known(self.next[sphere]))
    }
}
