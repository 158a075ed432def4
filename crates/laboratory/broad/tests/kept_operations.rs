//! Random sequences of operations on a kept set against all comparisons, with the laboratory's ways. `KONTAKT_CASES` sets how many operations.

use kontakt_broad::BroadPhase;
use kontakt_lab_broad::Other;

#[test]
fn every_way_finds_what_comparing_all_finds() {
    testbodies::kept_boxes::check_all(&Other::ALL, |way| BroadPhase::with_finder(way.finder()));
}
