//! Memory that may not be there: an error instead of the end of the program, where sizes come from files.

use thiserror::Error;

/// The memory for something is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not enough memory: {bytes} bytes more are needed")]
pub struct OutOfMemory {
    /// How much was asked for.
    pub bytes: usize,
}

/// Makes room for more entries of a list.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    let bytes = (list.len() + more).saturating_mul(size_of::<T>());
    list.try_reserve(more).map_err(|_| OutOfMemory { bytes })
}

/// Whether about so much memory could be had now, before work begins that has no other way to fail.
pub fn probe(bytes: usize) -> Result<(), OutOfMemory> {
    let mut trial: Vec<u8> = Vec::new();
    trial.try_reserve_exact(bytes).map_err(|_| OutOfMemory { bytes })?;
    // Unseen, the compiler might take memory that nobody uses for granted.
    std::hint::black_box(&trial);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_an_error() {
        let far = isize::MAX as usize;
        assert_eq!(probe(far), Err(OutOfMemory { bytes: far }));
        assert_eq!(probe(1 << 20), Ok(()));
        let mut list = vec![1_u64];
        assert!(reserve(&mut list, far / 8).is_err() && reserve(&mut list, 100).is_ok());
        assert!(list.capacity() > 100);
    }
}
