//! What there is to say about the files that were read, for people.

use crate::text;
use kontakt_load::remarks::counts;
use kontakt_load::words::{counted, number};
use kontakt_load::{About, Remarks, Tessellated};
use std::io::{self, Write};

/// A line for everything that was passed over or changed.
pub(crate) fn write(remarks: &Remarks, out: &mut dyn Write) -> io::Result<()> {
    for (file, About { report, model }) in remarks.each() {
        let file = text::one_line(file);
        for (key, one, count) in counts(report) {
            let odd = matches!(key, "unknown_keywords" | "junk_lines").then_some(report.first_odd_line);
            let first = odd.map_or_else(String::new, |line| format!(", the first odd line is {line}"));
            let what = if count == 1 { one.to_owned() } else { key.replace('_', " ") };
            writeln!(out, "  {file}: {count} {what}{first}")?;
        }
        if let Some(model) = model {
            tessellated(model, &file, out)?;
        }
    }
    Ok(())
}

fn tessellated(model: &Tessellated, file: &str, out: &mut dyn Write) -> io::Result<()> {
    let triangles = counted(model.triangles, "triangle", "triangles");
    let deviation = number(model.deviation);
    writeln!(out, "  {file}: tessellated within {deviation} (certified): {triangles}")?;
    text::warnings(&model.warnings(), out)
}
