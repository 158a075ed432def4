//! How much a check looks at.

use kontakt_schedule::Deadline;

/// How much is looked at, and who hears of it.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// When to end with what is certain so far.
    pub deadline: Deadline,
    /// Most pairs of triangles of two bodies.
    pub max_pairs: usize,
    /// Every distance is computed to rounding, however many there are.
    pub all_distances: bool,
    /// Called with the number of pairs to be looked at, then with 0 after each of them.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

impl Limits<'_> {
    /// No limits, nobody listens.
    pub const NONE: Limits<'static> =
        Limits { deadline: Deadline::NEVER, max_pairs: usize::MAX, all_distances: false, progress: &|_| {} };
}
