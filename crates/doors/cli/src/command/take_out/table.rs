//! The ways out for people: every way with what holds the part, the verdict last.

use super::{TakenOut, way_name};
use crate::command::path::word;
use crate::text::{self, Table};
use kontakt::answers::Initial;
use kontakt::scene::Tried;
use std::io::{self, Write};

/// Names in a cell; the rest is counted.
const SHOWN: usize = 3;

pub(crate) fn write(taken: &TakenOut, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["way", "direction", "verdict", "goes", "of", "held by"]);
    for tried in &taken.found.tried {
        table.row([
            way_name(tried).into(),
            text::triple(tried.direction.to_array()),
            word(tried.segment.verdict).into(),
            text::number(tried.segment.free_until),
            text::number(tried.distance),
            holders(&taken.held_by(tried)),
        ]);
    }
    table.write(out)?;
    writeln!(out)?;
    taken.remarks.text(out)?;
    text::warnings(&taken.warnings, out)?;
    verdict(taken, out)
}

fn holders(names: &[&str]) -> String {
    if names.is_empty() {
        return "–".into();
    }
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| text::shortened(name)).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}

/// The last line: what it comes to.
fn verdict(taken: &TakenOut, out: &mut dyn Write) -> io::Result<()> {
    let part: Vec<&str> = taken.names.iter().take(taken.movers).map(|name| name.full.as_str()).collect();
    let part = text::one_line(&holders(&part));
    let bodies = text::counted(taken.names.len() - taken.movers, "body", "bodies");
    if let Some(free) = taken.found.free() {
        let style = text::GOOD;
        let (way, far) = (way_name(free), text::number(free.distance));
        let direction = if way == "cylinder" { text::triple(free.direction.to_array()) } else { way.into() };
        let start = match free.segment.initial {
            Some(Initial::Touching) => ", starts in touch and leaves it",
            _ => "",
        };
        return writeln!(
            out,
            "{style}free:{style:#} {part} comes out along {direction} by {far}, proven against {bodies}{start}"
        );
    }
    let style = text::ALARM;
    let ways = text::counted(taken.found.tried.len(), "straight way", "straight ways");
    let overlaps = |tried: &Tried| tried.segment.initial == Some(Initial::Overlapping);
    let start =
        if taken.found.tried.iter().any(overlaps) { "; it starts in overlap, see kontakt check" } else { "" };
    // Nothing overlaps, and yet it does not go at all: it slides along what it rests on.
    let slides =
        |tried: &Tried| tried.segment.initial == Some(Initial::Touching) && tried.segment.free_until == 0.0;
    let start = match start {
        "" if taken.found.tried.iter().any(slides) => {
            "; sliding in touch counts, --allow A:B=DEPTH lets a fit slide"
        }
        start => start,
    };
    let cut = if taken.found.tried.iter().all(|tried| tried.complete) { "" } else { "; the time was up" };
    writeln!(out, "{style}held:{style:#} {part}: none of {ways} is proven free{start}{cut}")
}
