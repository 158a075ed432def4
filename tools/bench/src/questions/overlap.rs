//! What the overlap questions share: many calls in one bracket of the clock.

use crate::clock::timed;
use crate::contest::{Contender, Outcome};
use crate::product::overlap::Kernel;
use std::hint::black_box;

/// Tests in one bracket of the clock, so that reading it costs nothing.
const TESTS: usize = 1_000_000;

/// kontakt's kernel as a contender; times are those of one test.
pub(super) fn kernel_contender(mut kernel: Kernel, tests: usize) -> Contender<'static, usize> {
    repeated("kontakt", tests, move || (kernel.run)())
}

/// A contender whose `run` answers `tests` tests, called often enough to be measured; times are those of one test.
pub(super) fn repeated(
    name: &'static str,
    tests: usize,
    mut run: impl FnMut() -> usize + 'static,
) -> Contender<'static, usize> {
    let calls = TESTS.div_ceil(tests);
    Contender::new(name, move || {
        let (seconds, found) = timed(|| {
            let mut found = 0;
            for _ in 0..calls {
                found = black_box(run());
            }
            found
        });
        Ok((seconds / (calls * tests) as f64, found))
    })
}

/// Part of the tests that said "may overlap".
pub(super) fn share(outcome: &Outcome<usize>, tests: usize) -> String {
    outcome
        .answers
        .first()
        .map_or("–".to_owned(), |found| format!("{:.1} %", 100.0 * *found as f64 / tests as f64))
}
