//! What a query cost, in tests performed rather than seconds: the same on every machine.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counters of one query or of many added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Visits {
    /// Pairs of bounding volumes tested.
    pub volume_tests: u64,
    /// Pairs of faces tested.
    pub face_tests: u64,
    /// Decisions that had to be taken in exact arithmetic.
    pub exact_tests: u64,
}

impl AddAssign for Visits {
    fn add_assign(&mut self, other: Visits) {
        self.volume_tests += other.volume_tests;
        self.face_tests += other.face_tests;
        self.exact_tests += other.exact_tests;
    }
}
