//! What was found: one table a question, for people, for `docs/benchmarks.md` and for machines.

use crate::contest::{Effort, Outcome};
use crate::machine::Machine;
use crate::suite::Suite;
use serde::Serialize;
use std::fmt::Write;

/// A whole run.
#[derive(Serialize)]
pub(crate) struct Report {
    /// Name of the benchmark.
    pub(crate) suite: &'static str,
    /// What it ran on.
    pub(crate) machine: Machine,
    /// Peers with their versions.
    pub(crate) peers: Vec<String>,
    /// Peers, files and cases left out, with the reason.
    pub(crate) skipped: Vec<String>,
    /// One table each.
    pub(crate) tables: Vec<Table>,
}

/// The answers to one question.
#[derive(Serialize)]
pub(crate) struct Table {
    /// Name for filters.
    pub(crate) key: &'static str,
    /// Heading.
    pub(crate) title: &'static str,
    /// What must be reached.
    pub(crate) target: &'static str,
    /// How it was measured, what the columns mean.
    pub(crate) notes: &'static str,
    /// Unit of the times shown.
    pub(crate) unit: Unit,
    /// How often each contender ran.
    pub(crate) effort: Effort,
    /// One a case.
    pub(crate) rows: Vec<Row>,
}

/// Unit of the times in a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) enum Unit {
    /// 1e-3 s
    Milliseconds,
    /// 1e-6 s
    Microseconds,
    /// 1e-9 s
    Nanoseconds,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "µs",
            Unit::Nanoseconds => "ns",
        }
    }

    fn show(self, seconds: f64) -> String {
        let value = match self {
            Unit::Milliseconds => seconds * 1e3,
            Unit::Microseconds => seconds * 1e6,
            Unit::Nanoseconds => seconds * 1e9,
        };
        match value {
            v if v >= 100.0 => format!("{v:.0}"),
            v if v >= 10.0 => format!("{v:.1}"),
            v if v >= 1.0 => format!("{v:.2}"),
            v => format!("{v:.3}"),
        }
    }
}

/// One case of a question.
#[derive(Default, Serialize)]
pub(crate) struct Row {
    /// File or generated set.
    pub(crate) case: String,
    /// How large it is, in words.
    pub(crate) size: String,
    /// Everybody's times.
    pub(crate) times: Vec<Time>,
    /// kontakt's time against the one that counts.
    pub(crate) ratio: Option<Ratio>,
    /// What else was found.
    pub(crate) facts: Vec<Fact>,
}

/// Times of one contender.
#[derive(Serialize)]
pub(crate) struct Time {
    /// Who.
    pub(crate) contender: &'static str,
    /// Fastest call, CPU seconds.
    pub(crate) least: Option<f64>,
    /// Middle call, CPU seconds.
    pub(crate) median: Option<f64>,
    /// Calls.
    pub(crate) calls: usize,
    /// Why there is no time.
    pub(crate) error: Option<String>,
}

impl<T> From<&Outcome<T>> for Time {
    fn from(outcome: &Outcome<T>) -> Self {
        Time {
            contender: outcome.name,
            least: outcome.least(),
            median: outcome.median(),
            calls: outcome.seconds.len(),
            error: outcome.error.clone(),
        }
    }
}

/// Least time of kontakt over least time of the contender that counts, or over an absolute limit.
#[derive(Serialize)]
pub(crate) struct Ratio {
    /// Whom or what it is compared with.
    pub(crate) against: &'static str,
    /// The ratio found.
    pub(crate) value: f64,
    /// The same with middle times; of interest where a contender is randomised and its fastest call a lucky one.
    pub(crate) of_medians: Option<f64>,
    /// The largest that passes; none where it is only of interest.
    pub(crate) at_most: Option<f64>,
}

impl Ratio {
    /// The ratio of two contenders' least times, if both have one.
    pub(crate) fn of(
        times: &[Time],
        ours: &str,
        against: &'static str,
        at_most: Option<f64>,
    ) -> Option<Self> {
        let time_of = |name: &str| times.iter().find(|time| time.contender == name);
        let (ours, theirs) = (time_of(ours)?, time_of(against)?);
        let of_medians = ours.median.zip(theirs.median).map(|(ours, theirs)| ours / theirs);
        Some(Ratio { against, value: ours.least? / theirs.least?, of_medians, at_most })
    }

