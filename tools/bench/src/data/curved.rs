//! Curved bodies of this run: the public STEP files and shapes that OCCT makes.

use crate::bench::Bench;
use crate::data::files;
use crate::occt::{self, Made, Name};
use crate::product::curved::{self, Solid};
use crate::report::Row;
use kontakt::math::DVec3;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A solid as kontakt and as OCCT know it.
#[derive(Clone)]
pub(crate) struct Actor {
    /// To OCCT.
    pub(crate) name: Name,
    /// To kontakt.
    pub(crate) solid: Solid,
}

/// What was read and made so far.
#[derive(Default)]
pub(crate) struct Shelf {
    made: Option<Vec<Made>>,
    actors: HashMap<PathBuf, Result<Vec<Actor>, String>>,
    /// Where kontakt and OCCT differ.
    pub(crate) disputes: Vec<Row>,
}

impl Bench {
    /// The public STEP files; if there are none, the reason is noted.
    pub(crate) fn step_files(&mut self) -> Vec<PathBuf> {
        files::step_files().unwrap_or_else(|reason| {
            self.skip(format!("STEP files: {reason}"));
            Vec::new()
        })
    }

    /// A public STEP file.
    pub(crate) fn step_file(&mut self, name: &str) -> Option<PathBuf> {
        self.step_files().into_iter().find(|path| files::short_name(path) == name)
    }

    /// The shapes that OCCT makes, written once a run.
    pub(crate) fn made(&mut self) -> Vec<Made> {
        if self.shelf.made.is_none() {
            let folder = self.scratch.path("");
            let made = self.peers.occt.as_mut().map_err(|reason| reason.clone());
            let made = made.and_then(|peer| occt::make(peer, &folder)).unwrap_or_else(|reason| {
                self.skip(format!("shapes made by OCCT: {reason}"));
                Vec::new()
            });
            self.shelf.made = Some(made);
        }
        self.shelf.made.clone().unwrap_or_default()
    }

    /// The file of a shape that OCCT makes.
    pub(crate) fn made_file(&mut self, name: &str) -> Option<PathBuf> {
        self.made().into_iter().find(|made| made.name == name).map(|made| made.file)
    }

    /// The solids of a file, read by both.
    pub(crate) fn actors(&mut self, file: &Path) -> Result<Vec<Actor>, String> {
        if !self.shelf.actors.contains_key(file) {
            let read = self.read_actors(file);
            self.shelf.actors.insert(file.to_owned(), read);
        }
        self.shelf.actors[file].clone()
    }

    fn read_actors(&mut self, file: &Path) -> Result<Vec<Actor>, String> {
        let solids = curved::read(file).and_then(|read| curved::solids(&read))?;
        let peer = self.peers.occt.as_mut().map_err(|reason| reason.clone())?;
        let boxes = occt::load(peer, file)?;
        if boxes.len() != solids.len() {
            return Err(format!("{} solids, {} to OCCT", solids.len(), boxes.len()));
        }
        let named = |solid: Solid| Actor { name: (file.to_owned(), nearest(&boxes, solid.bounds())), solid };
        Ok(solids.into_iter().map(named).collect())
    }
}

/// Which box is most like another.
fn nearest(boxes: &[[DVec3; 2]], like: [DVec3; 2]) -> usize {
    let off = |k: usize| (0..2).map(|end| (boxes[k][end] - like[end]).length()).sum::<f64>();
    (0..boxes.len()).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(0)
}
