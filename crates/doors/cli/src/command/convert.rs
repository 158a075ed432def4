//! `kontakt convert`: a file in one format into a file in another.

use crate::args::Convert;
use crate::failure::Failure;
use crate::input::load;
use crate::progress;
use crate::report::Report;
use kontakt::io::{WriteOptions, write};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

pub(crate) fn run(convert: &Convert) -> Result<ConvertReport, Failure> {
    let loaded = load::load(&convert.input, &convert.reading)?;
    let options = WriteOptions { text: convert.text };
    progress::during(format!("writing {}", convert.output.display()), || {
        write(&convert.output, &loaded.bodies, &options)
    })
    .map_err(|error| Failure::Write { path: convert.output.clone(), error })?;
    Ok(ConvertReport {
        input: convert.input.display().to_string(),
        output: convert.output.display().to_string(),
        bodies: loaded.bodies.len(),
        vertices: loaded.bodies.iter().map(|body| body.faces.vertices().len()).sum(),
        faces: loaded.bodies.iter().map(|body| body.faces.face_count()).sum(),
        remarks: load::remarks(&loaded.report),
    })
}

pub(crate) struct ConvertReport {
    input: String,
    output: String,
    bodies: usize,
    vertices: usize,
    faces: usize,
    remarks: Vec<(&'static str, u64)>,
}

impl Report for ConvertReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let ConvertReport { input, output, bodies, vertices, faces, .. } = self;
        let noun = if *bodies == 1 { "body" } else { "bodies" };
        writeln!(out, "{input} → {output}: {bodies} {noun}, {vertices} vertices, {faces} faces")?;
        for (what, count) in &self.remarks {
            writeln!(out, "  {input}: {count} {}", what.replace('_', " "))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let remarks: Map<String, Value> =
            self.remarks.iter().map(|(key, count)| ((*key).to_owned(), json!(count))).collect();
        json!({
            "input": self.input,
            "output": self.output,
            "bodies": self.bodies,
            "vertices": self.vertices,
            "faces": self.faces,
            "remarks": remarks,
        })
    }
}
