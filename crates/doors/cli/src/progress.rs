//! A spinner or a bar on standard error while work is under way; silent unless that is a terminal, and where quiet is wanted.

use crate::quiet::is_quiet;
use crate::text::one_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Turns and says what is being done until it is dropped.
pub(crate) struct Spinner(ProgressBar);

impl Spinner {
    pub(crate) fn of(what: &str) -> Spinner {
        let spinner = quietly(ProgressBar::new_spinner()).with_message(one_line(what));
        // The thread that turns it costs time, and under a memory limit it may not be had.
        if !spinner.is_hidden() {
            spinner.enable_steady_tick(Duration::from_millis(120));
        }
        Spinner(spinner)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Runs `work` with a spinner that says what is being done.
#[expect(clippy::needless_pass_by_value, reason = "callers put the words together for this")]
pub(crate) fn during<T>(what: String, work: impl FnOnce() -> T) -> T {
    let _spinner = Spinner::of(&what);
    work()
}

/// The bar, unseen where nothing is to be seen.
fn quietly(bar: ProgressBar) -> ProgressBar {
    if is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// Runs `work` with a bar of `length` steps, which it may move from any thread.
pub(crate) fn over<T>(what: &str, length: u64, work: impl FnOnce(&ProgressBar) -> T) -> T {
    let bar = quietly(ProgressBar::new(length)).with_message(one_line(what));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left") {
        bar.set_style(style);
    }
    let result = work(&bar);
    bar.finish_and_clear();
    result
}
