//! A group of ranks whose messages are counted.

use kontakt::distributed::{Comm, CommError};
use std::cell::Cell;

/// What went through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    /// Exchanges and gathers.
    pub(super) calls: u64,
    /// To other ranks, those of gathers left out.
    pub(super) messages: u64,
    pub(super) bytes: u64,
    /// Gathers, and what this rank gave to them.
    pub(super) gathers: u64,
    pub(super) gathered: u64,
}

pub(super) struct Counted<'c> {
    inner: &'c dyn Comm,
    traffic: Cell<Traffic>,
}

impl<'c> Counted<'c> {
    pub(super) fn new(inner: &'c dyn Comm) -> Counted<'c> {
        Counted { inner, traffic: Cell::default() }
    }

    /// So far, and from here on from nothing.
    pub(super) fn take(&self) -> Traffic {
        self.traffic.take()
    }

    fn count(&self, more: impl Fn(&mut Traffic)) {
        let mut traffic = self.traffic.get();
        traffic.calls += 1;
        more(&mut traffic);
        self.traffic.set(traffic);
    }
}

impl Comm for Counted<'_> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn exchange(&self, out: &[(usize, Vec<u8>)], from: &[usize]) -> Result<Vec<Vec<u8>>, CommError> {
        self.count(|traffic| {
            traffic.messages += out.len() as u64;
            traffic.bytes += out.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>();
        });
        self.inner.exchange(out, from)
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        self.count(|traffic| {
            traffic.gathers += 1;
            traffic.gathered += own.len() as u64;
        });
        self.inner.gather(own)
    }

    fn abort(&self, why: &str) {
        self.inner.abort(why);
    }
}
