//! The ways to find pairs of a kept set, and which is taken when.

use crate::ends::Ends;
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

/// Chooses the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chooser {
    /// `None`: the caller's own.
    asked: Option<Way>,
    current: Way,
    /// Updates since the last one that looked up all boxes.
    calm: u32,
    /// How often in a row there were none between two such.
    restless: u32,
}

impl Chooser {
    pub(super) fn new(asked: Way) -> Chooser {
        let current = if asked == Way::Auto { Way::Rows } else { asked };
        Chooser { asked: Some(asked), current, calm: 0, restless: 0 }
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

    /// Told at every update.
    pub(super) fn saw(&mut self, _moved: usize, _escaped: usize, _boxes: usize) {
        self.calm = self.calm.saturating_add(1);
    }

    /// Asked before all boxes are looked up.
    pub(super) fn choose(&mut self, _fat: &[Ends], _finder: &mut Box<dyn Finder>) {
        self.restless = if self.calm <= 1 { self.restless + 1 } else { 0 };
        self.calm = 0;
    }

    /// Whether to keep boxes larger than they are. If they leave their fat boxes at once, again and again, that only makes
    /// more pairs near; it is tried again every now and then.
    pub(super) fn fattens(&self) -> bool {
        self.restless % 32 < 4
    }
}
