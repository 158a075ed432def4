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

    /// Writes the document; commands with very many results write it piece by piece instead of holding all of it.
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, &self.json())?;
        writeln!(out)
    }

    /// Writes the lines; likewise.
    fn write_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        self.lines().iter().try_for_each(|line| json_line(line, out))
    }

    /// Whether a forbidden contact, a clash or a failed check was found (exit code 1).
    fn forbidden(&self) -> bool {
        false
    }
}

/// One value on a line of its own.
pub(crate) fn json_line(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// A document with one long list that is never held in memory: its keys as usual, then the list, one item a line.
pub(crate) fn json_with_list(
    head: &Value,
    list: &str,
    items: impl Iterator<Item = Value>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = serde_json::to_string_pretty(head)?;
    let open = keys.strip_suffix('}').unwrap_or(&keys).trim_end();
    let comma = if open == "{" { "" } else { "," };
    write!(out, "{open}{comma}\n  {}: [", Value::from(list))?;
    for (i, item) in items.enumerate() {
        write!(out, "{}\n    ", if i == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, &item)?;
    }
    writeln!(out, "\n  ]\n}}")
}

/// Writes the report where and how the user asked for it.
pub(crate) fn show(report: &dyn Report, common: &Common) -> Result<(), Failure> {
    if let Some(path) = &common.out {
        write_file(report, path).map_err(|error| Failure::Report { path: path.clone(), error })?;
    }
    let mut out = BufWriter::with_capacity(1 << 16, anstream::stdout().lock());
    if common.json {
        report.write_json(&mut out)?;
    } else {
        report.text(&mut out)?;
    }
    Ok(out.flush()?)
}

/// One JSON line a result, into a neighbour file that is renamed at the end: nothing half-written is ever seen. A pipe, a
/// device or a link (`/dev/stdout`) is written to as it is; renaming would replace it.
fn write_file(report: &dyn Report, path: &Path) -> io::Result<()> {
    let write_to = |path: &Path| {
        let mut file = BufWriter::new(File::create(path)?);
        report.write_lines(&mut file)?;
        file.flush()
    };
    if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
        return write_to(path);
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = Path::new(&unfinished);
    let result = write_to(unfinished).and_then(|()| std::fs::rename(unfinished, path));
    if result.is_err() {
        // The first error is the one to report; that the leftover cannot be removed adds nothing.
        let _ = std::fs::remove_file(unfinished);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_written_piece_by_piece_is_one_document() {
        for (head, items) in [
            (json!({ "a": 1, "b": { "c": [] } }), vec![json!({ "x": [0.5, 1.0] }), json!(null)]),
            (json!({}), vec![]),
        ] {
            let mut out = Vec::new();
            json_with_list(&head, "results", items.clone().into_iter(), &mut out).unwrap();
            let mut expected = head;
            expected["results"] = items.into();
            assert_eq!(serde_json::from_slice::<Value>(&out).unwrap(), expected);
        }
    }
}
