//! The two-dimensional grid that rows of boxes stand in.

/// Cells of two axes u and v; the third axis runs along a row. The cell of a coordinate is a **monotone** function of it
/// (subtraction, product with a positive number, truncation and clamping all are), which is all that is relied on: nothing
/// depends on where exactly a border lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    low: [f32; 2],
    inverse: [f32; 2],
    pub(crate) count: [u32; 2],
}

/// Most cells along an axis.
const MOST: f32 = 32_768.0;

impl Grid {
    /// A grid over the range low..high of u and v with cells of at least the sides given, and at most `rows` of them.
    pub(crate) fn new(low: [f32; 2], high: [f32; 2], sides: [f32; 2], rows: usize) -> Grid {
        let range = [high[0] - low[0], high[1] - low[1]];
        let cells = |k: usize| {
            let count = range[k] / sides[k];
            if count.is_nan() { 1.0 } else { count.clamp(1.0, MOST) }
        };
        let mut count = [cells(0), cells(1)];
        let most = rows.max(1) as f32;
        if count[0] * count[1] > most {
            // Both axes alike, and more of the other where one runs out of cells.
            let shrink = (most / (count[0] * count[1])).sqrt();
            let first = (count[0] * shrink).max(1.0);
            count = [first, (count[1] * shrink).clamp(1.0, (most / first).max(1.0))];
            count[0] = (most / count[1]).min(count[0]).max(1.0);
        }
        let mut grid = Grid { low, inverse: [0.0; 2], count: [1; 2] };
        for k in 0..2 {
            let inverse = count[k].floor() / range[k];
            if count[k] >= 2.0 && inverse.is_finite() {
                grid.count[k] = count[k] as u32;
                grid.inverse[k] = inverse;
            }
        }
        grid
    }

    /// The cell of a coordinate along axis 0 (u) or 1 (v); those outside belong to the nearest cell.
    #[inline(always)]
    pub(crate) fn cell(&self, axis: usize, x: f32) -> u32 {
        // Negative products and NaN become 0; `low` and `x` are finite, so is the inverse.
        (((x - self.low[axis]) * self.inverse[axis]) as u32).min(self.count[axis] - 1)
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.count[0] as usize * self.count[1] as usize
    }

    /// The row at a pair of cells.
    #[inline(always)]
    pub(crate) fn row(&self, u: u32, v: u32) -> usize {
        u as usize * self.count[1] as usize + v as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_the_order_and_the_bounds() {
        for (low, high, side, rows) in [
            (0.0, 0.0, 0.0, 10),
            (-1.0, 1.0, 0.1, 1000),
            (-1.0, 1.0, 0.0, 7),
            (-1.0, 1.0, f32::NAN, 7),
            (0.0, 1e-44, 1e-45, 100),
            (-1e30, 1e30, 1.0, usize::MAX),
        ] {
            let grid = Grid::new([low; 2], [high; 2], [side; 2], rows);
            assert!(grid.rows() <= rows.max(1) && grid.rows() >= 1, "{grid:?}");
            let mut last = 0;
            for i in -2..=34_i16 {
                let x = low + (high - low) * (f32::from(i) / 32.0);
                let cell = grid.cell(0, x);
                assert!(cell >= last && cell < grid.count[0]);
                last = cell;
            }
        }
        assert_eq!(Grid::new([0.0; 2], [1.0; 2], [0.25, 0.5], 100).count, [4, 2]);
    }
}
