//! `kontakt`, the command line. What was typed (`args`) → what is meant and done (`command`) → how it is shown
//! (`report`). Exit 0 = done, nothing forbidden found; 1 = something forbidden found; 2 = error.

mod args;
mod clock;
mod command;
mod failure;
mod input;
mod plot;
mod progress;
mod reading;
mod report;
mod screen;
mod text;
mod timing;
mod units;

use args::Args;
use clap::Parser;
use failure::Failure;
use screen::Screen;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let alarm = text::ALARM;
            let mut screen = Screen::text(anstream::stderr().lock());
            // When standard error is gone there is nobody left to tell.
            let _ = writeln!(screen, "{alarm}error:{alarm:#} {}", text::one_line(&failure.to_string()));
            ExitCode::from(2)
        }
    }
}

/// Runs the command and shows its report; `true` when something forbidden was found.
fn run(args: &Args) -> Result<bool, Failure> {
    let common = args.common();
    if let Some(threads) = common.threads {
        // Fails only if a pool exists already, and nothing has run before this line.
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build_global()
            .map_err(|error| Failure::Usage(format!("--threads {threads}: {error}")))?;
    }
    let report = command::run(&args.command, &common)?;
    report::show(report.as_ref(), &common)?;
    Ok(report.forbidden())
}
