//! `kontakt path --scene`: several motions at once.

use super::table::{clock, features};
use crate::args::{Common, Path};
use crate::failure::Failure;
use crate::input::remarks;
use crate::progress;
use crate::report::{List, Report};
use crate::text::{self, Table};
use kontakt_load::follow::{Followed, word};
use kontakt_load::scene::SceneInput;
use serde_json::Value;
use std::io::{self, Write};

/// Rows of the table; the rest is counted.
const SHOWN: usize = 50;

pub(super) fn run(file: &std::path::Path, asked: &Path, common: &Common) -> Result<Shown, Failure> {
    let input = SceneInput::load(file, &asked.reading.options(common.deadline))?;
    let followed = progress::during("following all motions".into(), || {
        input.follow(&asked.ignore, asked.tolerance, common.deadline)
    })?;
    Ok(Shown(followed))
}

/// All motions followed to their ends.
pub(crate) struct Shown(Followed);

impl Report for Shown {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let span = self.0.timeline.at(1.0) - self.0.timeline.at(0.0);
        let contacts = self.0.report.contacts();
        if !contacts.is_empty() {
            text::heading(out, "Pairs that are not free, the earliest first")?;
            let mut table = Table::new(["verdict", "from", "by", "a", "b", "features", "point"]);
            for pair in contacts.iter().take(SHOWN) {
                let [from, by] = self.0.times(pair).map(|time| clock(time, span));
                let contact = self.0.counted(pair);
                table.row([
                    word(&pair.verdict).into(),
                    from,
                    by,
                    text::shortened(self.0.name(pair.a)),
                    text::shortened(self.0.name(pair.b)),
                    contact.as_ref().map_or_else(|| "–".into(), features),
                    contact.map_or_else(|| "–".into(), |contact| text::triple(contact.point_a.to_array())),
                ]);
            }
            table.write(out)?;
            if contacts.len() > SHOWN {
                writeln!(out, "     … and {} more; --json gives all", contacts.len() - SHOWN)?;
            }
            writeln!(out)?;
        }
        let mut table = Table::new(["moves", "free until", "then meets"]);
        for group in &self.0.report.groups {
            let met =
                group.first_met.map(|pair| pair.map(|node| text::shortened(self.0.name(node))).join(" – "));
            let until = clock(self.0.timeline.at(group.free_until), span);
            let until = if met.is_none() { "its end".into() } else { until };
            table.row([text::shortened(self.0.name(group.node)), until, met.unwrap_or_else(|| "–".into())]);
        }
        table.write(out)?;
        remarks::write(&self.0.input.remarks, out)?;
        text::warnings(&self.0.input.warnings, out)?;
        let verdict = self.0.verdict();
        let style = if verdict == "free" { text::GOOD } else { text::ALARM };
        let moving = text::counted(self.0.report.groups.len(), "motion", "motions");
        let bodies = text::counted(self.0.input.nodes.len(), "body", "bodies");
        let pairs = text::counted(self.0.report.pairs.len(), "pair", "pairs");
        writeln!(
            out,
            "{style}{verdict}:{style:#} {moving} among {bodies}, {pairs} near each other on the way, {} not free",
            contacts.len()
        )
    }

    fn json(&self) -> Value {
        self.0.json()
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("pairs", self.0.pairs_json()))
    }

    fn forbidden(&self) -> bool {
        self.0.verdict() != "free"
    }
}
