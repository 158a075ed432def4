//! A group of one.

use crate::comm::{Comm, CommError};

/// The only rank: it talks to itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Comm for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&self, out: &[(usize, Vec<u8>)], from: &[usize]) -> Result<Vec<Vec<u8>>, CommError> {
        let named = out.iter().map(|(to, _)| to).chain(from);
        if let Some(&rank) = named.into_iter().find(|&&rank| rank > 0) {
            return Err(CommError::NoSuchRank { rank, size: 1 });
        }
        if out.len() < from.len() {
            return Err(CommError::Timeout { rank: 0, what: "rank 0".into(), seconds: 0 });
        }
        if out.len() > from.len() {
            return Err(CommError::Garbled { from: 0, what: "message that is asked for" });
        }
        Ok(out.iter().map(|(_, bytes)| bytes.clone()).collect())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        Ok(vec![own.to_vec()])
    }

    /// Nobody else is to be told.
    fn abort(&self, _why: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance;

    #[test]
    fn it_conforms() {
        assert!(conformance::check(&Alone, 1, 10).is_ok());
    }
}
