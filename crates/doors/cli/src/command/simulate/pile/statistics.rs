//! What of a pile changes over time, as a table beside the states: `pile.csv`.

use super::GAPS;
use crate::failure::Failure;
use kontakt::dynamics::rigid::World;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str =
    "time,kinetic_energy,relative_energy,pairs_1e-8,pairs_1e-6,pairs_1e-4,mean_depth,greatest_depth";

/// A line for each state that is written.
pub(super) struct Statistics {
    path: PathBuf,
    text: String,
}

impl Statistics {
    /// Goes on after so many states, as after a checkpoint.
    pub(super) fn after(folder: &Path, states: usize) -> Statistics {
        let path = folder.join("pile.csv");
        let before =
            if states > 0 { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let lines = before.lines().skip(1).take(states);
        let text = std::iter::once(HEAD).chain(lines).flat_map(|line| [line, "\n"]).collect();
        Statistics { path, text }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.clone()
    }

    pub(super) fn add(&mut self, world: &mut World) -> Result<(), Failure> {
        let (time, energy, counts) = (world.time(), world.energy(), world.count_contacts(GAPS));
        let [a, b, c] = counts.map(|count| count.pairs);
        let (mean, greatest) = (counts[2].mean_depth, counts[2].greatest_depth);
        let (kinetic, relative) = (energy.kinetic, energy.relative());
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{time:?},{kinetic:e},{relative:e},{a},{b},{c},{mean:e},{greatest:e}");
        std::fs::write(&self.path, &self.text)
            .map_err(|error| Failure::Write { path: self.path.clone(), error: error.into() })
    }
}
