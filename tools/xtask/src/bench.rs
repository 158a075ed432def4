//! Builds the benchmark tool in release mode and hands it the arguments.

use crate::{corpus, step};

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let mut command = step::cargo(["run", "--release", "--quiet", "--package", "kontakt-bench", "--"]);
    command.args(arguments);
    if let Some(data) = corpus::find() {
        command.env("KONTAKT_DATA", data);
    }
    step::run("bench", &mut command)
}
