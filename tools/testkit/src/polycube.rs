//! Bodies made of unit cells of the integer grid: every question about two of them is a count of cells, so exact.

use std::collections::{BTreeMap, BTreeSet};

/// A cell by its lowest corner; it fills [x, x+1] × [y, y+1] × [z, z+1].
pub type Cell = [i32; 3];

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polycube {
    /// The cells.
    pub cells: BTreeSet<Cell>,
}

/// How two polycubes lie to each other; interiors are those of the unions of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellRelation {
    /// No common point.
    Separate,
    /// Common points, no common cell.
    Touching,
    /// Common cells, and cells of either alone.
    Overlapping {
        /// Whether one of them, taken away, leaves a connected piece of the other in several pieces.
        piercing: bool,
    },
    /// All cells of the first are cells of the second, which has more.
    FirstInside,
    /// The other way round.
    SecondInside,
    /// The same cells.
    Same,
}

impl Polycube {
    /// All cells of a box of cells, `low` included, `high` not.
    pub fn block(low: Cell, high: Cell) -> Polycube {
        let mut cells = BTreeSet::new();
        for x in low[0]..high[0] {
            for y in low[1]..high[1] {
                cells.extend((low[2]..high[2]).map(|z| [x, y, z]));
            }
        }
        Polycube { cells }
    }

    /// With the cells of another.
    #[must_use]
    pub fn with(mut self, other: &Polycube) -> Polycube {
        self.cells.extend(&other.cells);
        self
    }

    /// Without the cells of another.
    #[must_use]
    pub fn without(mut self, other: &Polycube) -> Polycube {
        self.cells.retain(|cell| !other.cells.contains(cell));
        self
    }

    /// Moved by whole cells.
    #[must_use]
    pub fn moved(&self, by: Cell) -> Polycube {
        let moved = |c: &Cell| [c[0] + by[0], c[1] + by[1], c[2] + by[2]];
        Polycube { cells: self.cells.iter().map(moved).collect() }
    }

    /// Pieces that hang together by common sides.
    pub fn pieces(&self) -> Vec<Polycube> {
        let mut left = self.cells.clone();
        let mut pieces = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut piece = BTreeSet::from([first]);
            let mut open = vec![first];
            while let Some(cell) = open.pop() {
                for next in sides(cell) {
                    if left.remove(&next) {
                        piece.insert(next);
                        open.push(next);
                    }
                }
            }
            pieces.push(Polycube { cells: piece });
        }
        pieces
    }

    /// How two lie to each other.
    pub fn relation(&self, other: &Polycube) -> CellRelation {
        let common = self.cells.intersection(&other.cells).count();
        if common == 0 {
            let near = |c: &Cell, d: &Cell| (0..3).all(|k| (c[k] - d[k]).abs() <= 1);
            let touching = self.cells.iter().any(|c| other.cells.iter().any(|d| near(c, d)));
            return if touching { CellRelation::Touching } else { CellRelation::Separate };
        }
        match (common == self.cells.len(), common == other.cells.len()) {
            (true, true) => CellRelation::Same,
            (true, false) => CellRelation::FirstInside,
            (false, true) => CellRelation::SecondInside,
            (false, false) => {
                let splits = |body: &Polycube, by: &Polycube| {
                    body.pieces().into_iter().any(|piece| piece.without(by).pieces().len() > 1)
                };
                CellRelation::Overlapping { piercing: splits(self, other) || splits(other, self) }
            }
        }
    }

    /// Least Chebyshev-cell gap: the squared distance of the two closed bodies.
    pub fn squared_distance(&self, other: &Polycube) -> i64 {
        let gap = |c: &Cell, d: &Cell| -> i64 {
            (0..3).map(|k| i64::from(((c[k] - d[k]).abs() - 1).max(0)).pow(2)).sum()
        };
        self.cells.iter().flat_map(|c| other.cells.iter().map(move |d| gap(c, d))).min().unwrap_or(0)
    }

    /// Every cell cut into eight: cell x becomes 2x and 2x + 1 along each axis.
    #[must_use]
    pub fn doubled(&self) -> Polycube {
        let mut cells = BTreeSet::new();
        for cell in &self.cells {
            for k in 0..8 {
                cells.insert([2 * cell[0] + (k & 1), 2 * cell[1] + (k >> 1 & 1), 2 * cell[2] + (k >> 2)]);
            }
        }
        Polycube { cells }
    }

    /// A union of one to three blocks of up to `size` cells a side, with lowest corners in `0..size`.
    pub fn random(random: &mut crate::Generator, size: i32) -> Polycube {
        let mut body = Polycube::default();
        for _ in 0..=random.index(3) {
            let low: Cell = std::array::from_fn(|_| random.integer(0..=size - 1));
            let high = std::array::from_fn(|k| low[k] + random.integer(1..=size));
            body = body.with(&Polycube::block(low, high));
        }
        body
    }

    /// Vertices and triangles of the surface, turned outward. Bit k of `diagonals` (repeated) chooses the diagonal of the
    /// k-th square.
    pub fn surface(&self, diagonals: u64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let mut ids: BTreeMap<Cell, u32> = BTreeMap::new();
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        let mut count = 0_u32;
        for &cell in &self.cells {
            for (k, side) in sides(cell).into_iter().enumerate() {
                if self.cells.contains(&side) {
                    continue;
                }
                let (axis, high) = (k / 2, k % 2 == 1);
                let corner = |a: i32, b: i32| {
                    let mut c = cell;
                    c[axis] += i32::from(high);
                    c[(axis + 1) % 3] += a;
                    c[(axis + 2) % 3] += b;
                    c
                };
                let mut square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if !high {
                    square.reverse();
                }
                let square = square.map(|c| {
                    *ids.entry(c).or_insert_with(|| {
                        vertices.push(c.map(f64::from));
                        vertices.len() as u32 - 1
                    })
                });
                let turn = (diagonals >> (count % 64) & 1) as usize;
                count += 1;
                let at = |i: usize| square[(i + turn) % 4];
                triangles.push([at(0), at(1), at(2)]);
                triangles.push([at(0), at(2), at(3)]);
            }
        }
        (vertices, triangles)
    }
}

/// The six cells that share a side, low and high along x, y, z.
fn sides(cell: Cell) -> [Cell; 6] {
    std::array::from_fn(|k| {
        let mut next = cell;
        next[k / 2] += if k % 2 == 0 { -1 } else { 1 };
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rod_through_a_plate_pierces_it_and_a_plug_touches() {
        let plate = Polycube::block([-3, -3, 0], [3, 3, 1]);
        let rod = Polycube::block([-1, -1, -4], [1, 1, 4]);
        assert_eq!(plate.relation(&rod), CellRelation::Overlapping { piercing: true });
        let holed = plate.without(&rod);
        assert_eq!(holed.relation(&rod), CellRelation::Touching);
        assert_eq!(rod.relation(&rod.moved([0, 0, 0])), CellRelation::Same);
        let (vertices, triangles) = Polycube::block([0, 0, 0], [1, 1, 1]).surface(5);
        assert_eq!((vertices.len(), triangles.len()), (8, 12));
    }
}
