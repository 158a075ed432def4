//! Random sequences of operations on a kept set against all comparisons, whatever the way. `KONTAKT_CASES` sets how many operations.

use kontakt_broad::{BroadPhase, Way};

#[test]
fn every_way_finds_what_comparing_all_finds() {
    testbodies::kept_boxes::check_all(&Way::ALL, BroadPhase::with_way);
}
