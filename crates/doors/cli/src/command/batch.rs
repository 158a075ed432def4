//! `kontakt batch`: one body at many poses against another, with the time a question takes.

mod answer;
mod measured;

use crate::args::{Batch, BatchQuery, Common};
use crate::failure::Failure;
use crate::input::pose;
use crate::input::remarks;
use crate::report::{List, Report};
use crate::text;
use answer::{Answer, Question};
use kontakt::answers::Range;
use kontakt::mesh::FacePair;
use kontakt::pair::together;
use kontakt_load::Remarks;
use kontakt_load::ready::Whole;
use kontakt_load::units;
use measured::{Measured, Scene};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::NonZeroUsize;

pub(crate) fn run(batch: &Batch, common: &Common) -> Result<BatchReport, Failure> {
    if batch.list_pairs && batch.query != BatchQuery::Pairs {
        return Err(Failure::Usage("--list-pairs belongs to --query pairs".into()));
    }
    if batch.clearance.is_some() && batch.query != BatchQuery::Clearance {
        return Err(Failure::Usage("--clearance belongs to --query clearance".into()));
    }
    let poses = pose::read(&batch.poses, common.deadline)?;
    let a = Whole::load(&batch.a, &batch.reading.options(common.deadline))?;
    let b = Whole::load(&batch.b, &batch.reading.options(common.deadline))?;
    let listed = if batch.list_pairs { common.max_pairs.unwrap_or(usize::MAX) } else { 0 };
    let scene = Scene {
        a: &a.mesh,
        b: &b.mesh,
        poses: &poses,
        question: Question { query: batch.query, clearance: batch.clearance.unwrap_or(0.0), listed },
        deadline: common.deadline,
        max_pairs: common.max_pairs.unwrap_or(usize::MAX),
        workers: common.threads.map_or(1, NonZeroUsize::get),
    };
    let mut measured = scene.measure();
    let certified = together([a.deviation, b.deviation]);
    for answer in measured.blocks.iter_mut().flat_map(|block| &mut block.answers) {
        answer.widen(certified, batch.clearance.unwrap_or(0.0));
    }
    if measured.blocks.iter().all(|block| block.answers.is_empty()) {
        return Err(Failure::NoAnswer("pose"));
    }
    let mut remarks = Remarks::default();
    remarks.add(&batch.a, a.about.clone());
    remarks.add(&batch.b, b.about.clone());
    let sizes = [(a.name.as_str(), a.size()), (b.name.as_str(), b.size())];
    let mut warnings: Vec<String> = units::warning(sizes.into_iter()).into_iter().collect();
    if certified > 0.0 && matches!(batch.query, BatchQuery::Contact | BatchQuery::Pairs) {
        let certified = text::number(certified);
        warnings.push(format!(
            "contacts and pairs are those of triangles within {certified} of the true surfaces"
        ));
    }
    Ok(BatchReport {
        a,
        b,
        query: batch.query,
        clearance: batch.clearance,
        list_pairs: batch.list_pairs,
        poses: poses.len(),
        certified,
        measured,
        remarks,
        warnings,
    })
}

pub(crate) struct BatchReport {
    a: Whole,
    b: Whole,
    query: BatchQuery,
    clearance: Option<f64>,
    list_pairs: bool,
    poses: usize,
    /// How far triangles of both may lie off true surfaces.
    certified: f64,
    measured: Measured,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl BatchReport {
    /// The answers with their block's list of pairs.
    fn answers(&self) -> impl Iterator<Item = (&Answer, &[FacePair])> {
        self.measured
            .blocks
            .iter()
            .flat_map(|block| block.answers.iter().map(|answer| (answer, block.list.as_slice())))
    }

    fn results(&self) -> impl Iterator<Item = Value> {
        let bodies = [&self.a, &self.b];
        self.answers().map(move |(answer, list)| answer.json(bodies, self.list_pairs.then_some(list)))
    }

    fn asked(&self) -> usize {
        self.measured.blocks.iter().map(|block| block.answers.len()).sum()
    }
}

/// What all answers say together.
#[derive(Default)]
struct Counts {
    contact: usize,
    free: usize,
    closer: usize,
    not_closer: usize,
    pairs: usize,
    /// Whether some pose has more pairs than were counted.
    more_pairs: bool,
    most_pairs: usize,
    least: Option<Range>,
    greatest: Option<Range>,
}

impl Counts {
    fn of<'a>(answers: impl Iterator<Item = &'a Answer>) -> Counts {
        let mut counts = Counts::default();
        for answer in answers {
            counts.contact += usize::from(answer.contact() == Some(true));
            counts.free += usize::from(answer.contact() == Some(false));
            counts.pairs += answer.pairs().unwrap_or(0);
            counts.more_pairs |= matches!(answer, Answer::Pairs { complete: false, .. });
            counts.most_pairs = counts.most_pairs.max(answer.pairs().unwrap_or(0));
            if let Answer::Clearance(within) = answer {
                counts.closer += usize::from(within.closer == Some(true));
                counts.not_closer += usize::from(within.closer == Some(false));
            }
            if let Some(range) = answer.distance() {
                if counts.least.is_none_or(|least| range.lo() < least.lo()) {
                    counts.least = Some(range);
                }
                if counts.greatest.is_none_or(|greatest| range.hi() > greatest.hi()) {
                    counts.greatest = Some(range);
                }
            }
        }
        counts
    }
}

