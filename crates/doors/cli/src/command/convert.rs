//! `kontakt convert`: a file in one format into a file in another.

use crate::args::{Common, Convert};
use crate::failure::Failure;
use crate::input::load;
use crate::progress;
use crate::report::Report;
use crate::text;
use kontakt::io::{Losses, WriteOptions, write};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

pub(crate) fn run(convert: &Convert, common: &Common) -> Result<ConvertReport, Failure> {
    let loaded = load::load(&convert.input, &convert.reading, common.deadline)?;
    let options = WriteOptions { text: convert.text, deadline: common.deadline };
    let losses = progress::during(format!("writing {}", convert.output.display()), || {
        write(&convert.output, &loaded.bodies, &options)
    })
    .map_err(|error| Failure::Write { path: convert.output.clone(), error })?;
    let lost = counts(&losses);
    let warnings = warnings(&losses, convert);
    text::warn_aside(&warnings)?;
    Ok(ConvertReport {
        input: convert.input.display().to_string(),
        output: convert.output.display().to_string(),
        bodies: loaded.bodies.len(),
        vertices: loaded.bodies.iter().map(|body| body.faces.vertices().len()).sum(),
        faces: loaded.bodies.iter().map(|body| body.faces.source_count()).sum(),
        remarks: load::remarks(&loaded.report),
        lost,
        warnings,
    })
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
            "remarks": object(&self.remarks),
            "lost": object(&self.lost),
            "warnings": self.warnings,
        })
    }
}
