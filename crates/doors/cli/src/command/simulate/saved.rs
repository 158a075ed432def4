//! The checkpoints of a run: below `-o DIR`, in `checkpoints`.

use crate::args::Simulate;
use crate::failure::Failure;
use kontakt::distributed::{Checkpoints, Comm, Record, Resumed};
use kontakt_io::CheckpointFolder;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Where a run saves its states, and how often.
pub(super) struct Saved<'a> {
    comm: &'a dyn Comm,
    /// None without `-o`.
    folder: Option<CheckpointFolder>,
    scenario: u64,
    every: u64,
    next: u64,
    pub(super) history: History,
}

/// What a report says of checkpoints.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The step that the run began with.
    resumed: Option<u64>,
    /// Newer checkpoints that were damaged.
    passed_over: Vec<String>,
    /// How many were written.
    written: u64,
}

impl<'a> Saved<'a> {
    /// `scenario` is all that a state depends on but the end of the run, in any words; `usual` is how often states are saved unless
    /// the user says otherwise, in steps of the kind's own counting.
    pub(super) fn new(asked: &Simulate, comm: &'a dyn Comm, scenario: &str, usual: u64) -> Saved<'a> {
        let folder = asked.output.as_ref().map(|folder| CheckpointFolder::new(folder.join("checkpoints")));
        let every = asked.checkpoint_every.unwrap_or(usual).max(1);
        let history = History::default();
        Saved { comm, folder, scenario: hash(scenario), every, next: every, history }
    }

    /// The state to go on from, where the user wants to and there is one.
    pub(super) fn resume(&mut self, asked: &Simulate) -> Result<Option<Resumed>, Failure> {
        let Some(folder) = self.folder.as_ref().filter(|_| asked.resume) else { return Ok(None) };
        let resumed = Checkpoints::new(folder, self.scenario).resume(self.comm)?;
        if let Some(resumed) = &resumed {
            self.history.resumed = Some(resumed.step);
            self.history.passed_over.clone_from(&resumed.passed_over);
            self.after(resumed.step);
        }
        Ok(resumed)
    }

    /// The step after which the next state is to be saved; never where nothing is.
    pub(super) fn next(&self) -> u64 {
        if self.folder.is_some() { self.next } else { u64::MAX }
    }

    /// Whether a state is to be saved.
    pub(super) fn is_due(&self, step: u64) -> bool {
        step >= self.next()
    }

    /// Every rank calls it with the bodies that it keeps.
    pub(super) fn save(&mut self, step: u64, shared: &[u8], own: &[Record]) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        Checkpoints::new(folder, self.scenario).save(self.comm, step, shared, own)?;
        self.history.written += 1;
        self.after(step);
        Ok(())
    }

    fn after(&mut self, step: u64) {
        self.next = (step / self.every).saturating_add(1).saturating_mul(self.every);
    }
}

impl History {
    pub(super) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(step) = self.resumed {
            writeln!(out, "  resumed      from step {step}")?;
        }
        for why in &self.passed_over {
            writeln!(out, "               passed over: {why}")?;
        }
        if self.written > 0 {
            writeln!(out, "  checkpoints  {} written, the last two kept", self.written)?;
        }
        Ok(())
    }

    pub(super) fn json(&self) -> Value {
        json!({ "resumed": self.resumed, "passed_over": self.passed_over, "written": self.written })
    }
}

/// FNV-1a: the same in every version of everything.
fn hash(words: &str) -> u64 {
    words
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Words of eight bytes.
pub(super) fn bytes_of(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// The other way round; what is left over at the end is no word.
pub(super) fn words_of(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
