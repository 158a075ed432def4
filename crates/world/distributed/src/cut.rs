//! The curve cut into one piece a rank.

use crate::comm::{Comm, CommError, words};

/// Above this share over the mean the heaviest rank is relieved.
pub const IMBALANCE: f64 = 0.1;

/// Which rank owns which stretch of the Hilbert curve: every place has one owner, and every owner one stretch, maybe none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Where the stretches of ranks 1, 2, … begin; not falling.
    begins: Vec<u64>,
}

/// Weights of the cells of a rank: a key and what it weighs, in any order.
pub type Weights = [(u64, u64)];

impl Cut {
    /// Stretches of equal length, whatever they weigh: to begin with.
    pub fn even(ranks: usize) -> Cut {
        let whole = 1_u128 << 63;
        let part = |k: usize| (whole * k as u128 / ranks.max(1) as u128) as u64;
        Cut { begins: (1..ranks).map(part).collect() }
    }

    /// How many ranks it is for.
    pub fn ranks(&self) -> usize {
        self.begins.len() + 1
    }

    /// Who owns this place.
    pub fn owner(&self, key: u64) -> usize {
        self.begins.partition_point(|&begin| begin <= key)
    }

    /// A cut by weight: a cell goes to the rank in whose part of the whole weight the cell's middle lies. So no rank has more than its
    /// part and half the weights of its first and last cell.
    ///
    /// Every rank calls it with the weights of cells it owns by `self`. Stretches follow each other, so what is before a stretch is
    /// what the ranks before have. Whole numbers: the same cut for any number of ranks that ask.
    pub fn balanced(&self, comm: &dyn Comm, own: &Weights) -> Result<Cut, CommError> {
        let all = comm.gather_u64(total(own))?;
        let before = all[..comm.rank()].iter().map(|&weight| u128::from(weight)).sum();
        let whole: u128 = all.iter().map(|&weight| u128::from(weight)).sum();
        if whole == 0 {
            return Ok(self.clone());
        }
        let firsts = firsts(own, before, whole, self.ranks() as u128);
        let message: Vec<u8> =
            firsts.iter().flat_map(|&(rank, key)| [rank, key]).flat_map(u64::to_le_bytes).collect();
        // Rank k begins with the first cell of rank k or above; who comes behind the last cell owns the curve's end.
        let mut begins = vec![u64::MAX; self.begins.len()];
        let mut filled = 0;
        for (from, bytes) in comm.gather(&message)?.iter().enumerate() {
            for first in words(from, bytes)?.chunks_exact(2) {
                let upto = (first[0] as usize).min(begins.len());
                begins[filled.min(upto)..upto].fill(first[1]);
                filled = filled.max(upto);
            }
        }
        Ok(Cut { begins })
    }

    /// The heaviest rank's weight over the mean, less one; 0 without weights.
    pub fn imbalance(comm: &dyn Comm, own: &Weights) -> Result<f64, CommError> {
        let all = comm.gather_u64(total(own))?;
        let mean = all.iter().map(|&weight| weight as f64).sum::<f64>() / all.len() as f64;
        let most = all.iter().copied().max().unwrap_or(0) as f64;
        Ok(if mean > 0.0 { most / mean - 1.0 } else { 0.0 })
    }

    /// [`balanced`](Cut::balanced) if the imbalance is above [`IMBALANCE`] and a cut mends it; `None` if this one serves.
    pub fn rebalanced(&self, comm: &dyn Comm, own: &Weights) -> Result<Option<Cut>, CommError> {
        if Cut::imbalance(comm, own)? <= IMBALANCE {
            return Ok(None);
        }
        let next = self.balanced(comm, own)?;
        Ok((next != *self).then_some(next))
    }
}

fn total(own: &Weights) -> u64 {
    own.iter().map(|(_, weight)| weight).sum()
}

/// Which ranks the cells of a stretch go to, and the key of the first cell of each.
fn firsts(own: &Weights, before: u128, whole: u128, ranks: u128) -> Vec<(u64, u64)> {
    let mut cells = own.to_vec();
    cells.sort_unstable();
    let mut found: Vec<(u64, u64)> = Vec::new();
    let mut sum = before;
    for same in cells.chunk_by(|a, b| a.0 == b.0) {
        let weight: u128 = same.iter().map(|cell| u128::from(cell.1)).sum();
        let rank = ((2 * sum + weight) * ranks / (2 * whole)).min(ranks - 1) as u64;
        if found.last().is_none_or(|last| last.0 < rank) {
            found.push((rank, same[0].0));
        }
        sum += weight;
    }
    found
}