    fn cell(&self) -> String {
        match self.of_medians {
            Some(of_medians) => format!("{:.3} ({of_medians:.3})", self.value),
            None => format!("{:.3}", self.value),
        }
    }

    fn passes(&self) -> bool {
        self.at_most.is_none_or(|limit| self.value <= limit)
    }
}

/// Something found beside the time.
#[derive(Serialize)]
pub(crate) struct Fact {
    /// Column heading.
    pub(crate) column: &'static str,
    /// Cell.
    pub(crate) value: String,
    /// Whether a target is met; none if there is no target.
    pub(crate) pass: Option<bool>,
}

impl Fact {
    /// A finding without a target.
    pub(crate) fn plain(column: &'static str, value: impl Into<String>) -> Self {
        Fact { column, value: value.into(), pass: None }
    }

    /// A finding with a target.
    pub(crate) fn judged(column: &'static str, value: impl Into<String>, pass: bool) -> Self {
        Fact { column, value: value.into(), pass: Some(pass) }
    }
}

impl Row {
    /// All targets of this row that are missed, in words.
    pub(crate) fn misses(&self) -> Vec<String> {
        let slow = self.ratio.iter().filter(|ratio| !ratio.passes()).map(|ratio| {
            let limit = ratio.at_most.unwrap_or(f64::INFINITY);
            format!("time is {:.3} of {}, at most {limit:.3} wanted", ratio.value, ratio.against)
        });
        let wrong = self.facts.iter().filter(|fact| fact.pass == Some(false));
        slow.chain(wrong.map(|fact| format!("{}: {}", fact.column, fact.value))).collect()
    }

    fn is_judged(&self) -> bool {
        self.ratio.as_ref().is_some_and(|ratio| ratio.at_most.is_some())
            || self.facts.iter().any(|fact| fact.pass.is_some())
    }

    fn mark(&self) -> &'static str {
        match (self.is_judged(), self.misses().is_empty()) {
            (false, _) => "–",
            (true, true) => "pass",
            (true, false) => "**FAIL**",
        }
    }
}

