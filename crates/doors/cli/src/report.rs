//! What a command found, shown as text or as JSON.

use crate::args::Common;
use crate::failure::Failure;
use crate::output::is_standard;
use crate::screen::Screen;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The outcome of a command.
pub(crate) trait Report {
    /// For people.
    fn text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The one JSON document of `--json`, without its long list of results if it has one.
    fn json(&self) -> Value;

    /// The long list of results: written item by item, never held in memory.
    fn list(&self) -> Option<List<'_>> {
        None
    }

    /// The JSON lines of `--out`, one a result, where they are neither the list nor the one document.
    fn lines(&self) -> Option<Vec<Value>> {
        None
    }

    /// What could not be done, beside what was: errors (exit code 2) that are told after the report.
    fn failed(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether another process shows the report.
    fn is_hidden(&self) -> bool {
        false
    }

    /// Whether a forbidden contact, a clash or a failed check was found (exit code 1).
    fn forbidden(&self) -> bool {
        false
    }
}

/// The report of a rank that leaves it to rank 0 to report.
pub(crate) struct Hidden;

impl Report for Hidden {
    fn text(&self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn json(&self) -> Value {
        Value::Null
    }

    fn is_hidden(&self) -> bool {
        true
    }
}

/// The results of a report under the key they have in its document.
pub(crate) struct List<'a> {
    name: &'static str,
    items: Box<dyn Iterator<Item = Value> + 'a>,
}

impl<'a> List<'a> {
    pub(crate) fn new(name: &'static str, items: impl Iterator<Item = Value> + 'a) -> List<'a> {
        List { name, items: Box::new(items) }
    }
}

/// What a report says of itself, with the name of the schema that it follows; where it is a list, in each entry.
fn head(report: &dyn Report, schema: &str) -> Value {
    let mut json = report.json();
    match &mut json {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| entry["schema"] = schema.into()),
        json => json["schema"] = schema.into(),
    }
    json
}

/// The one document of `--json`: its keys as usual, then the list, one item a line.
fn write_json(report: &dyn Report, schema: &str, out: &mut dyn Write) -> io::Result<()> {
    let keys = serde_json::to_string_pretty(&head(report, schema))?;
    let Some(List { name, items }) = report.list() else { return writeln!(out, "{keys}") };
    let open = keys.strip_suffix('}').unwrap_or(&keys).trim_end();
    let comma = if open == "{" { "" } else { "," };
    write!(out, "{open}{comma}\n  {}: [", Value::from(name))?;
    for (i, item) in items.enumerate() {
        write!(out, "{}\n    ", if i == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, &item)?;
    }
    writeln!(out, "\n  ]\n}}")
}

/// The whole document in memory, for reports that are parts of others.
pub(crate) fn document(report: &dyn Report) -> Value {
    let mut json = report.json();
    if let Some(List { name, items }) = report.list() {
        json[name] = items.collect();
    }
    json
}

/// One JSON line a result.
fn write_lines(report: &dyn Report, schema: &str, out: &mut dyn Write) -> io::Result<()> {
    let items = if let Some(list) = report.list() {
        list.items
    } else {
        let lines = report.lines().unwrap_or_else(|| vec![head(report, schema)]);
        Box::new(lines.into_iter())
    };
    for item in items {
        serde_json::to_writer(&mut *out, &item)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the report where and how the user asked for it.
pub(crate) fn show(report: &dyn Report, schema: &str, common: &Common) -> Result<(), Failure> {
    if report.is_hidden() {
        return Ok(());
    }
    let lines_here = common.out.as_deref().is_some_and(is_standard);
    if let Some(path) = common.out.as_ref().filter(|_| !lines_here) {
        write_file(report, schema, path).map_err(|error| Failure::Report { path: path.clone(), error })?;
    }
    let mut out = BufWriter::with_capacity(1 << 16, anstream::stdout().lock());
    if lines_here {
        write_lines(report, schema, &mut Screen::json(&mut out))?;
    } else if common.json {
        write_json(report, schema, &mut Screen::json(&mut out))?;
    } else if !common.quiet {
        report.text(&mut Screen::text(&mut out))?;
    }
    Ok(out.flush()?)
}

/// One JSON line a result, into a neighbour file that is renamed at the end: nothing half-written is ever seen. A pipe, a
/// device or a link (`/dev/stdout`) is written to as it is; renaming would replace it.
fn write_file(report: &dyn Report, schema: &str, path: &Path) -> io::Result<()> {
    let write_to = |path: &Path| {
        let mut file = BufWriter::new(File::create(path)?);
        write_lines(report, schema, &mut Screen::json(&mut file))?;
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

    struct Listed(Value, Vec<Value>);

    impl Report for Listed {
        fn text(&self, _: &mut dyn Write) -> io::Result<()> {
            Ok(())
        }

        fn json(&self) -> Value {
            self.0.clone()
        }

        fn list(&self) -> Option<List<'_>> {
            Some(List::new("results", self.1.iter().cloned()))
        }
    }

    #[test]
    fn a_document_written_piece_by_piece_is_one_document() {
        for (head, items) in [
            (json!({ "a": 1, "b": { "c": [] } }), vec![json!({ "x": [0.5, 1.0] }), json!(null)]),
            (json!({}), vec![]),
        ] {
            let mut out = Vec::new();
            write_json(&Listed(head.clone(), items.clone()), "kontakt.test/1", &mut out).unwrap();
            let mut expected = head;
            expected["schema"] = "kontakt.test/1".into();
            expected["results"] = items.into();
            assert_eq!(serde_json::from_slice::<Value>(&out).unwrap(), expected);
        }
    }
}
