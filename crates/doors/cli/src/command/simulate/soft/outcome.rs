//! What a run of soft bodies came to, for people and as JSON.

use super::bodies::Bodies;
use super::progressed::Tally;
use crate::report::Report;
use kontakt::soft::System;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Processor time of steps, of all threads, of this run of the program alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seconds {
    steps: u64,
    total: f64,
    least: f64,
    most: f64,
}

impl Seconds {
    pub(super) fn add(&mut self, seconds: f64) {
        self.least = if self.steps == 0 { seconds } else { self.least.min(seconds) };
        self.most = self.most.max(seconds);
        self.total += seconds;
        self.steps += 1;
    }

    fn mean(&self) -> f64 {
        self.total / self.steps.max(1) as f64
    }
}

pub(super) struct Outcome {
    pub(super) dt: f64,
    pub(super) bodies: Bodies,
    pub(super) system: System,
    pub(super) tally: Tally,
    pub(super) seconds: Seconds,
    pub(super) complete: bool,
    /// The step that it went on from.
    pub(super) resumed: Option<u64>,
    pub(super) written: Vec<PathBuf>,
}

impl Outcome {
    fn time(&self) -> f64 {
        self.tally.steps as f64 * self.dt
    }

    fn moved(&self) -> Vec<Value> {
        let names = self.bodies.names.iter().zip(&self.bodies.moved);
        let moved = names.filter(|(_, by)| by.length_squared() > 0.0);
        moved.map(|(name, by)| json!({ "body": name, "by": by.to_array() })).collect()
    }
}

impl Report for Outcome {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (tally, seconds) = (&self.tally, &self.seconds);
        let (vertices, triangles) = (self.system.places().len(), self.system.surface().triangles().len());
        let bodies = self.bodies.names.len();
        writeln!(out, "  bodies       {bodies}: {vertices} vertices, {triangles} surface triangles")?;
        for entry in self.moved() {
            writeln!(out, "  moved apart  {} by {}", entry["body"], entry["by"])?;
        }
        if let Some(step) = self.resumed {
            writeln!(out, "  resumed      after step {step}")?;
        }
        let ended = if self.complete { "" } else { ", ended by the time limit" };
        writeln!(out, "  simulated    {} steps, {:.6} s{ended}", tally.steps, self.time())?;
        writeln!(
            out,
            "  a step       {:.3} ms mean, {:.3} to {:.3}",
            seconds.mean() * 1e3,
            seconds.least * 1e3,
            seconds.most * 1e3
        )?;
        writeln!(
            out,
            "  contacts     {} at the end, {} at most, {} new ones in all",
            tally.contacts_now, tally.contacts_most, tally.contacts_new
        )?;
        writeln!(
            out,
            "  response     {} rounds at most; {} stops in zones; {} pairs looked at",
            tally.rounds_most, tally.stopped, tally.candidates
        )?;
        if tally.squeezed_now > 0 {
            writeln!(
                out,
                "  squeezed     {} vertices have stood still for more than 20 steps: nothing free may exist for them",
                tally.squeezed_now
            )?;
        }
        writeln!(
            out,
            "  energy       {:.6} J at first, {:.6} J at the end ({:.6} kinetic), {:.3e} J taken",
            tally.first,
            tally.energy(),
            tally.kinetic,
            tally.taken
        )?;
        writeln!(out, "  hash         {:016x}", self.system.hash())?;
        for file in &self.written {
            writeln!(out, "  written      {} ({} states)", file.display(), tally.frames.len())?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let (tally, seconds) = (&self.tally, &self.seconds);
        json!({
            "kind": "soft",
            "complete": self.complete,
            "steps": tally.steps,
            "time": self.time(),
            "resumed": self.resumed,
            "seconds": {
                "total": seconds.total,
                "mean": seconds.mean(),
                "least": seconds.least,
                "most": seconds.most,
            },
            "bodies": self.bodies.names,
            "moved_apart": self.moved(),
            "vertices": self.system.places().len(),
            "triangles": self.system.surface().triangles().len(),
            "energy": {
                "first": tally.first,
                "last": tally.energy(),
                "kinetic": tally.kinetic,
                "potential": tally.potential,
                "taken": tally.taken,
            },
            "contacts": { "now": tally.contacts_now, "most": tally.contacts_most, "new": tally.contacts_new },
            "statistics": {
                "rounds": tally.rounds,
                "rounds_most": tally.rounds_most,
                "zone_rounds_most": tally.zone_rounds_most,
                "candidates": tally.candidates,
                "stopped": tally.stopped,
                "squeezed": tally.squeezed_now,
                "squeezed_most": tally.squeezed_most,
                "cooled": tally.cooled,
                "frames": tally.frames.len(),
            },
            "hash": format!("{:016x}", self.system.hash()),
            "files": self.written.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }
}
