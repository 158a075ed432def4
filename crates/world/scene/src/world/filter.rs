//! Which pairs are looked at: layers, and pairs that are ignored.

use super::tree::Tree;
use std::collections::HashSet;

/// The layers a body is on and those it is looked at with, a bit each. A pair is looked at if each body is on a layer that the other
/// is looked at with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// On these layers.
    pub on: u32,
    /// Looked at with bodies on these.
    pub with: u32,
}

impl Default for Layers {
    /// On the first layer, looked at with all.
    fn default() -> Layers {
        Layers { on: 1, with: u32::MAX }
    }
}

impl Layers {
    /// Whether bodies on these layers and on others are looked at together.
    pub fn meets(self, other: Layers) -> bool {
        self.on & other.with != 0 && other.on & self.with != 0
    }
}

/// Pairs of groups or bodies that are not looked at.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Places in the tree, the lesser first.
    ignored: HashSet<[u32; 2]>,
}

impl Filter {
    /// Pairs of all that hang below either are not looked at from now on, or are again.
    pub(super) fn ignore(&mut self, pair: [u32; 2], ignored: bool) {
        if ignored {
            self.ignored.insert(ordered(pair));
        } else {
            self.ignored.remove(&ordered(pair));
        }
    }

    /// Forgets places that are no longer in use.
    pub(super) fn forget(&mut self, slots: &[u32]) {
        self.ignored.retain(|pair| !slots.iter().any(|slot| pair.contains(slot)));
    }

    /// Whether two bodies are looked at, by their layers and their places in the tree.
    pub(super) fn looks_at(&self, tree: &Tree, layers: [Layers; 2], slots: [u32; 2]) -> bool {
        if !layers[0].meets(layers[1]) {
            return false;
        }
        let ignored = |a: u32| tree.above(slots[1]).any(|b| self.ignored.contains(&ordered([a, b])));
        self.ignored.is_empty() || !tree.above(slots[0]).any(ignored)
    }
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
