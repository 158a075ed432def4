//! Project chores: `cargo xtask test` checks everything, `cargo xtask bench` measures against peers.

mod bench;
mod corpus;
mod dist;
mod laboratory;
mod licences;
mod modules;
mod mpi;
mod python;
mod step;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  test            fmt, clippy, licences and bans, unit, property, doc and CLI tests;
                  with the shared corpus beside the checkout also the conformance suite
  structure       only what the test says of the house: no module cycles, the laboratory out of the product
  mpi             only the ranks over a real MPI (installs openmpi-bin where it can)
  python          only the Python module: built, installed in target/python and tested there
  dist            what is handed out: archive and wheel, in target/handed-out
  bench [NAME…]   build tools/bench in release mode and run it (`cargo xtask bench --help` lists what there is);
                  `bench python [--quick] [--write]` measures the Python module beside its peers
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("test") => test::run(),
        Some("structure") => test::structure(),
        Some("mpi") => mpi::check(),
        Some("python") => python::check(),
        Some("dist") => dist::run(),
        Some("bench") => match arguments.collect::<Vec<_>>().as_slice() {
            [name, rest @ ..] if name == "python" => python::bench(rest),
            all => bench::run(all),
        },
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("unknown command {}\n\n{HELP}", other.unwrap_or("(none)"))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
