//! A spinner on standard error while work is under way; silent unless that is a terminal.

use indicatif::ProgressBar;
use std::time::Duration;

/// Runs `work` with a spinner that says what is being done.
pub(crate) fn during<T>(what: String, work: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(120));
    let result = work();
    spinner.finish_and_clear();
    result
}
