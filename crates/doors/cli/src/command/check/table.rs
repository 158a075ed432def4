//! The report of a check for people: the gravest first, a verdict last.

use super::Checked;
use super::words::{amount, words};
use crate::text::{self, Table};
use kontakt::scene::{CheckReport, Class, Finding};
use std::io::{self, Write};

/// Rows of the table; the rest is counted.
const SHOWN: usize = 50;
/// Separate pairs shown, the closest first.
const CLOSEST: usize = 5;

pub(crate) fn write(checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
    let report = &checked.report;
    let mut notable: Vec<&Finding> =
        report.findings().filter(|finding| finding.judgement.class != Class::Separate).collect();
    notable.sort_by(|x, y| by_gravity(x, y));
    if !notable.is_empty() {
        text::heading(out, "Pairs that meet or come too close, the gravest first")?;
        findings(report, &notable, SHOWN, out)?;
        writeln!(out)?;
    }
    let mut apart: Vec<&Finding> =
        report.findings().filter(|finding| finding.judgement.class == Class::Separate).collect();
    apart.sort_by(|x, y| by_gravity(x, y));
    if !apart.is_empty() {
        text::heading(out, "The closest of the others")?;
        distances(report, &apart, CLOSEST, out)?;
        writeln!(out)?;
    }
    checked.remarks.text(out)?;
    text::warnings(&checked.warnings, out)?;
    verdict(report, apart.first().copied(), out)
}

/// By class; within a class the deeper or closer first.
fn by_gravity(x: &Finding, y: &Finding) -> std::cmp::Ordering {
    let depth = |finding: &Finding| finding.signed().map_or(f64::NEG_INFINITY, |range| range.lo());
    (x.judgement.class.cmp(&y.judgement.class))
        .then(depth(x).total_cmp(&depth(y)))
        .then((x.a, x.b).cmp(&(y.a, y.b)))
}

fn findings(report: &CheckReport, list: &[&Finding], most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["", "a", "b", "relation", "by", "contacts"]);
    for finding in list.iter().take(most) {
        let mark = if finding.judgement.forbidden { "✗" } else { " " };
        let contacts = match finding.found.patches.len() {
            0 => "–".to_owned(),
            count => count.to_string(),
        };
        table.row([
            mark.into(),
            text::shortened(report.name(finding.a)),
            text::shortened(report.name(finding.b)),
            words(finding),
            amount(finding),
            contacts,
        ]);
    }
    table.write(out)?;
    more(list.len(), most, out)
}

fn distances(report: &CheckReport, list: &[&Finding], most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["", "a", "b", "distance"]);
    for finding in list.iter().take(most) {
        table.row([
            " ".into(),
            text::shortened(report.name(finding.a)),
            text::shortened(report.name(finding.b)),
            finding.signed().map_or_else(String::new, text::range),
        ]);
    }
    table.write(out)?;
    more(list.len(), most, out)
}

/// A line about rows that are not shown.
fn more(rows: usize, shown: usize, out: &mut dyn Write) -> io::Result<()> {
    if rows > shown {
        writeln!(out, "     … and {} more; --json or --out FILE gives all", rows - shown)?;
    }
    Ok(())
}

/// The last line: what it comes to.
fn verdict(report: &CheckReport, closest: Option<&Finding>, out: &mut dyn Write) -> io::Result<()> {
    let bodies = text::counted(report.body_count(), "body", "bodies");
    let looked_at = report.pair_count() - report.ignored_count();
    let mut asides = Vec::new();
    if report.ignored_count() > 0 {
        asides.push(format!("{} ignored", report.ignored_count()));
    }
    let allowed = report.findings().filter(|finding| finding.judgement.allowed).count();
    if allowed > 0 {
        asides.push(format!("{allowed} allowed"));
    }
    let aside = if asides.is_empty() { String::new() } else { format!(" ({})", asides.join(", ")) };
    let forbidden = report.forbidden_count();
    if forbidden > 0 {
        let counts: Vec<String> = Class::ALL
            .into_iter()
            .filter_map(|class| {
                let of_class =
                    |finding: &&Finding| finding.judgement.forbidden && finding.judgement.class == class;
                let count = report.findings().filter(of_class).count();
                (count > 0).then(|| format!("{count} {}", class.name()))
            })
            .collect();
        let style = text::ALARM;
        return writeln!(
            out,
            "{style}clash:{style:#} {forbidden} of {} of {bodies}{aside}: {}",
            text::counted(looked_at, "pair", "pairs"),
            counts.join(", ")
        );
    }
    let style = text::GOOD;
    let touching = match report.count(Class::Touching) {
        0 => String::new(),
        1 => ", 1 touches".to_owned(),
        count => format!(", {count} touch"),
    };
    let least = closest
        .and_then(Finding::signed)
        .map_or_else(String::new, |range| format!(", the least gap is {}", text::range(range)));
    let pairs = text::counted(looked_at, "pair", "pairs");
    writeln!(out, "{style}clear:{style:#} {pairs} of {bodies}{aside}{touching}{least}")
}
