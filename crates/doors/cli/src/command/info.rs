//! `kontakt info`: what is in a file, and what is missing.

mod curved;

use crate::args::{Common, Info};
use crate::failure::Failure;
use crate::input::remarks;
use crate::progress;
use crate::report::Report;
use crate::text::{self, Table};
use curved::CurvedFacts;
use kontakt::math::DVec3;
use kontakt::mesh::self_intersections;
use kontakt::schedule::{Deadline, Expired};
use kontakt::shapes::memory::probe;
use kontakt::shapes::{Body, MassProperties, Topology, estimate_chord_error_in_steps};
use kontakt_load::address::Address;
use kontakt_load::load::{self, One};
use kontakt_load::parts::names_of;
use kontakt_load::units;
use kontakt_load::{About, Remarks};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Pairs of triangles counted per body unless `--max-pairs` says otherwise.
pub(crate) const MOST_PAIRS: usize = 100_000;

/// Bodies of no more triangles are looked at in a few milliseconds.
const SMALL: usize = 1 << 14;

/// About what looking at the topology takes at its peak.
const BYTES_A_TRIANGLE: usize = 640;

pub(crate) fn run(info: &Info, common: &Common) -> Result<InfoReport, Failure> {
    let most_pairs = common.max_pairs.unwrap_or(MOST_PAIRS);
    let mut report = InfoReport::default();
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &info.files {
        let looked = look(path, info, most_pairs, common.deadline);
        let (facts, about) = match looked {
            Ok(found) => found,
            // What is wrong with one file is said, and the others are looked at.
            Err(failure) if info.files.len() > 1 => {
                report.failed.push((path.display().to_string(), failure.to_string()));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let file = Address::of(path).file;
        report.remarks.add(&file, about);
        files.extend(facts.iter().map(|_| file.clone()));
        report.bodies.extend(facts);
    }
    if report.bodies.is_empty()
        && let Some((_, problem)) = report.failed.first()
    {
        return Err(Failure::Usage(problem.clone()));
    }
    report.name_apart(&files);
    let sizes = report.bodies.iter().map(|body| (body.name.as_str(), DVec3::from_array(body.size)));
    report.warnings.extend(units::warning(sizes));
    Ok(report)
}

/// What there is to say of one file.
fn look(
    path: &Path,
    info: &Info,
    most_pairs: usize,
    deadline: Deadline,
) -> Result<(Vec<BodyFacts>, About), Failure> {
    let loaded = load::load(path, &info.reading.options(deadline))?;
    let facts = progress::during(format!("looking at {}", path.display()), || {
        let bodies = loaded.bodies.into_par_iter();
        bodies.map(|one| facts(one, most_pairs, deadline)).collect::<Result<Vec<_>, _>>()
    })?;
    Ok((facts, loaded.about))
}

/// What there is to say of a body; of a curved one also about its faces.
fn facts(one: One, most_pairs: usize, deadline: Deadline) -> Result<BodyFacts, Failure> {
    let One { body, model, .. } = one;
    let facts = BodyFacts::of(body, most_pairs, deadline)?;
    Ok(match model {
        None => facts,
        Some(model) => {
            let curved = CurvedFacts::of(&model);
            // Nothing has to be estimated where it is certified.
            BodyFacts { faces: curved.faces(), chord_error: 0.0, curved: Some(curved), ..facts }
        }
    })
}

#[derive(Default)]
pub(crate) struct InfoReport {
    bodies: Vec<BodyFacts>,
    remarks: Remarks,
    warnings: Vec<String>,
    /// Files that could not be looked at, and why.
    failed: Vec<(String, String)>,
}

impl InfoReport {
    /// Gives bodies of files that are called alike names of their own, as all commands do.
    fn name_apart(&mut self, files: &[PathBuf]) {
        let given: Vec<(&Path, &str)> =
            files.iter().zip(&self.bodies).map(|(file, body)| (file.as_path(), body.name.as_str())).collect();
        let names = names_of(&given);
        for (body, name) in self.bodies.iter_mut().zip(names) {
            body.name = name.full;
        }
    }
}

/// The keys of one body in JSON.
#[derive(Serialize)]
pub(crate) struct BodyFacts {
    name: String,
    vertices: usize,
    faces: usize,
    triangles: usize,
    edges: usize,
    closed: bool,
    oriented: bool,
    components: usize,
    euler_characteristic: i64,
    boundary_edges: usize,
    non_manifold_edges: usize,
    inconsistent_edges: usize,
    duplicate_faces: usize,
    degenerate_faces: usize,
    duplicate_vertices: usize,
    isolated_vertices: usize,
    min: [f64; 3],
    max: [f64; 3],
    size: [f64; 3],
    surface: f64,
    /// How far the faces may lie from the smooth surface they were made of: an estimate.
    chord_error: f64,
    /// Pairs of triangles that meet beyond their common corners and edges; `null` where they were not looked for.
    self_intersections: Option<usize>,
    /// Whether these are all there are.
    self_intersections_complete: bool,
    /// Enclosed volume; `null` unless the body is closed and consistently oriented.
    volume: Option<f64>,
    /// What the triangles stand for.
    #[serde(flatten)]
    curved: Option<CurvedFacts>,
}

impl BodyFacts {
    /// Counts everything; self-intersections up to `most_pairs`, and not at all when that is 0.
    pub(crate) fn of(body: Body, most_pairs: usize, deadline: Deadline) -> Result<BodyFacts, Failure> {
        let faces = &body.faces;
        probe(faces.triangles().len().saturating_mul(BYTES_A_TRIANGLE))
            .map_err(|error| Failure::Mesh { name: body.name.clone(), error: error.into() })?;
        // Small bodies are looked at however short the time is.
        let stop = if faces.triangles().len() > SMALL { deadline } else { Deadline::NEVER };
        let late = |expired: Expired| Failure::Late { name: body.name.clone(), expired };
        stop.check().map_err(late)?;
        let topology = Topology::in_steps(faces, || stop.check()).map_err(late)?;
        let mass = MassProperties::of(faces);
        let chord_error = estimate_chord_error_in_steps(faces, || stop.check()).map_err(late)?;
        let mut facts = BodyFacts {
            name: body.name,
            vertices: faces.vertices().len(),
            faces: faces.source_count(),
            triangles: faces.triangles().len(),
            edges: topology.edges.all,
            closed: topology.closed,
            oriented: topology.oriented,
            components: topology.components,
            euler_characteristic: topology.euler_characteristic,
            boundary_edges: topology.edges.boundary,
            non_manifold_edges: topology.edges.non_manifold,
            inconsistent_edges: topology.edges.inconsistent,
            duplicate_faces: topology.duplicate_faces.len(),
            degenerate_faces: topology.degenerate_faces.len(),
            duplicate_vertices: topology.duplicate_vertices,
            isolated_vertices: topology.isolated_vertices,
            min: mass.low.to_array(),
            max: mass.high.to_array(),
            size: mass.size().to_array(),
            surface: mass.surface,
            chord_error,
            self_intersections: None,
            self_intersections_complete: false,
            volume: (topology.closed && topology.oriented).then_some(mass.volume),
            curved: None,
        };
        if most_pairs > 0 {
            let met = self_intersections(body.faces, 1, most_pairs, deadline)
                .map_err(|error| Failure::Mesh { name: facts.name.clone(), error })?;
            facts.self_intersections = Some(met.pairs.len());
            facts.self_intersections_complete = met.complete;
        }
        Ok(facts)
    }

    /// Everything that is not as a clean closed body would have it. Vertices at one place are none of it: formats that keep a normal with
    /// each corner have them on every edge, and all questions here take them for one.
    fn defects(&self) -> String {
        let counts = [
            (self.boundary_edges, "boundary edges"),
            (self.non_manifold_edges, "non-manifold edges"),
            (self.inconsistent_edges, "inconsistently oriented edges"),
            (self.duplicate_faces, "duplicate faces"),
            (self.degenerate_faces, "degenerate faces"),
            (self.isolated_vertices, "isolated vertices"),
        ];
        let mut found: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if self.volume.is_some_and(|volume| volume < 0.0) {
            found.push("inside out (its faces look inward)".to_owned());
        }
        let complete = self.self_intersections_complete;
        if let Some(pairs) = self.self_intersections.filter(|&pairs| pairs > 0 || !complete) {
            let least = if self.self_intersections_complete { "" } else { "at least " };
            found.push(format!("{least}{pairs} self-intersecting pairs of triangles"));
        }
        if found.is_empty() { "none".into() } else { found.join(", ") }
    }
}

/// Bodies as a table, with what is wrong with each below it.
pub(crate) fn write_bodies(bodies: &[BodyFacts], out: &mut dyn Write) -> io::Result<()> {
    let mut table =
        Table::new(["body", "vertices", "faces", "edges", "parts", "closed", "size", "surface", "volume"]);
    for body in bodies {
        table.row([
            body.name.clone(),
            body.vertices.to_string(),
            body.faces.to_string(),
            body.edges.to_string(),
            body.components.to_string(),
            if body.closed { "yes" } else { "no" }.into(),
            body.size.map(text::number).join(" × "),
            text::number(body.surface),
            body.volume.map_or_else(|| "–".into(), text::number),
        ]);
    }
    table.write(out)?;
    for body in bodies {
        let name = text::one_line(&body.name);
        writeln!(out, "  {name}: defects: {}", body.defects())?;
        if let Some(curved) = &body.curved {
            writeln!(out, "  {name}: {}", curved.words(body.triangles))?;
        }
        if body.chord_error > 0.0 {
            writeln!(out, "  {name}: chord error (estimated): {}", text::number(body.chord_error))?;
        }
        if !body.closed && body.duplicate_vertices > 0 {
            writeln!(out, "  {name}: {} vertices at the place of another", body.duplicate_vertices)?;
        }
    }
    Ok(())
}

impl Report for InfoReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (file, model) in self.remarks.models() {
            curved::write(file, model, out)?;
        }
        write_bodies(&self.bodies, out)?;
        remarks::write(&self.remarks, out)?;
        text::warnings(&self.warnings, out)
    }

    fn json(&self) -> Value {
        let mut json =
            json!({ "bodies": self.bodies, "files": self.remarks.json(), "warnings": self.warnings });
        if !self.failed.is_empty() {
            let failed = |(file, problem): &(String, String)| json!({ "file": file, "problem": problem });
            json["errors"] = self.failed.iter().map(failed).collect();
        }
        json
    }

    fn failed(&self) -> Vec<String> {
        self.failed.iter().map(|(_, problem)| problem.clone()).collect()
    }

    fn lines(&self) -> Option<Vec<Value>> {
        Some(self.bodies.iter().map(|body| json!(body)).collect())
    }
}
