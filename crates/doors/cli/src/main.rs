//! `kontakt`, the command line. What was typed (`args`) → what is meant and done (`command`) → how it is shown
//! (`report`). Exit 0 = done, nothing forbidden found; 1 = something forbidden found; 2 = error.

mod args;
mod clock;
mod command;
mod failure;
mod help;
mod input;
mod output;
mod plot;
mod progress;
mod quiet;
mod reading;
mod report;
mod screen;
mod text;
mod timing;
mod version;

use args::Args;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use failure::Failure;
use screen::Screen;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = typed();
    match run(&args) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let words = match failure {
                Failure::Several(words) => words,
                failure => vec![failure.to_string()],
            };
            let alarm = text::ALARM;
            let mut screen = Screen::text(anstream::stderr().lock());
            for words in words {
                // When standard error is gone there is nobody left to tell.
                let _ = writeln!(screen, "{alarm}error:{alarm:#} {}", text::one_line(&words));
            }
            ExitCode::from(2)
        }
    }
}

/// The arguments, or the end of the program with help, the version or what is wrong with them.
fn typed() -> Args {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let color = help::color_of(words.iter().cloned());
    anstream::ColorChoice::write_global(match color {
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
    });
    let mut command = help::prepared(Args::command(), color);
    let matches = command.try_get_matches_from_mut(std::env::args_os()).unwrap_or_else(|error| {
        match input::pose::unquoted(&words).filter(|_| error.kind() == ErrorKind::UnknownArgument) {
            Some(problem) => command.error(ErrorKind::ValueValidation, problem).exit(),
            None => error.exit(),
        }
    });
    Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Runs the command and shows its report; `true` when something forbidden was found.
fn run(args: &Args) -> Result<bool, Failure> {
    let common = args.common();
    if common.quiet {
        quiet::be_quiet();
    }
    output::check(&args.command, &common)?;
    if let Some(threads) = common.threads {
        // Fails only where no thread can be started: no pool exists already, for nothing has run before this line.
        rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global().map_err(|error| {
            Failure::Usage(format!(
                "--threads {threads}: {error}; there is too little memory, or threads are too many"
            ))
        })?;
    }
    let report = command::run(&args.command, &common)?;
    report::show(report.as_ref(), &args.command.schema(), &common)?;
    let failed = report.failed();
    if failed.is_empty() { Ok(report.forbidden()) } else { Err(Failure::Several(failed)) }
}
