//! The ways to find pairs of a kept set, and which is taken when.

use crate::finder::Finder;
use crate::finder::rows::SortedRows;
use crate::finder::tree::Tree;

/// How the boxes of a kept set are looked up. All ways find the same pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Way {
    /// Chosen by what is seen, and chosen again when that changes.
    #[default]
    Auto,
    /// Rows of grids, one grid for each octave of sizes, each row sorted; boxes that change one by one in a tree beside.
    Rows,
    /// A balanced tree of boxes.
    Tree,
}

impl Way {
    /// All there are.
    pub const ALL: [Way; 3] = [Way::Auto, Way::Rows, Way::Tree];

    /// As typed.
    pub fn name(self) -> &'static str {
        match self {
            Way::Auto => "auto",
            Way::Rows => "rows",
            Way::Tree => "tree",
        }
    }

    fn finder(self) -> Box<dyn Finder> {
        match self {
            Way::Auto | Way::Rows => Box::new(SortedRows::new()),
            Way::Tree => Box::new(Tree::default()),
        }
    }
}

/// Chooses the way, and whether boxes are kept fat. All of the rule is here; it goes by what is counted, not by clocks, so that
/// the same steps take the same ways on every machine.
///
/// What was measured (`docs/benchmarks-broad.md`, `docs/studies/broad.md`): rows win where sizes are within an octave or two, evenly spread or
/// in clusters, of some hundred boxes or more; of fewer the tree is as fast or faster in every mix. They lose where sizes are spread over three powers of ten, since a small box looks into rows of every larger octave; and
/// where most boxes fall into few rows, a few dense swarms in a large empty space, for which the grid's cells are far too wide. The tree
/// takes the same time for all of these, once and a half to twice that of rows in an even crowd. So rows are taken unless a box makes them
/// more work than the tree would have, and are tried again every now and then, ever more seldom where that is in vain. The share of movers does not matter for the choice: boxes
/// that stay in their fat boxes are not looked up, and the few that leave them go to a tree beside the rows. How fast boxes move
/// decides how often all are looked up, and whether keeping them fat pays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chooser {
    /// `None`: the caller's own.
    asked: Option<Way>,
    current: Way,
    /// Times that all boxes were looked up by the tree since rows were last tried.
    since: u32,
    /// How often in a row rows were tried in vain.
    in_vain: u32,
    /// Updates since the last one that looked up all boxes.
    calm: u32,
    /// How often in a row there were none between two such.
    restless: u32,
}

/// A box that makes rows more work than this, in comparisons, is found faster by the tree. Of 20,000 and 200,000 cubes: even 700, clusters
/// 950 and two swarms of 10,000 970, where rows were faster; sizes 1 : 1000 in clusters 3100, all over 3300 and two swarms of 100,000 4200,
/// where the tree was.
const CROWDED: f64 = 2000.0;
/// How often the tree looks up all boxes before rows are tried again: once costs about a third of it. Twice as seldom after each further time that
/// it was in vain, up to so many times.
const TRY_AGAIN: u32 = 32;
const MOST_DOUBLINGS: u32 = 4;
/// Of fewer boxes than this the tree is taken.
const FEW: usize = 300;

impl Chooser {
    pub(super) fn new(asked: Way) -> Chooser {
        let current = if asked == Way::Auto { Way::Rows } else { asked };
        Chooser { asked: Some(asked), current, since: 0, in_vain: 0, calm: 0, restless: 0 }
    }

    pub(super) fn foreign() -> Chooser {
        Chooser { asked: None, ..Chooser::new(Way::Auto) }
    }

    pub(super) fn current(&self) -> Option<Way> {
        self.asked.map(|_| self.current)
    }

    pub(super) fn finder(&self) -> Box<dyn Finder> {
        self.current.finder()
    }

    /// What to change to, if anything.
    pub(super) fn other_finder(&self) -> Option<Box<dyn Finder>> {
        (self.asked == Some(Way::Auto)).then(|| Way::Tree.finder())
    }

    /// Told at every update.
    pub(super) fn saw_update(&mut self) {
        self.calm = self.calm.saturating_add(1);
    }

    /// Told before all of so many boxes are looked up; whether to change the way now.
    pub(super) fn changes_before(&mut self, boxes: usize) -> bool {
        self.restless = if self.calm <= 1 { self.restless.saturating_add(1) } else { 0 };
        self.calm = 0;
        if self.asked != Some(Way::Auto) {
            return false;
        }
        let before = self.current;
        if boxes < FEW {
            // Rows are tried as soon as there are more.
            (self.current, self.since, self.in_vain) = (Way::Tree, u32::MAX, 0);
        } else if self.current == Way::Tree {
            self.since = self.since.saturating_add(1);
            if self.since > TRY_AGAIN << self.in_vain.saturating_sub(1).min(MOST_DOUBLINGS) {
                self.current = Way::Rows;
            }
        }
        self.current != before
    }

    /// Told how crowded the way is after it was filled; whether to change it at once.
    pub(super) fn changes_after(&mut self, crowding: f64) -> bool {
        if self.asked != Some(Way::Auto) || self.current != Way::Rows {
            return false;
        }
        let crowded = crowding > CROWDED;
        if crowded {
            (self.current, self.since) = (Way::Tree, 0);
        }
        self.in_vain = if crowded { self.in_vain.saturating_add(1) } else { 0 };
        crowded
    }

    /// Whether to keep boxes larger than they are. If they leave their fat boxes at once, again and again, that only makes
    /// more pairs near; it is tried again every now and then.
    pub(super) fn fattens(&self) -> bool {
        self.restless % 32 < 4
    }
}
