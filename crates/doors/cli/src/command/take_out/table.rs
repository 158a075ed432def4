//! The ways out for people: every way with what holds the part, the verdict last.

use super::Taken;
use crate::command::path::word;
use crate::input::remarks;
use crate::text::{self, Table};
use kontakt::answers::Initial;
use kontakt::scene::Tried;
use std::io::{self, Write};

/// Names in a cell; the rest is counted.
const SHOWN: usize = 3;

pub(crate) fn write(taken: &Taken, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(["way", "direction", "verdict", "goes", "of", "held by"]);
    for tried in &taken.out.found.tried {
        table.row([
            tried.name().into(),
            text::triple(tried.direction.to_array()),
            word(tried.segment.verdict).into(),
            text::number(tried.segment.free_until),
            text::number(tried.distance),
            holders(&taken.out.held_by(tried)),
        ]);
    }
    table.write(out)?;
    writeln!(out)?;
    remarks::write(&taken.remarks, out)?;
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
fn verdict(taken: &Taken, out: &mut dyn Write) -> io::Result<()> {
    let part: Vec<&str> =
        taken.out.names.iter().take(taken.out.movers).map(|name| name.full.as_str()).collect();
    let part = text::one_line(&holders(&part));
    let bodies = text::counted(taken.out.names.len() - taken.out.movers, "body", "bodies");
    if let Some(free) = taken.out.found.free() {
        let style = text::GOOD;
        let (way, far) = (free.name(), text::number(free.distance));
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
    let ways = text::counted(taken.out.found.tried.len(), "straight way", "straight ways");
    let overlaps = |tried: &Tried| tried.segment.initial == Some(Initial::Overlapping);
    let start = if taken.out.found.tried.iter().any(overlaps) {
        "; it starts in overlap, see kontakt check"
    } else {
        ""
    };
    // Nothing overlaps, and yet it does not go at all: it slides along what it rests on.
    let slides =
        |tried: &Tried| tried.segment.initial == Some(Initial::Touching) && tried.segment.free_until == 0.0;
    let start = match start {
        "" if taken.out.found.tried.iter().any(slides) => {
            "; sliding in touch counts, --allow A:B=DEPTH lets a fit slide"
        }
        start => start,
    };
    let cut = if taken.out.found.tried.iter().all(|tried| tried.complete) { "" } else { "; the time was up" };
    writeln!(out, "{style}held:{style:#} {part}: none of {ways} is proven free{start}{cut}")
}
