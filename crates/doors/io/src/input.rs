//! What a reader of one format is given, and what it gives.

use crate::ReadReport;
use crate::scanner::Scanner;
use kontakt_schedule::Deadline;
use kontakt_shapes::FaceSet;
use std::io::Read;
use std::path::Path;

/// How a file is taken apart into bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// As the format says: OBJ objects, STL solids, glTF nodes, whole PLY and OFF files. Every `o` line of an OBJ begins one.
    #[default]
    Objects,
    /// OBJ groups within objects, each the whole of what goes by its name there; other formats have none.
    Groups,
    /// Connected pieces of each object.
    Components,
}

/// How to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// What one body is.
    pub split: Split,
    /// Vertices and corners that a glTF scene may unfold to: a small file can use one mesh very often.
    pub most_elements: u64,
    /// When to give up. Small files are read in any case.
    pub deadline: Deadline,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { split: Split::default(), most_elements: 1 << 30, deadline: Deadline::NEVER }
    }
}

/// What a reader is given.
pub(crate) struct Input<'a> {
    pub(crate) reader: &'a mut dyn Read,
    /// Length of the whole file, where known.
    pub(crate) size: Option<u64>,
    /// Where files named by this file are found.
    pub(crate) directory: Option<&'a Path>,
    pub(crate) options: &'a ReadOptions,
}

impl Input<'_> {
    pub(crate) fn scanner(&mut self) -> Scanner<'_> {
        Scanner::new(&mut *self.reader)
    }
}

/// Room to reserve for `count` elements of at least `bytes` bytes each in a file of that size: never more than it can hold.
pub(crate) fn room(size: Option<u64>, count: u64, bytes: u64) -> usize {
    let held = size.unwrap_or(1 << 16) / bytes.max(1);
    usize::try_from(count.min(held)).unwrap_or(0)
}

/// What a reader gives: objects with their names, not yet put together with the file's.
#[derive(Default)]
pub(crate) struct Parsed {
    pub(crate) objects: Vec<(Option<String>, FaceSet)>,
    pub(crate) report: ReadReport,
}
