//! All motions of a scene file at once, followed to their ends.

use crate::error::LoadError;
use crate::scene::SceneInput;
use kontakt_answers::{Contact, Feature, Initial};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_scene::{
    Exceptions, Mode, NodeId, PairReport, PairVerdict, Response, StepOptions, StepReport, Timeline,
};
use kontakt_schedule::Deadline;
use serde_json::{Value, json};

/// All motions followed to their ends.
pub struct Followed {
    /// What moved among what.
    pub input: SceneInput,
    /// The file's clock.
    pub timeline: Timeline,
    /// What met.
    pub report: StepReport,
}

impl SceneInput {
    /// Follows all motions of the file until a deadline. Pairs of `ignore` and those that the file ignores are not looked at; `tolerance` is
    /// that of times of contact, on the file's clock.
    pub fn follow(
        mut self,
        ignore: &[String],
        tolerance: Option<f64>,
        deadline: Deadline,
    ) -> Result<Followed, LoadError> {
        if let Some(missing) = self.scene.missing().first() {
            let (name, problem) = (missing.name.clone(), missing.problem.clone());
            return Err(LoadError::Body { name, problem });
        }
        let ignore = [ignore, &self.file.rules.ignore].concat();
        self.leave_aside(&ignore)?;
        if !self.file.rules.allow.is_empty() {
            let warning = "`allow` counts in a check only; here these pairs are looked at as any other";
            self.warnings.push(warning.into());
        }
        let (timeline, motions) = self.motions()?;
        let span = timeline.at(1.0) - timeline.at(0.0);
        let path = self.path.clone();
        let unusable = |error: &dyn std::error::Error| LoadError::Unusable {
            path: path.clone(),
            problem: error.to_string(),
        };
        for (node, motion) in &motions {
            self.world.set_motion(*node, motion).map_err(|error| unusable(&error))?;
        }
        let usual = MotionOptions::default();
        let tolerance = tolerance.map_or(usual.tolerance, |tolerance| tolerance / span);
        let motion = MotionOptions { tolerance, deadline, ..usual };
        let options = StepOptions {
            mode: Mode::Continuous,
            response: Response::Stay,
            skin: None,
            motion,
            budget: None,
        };
        let report = self.world.step(&options).map_err(|error| unusable(&error))?;
        Ok(Followed { input: self, timeline, report })
    }

    /// Pairs that are not looked at.
    fn leave_aside(&mut self, ignore: &[String]) -> Result<(), LoadError> {
        let names = self.scene.names();
        let exceptions = Exceptions::among(&names, ignore, &[])
            .map_err(|error| LoadError::Unusable { path: self.path.clone(), problem: error.problem })?;
        if !exceptions.ignores_some() {
            return Ok(());
        }
        for a in 0..names.len() {
            for b in (a + 1..names.len()).filter(|&b| exceptions.ignores(a, b)) {
                let set = self.world.set_ignored(self.nodes[a], self.nodes[b], true);
                set.map_err(|error| LoadError::Usage(error.to_string()))?;
            }
        }
        Ok(())
    }
}

impl Followed {
    /// The name of a group or body.
    pub fn name(&self, node: NodeId) -> &str {
        self.input.world.name(node)
    }

    /// A contact with the numbers of features counted through the whole file.
    pub fn counted(&self, pair: &PairReport) -> Option<Contact> {
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
    pub fn times(&self, pair: &PairReport) -> [f64; 2] {
        let by = match pair.verdict {
            PairVerdict::Contact { time, .. } => time.hi(),
            _ => 1.0,
        };
        [pair.verdict.free_until(), by].map(|share| self.timeline.at(share))
    }

    /// The gravest of all pairs.
    pub fn verdict(&self) -> &'static str {
        let words: Vec<&str> = self.report.pairs.iter().map(|pair| word(&pair.verdict)).collect();
        ["overlap", "contact", "undecided"].into_iter().find(|&word| words.contains(&word)).unwrap_or("free")
    }

    /// Everything but the pairs.
    pub fn json(&self) -> Value {
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

    /// All pairs that came near each other.
    pub fn pairs_json(&self) -> impl Iterator<Item = Value> + '_ {
        self.report.pairs.iter().map(|pair| self.pair_json(pair))
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
pub fn word(verdict: &PairVerdict) -> &'static str {
    match verdict {
        PairVerdict::Free { .. } | PairVerdict::ClearAtEnd => "free",
        PairVerdict::Contact { initial: Some(Initial::Overlapping), .. } => "overlap",
        PairVerdict::Contact { .. } => "contact",
        PairVerdict::Undecided { .. } => "undecided",
    }
}
