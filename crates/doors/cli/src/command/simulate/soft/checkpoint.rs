//! Checkpoints of a run of soft bodies: every step, so that whatever ends a run, at most the step in work is lost.

use super::super::scenario::Scenario;
use super::progressed::{Tally, from_bytes, to_bytes};
use crate::failure::Failure;
use kontakt::distributed::{Alone, CheckpointError, Checkpoints};
use kontakt::io::CheckpointFolder;
use kontakt::soft::State;
use std::path::{Path, PathBuf};

/// Of the bytes of a state: another form is another number.
const FORM: u64 = 1;

pub(super) struct Checkpoint {
    folder: PathBuf,
    store: CheckpointFolder,
    scenario: u64,
}

impl Checkpoint {
    /// Below `-o DIR`, in `checkpoints`.
    pub(super) fn new(folder: &Path, scenario: &Scenario) -> Checkpoint {
        let folder = folder.join("checkpoints");
        let store = CheckpointFolder::new(folder.clone());
        Checkpoint { folder, store, scenario: scenario.hash() ^ FORM }
    }

    fn kept(&self) -> Checkpoints<'_> {
        Checkpoints::new(&self.store, self.scenario)
    }

    /// The newest state that is whole; `None` where there is none.
    pub(super) fn resume(&self) -> Result<Option<(State, Tally)>, Failure> {
        let resumed = self.kept().resume(&Alone).map_err(|error| self.failed(&error))?;
        let Some(resumed) = resumed else { return Ok(None) };
        match from_bytes(&resumed.shared) {
            Some((state, tally)) if tally.steps == resumed.step => Ok(Some((state, tally))),
            _ => Err(self.unusable("the checkpoint's bytes are no state of soft bodies")),
        }
    }

    pub(super) fn save(&self, state: &State, tally: &Tally) -> Result<(), Failure> {
        let saved = self.kept().save(&Alone, tally.steps, &to_bytes(state, tally), &[]);
        saved.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &CheckpointError) -> Failure {
        self.unusable(&error.to_string())
    }

    pub(super) fn unusable(&self, problem: &str) -> Failure {
        Failure::Unusable { path: self.folder.clone(), problem: problem.to_owned() }
    }
}
