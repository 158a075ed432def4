//! How files are made ready.

use kontakt_io::Split;
use kontakt_schedule::Deadline;
use std::any::Any;

/// How files are taken apart and curved faces turned into triangles, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct LoadOptions {
    /// What is one body, where a mesh file has several.
    pub split: Split,
    /// How far triangles may lie from curved faces; 5e-4 of each body's size where nothing is said.
    pub deviation: Option<f64>,
    /// Until when.
    pub deadline: Deadline,
    /// Told what is begun; what it gives back is dropped when that is done.
    pub begin: fn(String) -> Box<dyn Any>,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            split: Split::Objects,
            deviation: None,
            deadline: Deadline::NEVER,
            begin: |_| Box::new(()),
        }
    }
}

impl LoadOptions {
    /// Does some work while it is told what.
    pub(crate) fn during<T>(&self, what: String, work: impl FnOnce() -> T) -> T {
        let _told = (self.begin)(what);
        work()
    }
}