impl Table {
    fn contenders(&self) -> Vec<&'static str> {
        distinct(self.rows.iter().flat_map(|row| row.times.iter().map(|time| time.contender)))
    }

    fn columns(&self) -> Vec<&'static str> {
        distinct(self.rows.iter().flat_map(|row| row.facts.iter().map(|fact| fact.column)))
    }

    /// Heading cells and rows of cells; the same for the terminal and for Markdown.
    fn cells(&self) -> Vec<Vec<String>> {
        let (contenders, columns) = (self.contenders(), self.columns());
        let against = self.rows.iter().find_map(|row| row.ratio.as_ref());
        let mut heading = vec!["case".to_owned(), "size".to_owned()];
        heading.extend(contenders.iter().map(|name| format!("{name}, {}", self.unit.name())));
        heading.extend(against.map(|ratio| format!("kontakt / {}", ratio.against)));
        heading.extend(against.map(|_| "at most".to_owned()));
        heading.extend(columns.iter().map(|&column| column.to_owned()));
        heading.push("target".to_owned());
        let mut all = vec![heading];
        for row in &self.rows {
            let mut line = vec![row.case.clone(), row.size.clone()];
            line.extend(contenders.iter().map(|name| self.time_cell(row, name)));
            if against.is_some() {
                let ratio = row.ratio.as_ref();
                line.push(ratio.map_or("–".to_owned(), Ratio::cell));
                let limit = ratio.and_then(|ratio| ratio.at_most);
                line.push(limit.map_or("–".to_owned(), |limit| format!("{limit:.3}")));
            }
            line.extend(columns.iter().map(|column| {
                row.facts
                    .iter()
                    .find(|fact| fact.column == *column)
                    .map_or("–".to_owned(), |fact| fact.value.clone())
            }));
            line.push(row.mark().to_owned());
            all.push(line);
        }
        all
    }

    fn time_cell(&self, row: &Row, name: &str) -> String {
        match row.times.iter().find(|time| time.contender == name) {
            Some(Time { least: Some(least), median: Some(median), .. }) => {
                format!("{} ({})", self.unit.show(*least), self.unit.show(*median))
            }
            Some(Time { error: Some(reason), .. }) => reason.clone(),
            _ => "–".to_owned(),
        }
    }

    /// Aligned for a terminal.
    pub(crate) fn text(&self) -> String {
        let cells = self.cells();
        let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..cells[0].len()).map(width).collect();
        let mut text = format!("\n{}\n  wanted: {}\n", self.title, self.target);
        for row in &cells {
            for (column, cell) in row.iter().enumerate() {
                let pad = widths[column] - cell.chars().count();
                let blank = " ".repeat(pad);
                let _ = if column == 0 {
                    write!(text, "  {cell}{blank}")
                } else {
                    write!(text, "  {blank}{cell}")
                };
            }
            text.push('\n');
        }
        for row in &self.rows {
            for miss in row.misses() {
                let _ = writeln!(text, "  missed, {}: {miss}", row.case);
            }
        }
        text
    }

    fn markdown(&self) -> String {
        let cells = self.cells();
        let line = |row: &[String]| format!("| {} |\n", row.join(" | ").replace('\n', " "));
        let mut text = format!("## {}\n\nWanted: {}\n\n{}\n\n", self.title, self.target, self.notes);
        text += &line(&cells[0]);
        let _ = writeln!(text, "|{}", "---|".repeat(cells[0].len()));
        cells[1..].iter().for_each(|row| text += &line(row));
        text.push('\n');
        text
    }
}

impl Report {
    /// The suite's document in `docs`.
    pub(crate) fn markdown(&self) -> String {
        let machine = &self.machine;
        let suite = self.suite;
        let mut text = format!("# Benchmarks: {suite}\n\n");
        let _ = write!(text, "Written by `cargo xtask bench {suite} --write`; do not edit. ");
        text += "Wins and losses alike. Times are CPU time of one \
                 thread: the fastest call and, in brackets, the middle one; ratios likewise, and what is judged is the ratio of the fastest. All contenders of a table ran in turn in one run \
                 on one machine, so ratios mean more than times; differences under 15 % mean little.\n\n";
        if suite == Suite::Bounds.name() {
            let others: Vec<String> = Suite::ALL
                .iter()
                .filter(|other| other.name() != suite)
                .map(|other| format!("[{0}](benchmarks-{0}.md)", other.name()))
                .collect();
            let _ = writeln!(text, "Other benchmarks: {}.\n", others.join(", "));
        }
        let _ = writeln!(
            text,
            "- machine: {}, {} cores, about {:.1} GHz during the run, {}; Linux {}",
            machine.processor,
            machine.cores,
            machine.gigahertz,
            machine.features.join(", "),
            machine.kernel
        );
        let _ = writeln!(
            text,
            "- load: {:.1} processes on {} cores in the minute before the run",
            machine.load, machine.cores
        );
        let _ = writeln!(text, "- date: {} UTC", machine.date);
        let _ = writeln!(text, "- command: `{}`", machine.command);
        let _ = writeln!(text, "- peers: {}", self.peers.join("; "));
        for skipped in &self.skipped {
            let _ = writeln!(text, "- left out: {skipped}");
        }
        text += "\n## Where kontakt misses its target\n\n";
        let before = text.len();
        for table in &self.tables {
            for row in &table.rows {
                for miss in row.misses() {
                    let _ = writeln!(text, "- {}, {}: {miss}", table.title, row.case);
                }
            }
        }
        if text.len() == before {
            text += "Nowhere in this run.\n";
        }
        text.push('\n');
        self.tables.iter().for_each(|table| text += &table.markdown());
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut found = Vec::new();
    names.for_each(|name| {
        if !found.contains(&name) {
            found.push(name);
        }
    });
    found
}
