//! Lines of places in a text.

use std::collections::BTreeMap;

/// Lines, from 1, of places in a text, counted in one pass.
pub(crate) fn lines(text: &[u8], places: impl Iterator<Item = usize>) -> BTreeMap<usize, u64> {
    let mut lines: BTreeMap<usize, u64> = places.map(|at| (at.min(text.len()), 0)).collect();
    let (mut before, mut line) = (0, 1);
    for (&at, found) in &mut lines {
        line += memchr::memchr_iter(b'\n', &text[before..at]).count() as u64;
        before = at;
        *found = line;
    }
    lines
}
