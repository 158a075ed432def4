//! What happened while a tree was built.

/// Counts of a build.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Notes {
    /// Nodes that were split.
    pub splits: usize,
    /// Splits proven to be the best there are.
    pub proven: usize,
    /// Searches that gave up and took the best split they had.
    pub given_up: usize,
    /// Greatest gap of those: no split of that node grades less than (1 − gap) times the one taken.
    pub worst_gap: f64,
    /// Sets of faces that the rule could not part.
    pub stuck: usize,
    /// Splits taken although they do not reach the improvement rate.
    pub below_rate: usize,
    /// Nodes that became leaves because nothing reached the improvement rate.
    pub kept_whole: usize,
}

impl Notes {
    /// Adds what a search reported: its gap.
    pub(super) fn search_ended(&mut self, gap: f64) {
        if gap == 0.0 {
            self.proven += 1;
        } else {
            self.given_up += 1;
            self.worst_gap = self.worst_gap.max(gap);
        }
    }
}
