//! The report of a check for people: the gravest first, a verdict last.

use super::Checked;
use super::words::{amount, members, place, volume, words};
use crate::input::remarks;
use crate::text::{self, Table};
use kontakt::scene::{CheckReport, Class, Finding, TouchTolerance};
use std::io::{self, Write};

/// Rows of the table; the rest is counted.
const SHOWN: usize = 50;
/// Separate pairs shown, the closest first.
const CLOSEST: usize = 5;

pub(crate) fn write(checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
    let report = &checked.report;
    if !report.groups().is_empty() {
        text::heading(out, "Pairs that meet or come too close, the gravest first")?;
        groups(report, out)?;
        writeln!(out)?;
    }
    let mut apart: Vec<&Finding> =
        report.findings().filter(|finding| finding.judgement.class == Class::Separate).collect();
    apart.sort_by(|x, y| by_gap(x, y));
    if !apart.is_empty() {
        text::heading(out, "The closest of the others")?;
        distances(report, &apart, CLOSEST, out)?;
        writeln!(out)?;
    }
    remarks::write(&checked.remarks, out)?;
    text::warnings(&checked.warnings, out)?;
    hints(report, out)?;
    verdict(report, apart.first().copied(), out)
}

fn by_gap(x: &Finding, y: &Finding) -> std::cmp::Ordering {
    let gap = |finding: &Finding| finding.signed().map_or(f64::NEG_INFINITY, |range| range.lo());
    gap(x).total_cmp(&gap(y)).then((x.a, x.b).cmp(&(y.a, y.b)))
}

/// A line for each group of like pairs: the first pair's names, or what all names have in common.
fn groups(report: &CheckReport, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["", "pairs", "a", "b", "relation", "by", "volume", "at"]);
    for group in report.groups().iter().take(SHOWN) {
        let first = report.finding(group.pairs[0]);
        let mark = if group.judgement.forbidden { "✗" } else { " " };
        let count = match group.pairs.len() {
            1 => String::new(),
            count => format!("{count}×"),
        };
        table.row([
            mark.into(),
            count,
            text::shortened(&members(report, group, 0)),
            text::shortened(&members(report, group, 1)),
            words(first),
            amount(first),
            volume(first),
            place(first),
        ]);
    }
    table.write(out)?;
    let rest = &report.groups()[report.groups().len().min(SHOWN)..];
    more(rest.iter().map(|group| group.pairs.len()).sum(), out)
}

/// What the user may want to know about how it was judged.
fn hints(report: &CheckReport, out: &mut dyn Write) -> io::Result<()> {
    let explained = report.explained_count();
    if explained > 0 {
        writeln!(
            out,
            "  {} no deeper than the estimated chord error of the tessellations; --deviation auto takes such for no clash",
            match explained {
                1 => "1 overlap is".to_owned(),
                count => format!("{count} overlaps are"),
            }
        )?;
    }
    let within = report
        .findings()
        .filter(|finding| {
            finding.judgement.class == Class::WithinTessellation && finding.limits.certified > 0.0
        })
        .count();
    if within > 0 {
        let pairs = text::counted(within, "pair is", "pairs are");
        let certified = text::number(report.certified_deviation());
        writeln!(
            out,
            "  {pairs} nearer to touching than triangles within {certified} (certified) of curved faces tell; --deviation sets how fine they are"
        )?;
    }
    let rounded = report
        .findings()
        .filter(|finding| finding.judgement.class == Class::Touching && finding.exact() != Class::Touching);
    let (count, tolerance) = (rounded.count(), report.touch_tolerance());
    if count > 0 && report.rules().touch_tolerance == TouchTolerance::Rounding {
        let pairs = text::counted(count, "pair touches", "pairs touch");
        writeln!(
            out,
            "  {pairs} but for the rounding of the files' numbers (up to {}); --exact tells the exact classes",
            text::number(tolerance)
        )?;
    }
    Ok(())
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
    more(list.len().saturating_sub(most), out)
}

/// A line about pairs that are not shown.
fn more(pairs: usize, out: &mut dyn Write) -> io::Result<()> {
    if pairs > 0 {
        writeln!(out, "     … and {pairs} more; --json or --out FILE gives all")?;
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
        let word = report.verdict().name();
        return writeln!(
            out,
            "{style}{word}:{style:#} {forbidden} of {} of {bodies}{aside}: {}",
            text::counted(looked_at, "pair", "pairs"),
            counts.join(", ")
        );
    }
    if !report.missing().is_empty() {
        let style = text::ALARM;
        let missing = text::counted(report.missing().len(), "body is", "bodies are");
        return writeln!(
            out,
            "{style}{}:{style:#} nothing of {} is forbidden{aside}, but {missing} not whole",
            report.verdict().name(),
            text::counted(looked_at, "pair", "pairs")
        );
    }
    let style = text::GOOD;
    let touching = match report.count(Class::Touching) {
        0 => String::new(),
        1 => ", 1 touches".to_owned(),
        count => format!(", {count} touch"),
    };
    let within = match report.count(Class::WithinTessellation) {
        0 => String::new(),
        count => format!(", {count} within the tessellation"),
    };
    let least = closest
        .and_then(Finding::signed)
        .map_or_else(String::new, |range| format!(", the least gap is {}", text::range(range)));
    let pairs = text::counted(looked_at, "pair", "pairs");
    writeln!(out, "{style}clear:{style:#} {pairs} of {bodies}{aside}{touching}{within}{least}")
}
