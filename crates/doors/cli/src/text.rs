//! Human text: short numbers, aligned tables, colours that vanish where there is no terminal.

use crate::quiet::is_quiet;
use crate::screen::Screen;
use kontakt::answers::Range;
use std::io::{self, Write};

pub(crate) use crate::screen::{ALARM, GOOD, HEADING, one_line};
pub(crate) use kontakt_load::words::{counted, number, triple};

/// A name that fits a column: a long one loses its middle.
pub(crate) fn shortened(name: &str) -> String {
    const LONGEST: usize = 40;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST {
        return name.to_owned();
    }
    let kept = LONGEST - 1;
    let (front, back) = (&letters[..kept / 2], &letters[letters.len() - (kept - kept / 2)..]);
    front.iter().chain(&['…']).chain(back).collect()
}

/// A heading on a line of its own.
pub(crate) fn heading(out: &mut dyn Write, words: &str) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}", one_line(words))
}

/// Warnings, a line each.
pub(crate) fn warnings(words: &[String], out: &mut dyn Write) -> io::Result<()> {
    words.iter().try_for_each(|warning| writeln!(out, "  {ALARM}warning:{ALARM:#} {}", one_line(warning)))
}

/// Warnings beside the report, on standard error; none where the user wants quiet.
pub(crate) fn warn_aside(words: &[String]) -> io::Result<()> {
    if is_quiet() {
        return Ok(());
    }
    warnings(words, &mut Screen::text(anstream::stderr().lock()))
}

/// Certified bounds: one number where both ends read the same, else the two ends.
pub(crate) fn range(range: Range) -> String {
    let (lo, hi) = (number(range.lo()), number(range.hi()));
    if lo == hi { lo } else { format!("{lo} … {hi}") }
}

/// Seconds in the unit that reads best.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Whether a cell holds a number, with or without a unit, or the dash that stands for none.
fn is_number(cell: &str) -> bool {
    cell.starts_with(|first: char| first.is_ascii_digit() || "-–".contains(first))
}

/// Rows under a heading row; columns of words flush left, columns of numbers flush right.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(heading: [&str; N]) -> Table {
        Table { rows: vec![heading.map(String::from).to_vec()] }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().map(|cell| one_line(&cell)).collect());
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows[0].len();
        let width = |c: usize| self.rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let numeric: Vec<bool> =
            (0..columns).map(|c| self.rows[1..].iter().all(|row| is_number(&row[c]))).collect();
        for (r, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let room = " ".repeat(widths[c] - cell.chars().count());
                let (before, after) = if numeric[c] { (room.as_str(), "") } else { ("", room.as_str()) };
                line.extend(["  ", before, cell, after]);
            }
            match r {
                0 => writeln!(out, "{HEADING}{}{HEADING:#}", line.trim_end())?,
                _ => writeln!(out, "{}", line.trim_end())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["name", "size"]);
        table.row(["a".into(), "1".into()]);
        table.row(["long name".into(), "1000".into()]);
        let mut out = Vec::new();
        table.write(&mut crate::screen::Screen::text(&mut out)).unwrap();
        let plain = anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string();
        assert_eq!(plain, "  name       size\n  a             1\n  long name  1000\n");
    }
}
