//! `kontakt ccd`: files of moving vertex–face and edge–edge queries, decided and compared with their truth; or a deforming mesh.

mod asked;
mod mesh;

use crate::args::{Ccd, Common};
use crate::failure::Failure;
use crate::input::moving;
use crate::report::{List, Report};
use crate::text;
use crate::timing::SecondsPerQuery;
use asked::{Answer, Asked, Way};
use kontakt::io::MovingQuery;
use serde_json::{Value, json};
use std::io::{self, Write};

pub(crate) fn run(ccd: &Ccd, common: &Common) -> Result<Box<dyn Report>, Failure> {
    Ok(match (&ccd.from, &ccd.to) {
        (Some(from), Some(to)) => Box::new(mesh::run(ccd, from, to, common)?),
        _ => Box::new(queries(ccd, common)?),
    })
}

fn queries(ccd: &Ccd, common: &Common) -> Result<CcdReport, Failure> {
    let way = Way::new(ccd)?;
    let mut cases = Vec::new();
    let mut files = Vec::new();
    for file in &ccd.files {
        let read = moving::read(file, ccd.kind.map(Into::into), common.deadline)?;
        files.push((file.display().to_string(), read.len()));
        cases.extend(read);
    }
    let Asked { answers, times } = asked::ask_all(&way, &cases, common.deadline);
    Ok(CcdReport { method: ccd.method.clone(), separation: ccd.separation, files, cases, answers, times })
}

struct CcdReport {
    method: String,
    separation: Option<f64>,
    files: Vec<(String, usize)>,
    cases: Vec<MovingQuery>,
    /// Of the first queries, all of them unless the time was up.
    answers: Vec<Answer>,
    times: Option<SecondsPerQuery>,
}

impl CcdReport {
    fn hits(&self) -> usize {
        self.answers.iter().filter(|answer| answer.is_hit()).count()
    }

    fn undecided(&self) -> usize {
        self.cases.len() - self.answers.len()
    }

    /// Verdicts against the files' truth; none where a separation was asked about, which they know nothing of.
    fn false_verdicts(&self) -> Option<[usize; 2]> {
        if self.separation.is_some_and(|distance| distance > 0.0) {
            return None;
        }
        let count = |hit: bool| {
            let pairs = self.answers.iter().zip(&self.cases);
            pairs.filter(|(answer, case)| answer.is_hit() == hit && case.touches != hit).count()
        };
        Some([count(true), count(false)])
    }

    fn results(&self) -> impl Iterator<Item = Value> {
        self.answers.iter().zip(&self.cases).map(|(answer, case)| answer.json(case.touches))
    }
}

impl Report for CcdReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  method    {}", self.method)?;
        writeln!(
            out,
            "  queries   {} of {}",
            self.cases.len(),
            text::counted(self.files.len(), "file", "files")
        )?;
        writeln!(out, "  hits      {}", self.hits())?;
        match self.false_verdicts() {
            Some([positives, negatives]) => {
                writeln!(out, "  false     {positives} positive, {negatives} negative")?;
            }
            None => writeln!(
                out,
                "  false     not known: the files' truth is about contact, not about a separation"
            )?,
        }
        if self.undecided() > 0 {
            writeln!(out, "  undecided {}: the time was up", self.undecided())?;
        }
        if let Some([filter, subdivision, exact]) = asked::stages(&self.answers) {
            writeln!(
                out,
                "  decided   {filter} by the filter, {subdivision} by subdivision, {exact} exactly"
            )?;
        }
        if let Some(times) = self.times {
            times.text("query", out)?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let wrong = self.false_verdicts();
        let stages = asked::stages(&self.answers);
        json!({
            "method": self.method,
            "separation": self.separation,
            "files": self.files.iter().map(|(name, queries)| json!({ "name": name, "queries": queries })).collect::<Value>(),
            "queries": self.cases.len(),
            "hits": self.hits(),
            "false_positives": wrong.map(|[positives, _]| positives),
            "false_negatives": wrong.map(|[_, negatives]| negatives),
            "undecided": self.undecided(),
            "decided_by": stages.map(|[filter, subdivision, exact]| {
                json!({ "filter": filter, "subdivision": subdivision, "exact": exact })
            }),
            "seconds_per_query": self.times,
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("results", self.results()))
    }

    fn forbidden(&self) -> bool {
        self.false_verdicts().is_some_and(|wrong| wrong != [0, 0])
    }
}
