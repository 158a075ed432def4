//! Putting a checkpoint away.

use super::error::CheckpointError;
use super::manifest::{Manifest, Sealed};
use super::{Checkpoints, KEPT, MANIFEST, SHARED, folder, part, step_of};
use crate::comm::Comm;
use crate::record::Record;

impl Checkpoints<'_> {
    /// Saves the state at a step: every rank calls it with the bodies that it keeps; of `shared` rank 0's is stored. All ranks
    /// succeed or fail together, and what fails leaves the checkpoints before as they were. Those of later steps, left by an
    /// abandoned run, and all but the [`KEPT`] newest are removed.
    pub fn save(
        &self,
        comm: &dyn Comm,
        step: u64,
        shared: &[u8],
        own: &[Record],
    ) -> Result<(), CheckpointError> {
        let within = folder(step);
        // A manifest of this step would speak of parts that are about to change.
        let opened = if comm.rank() == 0 { self.reopen(step) } else { Ok(()) };
        agreed(comm, opened)?;

        let bytes = Record::write_all(own);
        let written = self.store.put(&format!("{within}/{}", part(comm.rank())), &bytes);
        let sealed = Sealed::new(&bytes, own.len());
        let words = [sealed.bytes, u64::from(sealed.checksum), sealed.records];
        let all = comm.gather(&words.map(u64::to_le_bytes).concat())?;
        let parts = all.iter().map(|bytes| {
            let word = |k: usize| {
                u64::from_le_bytes(std::array::from_fn(|i| bytes.get(8 * k + i).copied().unwrap_or(0)))
            };
            Sealed { bytes: word(0), checksum: word(1) as u32, records: word(2) }
        });
        let parts: Vec<Sealed> = parts.collect();
        agreed(comm, written.map_err(CheckpointError::from)).inspect_err(|_| self.forget(comm, &within))?;

        let closed = if comm.rank() == 0 { self.close(step, shared, parts) } else { Ok(()) };
        agreed(comm, closed).inspect_err(|_| self.forget(comm, &within))
    }

    fn reopen(&self, step: u64) -> Result<(), CheckpointError> {
        Ok(self.store.remove(&format!("{}/{MANIFEST}", folder(step)))?)
    }

    fn close(&self, step: u64, shared: &[u8], parts: Vec<Sealed>) -> Result<(), CheckpointError> {
        let within = folder(step);
        self.store.put(&format!("{within}/{SHARED}"), shared)?;
        let manifest = Manifest { scenario: self.scenario, step, shared: Sealed::new(shared, 0), parts };
        self.store.put(&format!("{within}/{MANIFEST}"), manifest.text().as_bytes())?;
        self.tidy(step)
    }

    /// Removes what is not one of the newest. The manifest goes first: what is removed by half is no checkpoint.
    fn tidy(&self, newest: u64) -> Result<(), CheckpointError> {
        let mut steps: Vec<u64> = self.store.folders()?.iter().filter_map(|name| step_of(name)).collect();
        steps.sort_unstable_by(|a, b| b.cmp(a));
        let manifest = |step: u64| format!("{}/{MANIFEST}", folder(step));
        let whole = steps.iter().filter(|&&step| step <= newest && self.store.has(&manifest(step)));
        let kept: Vec<u64> = whole.copied().take(KEPT).collect();
        for step in steps.into_iter().filter(|step| !kept.contains(step)) {
            self.store.remove(&manifest(step))?;
            self.store.remove(&folder(step))?;
        }
        Ok(())
    }

    /// What failed takes no room. It has no manifest, so if it cannot be removed it does no harm.
    fn forget(&self, comm: &dyn Comm, within: &str) {
        if comm.rank() == 0 {
            let _ =
                self.store.remove(&format!("{within}/{MANIFEST}")).and_then(|()| self.store.remove(within));
        }
    }
}

/// Tells all ranks how it went on each: the own error, or that of the first rank that has one.
pub(super) fn agreed(comm: &dyn Comm, own: Result<(), CheckpointError>) -> Result<(), CheckpointError> {
    let words = own.as_ref().err().map_or(String::new(), ToString::to_string);
    let all = comm.gather(words.as_bytes())?;
    own?;
    match all.iter().position(|why| !why.is_empty()) {
        Some(rank) => {
            Err(CheckpointError::Elsewhere { rank, why: String::from_utf8_lossy(&all[rank]).into_owned() })
        }
        None => Ok(()),
    }
}
