//! How ranks talk.

use thiserror::Error;

/// Why ranks could not talk. After any of these the group is lost: end, and resume from the last checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommError {
    /// Nothing came for too long.
    #[error("rank {rank} waited {seconds} s for {what}: it hangs, or does not call the same")]
    Timeout {
        /// Who waited.
        rank: usize,
        /// What for.
        what: String,
        /// How long.
        seconds: u64,
    },
    /// A rank ended before all had what they need of it.
    #[error("rank {gone} has ended; rank {rank} still needs it")]
    Gone {
        /// Who waited.
        rank: usize,
        /// Who is missing.
        gone: usize,
    },
    /// A rank called the whole thing off.
    #[error("rank {by} gave up: {why}")]
    Aborted {
        /// Which one.
        by: usize,
        /// Its reason.
        why: String,
    },
    /// A message to or from nowhere.
    #[error("there is no rank {rank}: there are {size}")]
    NoSuchRank {
        /// The one named.
        rank: usize,
        /// How many there are.
        size: usize,
    },
    /// A message longer than the transport can carry.
    #[error("a message of {bytes} bytes is longer than the {most} that can be sent at once")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The longest.
        most: usize,
    },
    /// A message that is not what the call asks for: ranks do not make the same calls, or run different versions.
    #[error("a message of rank {from} is no {what}")]
    Garbled {
        /// Who sent it.
        from: usize,
        /// What it should have been.
        what: &'static str,
    },
    /// The transport says no.
    #[error("{call} failed: {why}")]
    Transport {
        /// What was asked of it.
        call: &'static str,
        /// Its words.
        why: String,
    },
}

/// A group of ranks that all make the same calls in the same order. Nothing waits longer than the patience of the implementation, 10 s unless said otherwise.
pub trait Comm {
    /// Which one this is, from 0.
    fn rank(&self) -> usize;

    /// How many there are, at least 1.
    fn size(&self) -> usize;

    /// Sends one message to each rank of `out` and takes one from each of `from`, in that order. A rank may write to itself.
    /// Messages of one sender arrive in the order of the calls. Who is named twice gets, or is asked for, two messages.
    fn exchange(&self, out: &[(usize, Vec<u8>)], from: &[usize]) -> Result<Vec<Vec<u8>>, CommError>;

    /// What every rank gives, in the order of ranks.
    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError>;

    /// Calls everything off: waiting ranks return [`CommError::Aborted`] or are ended.
    fn abort(&self, why: &str);

    /// Nobody goes on before all are here.
    fn barrier(&self) -> Result<(), CommError> {
        self.gather(&[]).map(|_| ())
    }

    /// Messages to ranks that do not know of them: `(sender, message)` in the order of senders.
    /// An all-gather of whom each writes to goes ahead.
    fn deliver(&self, out: &[(usize, Vec<u8>)]) -> Result<Vec<(usize, Vec<u8>)>, CommError> {
        let whom: Vec<u8> = out.iter().flat_map(|(to, _)| (*to as u64).to_le_bytes()).collect();
        let mut from = Vec::new();
        for (sender, list) in self.gather(&whom)?.iter().enumerate() {
            let meant = words(sender, list)?.into_iter().filter(|&to| to == self.rank() as u64).count();
            from.extend(std::iter::repeat_n(sender, meant));
        }
        let came = self.exchange(out, &from)?;
        Ok(from.into_iter().zip(came).collect())
    }

    /// One number of each rank, in the order of ranks.
    fn gather_u64(&self, own: u64) -> Result<Vec<u64>, CommError> {
        let all = self.gather(&own.to_le_bytes())?;
        all.iter().enumerate().map(|(sender, bytes)| one_word(sender, bytes)).collect()
    }

    /// One number of each rank, bit for bit, in the order of ranks.
    fn gather_f64(&self, own: f64) -> Result<Vec<f64>, CommError> {
        Ok(self.gather_u64(own.to_bits())?.into_iter().map(f64::from_bits).collect())
    }

    /// The sum, wrapping: the same for any split of the summands.
    fn sum_u64(&self, own: u64) -> Result<u64, CommError> {
        Ok(self.gather_u64(own)?.into_iter().fold(0, u64::wrapping_add))
    }

    /// The largest.
    fn max_u64(&self, own: u64) -> Result<u64, CommError> {
        Ok(self.gather_u64(own)?.into_iter().fold(0, u64::max))
    }

    /// The largest; exact, so the same for any split. Not a number if any is none.
    fn max_f64(&self, own: f64) -> Result<f64, CommError> {
        let all = self.gather_f64(own)?;
        Ok(all.into_iter().fold(f64::NEG_INFINITY, |a, b| if b > a || b.is_nan() { b } else { a }))
    }

    /// The sum in the order of ranks: the same on all of them and in every run, but **not** for another number of ranks. For reports,
    /// never for motions.
    fn sum_f64(&self, own: f64) -> Result<f64, CommError> {
        Ok(self.gather_f64(own)?.into_iter().sum())
    }
}

/// Little-endian words of a message.
pub(crate) fn words(from: usize, bytes: &[u8]) -> Result<Vec<u64>, CommError> {
    let (whole, rest) = bytes.as_chunks::<8>();
    if rest.is_empty() {
        Ok(whole.iter().map(|word| u64::from_le_bytes(*word)).collect())
    } else {
        Err(CommError::Garbled { from, what: "list of words" })
    }
}

fn one_word(from: usize, bytes: &[u8]) -> Result<u64, CommError> {
    let word = bytes.try_into().map_err(|_| CommError::Garbled { from, what: "word" })?;
    Ok(u64::from_le_bytes(word))
}
