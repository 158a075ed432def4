//! `kontakt hierarchy info`: what is in a saved hierarchy, level by level, and whether it keeps its promises.

use super::{html, levels};
use crate::args::{Common, HierarchyInfo};
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use crate::text;
use kontakt::hierarchy::Faces;
use kontakt::hierarchy::packed::Counts;
use kontakt::hierarchy::store::Facts;
use kontakt::io::read_stored_until;
use kontakt::schedule::Deadline;
use kontakt_load::address::{Address, chosen};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Bodies of no more triangles are checked however short the time is.
const SMALL: usize = 1 << 14;

pub(crate) fn run(asked: &HierarchyInfo, common: &Common) -> Result<InfoReport, Failure> {
    let address = Address::of(&asked.file);
    let bodies = progress::during(format!("reading {}", asked.file.display()), || {
        read_stored_until(&address.file, common.deadline)
    })?;
    let places = address.pick(bodies.iter().map(|(name, _)| name.as_str()))?;
    let bodies = chosen(bodies.into_iter(), &places);
    let mut found = Vec::with_capacity(bodies.len());
    for (name, stored) in bodies {
        let small = stored.faces().triangles().len() <= SMALL;
        let deadline = if small { Deadline::NEVER } else { common.deadline };
        let checked = progress::during(format!("checking {name}"), || {
            stored.tree().validate_until(Faces::of(stored.faces()), deadline)
        });
        found.push(Seen {
            valid: checked.as_ref().ok().map(Result::is_ok),
            flaw: checked.ok().and_then(Result::err).map(|flaw| flaw.to_string()),
            vertices: stored.faces().vertices().len(),
            triangles: stored.faces().triangles().len(),
            packed: stored.tree().counts(),
            packed_bytes: stored.tree().heap_bytes(),
            facts: stored.facts().clone(),
            name,
        });
    }
    let report = InfoReport { file: asked.file.display().to_string(), bodies: found };
    if let Some(path) = &asked.html {
        std::fs::write(path, html::page(&report))
            .map_err(|error| Failure::Report { path: path.clone(), error })?;
    }
    Ok(report)
}

/// One body of the file.
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) facts: Facts,
    /// Of the runtime form.
    pub(super) packed: Counts,
    pub(super) packed_bytes: usize,
    /// Whether every claim of the hierarchy is right; `None` when there was no time to check them all.
    pub(super) valid: Option<bool>,
    /// The first claim that is wrong.
    pub(super) flaw: Option<String>,
}

impl Seen {
    /// How it was built, in one line.
    pub(super) fn built(&self) -> String {
        let Facts { method, volume, arity, seconds, nodes, leaves, depth, .. } = &self.facts;
        format!(
            "built by {method}: volume {volume}, children a node {arity}; {nodes} nodes, {leaves} leaves, depth {depth}, in {}",
            text::duration(*seconds)
        )
    }

    /// What queries use, in one line.
    pub(super) fn runtime(&self) -> String {
        format!(
            "packed for queries: {} wide nodes, {} leaves, depth {}, {:.1} bytes a triangle",
            self.packed.nodes,
            self.packed.leaves,
            self.packed.depth,
            self.packed_bytes as f64 / self.triangles as f64
        )
    }
}

pub(crate) struct InfoReport {
    pub(super) file: String,
    pub(super) bodies: Vec<Seen>,
}

impl InfoReport {
    /// Whether all are; one that is not settles it, one that is not known leaves it open.
    fn valid(&self) -> Option<bool> {
        let wrong = self.bodies.iter().any(|body| body.valid == Some(false));
        if wrong { Some(false) } else { self.bodies.iter().all(|body| body.valid.is_some()).then_some(true) }
    }
}

impl Report for InfoReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (place, body) in self.bodies.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            text::heading(out, &body.name)?;
            writeln!(out, "  {} triangles, {} vertices", body.triangles, body.vertices)?;
            writeln!(out, "  {}", text::one_line(&body.built()))?;
            writeln!(out, "  {}", text::one_line(&body.runtime()))?;
            let (good, alarm) = (text::GOOD, text::ALARM);
            match &body.flaw {
                None if body.valid.is_none() => {
                    writeln!(out, "  {alarm}not checked{alarm:#}: the time limit was reached")?;
                }
                None => writeln!(out, "  {good}valid{good:#}: every box encloses its triangles, exactly")?,
                Some(flaw) => writeln!(out, "  {alarm}not valid{alarm:#}: {flaw}")?,
            }
            writeln!(out)?;
            levels::write(&body.facts.levels, out)?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let bodies: Vec<Value> = self.bodies.iter().map(body_json).collect();
        let first = bodies.first().map_or(Value::Null, |body| body["levels"].clone());
        json!({ "file": self.file, "levels": first, "valid": self.valid(), "bodies": bodies })
    }

    fn forbidden(&self) -> bool {
        self.valid() != Some(true)
    }
}

fn body_json(body: &Seen) -> Value {
    let facts = &body.facts;
    json!({
        "name": body.name,
        "vertices": body.vertices,
        "triangles": body.triangles,
        "method": facts.method,
        "volume": facts.volume,
        "arity": facts.arity,
        "seconds": facts.seconds,
        "nodes": facts.nodes,
        "leaves": facts.leaves,
        "depth": facts.depth,
        "runtime": {
            "nodes": body.packed.nodes,
            "leaves": body.packed.leaves,
            "depth": body.packed.depth,
            "bytes": body.packed_bytes,
            "bytes_per_triangle": body.packed_bytes as f64 / body.triangles as f64,
        },
        "levels": facts.levels.iter().map(levels::json).collect::<Vec<_>>(),
        "valid": body.valid,
        "flaw": body.flaw,
    })
}
