//! The pieces of a body that one search has cut, each once.

use crate::patch::{Carrier, Patch};
use crate::patches::Patches;
use std::collections::HashMap;

/// Patches by number: the leaves of a body's tree, then what they were cut into.
///
/// A patch takes part in many pairs. What bounds it costs more than a look at a pair, so it is cut once.
#[derive(Debug)]
pub(crate) struct Pieces<'a> {
    /// None of flat faces.
    on: Option<Carrier<'a>>,
    leaves: &'a [Patch],
    cut: Vec<Patch>,
    /// The halves of a patch, by its spine or by its triangle.
    halves: HashMap<(u32, bool), [u32; 2]>,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(on: Option<Carrier<'a>>, patches: &'a Patches) -> Pieces<'a> {
        Pieces { on, leaves: &patches.leaves, cut: Vec::new(), halves: HashMap::new() }
    }

    pub(crate) fn get(&self, index: u32) -> &Patch {
        let index = index as usize;
        self.leaves.get(index).unwrap_or_else(|| &self.cut[index - self.leaves.len()])
    }

    /// The halves of a patch; a flat one stays what it is.
    pub(crate) fn halves(&mut self, index: u32, by_spine: bool) -> [u32; 2] {
        let Some(on) = self.on else { return [index; 2] };
        if let Some(known) = self.halves.get(&(index, by_spine)) {
            return *known;
        }
        let whole = self.get(index);
        let made = if by_spine { whole.spine_halves(on) } else { whole.halves(on) };
        let first = (self.leaves.len() + self.cut.len()) as u32;
        self.cut.extend(made);
        self.halves.insert((index, by_spine), [first, first + 1]);
        [first, first + 1]
    }
}
