//! What a command found, shown as text or as JSON.

use crate::args::Common;
use crate::failure::Failure;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The outcome of a command.
pub(crate) trait Report {
    /// For people.
    fn text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The one JSON document of `--json`.
    fn json(&self) -> Value;

    /// The JSON lines of `--out`, one a result.
    fn lines(&self) -> Vec<Value> {
        vec![self.json()]
    }

    /// Whether a forbidden contact, a clash or a failed check was found (exit code 1).
    fn forbidden(&self) -> bool {
        false
    }
}

/// Writes the report where and how the user asked for it.
pub(crate) fn show(report: &dyn Report, common: &Common) -> Result<(), Failure> {
    if let Some(path) = &common.out {
        write_lines(report, path).map_err(|error| Failure::Report { path: path.clone(), error })?;
        if !common.json {
            return Ok(());
        }
    }
    let mut out = anstream::stdout().lock();
    if common.json {
        serde_json::to_writer_pretty(&mut out, &report.json()).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        report.text(&mut out)?;
    }
    Ok(out.flush()?)
}

/// One JSON line a result, into a neighbour file that is renamed at the end: nothing half-written is ever seen.
fn write_lines(report: &dyn Report, path: &Path) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = Path::new(&unfinished);
    let written = File::create(unfinished).and_then(|file| {
        let mut file = BufWriter::new(file);
        for line in report.lines() {
            serde_json::to_writer(&mut file, &line)?;
            writeln!(file)?;
        }
        file.flush()
    });
    let result = written.and_then(|()| std::fs::rename(unfinished, path));
    if result.is_err() {
        // The first error is the one to report; that the leftover cannot be removed adds nothing.
        let _ = std::fs::remove_file(unfinished);
    }
    result
}
