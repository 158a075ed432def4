//! The report of a path for people: what is not free, the least clearance, a verdict last.

use super::Checked;
use crate::input::remarks;
use crate::text::{self, Table};
use kontakt::answers::{Contact, Feature, Initial};
use kontakt::math::DVec3;
use kontakt::rigid_ccd::path::{PathFinding, PathVerdict, SegmentReport};
use std::io::{self, Write};

/// Rows of the table; the rest is counted.
const SHOWN: usize = 50;

pub(crate) fn write(checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
    let segments = &checked.report().segments;
    let open: Vec<(&SegmentReport, &PathFinding)> = segments
        .iter()
        .flat_map(|segment| segment.findings.iter().map(move |finding| (segment, finding)))
        .filter(|(_, finding)| finding.verdict != PathVerdict::Free)
        .collect();
    if !open.is_empty() {
        text::heading(out, "Segments that are not free")?;
        rows(checked, &open, out)?;
        writeln!(out)?;
    }
    if let Some(way) = &checked.way {
        let unit = if way.shift == DVec3::ZERO { "degrees turned" } else { "the way travelled" };
        writeln!(out, "  times are {unit}")?;
    }
    if let Some(least) = checked.report().least_clearance {
        writeln!(
            out,
            "  least clearance  {}, {} to {}, at {}",
            text::range(least.range),
            text::shortened(checked.check.mover(least.mover)),
            text::shortened(checked.check.body(least.body)),
            clock(least.time, span_of(segments)),
        )?;
    }
    remarks::write(&checked.remarks, out)?;
    text::warnings(&checked.warnings, out)?;
    verdict(checked, out)
}

fn rows(checked: &Checked, open: &[(&SegmentReport, &PathFinding)], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["segment", "verdict", "from", "by", "moving", "body", "features", "point"]);
    for (segment, finding) in open.iter().take(SHOWN) {
        let [start, end] = segment.times;
        let time = |t: f64| clock(t, end - start);
        table.row([
            format!("{} … {}", time(start), time(end)),
            word(finding.verdict).into(),
            time(finding.time.lo()),
            time(finding.time.hi()),
            text::shortened(checked.check.mover(finding.mover)),
            text::shortened(checked.check.body(finding.body)),
            finding.contact.map_or_else(|| "–".into(), |contact| features(&contact)),
            finding.contact.map_or_else(|| "–".into(), |contact| text::triple(contact.point_a.to_array())),
        ]);
    }
    table.write(out)?;
    if open.len() > SHOWN {
        writeln!(out, "     … and {} more; --json or --out FILE gives all", open.len() - SHOWN)?;
    }
    Ok(())
}

pub(crate) fn word(verdict: PathVerdict) -> &'static str {
    match verdict {
        PathVerdict::Free => "free",
        PathVerdict::Undecided => "undecided",
        PathVerdict::Contact => "contact",
        PathVerdict::Overlap => "overlap",
    }
}

pub(super) fn features(contact: &Contact) -> String {
    let name = |feature: Option<Feature>| match feature {
        Some(Feature::Vertex(vertex)) => format!("vertex {vertex}"),
        Some(Feature::Edge(from, to)) => format!("edge {from}-{to}"),
        Some(Feature::Face(face)) => format!("face {face}"),
        None => "?".into(),
    };
    format!("{} on {}", name(contact.feature_a), name(contact.feature_b))
}

/// The mean length of a segment.
fn span_of(segments: &[SegmentReport]) -> f64 {
    match (segments.first(), segments.last()) {
        (Some(first), Some(last)) => (last.times[1] - first.times[0]) / segments.len() as f64,
        _ => 1.0,
    }
}

/// A time with so many digits that a hundred-thousandth of `span` shows.
pub(super) fn clock(time: f64, span: f64) -> String {
    let decimals = 5.0 - span.log10().floor();
    if !(0.0..=15.0).contains(&decimals) || time.abs() >= 1e15 {
        return text::number(time);
    }
    let fixed = format!("{time:.*}", decimals as usize);
    if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').into() } else { fixed }
}

/// The last line: what it comes to.
fn verdict(checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
    let report = checked.report();
    let segments = text::counted(report.segments.len(), "segment", "segments");
    let bodies = text::counted(checked.check.names.len() - checked.check.movers, "body", "bodies");
    let start = match report.initial {
        Some(Initial::Touching) => ", starts in touch and leaves it",
        _ => "",
    };
    let cut = if report.complete { "" } else { "; the time was up" };
    if report.verdict() == PathVerdict::Free {
        let style = text::GOOD;
        return writeln!(out, "{style}free:{style:#} {segments} against {bodies} proven{start}{cut}");
    }
    let counts: Vec<String> = [PathVerdict::Overlap, PathVerdict::Contact, PathVerdict::Undecided]
        .into_iter()
        .filter(|verdict| checked.check.count(*verdict) > 0)
        .map(|verdict| format!("{} {}", checked.check.count(verdict), word(verdict)))
        .collect();
    let missed = match (report.at_poses, report.verdict()) {
        (PathVerdict::Free, PathVerdict::Contact | PathVerdict::Overlap) => {
            "; a test at the poses alone says free"
        }
        _ => "",
    };
    let style = text::ALARM;
    let (worst, counts) = (word(report.verdict()), counts.join(", "));
    let open = report.segments.len() - checked.check.count(PathVerdict::Free);
    writeln!(
        out,
        "{style}{worst}:{style:#} {open} of {segments} against {bodies} not free: {counts}{missed}{cut}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_what_matters_at_every_size() {
        assert_eq!(clock(1_403_636_579.763_555_5, 0.05), "1403636579.7635555");
        assert_eq!(clock(0.5, 1.0), "0.5");
        assert_eq!(clock(12.0, 2.0), "12");
        assert_eq!(clock(1e20, 1.0), "1.00000e20");
    }
}