impl Report for BatchReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (role, whole) in [("a", &self.a), ("b", &self.b)] {
            let name = text::one_line(&whole.name);
            writeln!(out, "  {role}        {name}, {} triangles", whole.triangle_count())?;
        }
        let asked = self.asked();
        if asked < self.poses {
            writeln!(out, "  poses    {asked} of {}: the time was up", self.poses)?;
        } else {
            writeln!(out, "  poses    {asked}")?;
        }
        let counts = Counts::of(self.answers().map(|(answer, _)| answer));
        let span = |range: Option<Range>| range.map_or_else(|| "–".into(), text::range);
        match self.query {
            BatchQuery::Contact => {
                writeln!(out, "  contact  at {}, none at {}", counts.contact, counts.free)?;
            }
            BatchQuery::Pairs => {
                writeln!(out, "  contact  at {}, none at {}", counts.contact, counts.free)?;
                writeln!(
                    out,
                    "  pairs    {}{} in all, at most {} at one pose{}",
                    if counts.more_pairs { "at least " } else { "" },
                    counts.pairs,
                    counts.most_pairs,
                    if counts.more_pairs { " of those counted" } else { "" }
                )?;
            }
            BatchQuery::Distance => {
                writeln!(out, "  contact  at {}, none at {}", counts.contact, counts.free)?;
                writeln!(out, "  distance least {}, greatest {}", span(counts.least), span(counts.greatest))?;
            }
            BatchQuery::Clearance => {
                let open = asked - counts.closer - counts.not_closer;
                let open = if open > 0 { format!(", equal to rounding at {open}") } else { String::new() };
                let limit = text::number(self.clearance.unwrap_or(0.0));
                writeln!(
                    out,
                    "  closer than {limit} at {}, not at {}{open}",
                    counts.closer, counts.not_closer
                )?;
            }
        }
        if let Some(times) = self.measured.times {
            times.text("query", out)?;
            let visits = self.measured.visits;
            let each = |count: u64| text::number(count as f64 / asked.max(1) as f64);
            writeln!(
                out,
                "  tests a query: {} of volumes, {} of faces, {} in exact arithmetic",
                each(visits.volume_tests),
                each(visits.face_tests),
                each(visits.exact_tests)
            )?;
        }
        remarks::write(&self.remarks, out)?;
        text::warnings(&self.warnings, out)
    }

    fn json(&self) -> Value {
        let counts = Counts::of(self.answers().map(|(answer, _)| answer));
        let body = |whole: &Whole| json!({ "name": whole.name, "bodies": whole.body_count(), "triangles": whole.triangle_count() });
        json!({
            "a": body(&self.a),
            "b": body(&self.b),
            "query": self.query.name(),
            "clearance": self.clearance,
            "poses": self.poses,
            "certified_deviation": self.certified,
            "asked": self.asked(),
            "complete": self.asked() == self.poses,
            "in_contact": counts.contact,
            "pairs_complete": !counts.more_pairs,
            "seconds_per_query": self.measured.times,
            "visits": self.measured.visits,
            "files": self.remarks.json(),
            "warnings": self.warnings,
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("results", self.results()))
    }
}
