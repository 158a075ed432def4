//! Where contestants are built and measured side by side, and how their results are shown.

use super::contest::{self, Contestant, Costs, Step, Volumes};
use super::page::{Cell, Table};
use super::scene::Scene;
use crate::failure::Failure;
use indicatif::ProgressBar;
use kontakt_lab_hierarchy::build::{Arity, Plan};
use kontakt_lab_hierarchy::walk::Strategy;
use rayon::prelude::*;

/// A setting under test.
pub(super) struct Entry {
    pub(super) label: String,
    pub(super) plan: Plan,
    pub(super) volumes: Volumes,
}

impl Entry {
    pub(super) fn new(label: impl Into<String>, plan: Plan, volumes: Volumes) -> Entry {
        Entry { label: label.into(), plan, volumes }
    }

    /// A method by name; `None` where this version does not have it.
    pub(super) fn by(method: &str, arity: Arity, volumes: &'static str) -> Option<Entry> {
        let plan = Plan { arity, ..Plan::by(method).ok()? };
        let label = match arity {
            Arity::Fixed(children) => format!("{children}"),
            Arity::Improve { alpha, .. } => format!("{alpha}"),
        };
        Some(Entry::new(label, plan, Volumes::Kind(volumes)))
    }
}

/// A setting with what it cost.
pub(super) struct Scored {
    pub(super) label: String,
    /// Steps of each scene.
    pub(super) steps: Vec<Vec<Step>>,
    pub(super) nodes: usize,
    pub(super) depth: u32,
    pub(super) build_seconds: f64,
}

impl Scored {
    pub(super) fn mean(&self, of: impl Fn(&Step) -> f64) -> f64 {
        let all: Vec<f64> = self.steps.iter().flatten().map(of).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    }

    pub(super) fn scene_mean(&self, scene: usize, of: impl Fn(&Step) -> f64) -> f64 {
        let steps = &self.steps[scene];
        steps.iter().map(of).sum::<f64>() / steps.len().max(1) as f64
    }

    pub(super) fn worst(&self, of: impl Fn(&Step) -> f64) -> f64 {
        self.steps.iter().flatten().map(of).reduce(f64::max).unwrap_or(f64::NAN)
    }
}

/// Comparison number of a step in microseconds.
pub(super) fn model(step: &Step) -> f64 {
    1e6 * step.model
}

/// Processor time of a step in microseconds.
pub(super) fn real(step: &Step) -> f64 {
    1e6 * step.seconds
}

/// The scenes, what tests cost, and what is true.
pub(super) struct Arena<'a> {
    pub(super) scenes: &'a [Scene],
    pub(super) costs: Costs,
    /// Whether each step is in contact, by the exact queries of the runtime form.
    truth: Vec<Vec<bool>>,
    pub(super) packed: Vec<Vec<Step>>,
    pub(super) wrong: usize,
    pub(super) answers: usize,
    pub(super) bar: &'a ProgressBar,
}

impl<'a> Arena<'a> {
    pub(super) fn new(scenes: &'a [Scene], costs: Costs, bar: &'a ProgressBar) -> Arena<'a> {
        let packed: Vec<Vec<Step>> = scenes.iter().map(contest::packed).collect();
        let truth = packed.iter().map(|steps| steps.iter().map(|step| step.contact).collect()).collect();
        Arena { scenes, costs, truth, packed, wrong: 0, answers: 0, bar }
    }

    /// The trees of every setting for every scene; built on all cores, each by one.
    pub(super) fn build(&self, entries: &[Entry]) -> Result<Vec<Vec<Box<dyn Contestant>>>, Failure> {
        let jobs: Vec<(&Entry, &Scene)> =
            entries.iter().flat_map(|entry| self.scenes.iter().map(move |scene| (entry, scene))).collect();
        let built: Vec<Box<dyn Contestant>> = jobs
            .into_par_iter()
            .map(|(entry, scene)| {
                let built = contest::build(scene, &entry.plan, entry.volumes, &self.costs);
                self.bar.inc(1);
                built
            })
            .collect::<Result<_, _>>()?;
        let mut built = built.into_iter();
        Ok(entries.iter().map(|_| built.by_ref().take(self.scenes.len()).collect()).collect())
    }

    /// Builds every setting and walks its trees, one after the other, so that times do not disturb each other.
    pub(super) fn compete(&mut self, entries: &[Entry], strategy: Strategy) -> Result<Vec<Scored>, Failure> {
        let built = self.build(entries)?;
        Ok(entries
            .iter()
            .zip(built)
            .map(|(entry, pairs)| self.score(&entry.label, &pairs, strategy))
            .collect())
    }

    pub(super) fn score(&mut self, label: &str, pairs: &[Box<dyn Contestant>], strategy: Strategy) -> Scored {
        let scenes = self.scenes;
        let steps =
            pairs.iter().zip(scenes).map(|(pair, scene)| pair.walk(scene, strategy, &self.costs)).collect();
        self.scored(label, pairs, steps)
    }

    pub(super) fn score_front(
        &mut self,
        label: &str,
        pairs: &[Box<dyn Contestant>],
        strategy: Strategy,
        prune_every: u32,
    ) -> Scored {
        let scenes = self.scenes;
        let steps = pairs
            .iter()
            .zip(scenes)
            .map(|(pair, scene)| pair.walk_front(scene, strategy, prune_every, &self.costs))
            .collect();
        self.scored(label, pairs, steps)
    }

    /// Compares every answer with the truth.
    fn scored(&mut self, label: &str, pairs: &[Box<dyn Contestant>], steps: Vec<Vec<Step>>) -> Scored {
        for (found, truth) in steps.iter().zip(&self.truth) {
            self.answers += found.len();
            self.wrong += found.iter().zip(truth).filter(|(step, truth)| step.contact != **truth).count();
        }
        self.bar.inc(1);
        Scored {
            label: label.to_owned(),
            steps,
            nodes: pairs.iter().map(|pair| pair.nodes()).sum(),
            depth: pairs.iter().map(|pair| pair.depth()).max().unwrap_or(0),
            build_seconds: pairs.iter().map(|pair| pair.build_seconds()).sum(),
        }
    }
}

/// The usual table: what a step cost on the mean over all scenes, and at worst.
pub(super) fn table(title: &str, setting: &str, scored: &[Scored]) -> Table {
    let mut table = Table::new(
        title,
        [
            setting,
            "volume tests",
            "face tests",
            "comparison µs",
            "worst µs",
            "real µs",
            "worst µs",
            "nodes",
            "depth",
            "build ms",
        ],
    );
    for entry in scored {
        table.row(vec![
            entry.label.clone().into(),
            Cell::Number(entry.mean(|s| s.visits.volume_tests as f64), 0),
            Cell::Number(entry.mean(|s| s.visits.face_tests as f64), 1),
            Cell::Number(entry.mean(model), 1),
            Cell::Number(entry.worst(model), 0),
            Cell::Number(entry.mean(real), 1),
            Cell::Number(entry.worst(real), 0),
            Cell::Number(entry.nodes as f64, 0),
            Cell::Number(f64::from(entry.depth), 0),
            Cell::Number(1e3 * entry.build_seconds, 0),
        ]);
    }
    table
}

/// The setting of least mean; the first of equals.
pub(super) fn best(scored: &[Scored], of: impl Fn(&Step) -> f64 + Copy) -> Option<&Scored> {
    scored.iter().min_by(|a, b| a.mean(of).total_cmp(&b.mean(of)))
}
