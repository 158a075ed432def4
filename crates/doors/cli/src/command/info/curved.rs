//! What is in a file with curved faces, beyond what its triangles show.

use crate::text;
use kontakt::io::{BodyKind, Loss};
use kontakt_load::Tessellated;
use kontakt_load::model::ModelBody;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Losses and repairs shown, kind by kind; `--json` has each.
const SHOWN: usize = 10;

/// The keys of a body with curved faces in JSON.
#[derive(Serialize)]
pub(super) struct CurvedFacts {
    kind: &'static str,
    /// Faces by the kind of their surface.
    faces_by_kind: BTreeMap<&'static str, usize>,
    brep_edges: usize,
    brep_vertices: usize,
    lost_faces: u64,
    /// The largest distance found between an edge and a face that it borders.
    model_gap: f64,
    certified_deviation: f64,
    /// Names of the products around it.
    path: Vec<String>,
    /// Number of its entity.
    entity: u64,
}

impl CurvedFacts {
    pub(super) fn of(model: &ModelBody) -> CurvedFacts {
        let brep = &model.given.brep;
        let mut faces_by_kind = BTreeMap::new();
        for face in brep.faces() {
            *faces_by_kind.entry(face.surface.kind()).or_default() += 1;
        }
        CurvedFacts {
            kind: match model.given.kind {
                BodyKind::Solid => "solid",
                BodyKind::Sheet => "sheet",
            },
            faces_by_kind,
            brep_edges: brep.edges().len(),
            brep_vertices: brep.vertices().len(),
            lost_faces: model.given.lost_faces,
            model_gap: model.body.tessellation().gap,
            certified_deviation: model.deviation(),
            path: model.given.path.clone(),
            entity: model.given.id,
        }
    }

    pub(super) fn faces(&self) -> usize {
        self.faces_by_kind.values().sum()
    }

    /// One line.
    pub(super) fn words(&self, triangles: usize) -> String {
        let lost = match self.lost_faces {
            0 => String::new(),
            count => format!(", {count} of its faces lost"),
        };
        format!(
            "{} of {}{lost}; edges off faces by up to {}; {triangles} triangles within {} (certified)",
            self.kind,
            by_kind(self.faces_by_kind.iter().map(|(&kind, &count)| (kind, count as u64))),
            text::number(self.model_gap),
            text::number(self.certified_deviation),
        )
    }
}

/// Faces by their kinds in words.
fn by_kind(kinds: impl Iterator<Item = (&'static str, u64)>) -> String {
    let words: Vec<String> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
    words.join(", ") + if words.len() == 1 && words[0].starts_with("1 ") { " face" } else { " faces" }
}

/// The file as a whole.
pub(super) fn write(file: &str, model: &Tessellated, out: &mut dyn Write) -> io::Result<()> {
    let report = &model.report;
    text::heading(out, file)?;
    writeln!(out, "  schema    {}", text::one_line(&report.schema))?;
    if !report.writer.is_empty() {
        writeln!(out, "  writer    {}", text::one_line(&report.writer))?;
    }
    let units: Vec<String> = report
        .length_units
        .iter()
        .map(|unit| format!("{} ({} mm)", text::one_line(&unit.name), text::number(unit.millimetres)))
        .collect();
    let units = if units.is_empty() { "none given".to_owned() } else { units.join(", ") };
    writeln!(out, "  units     {units}; all numbers here are millimetres")?;
    let solids = text::counted(report.solids as usize, "solid", "solids");
    let sheets = text::counted(report.sheets as usize, "sheet", "sheets");
    writeln!(out, "  bodies    {solids}, {sheets}, each counted once however often it is placed")?;
    writeln!(out, "  faces     {}", by_kind(report.faces.iter().map(|(&kind, &count)| (kind, count))))?;
    writeln!(out, "  gap       {} between faces and edges of the model, at most", text::number(model.gap))?;
    losses("lost", &report.losses, out)?;
    losses("repaired", &report.repairs, out)?;
    writeln!(out)
}

/// Things by type of entity and reason, with the first place of each.
fn losses(what: &str, losses: &[Loss], out: &mut dyn Write) -> io::Result<()> {
    let mut kinds: Vec<(String, &Loss, usize)> = Vec::new();
    for loss in losses {
        let kind = format!("{} {}", loss.entity, loss.why);
        match kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, _, count)) => *count += 1,
            None => kinds.push((kind, loss, 1)),
        }
    }
    for (_, first, count) in kinds.iter().take(SHOWN) {
        let first = text::one_line(&first.to_string());
        writeln!(out, "  {what:<9} {count}×, the first: {first}")?;
    }
    if kinds.len() > SHOWN {
        writeln!(out, "  {what:<9} … and {} more kinds; --json lists all", kinds.len() - SHOWN)?;
    }
    Ok(())
}
