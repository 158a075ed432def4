//! Everything that must be green before a change lands.

use crate::{corpus, laboratory, licences, modules, mpi, python, step};

/// The product and its tools; the benchmark links foreign libraries, the Python module needs an interpreter: they have steps of their own.
/// Lints and documentation take the module in where there is an interpreter.
const EXCEPT_BENCH: [&str; 5] = ["--workspace", "--exclude", "kontakt-bench", "--exclude", "kontakt-python"];

/// Takes no building: modules form no cycles, and no product crate but the command line uses the laboratory.
pub(crate) fn structure() -> Result<(), String> {
    modules::check()?;
    laboratory::check()
}

pub(crate) fn run() -> Result<(), String> {
    step::run("format", &mut step::cargo(["fmt", "--all", "--check"]))?;
    structure()?;
    let read = if python::has_interpreter() { &EXCEPT_BENCH[..3] } else { &EXCEPT_BENCH[..] };
    let mut clippy = step::cargo(["clippy", "--quiet", "--all-targets"]);
    clippy.args(read).args(["--", "-D", "warnings"]);
    step::run("clippy", &mut clippy)?;

    // The corpus, where it is present, turns the conformance tests on; they say "skipped" otherwise.
    let mut tests = step::cargo(["test"]);
    tests.args(EXCEPT_BENCH);
    match corpus::find() {
        Some(data) => {
            println!("corpus: present, the conformance suite runs");
            tests.env("KONTAKT_DATA", data);
        }
        None => println!("corpus: skipped (no ../shared/data and no KONTAKT_DATA)"),
    }
    step::run("tests", &mut tests)?;

    step::run("tests of the benchmark", &mut step::cargo(["test", "--quiet", "--package", "kontakt-bench"]))?;
    mpi::check()?;
    python::check()?;
    fuzz_targets()?;

    let mut doc = step::cargo(["doc", "--quiet", "--no-deps"]);
    doc.args(read).env("RUSTDOCFLAGS", "-D warnings");
    step::run("documentation", &mut doc)?;
    licences::check()
}

/// Fuzz targets are a workspace of their own, run by hand: here they need only compile, so that a change of the product cannot break
/// them unseen. Nothing is linked, so libFuzzer's own C++ is not built: it is said to lie somewhere else.
fn fuzz_targets() -> Result<(), String> {
    let mut check = step::cargo(["check", "--quiet", "--bins", "--manifest-path", "tools/fuzz/Cargo.toml"]);
    step::run("fuzz targets", check.env("CUSTOM_LIBFUZZER_PATH", "none/libnone.a"))
}
