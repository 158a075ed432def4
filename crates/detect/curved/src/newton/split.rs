//! How a box is cut that does not contract.

use super::Cell;
use super::linear::Rows;
use kontakt_math::Interval;

/// Which way a box is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// In half along every unknown: 2ⁿ parts.
    All,
    /// In half along the longest side.
    Longest,
    /// In half along the side that the equations vary most over.
    #[default]
    Steepest,
    /// In half along one side, one half of it along the next, and so on: n + 1 parts.
    Staircase,
}

impl Split {
    /// The parts; together they are the box.
    pub(super) fn parts<const M: usize, const N: usize>(
        self,
        cell: &Cell<N>,
        jacobian: &Rows<M, N>,
    ) -> Vec<Cell<N>> {
        match self {
            Split::All => {
                (0..N).fold(vec![*cell], |parts, j| parts.iter().flat_map(|part| halves(part, j)).collect())
            }
            Split::Longest => halves(cell, widest(cell, |_| 1.0)).into(),
            Split::Steepest => {
                let slope = |j: usize| {
                    jacobian.iter().map(|row| row[j].magnitude().min(f64::MAX)).fold(0.0, f64::max)
                };
                let along = widest(cell, slope);
                // Where nothing varies the longest side is as good as any.
                let flat = slope(along) * cell[along].width() == 0.0;
                halves(cell, if flat { widest(cell, |_| 1.0) } else { along }).into()
            }
            Split::Staircase => {
                let mut parts = Vec::with_capacity(N + 1);
                let mut rest = *cell;
                // The longest side first, as the first half is cut only there.
                let mut order: [usize; N] = std::array::from_fn(|j| j);
                order.sort_by(|&i, &j| cell[j].width().total_cmp(&cell[i].width()));
                for j in order {
                    let [low, high] = halves(&rest, j);
                    parts.push(low);
                    rest = high;
                }
                parts.push(rest);
                parts
            }
        }
    }
}

/// The unknown whose width times its weight is greatest, of those that can be halved.
fn widest<const N: usize>(cell: &Cell<N>, weight: impl Fn(usize) -> f64) -> usize {
    let size = |j: usize| {
        let middle = cell[j].middle();
        if cell[j].lo() < middle && middle < cell[j].hi() { cell[j].width() * weight(j) } else { -1.0 }
    };
    (0..N).max_by(|&i, &j| size(i).total_cmp(&size(j))).unwrap_or(0)
}

/// Both halves along an unknown.
pub(super) fn halves<const N: usize>(cell: &Cell<N>, along: usize) -> [Cell<N>; 2] {
    let (low, high) = cell[along].bisect();
    [low, high].map(|half| with(cell, along, half))
}

/// A box with another range of one unknown.
pub(super) fn with<const N: usize>(cell: &Cell<N>, along: usize, range: Interval) -> Cell<N> {
    let mut part = *cell;
    part[along] = range;
    part
}
