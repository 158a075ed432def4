//! Taking the newest whole checkpoint up again.

use super::error::{CheckpointError, Damage};
use super::manifest::{Manifest, Sealed};
use super::save::agreed;
use super::{Checkpoints, MANIFEST, SHARED, folder, part, step_of};
use crate::comm::{Comm, CommError, words};
use crate::record::Record;

/// A state to go on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// Its step.
    pub step: u64,
    /// What all ranks share, the same on all.
    pub shared: Vec<u8>,
    /// This rank's share of the bodies, whoever wrote them: not those of its own cells.
    pub records: Vec<Record>,
    /// Newer checkpoints that were not whole, and why.
    pub passed_over: Vec<String>,
}

impl Checkpoints<'_> {
    /// The newest checkpoint that is whole; `None` where there is none at all. Every rank calls it; all get the same or fail alike.
    pub fn resume(&self, comm: &dyn Comm) -> Result<Option<Resumed>, CheckpointError> {
        let mut passed_over = Vec::new();
        for step in self.steps(comm)? {
            match self.take_up(comm, step) {
                Ok((shared, records)) => return Ok(Some(Resumed { step, shared, records, passed_over })),
                Err(error @ (CheckpointError::Comm(_) | CheckpointError::OtherScenario { .. })) => {
                    return Err(error);
                }
                Err(error) => passed_over.push(error.to_string()),
            }
        }
        if passed_over.is_empty() { Ok(None) } else { Err(CheckpointError::NoneWhole(passed_over)) }
    }

    /// Steps with a manifest, the newest first, as rank 0 sees them.
    fn steps(&self, comm: &dyn Comm) -> Result<Vec<u64>, CheckpointError> {
        let mut found = Ok(Vec::new());
        if comm.rank() == 0 {
            found = self.store.folders().map_err(CheckpointError::from);
        }
        agreed(comm, found.as_ref().map(|_| ()).map_err(Clone::clone))?;
        let mut steps: Vec<u64> = found?.iter().filter_map(|name| step_of(name)).collect();
        steps.retain(|&step| self.store.has(&format!("{}/{MANIFEST}", folder(step))));
        steps.sort_unstable_by(|a, b| b.cmp(a));
        let told = of_first(comm, steps.into_iter().flat_map(u64::to_le_bytes).collect())?;
        Ok(words(0, &told)?)
    }

    /// What all share, and this rank's records.
    fn take_up(&self, comm: &dyn Comm, step: u64) -> Result<(Vec<u8>, Vec<Record>), CheckpointError> {
        let within = folder(step);
        let name = format!("{within}/{MANIFEST}");
        let text = self.of_rank_0(comm, |store| store.get(&name).map_err(CheckpointError::from))?;
        let damaged = |damage| CheckpointError::Damaged { file: self.store.path(&name), damage };
        // All ranks have the same text and come to the same end.
        let manifest = Manifest::read(&text).map_err(damaged)?;
        if manifest.scenario != self.scenario {
            let (found, meant) = (manifest.scenario, self.scenario);
            return Err(CheckpointError::OtherScenario { file: self.store.path(&name), found, meant });
        }
        if manifest.step != step {
            return Err(damaged(Damage::Manifest(3)));
        }
        let shared =
            self.of_rank_0(comm, |_| self.sealed(&format!("{within}/{SHARED}"), &manifest.shared))?;
        let records = self.records(&within, &manifest, comm);
        agreed(comm, records.as_ref().map(|_| ()).map_err(Clone::clone))?;
        Ok((shared, records?))
    }

    /// The parts that fall to this rank.
    fn records(
        &self,
        within: &str,
        manifest: &Manifest,
        comm: &dyn Comm,
    ) -> Result<Vec<Record>, CheckpointError> {
        let mut records = Vec::new();
        for (rank, sealed) in manifest.parts.iter().enumerate().skip(comm.rank()).step_by(comm.size()) {
            let name = format!("{within}/{}", part(rank));
            let bytes = self.sealed(&name, sealed)?;
            let damaged = |damage| CheckpointError::Damaged { file: self.store.path(&name), damage };
            let part = Record::read_all(&bytes).map_err(|torn| damaged(Damage::Record(torn.at)))?;
            if part.len() as u64 != sealed.records {
                return Err(damaged(Damage::Count { found: part.len() as u64, meant: sealed.records }));
            }
            records.extend(part);
        }
        Ok(records)
    }

    /// A file, if it is as it was written.
    fn sealed(&self, name: &str, sealed: &Sealed) -> Result<Vec<u8>, CheckpointError> {
        let bytes = self.store.get(name)?;
        let damaged = |damage| CheckpointError::Damaged { file: self.store.path(name), damage };
        sealed.check(&bytes).map_err(damaged)?;
        Ok(bytes)
    }

    /// What rank 0 reads, for all.
    fn of_rank_0(
        &self,
        comm: &dyn Comm,
        read: impl Fn(&dyn super::Store) -> Result<Vec<u8>, CheckpointError>,
    ) -> Result<Vec<u8>, CheckpointError> {
        let found = if comm.rank() == 0 { read(self.store) } else { Ok(Vec::new()) };
        agreed(comm, found.as_ref().map(|_| ()).map_err(Clone::clone))?;
        Ok(of_first(comm, found?)?)
    }
}

/// Rank 0's bytes.
fn of_first(comm: &dyn Comm, own: Vec<u8>) -> Result<Vec<u8>, CommError> {
    let given = if comm.rank() == 0 { own } else { Vec::new() };
    Ok(comm.gather(&given)?.swap_remove(0))
}
