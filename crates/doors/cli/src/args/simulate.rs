//! What was typed after `kontakt simulate`.

use super::TimeLimit;
use clap::Args as ClapArgs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = HELP)]
pub(crate) struct Simulate {
    /// What is simulated, for how long, and what is written (docs/scenarios.md)
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Write what the scenario asks for into DIR, which is made where it is missing [default: only report]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Go on from the last checkpoint in DIR, or begin where there is none
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// Write a checkpoint into DIR/checkpoints every so many steps, as the kind counts them [default: the kind's own]
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint_every: Option<u64>,
    /// Threads as ranks, each with its own part of space; not under mpirun, which starts the ranks itself [default: 1]
    #[arg(long, value_name = "N", value_parser = super::ranks, allow_negative_numbers = true)]
    pub(crate) ranks: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

const HELP: &str = "\
A scenario is a TOML file; its key `kind` says what is simulated, and docs/scenarios.md lists the keys of each kind. Unknown keys are errors.
The same scenario gives the same numbers, to the last bit, for any number of threads and ranks, also when it was
killed and resumed: `hash` is that of the whole state at the end.

Example: kontakt simulate examples/scenarios/gas.toml
         kontakt simulate examples/scenarios/gas.toml -o out --json
         kontakt simulate examples/scenarios/gas.toml -o out --resume
         kontakt simulate examples/scenarios/pile.toml
         kontakt simulate examples/scenarios/rod.toml
         mpirun -n 4 kontakt simulate examples/scenarios/pile.toml";
