//! A spinner or a bar on standard error while work is under way; silent unless that is a terminal.

use crate::text::one_line;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// Runs `work` with a spinner that says what is being done.
#[expect(clippy::needless_pass_by_value, reason = "callers put the words together for this")]
pub(crate) fn during<T>(what: String, work: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(one_line(&what));
    // The thread that turns it costs time, and under a memory limit it may not be had.
    if !spinner.is_hidden() {
        spinner.enable_steady_tick(Duration::from_millis(120));
    }
    let result = work();
    spinner.finish_and_clear();
    result
}

/// Runs `work` with a bar of `length` steps, which it may move from any thread.
pub(crate) fn over<T>(what: &str, length: u64, work: impl FnOnce(&ProgressBar) -> T) -> T {
    let bar = ProgressBar::new(length).with_message(one_line(what));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left") {
        bar.set_style(style);
    }
    let result = work(&bar);
    bar.finish_and_clear();
    result
}
