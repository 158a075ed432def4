//! What every [`Comm`] must do, whatever carries the messages: doors run it on their own transport.

use crate::{Comm, CommError};
use thiserror::Error;

/// How a transport fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Nonconforming {
    /// It gave up.
    #[error(transparent)]
    Comm(#[from] CommError),
    /// It carried something wrong.
    #[error("rank {rank}: {what} is wrong")]
    Wrong {
        /// Where.
        rank: usize,
        /// What.
        what: &'static str,
    },
}

/// Random messages and all calls, so many rounds; every rank calls it with the same seed. Returns a number that is the same on all ranks.
pub fn check(comm: &dyn Comm, seed: u64, rounds: u64) -> Result<u64, Nonconforming> {
    let (rank, size) = (comm.rank(), comm.size());
    let right = |good: bool, what| if good { Ok(()) } else { Err(Nonconforming::Wrong { rank, what }) };
    let mut sum = 0;
    for round in 0..rounds {
        let word = |from: usize, to: usize| mix(seed ^ mix(round << 32 | (from * size + to) as u64));
        // About half of all pairs write; lengths from nothing to some tens of kilobytes.
        let writes = |from: usize, to: usize| word(from, to) & 1 == 1;
        let message = |from: usize, to: usize| -> Vec<u8> {
            let length = (word(from, to) >> 8) % [1, 40, 4000, 40_000][(word(from, to) >> 4 & 3) as usize];
            (0..length).map(|k| mix(word(from, to) ^ k) as u8).collect()
        };
        let out: Vec<(usize, Vec<u8>)> =
            (0..size).filter(|&to| writes(rank, to)).map(|to| (to, message(rank, to))).collect();
        let senders: Vec<usize> = (0..size).filter(|&from| writes(from, rank)).collect();
        let meant: Vec<Vec<u8>> = senders.iter().map(|&from| message(from, rank)).collect();
        right(comm.exchange(&out, &senders)? == meant, "an exchange")?;
        let backwards: Vec<usize> = senders.iter().rev().copied().collect();
        let came = comm.exchange(&out, &backwards)?;
        right(came.iter().rev().eq(meant.iter()), "an exchange in another order")?;
        let meant: Vec<(usize, Vec<u8>)> = senders.into_iter().zip(meant).collect();
        right(comm.deliver(&out)? == meant, "a delivery")?;

        let all: Vec<Vec<u8>> = (0..size).map(|from| message(from, size)).collect();
        right(comm.gather(&all[rank])? == all, "a gather")?;
        let words: Vec<u64> = (0..size).map(|from| word(from, size)).collect();
        let total = words.iter().fold(0, |a: u64, b| a.wrapping_add(*b));
        right(comm.sum_u64(words[rank])? == total, "a sum")?;
        right(Some(comm.max_u64(words[rank])?) == words.iter().copied().max(), "a maximum")?;
        let reals: Vec<f64> = words.iter().map(|&word| word as f64 / 3.0 - 1e18).collect();
        right(comm.sum_f64(reals[rank])? == reals.iter().sum::<f64>(), "a sum of doubles")?;
        let most = reals.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        right(comm.max_f64(reals[rank])? == most, "a maximum of doubles")?;
        comm.barrier()?;
        sum = mix(sum ^ total);
    }
    let same = comm.gather_u64(sum)?;
    right(same.iter().all(|&other| other == sum), "the end")?;
    Ok(sum)
}

/// Well mixed bits (`splitmix64`).
fn mix(word: u64) -> u64 {
    let mut x = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
