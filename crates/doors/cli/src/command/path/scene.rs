//! `kontakt path --scene`: several motions at once.

use super::table::{clock, features};
use crate::args::{Common, Path};
use crate::failure::Failure;
use crate::input::scene::SceneInput;
use crate::progress;
use crate::report::{List, Report};
use crate::text::{self, Table};
use kontakt::answers::{Contact, Feature};
use kontakt::rigid_ccd::MotionOptions;
use kontakt::scene::{
    Exceptions, Mode, NodeId, PairReport, PairVerdict, Response, StepOptions, StepReport, Timeline,
};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Rows of the table; the rest is counted.
const SHOWN: usize = 50;

pub(super) fn run(file: &std::path::Path, asked: &Path, common: &Common) -> Result<Followed, Failure> {
    let mut input = SceneInput::load(file, &asked.reading, common.deadline)?;
    if let Some(missing) = input.scene.missing().first() {
        let (name, problem) = (missing.name.clone(), missing.problem.clone());
        return Err(Failure::Body { name, problem });
    }
    let ignore = [asked.ignore.as_slice(), &input.file.rules.ignore].concat();
    leave_aside(&mut input, &ignore)?;
    if !input.file.rules.allow.is_empty() {
        let warning = "`allow` counts in a check only; here these pairs are looked at as any other";
        input.warnings.push(warning.into());
    }
    let (timeline, motions) = input.motions()?;
    let span = timeline.at(1.0) - timeline.at(0.0);
    for (node, motion) in &motions {
        let set = input.world.set_motion(*node, motion);
        set.map_err(|error| Failure::Unusable { path: file.to_owned(), problem: error.to_string() })?;
    }
    let motion = MotionOptions {
        tolerance: asked.tolerance.map_or(MotionOptions::default().tolerance, |tolerance| tolerance / span),
        deadline: common.deadline,
        ..MotionOptions::default()
    };
    let options =
        StepOptions { mode: Mode::Continuous, response: Response::Stay, skin: None, motion, budget: None };
    let report = progress::during("following all motions".into(), || input.world.step(&options));
    let report =
        report.map_err(|error| Failure::Unusable { path: file.to_owned(), problem: error.to_string() })?;
    Ok(Followed { input, timeline, report })
}

/// Pairs that are not looked at.
fn leave_aside(input: &mut SceneInput, ignore: &[String]) -> Result<(), Failure> {
    let names = input.scene.names();
    let exceptions = Exceptions::among(&names, ignore, &[])
        .map_err(|error| Failure::Unusable { path: input.path.clone(), problem: error.problem })?;
    if !exceptions.ignores_some() {
        return Ok(());
    }
    for a in 0..names.len() {
        for b in (a + 1..names.len()).filter(|&b| exceptions.ignores(a, b)) {
            let set = input.world.set_ignored(input.nodes[a], input.nodes[b], true);
            set.map_err(|error| Failure::Usage(error.to_string()))?;
        }
    }
    Ok(())
}

/// All motions followed to their ends.
pub(crate) struct Followed {
    input: SceneInput,
    timeline: Timeline,
    report: StepReport,
}

impl Followed {
    fn name(&self, node: NodeId) -> &str {
        self.input.world.name(node)
    }

    /// A contact with the numbers of features counted through the whole file.
    fn counted(&self, pair: &PairReport) -> Option<Contact> {
        let PairVerdict::Contact { contact: Some(contact), .. } = pair.verdict else { return None };
        let through = |feature: Option<Feature>, node: NodeId| {
            let place = self.input.nodes.iter().position(|&other| other == node);
            let before = place.and_then(|place| self.input.before.get(place));
            feature.map(|feature| before.map_or(feature, |before| before.count_on(feature)))
        };
        let feature_a = through(contact.feature_a, pair.a);
        let feature_b = through(contact.feature_b, pair.b);
        Some(Contact { feature_a, feature_b, ..contact })
    }

