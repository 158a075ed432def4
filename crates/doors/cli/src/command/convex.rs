//! `kontakt convex`: pairs of convex shapes, with the time a question takes.

mod found;
mod measured;

use crate::args::{Common, Convex, ConvexQuery};
use crate::failure::Failure;
use crate::report::{List, Report};
use crate::text::{self, Table};
pub(crate) use found::word;
use found::{Found, Question};
use kontakt::convex::Verdict;
use kontakt::io::read_convex_pairs_until;
use kontakt_lab_convex::StudyMethod;
use measured::{Measured, Series};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// Pairs shown one by one in the text.
const SHOWN: usize = 20;

const VERDICTS: [Verdict; 4] =
    [Verdict::Separate, Verdict::Touching, Verdict::Overlapping, Verdict::Undecided];

pub(crate) fn run(convex: &Convex, common: &Common) -> Result<ConvexReport, Failure> {
    for (given, name) in [(convex.gap.is_some(), "--gap"), (convex.single, "--single")] {
        if given && convex.query != ConvexQuery::Contact {
            return Err(Failure::Usage(format!("{name} belongs to --query contact")));
        }
    }
    let method = StudyMethod::named(&convex.method)
        .ok_or_else(|| Failure::Usage(format!("no method named {}", convex.method)))?;
    let pairs = read_convex_pairs_until(&convex.file, common.deadline)?;
    let gap = convex.gap.unwrap_or(0.0);
    let series = Series {
        pairs: &pairs,
        question: Question { query: convex.query, gap, single: convex.single },
        method,
        deadline: common.deadline,
        workers: common.threads.map_or(1, NonZeroUsize::get),
    };
    let measured = series.measure();
    if measured.found.is_empty() && !pairs.is_empty() {
        return Err(Failure::NoAnswer("pair"));
    }
    Ok(ConvexReport { query: convex.query, method, gap, pairs: pairs.len(), measured })
}

pub(crate) struct ConvexReport {
    query: ConvexQuery,
    method: StudyMethod,
    gap: f64,
    pairs: usize,
    measured: Measured,
}

impl ConvexReport {
    fn results(&self) -> impl Iterator<Item = Value> {
        let cut = if self.measured.is_last_cut { self.measured.found.len().checked_sub(1) } else { None };
        let result = move |(index, found): (usize, &Found)| {
            let mut json = found.json(self.gap);
            if cut == Some(index) {
                json["complete"] = false.into();
            }
            json
        };
        self.measured.found.iter().enumerate().map(result)
    }

    fn is_complete(&self) -> bool {
        self.measured.found.len() == self.pairs && !self.measured.is_last_cut
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.measured.found.iter().filter(|found| found.verdict() == verdict).count()
    }

    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(["pair", "relation", "by", "normal", "on a", "on b", "contacts"]);
        for (index, found) in self.measured.found.iter().take(SHOWN).enumerate() {
            let dash = || String::from("–");
            let by = found.answer().map_or_else(dash, |answer| match answer.verdict {
                Verdict::Separate => format!("{} apart", text::range(answer.distance())),
                Verdict::Overlapping if self.query == ConvexQuery::Contact => {
                    format!("{} deep", text::range(answer.depth()))
                }
                Verdict::Undecided => text::range(answer.separation),
                _ => dash(),
            });
            let shown = |told: bool, triple: [f64; 3]| if told { text::triple(triple) } else { dash() };
            let row = match found.answer() {
                Some(answer) => {
                    let told = answer.verdict == Verdict::Separate || self.query == ConvexQuery::Contact;
                    [answer.normal, answer.point_a, answer.point_b].map(|v| shown(told, v.to_array()))
                }
                None => [dash(), dash(), dash()],
            };
            let contacts = match found {
                Found::Manifold(manifold) => manifold.contacts.len().to_string(),
                _ => dash(),
            };
            let [normal, on_a, on_b] = row;
            table.row([index.to_string(), word(found.verdict()).into(), by, normal, on_a, on_b, contacts]);
        }
        table.write(out)?;
        let more = self.measured.found.len().saturating_sub(SHOWN);
        if more > 0 {
            writeln!(out, "  … and {more} more; --json has all of them")?;
        }
        Ok(())
    }
}

impl Report for ConvexReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.measured.found.is_empty() {
            self.write_table(out)?;
            writeln!(out)?;
        }
        let asked = self.measured.found.len();
        let counted: Vec<String> = VERDICTS
            .into_iter()
            .map(|verdict| (self.count(verdict), word(verdict)))
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let late = match (asked < self.pairs, self.measured.is_last_cut) {
            (true, _) => format!(" of {}: the time was up", self.pairs),
            (false, true) => ", the last not to its end: the time was up".into(),
            (false, false) => String::new(),
        };
        let all = if counted.is_empty() { String::new() } else { format!(": {}", counted.join(", ")) };
        writeln!(out, "  {}{late}{all}", text::counted(asked, "pair", "pairs"))?;
        if !self.method.is_certified() {
            writeln!(
                out,
                "  {}: {} wrong verdicts of its own, {} failures; its numbers are not certified",
                self.method.name(),
                self.measured.contradictions,
                self.measured.failures
            )?;
        }
        if let Some(times) = self.measured.times {
            times.text("query", out)?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let mut relations = json!({});
        for verdict in VERDICTS {
            relations[word(verdict)] = self.count(verdict).into();
        }
        json!({
            "query": self.query.name(),
            "method": self.method.name(),
            "pairs": self.pairs,
            "asked": self.measured.found.len(),
            "complete": self.is_complete(),
            "relations": relations,
            "certified": self.method.is_certified(),
            "contradictions": self.measured.contradictions,
            "failures": self.measured.failures,
            "seconds_per_query": self.measured.times,
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("results", self.results()))
    }
}
