//! What all questions share during a run.

use crate::contest::Effort;
use crate::data::curved::Shelf;
use crate::data::files::{self, Scratch};
use crate::data::writers;
use crate::peers::Peers;
use crate::product;
use crate::report::Table;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Peers, files, what was asked for and what had to be left out.
pub(crate) struct Bench {
    /// Peers in other processes.
    pub(crate) peers: Peers,
    /// Folder for generated files.
    pub(crate) scratch: Scratch,
    /// Words that a case's name must contain one of; empty takes all.
    pub(crate) cases: Vec<String>,
    /// Fewer turns, for trying things out.
    pub(crate) quick: bool,
    /// Which piece of the random pairs is taken.
    pub(crate) seed: u64,
    /// How many random pairs, if not the usual number.
    pub(crate) pairs: Option<u64>,
    /// kontakt stays out.
    pub(crate) peers_only: bool,
    /// Files and cases left out, with the reason.
    pub(crate) skipped: Vec<String>,
    /// Curved bodies read and made so far.
    pub(crate) shelf: Shelf,
    /// Smallest volume of a box any other method found for a case.
    pub(crate) smallest_volume: HashMap<String, f64>,
}

impl Bench {
    /// Whether the case was asked for.
    pub(crate) fn wants(&self, case: &str) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|word| case.contains(word.as_str()))
    }

    /// How often contenders run.
    pub(crate) fn effort(&self, rounds: usize, burst: usize, seconds: f64) -> Effort {
        if self.quick {
            Effort { rounds: 2, burst, seconds: seconds / 4.0 }
        } else {
            Effort { rounds, burst, seconds }
        }
    }

    /// Real meshes that were asked for; if there are none, the reason is noted.
    pub(crate) fn real_meshes(&mut self) -> Vec<PathBuf> {
        match files::real_meshes() {
            Ok(found) => found.into_iter().filter(|path| self.wants(&files::short_name(path))).collect(),
            Err(reason) => {
                self.skip(format!("real meshes: {reason}"));
                Vec::new()
            }
        }
    }

    /// Points of the mesh in a file, all bodies together; if it cannot be read, that is noted.
    pub(crate) fn points_of(&mut self, path: &Path) -> Option<Vec<[f64; 3]>> {
        match product::read::read_points(path) {
            Ok(points) => Some(points),
            Err(reason) => {
                self.skip(format!("{}: {reason}", files::short_name(path)));
                None
            }
        }
    }

    /// Hands the points to the peers that take points.
    pub(crate) fn load(&mut self, points: &[[f64; 3]]) -> Result<(), String> {
        let file = self.scratch.path("points.f64");
        writers::raw_points(&file, points).map_err(|problem| format!("{}: {problem}", file.display()))?;
        for peer in [&mut self.peers.cgal_sphere, &mut self.peers.cgal_box, &mut self.peers.open3d_box] {
            if let Ok(present) = peer
                && let Err(reason) = present.load(&file)
            {
                *peer = Err(reason);
            }
        }
        Ok(())
    }

    /// Notes something left out, once.
    pub(crate) fn skip(&mut self, what: String) {
        if !self.skipped.contains(&what) {
            self.skipped.push(what);
        }
    }
}

/// A question: its name for filters and the way to its table.
pub(crate) type Question = (&'static str, fn(&mut Bench) -> Table);