    /// When a pair meets, on the file's clock.
    fn times(&self, pair: &PairReport) -> [f64; 2] {
        let by = match pair.verdict {
            PairVerdict::Contact { time, .. } => time.hi(),
            _ => 1.0,
        };
        [pair.verdict.free_until(), by].map(|share| self.timeline.at(share))
    }

    fn verdict(&self) -> &'static str {
        let words: Vec<&str> = self.report.pairs.iter().map(|pair| word(&pair.verdict)).collect();
        ["overlap", "contact", "undecided"].into_iter().find(|&word| words.contains(&word)).unwrap_or("free")
    }

    fn pair_json(&self, pair: &PairReport) -> Value {
        let initial = match pair.verdict {
            PairVerdict::Free { initial } => Some(initial),
            PairVerdict::Contact { initial, .. } => initial,
            _ => None,
        };
        json!({
            "a": self.name(pair.a),
            "b": self.name(pair.b),
            "verdict": word(&pair.verdict),
            "initial": initial,
            "t": pair.verdict.is_contact_or_open().then(|| self.times(pair)),
            "contact": self.counted(pair),
        })
    }
}

/// A verdict in the words of `path`.
fn word(verdict: &PairVerdict) -> &'static str {
    match verdict {
        PairVerdict::Free { .. } | PairVerdict::ClearAtEnd => "free",
        PairVerdict::Contact { initial: Some(kontakt::answers::Initial::Overlapping), .. } => "overlap",
        PairVerdict::Contact { .. } => "contact",
        PairVerdict::Undecided { .. } => "undecided",
    }
}

impl Report for Followed {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let span = self.timeline.at(1.0) - self.timeline.at(0.0);
        let contacts = self.report.contacts();
        if !contacts.is_empty() {
            text::heading(out, "Pairs that are not free, the earliest first")?;
            let mut table = Table::new(["verdict", "from", "by", "a", "b", "features", "point"]);
            for pair in contacts.iter().take(SHOWN) {
                let [from, by] = self.times(pair).map(|time| clock(time, span));
                let contact = self.counted(pair);
                table.row([
                    word(&pair.verdict).into(),
                    from,
                    by,
                    text::shortened(self.name(pair.a)),
                    text::shortened(self.name(pair.b)),
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
        for group in &self.report.groups {
            let met =
                group.first_met.map(|pair| pair.map(|node| text::shortened(self.name(node))).join(" – "));
            let until = clock(self.timeline.at(group.free_until), span);
            let until = if met.is_none() { "its end".into() } else { until };
            table.row([text::shortened(self.name(group.node)), until, met.unwrap_or_else(|| "–".into())]);
        }
        table.write(out)?;
        self.input.remarks.text(out)?;
        text::warnings(&self.input.warnings, out)?;
        let verdict = self.verdict();
        let style = if verdict == "free" { text::GOOD } else { text::ALARM };
        let moving = text::counted(self.report.groups.len(), "motion", "motions");
        let bodies = text::counted(self.input.nodes.len(), "body", "bodies");
        let pairs = text::counted(self.report.pairs.len(), "pair", "pairs");
        writeln!(
            out,
            "{style}{verdict}:{style:#} {moving} among {bodies}, {pairs} near each other on the way, {} not free",
            contacts.len()
        )
    }

    fn json(&self) -> Value {
        let groups = self.report.groups.iter().map(|group| {
            json!({
                "name": self.name(group.node),
                "free_until": self.timeline.at(group.free_until),
                "first_met": group.first_met.map(|pair| pair.map(|node| self.name(node))),
            })
        });
        json!({
            "verdict": self.verdict(),
            "times": [self.timeline.at(0.0), self.timeline.at(1.0)],
            "bodies": self.input.nodes.len(),
            "moving": groups.collect::<Vec<_>>(),
            "files": self.input.remarks.json(),
            "warnings": self.input.warnings,
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("pairs", self.report.pairs.iter().map(|pair| self.pair_json(pair))))
    }

    fn forbidden(&self) -> bool {
        self.verdict() != "free"
    }
}
