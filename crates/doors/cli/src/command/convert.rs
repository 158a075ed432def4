//! `kontakt convert`: a file in one format into a file in another.

use crate::args::{Common, Convert};
use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use crate::text;
use kontakt::io::{Losses, WriteOptions, write};
use kontakt::math::DVec3;
use kontakt::math::round::length_up;
use kontakt::pair::together;
use kontakt::shapes::Body;
use kontakt_load::load;
use kontakt_load::remarks::counts as counts_read;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

pub(crate) fn run(convert: &Convert, common: &Common) -> Result<ConvertReport, Failure> {
    let loaded = load::load(&convert.input, &convert.reading.options(common.deadline))?;
    let tessellated = loaded.about.model.is_some().then(|| loaded.deviation());
    let model = loaded.about.model;
    let bodies: Vec<Body> = loaded.bodies.into_iter().map(|one| one.body).collect();
    let options = WriteOptions { text: convert.text, deadline: common.deadline };
    let losses = progress::during(format!("writing {}", convert.output.display()), || {
        write(&convert.output, &bodies, &options)
    })
    .map_err(|error| Failure::Write { path: convert.output.clone(), error })?;
    let lost = counts(&losses);
    let mut warnings = warnings(&losses, convert);
    warnings.extend(model.iter().flat_map(|model| model.warnings()));
    text::warn_aside(&warnings)?;
    let rounded = if losses.rounded_coordinates > 0 { single_rounding(&bodies) } else { 0.0 };
    Ok(ConvertReport {
        input: convert.input.display().to_string(),
        output: convert.output.display().to_string(),
        bodies: bodies.len(),
        vertices: bodies.iter().map(|body| body.faces.vertices().len()).sum(),
        faces: bodies.iter().map(|body| body.faces.source_count()).sum(),
        deviation: tessellated.map(|deviation| together([deviation, rounded])),
        missing: model.iter().map(|model| model.missing.len()).sum(),
        remarks: counts_read(&loaded.about.report).into_iter().map(|(key, _, count)| (key, count)).collect(),
        lost,
        warnings,
    })
}

/// **Never less** than how far rounding to single precision moves any vertex.
fn single_rounding(bodies: &[Body]) -> f64 {
    let moved = |x: &DVec3| length_up(x.as_vec3().as_dvec3() - *x);
    bodies.iter().flat_map(|body| body.faces.vertices()).map(moved).fold(0.0, f64::max)
}

/// What the format could not keep, as key and count.
fn counts(losses: &Losses) -> Vec<(&'static str, u64)> {
    let all = [
        ("rounded_coordinates", losses.rounded_coordinates),
        ("merged_vertices", losses.merged_vertices),
        ("collapsed_triangles", losses.collapsed_triangles),
        ("dropped_vertices", losses.dropped_vertices),
        ("cut_polygons", losses.cut_polygons),
        ("joined_bodies", losses.joined_bodies),
        ("dropped_names", losses.dropped_names),
        ("changed_names", losses.changed_names),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).collect()
}

/// The losses in words, and what keeps more.
fn warnings(losses: &Losses, convert: &Convert) -> Vec<String> {
    let output = convert.output.display();
    let mut words = Vec::new();
    if losses.rounded_coordinates > 0 {
        words.push(format!(
            "{output}: binary STL holds 32-bit floats: {} coordinates rounded, {} vertices merged, {} triangles left without area; \
             --text or a .ply, .obj or .kh file keeps every digit",
            losses.rounded_coordinates, losses.merged_vertices, losses.collapsed_triangles
        ));
    } else if losses.merged_vertices > 0 {
        words.push(format!(
            "{output}: STL has no vertices: {} at the place of another will be one with it",
            losses.merged_vertices
        ));
    }
    if losses.dropped_vertices > 0 {
        words.push(format!("{output}: {} vertices that no face uses are left out", losses.dropped_vertices));
    }
    if losses.cut_polygons > 0 {
        words.push(format!("{output}: STL has triangles only: {} polygons cut", losses.cut_polygons));
    }
    if losses.joined_bodies > 0 {
        words.push(format!(
            "{output}: the format holds one body: {} joined; .obj, .kh and --text with .stl keep them apart",
            losses.joined_bodies
        ));
    }
    if losses.dropped_names > 0 {
        words.push(format!("{output}: the format holds no names: {} left out", losses.dropped_names));
    }
    if losses.changed_names > 0 {
        words.push(format!("{output}: {} names changed to fit on a line", losses.changed_names));
    }
    words
}

pub(crate) struct ConvertReport {
    input: String,
    output: String,
    bodies: usize,
    vertices: usize,
    faces: usize,
    /// **Never less** than how far what was written lies off the true surfaces of curved bodies.
    deviation: Option<f64>,
    /// Bodies that are not there or not whole.
    missing: usize,
    remarks: Vec<(&'static str, u64)>,
    lost: Vec<(&'static str, u64)>,
    warnings: Vec<String>,
}

impl Report for ConvertReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let ConvertReport { bodies, vertices, faces, .. } = self;
        let (input, output) = (text::one_line(&self.input), text::one_line(&self.output));
        let noun = if *bodies == 1 { "body" } else { "bodies" };
        writeln!(out, "{input} → {output}: {bodies} {noun}, {vertices} vertices, {faces} faces")?;
        if let Some(deviation) = self.deviation {
            let number = text::number(deviation);
            writeln!(out, "  tessellated within {number} of the true surfaces (certified), in millimetres")?;
        }
        for (what, count) in &self.remarks {
            writeln!(out, "  {input}: {count} {}", what.replace('_', " "))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let object = |counts: &[(&'static str, u64)]| -> Map<String, Value> {
            counts.iter().map(|(key, count)| ((*key).to_owned(), json!(count))).collect()
        };
        json!({
            "input": self.input,
            "output": self.output,
            "bodies": self.bodies,
            "vertices": self.vertices,
            "faces": self.faces,
            "certified_deviation": self.deviation,
            "missing": self.missing,
            "remarks": object(&self.remarks),
            "lost": object(&self.lost),
            "warnings": self.warnings,
        })
    }

    /// A part of the file is not in the other one.
    fn forbidden(&self) -> bool {
        self.missing > 0
    }
}
