//! Property tests are short in CI, and as long as the environment says elsewhere.

use std::ops::Range;

/// How many cases a test asks about: `KONTAKT_CASES`, or what suits a quick run.
pub fn cases(usual: u64) -> u64 {
    number("KONTAKT_CASES").unwrap_or(usual)
}

/// The seed of a test whose own one is this: another one in every piece of a long run, which `KONTAKT_SEED` numbers. Quick runs are piece 0.
pub fn seed(own: u64) -> u64 {
    own + (number("KONTAKT_SEED").unwrap_or(0) << 32)
}

/// The numbers of the cases, for tests whose cases are numbered: others in every piece.
pub fn numbers(usual: u64) -> Range<u64> {
    let first = seed(0);
    first..first + cases(usual)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
