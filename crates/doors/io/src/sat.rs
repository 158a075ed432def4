//! ACIS text files (SAT), versions 2 to 7 of the kernel; of newer ones what is written the same way.
//!
//! A file is a list of records, `face $-1 $5 … #`, that point to one another by their numbers: `record` finds them, `topology` goes from
//! a body to its faces and edges, `geometry` makes curves and surfaces, in millimetres. Faces on planes, spheres, cones, cylinders, tori
//! and exact splines are read; others are losses.

mod geometry;
mod header;
mod record;
mod topology;

use crate::curved::body::{BodyKind, CurvedBody, CurvedFile};
use crate::curved::budget::Budget;
use crate::curved::lines::lines;
use crate::curved::loss::{Loss, Lost, Miss, Why};
use crate::curved::report::{CurvedReport, LengthUnit};
use crate::curved::shift::Shift;
use crate::error::{Fault, Problem, ReadError};
use crate::input::ReadOptions;
use crate::names::FileNames;
use geometry::Geometry;
use header::Header;
use kontakt_math::{DMat3, DVec3, Pose};
use record::{Records, Token};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use topology::{Built, Notes, Shaper};

/// Reads a SAT file. Bodies are named `file:name` with the file's name without folders.
pub fn read_sat(path: &Path, options: &ReadOptions) -> Result<CurvedFile, ReadError> {
    crate::curved::door::read(path, options, parse)
}

/// Reads a SAT file in memory; `name` stands for the file.
pub fn read_sat_bytes(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<CurvedFile, ReadError> {
    parse(bytes, name, options).map_err(|fault| fault.of(name.to_owned()))
}

fn parse(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<CurvedFile, Fault> {
    let budget = Budget::new(bytes.len(), options.deadline);
    let header = Header::read(bytes)?;
    let records = Records::read(bytes, header.end, header.version, &budget)?;
    let (bodies, report) = bodies(&records, &header, name);
    if let Some(problem) = budget.problem() {
        return Err(problem.into());
    }
    if bodies.is_empty() {
        let reason = report.losses.first().map_or_else(
            || "there is no body".to_owned(),
            |loss| format!("{} things could not be read, first {loss}", report.losses.len()),
        );
        return Err(Problem::NoSolids(reason).into());
    }
    Ok(CurvedFile { bodies, report })
}

fn bodies(records: &Records<'_>, header: &Header, file: &str) -> (Vec<CurvedBody>, CurvedReport) {
    let length = header.millimetres.unwrap_or(1.0);
    let name = if header.millimetres.is_some() { "of the header" } else { "millimetre, assumed" };
    let resolution = header.resolution.map(|resolution| resolution * length);
    let mut report = CurvedReport {
        schema: format!("ACIS {}.{:02}", header.version / 100, header.version % 100),
        writer: header.writer.clone(),
        length_units: vec![LengthUnit { name: name.into(), millimetres: length }],
        uncertainty: resolution,
        ..CurvedReport::default()
    };
    let reader = Reader { geometry: Geometry { records, length }, resolution: resolution.unwrap_or(0.0) };
    let labels = Labels::of(records);
    let (mut read, mut notes) = (Vec::new(), Notes::new());
    for id in records.ids() {
        if records.whole(id).is_none_or(|(name, _)| name != b"body") {
            continue;
        }
        match reader.body(id, &mut notes) {
            Ok((built, pose)) => read.push((id, built, pose)),
            Err(miss) => notes.push((Lost::Body, miss, id)),
        }
    }
    let label = |id: &u64| labels.names.get(id).cloned().unwrap_or_default();
    let wanted: Vec<String> = read.iter().map(|(id, ..)| label(id)).collect();
    let mut names = FileNames::new(file, wanted.iter().map(|name| Some(name.as_str())));
    let mut bodies = Vec::with_capacity(read.len());
    for ((id, built, pose), own) in read.into_iter().zip(&wanted) {
        let kind = if built.is_sheet { BodyKind::Sheet } else { BodyKind::Solid };
        count(&mut report, &built, kind);
        bodies.push(CurvedBody {
            name: names.give(Some(own)),
            path: vec![own.clone()],
            uses: Vec::new(),
            kind,
            brep: Arc::new(built.brep),
            face_ids: built.face_ids.into(),
            lost_faces: built.lost_faces,
            pose,
            colour: labels.colours.get(&id).copied(),
            id,
        });
    }
    report.products = wanted.into_iter().filter(|name| !name.is_empty()).collect();
    let lines = lines(records.text(), notes.iter().filter_map(|(_, miss, _)| records.offset(miss.id)));
    for (lost, Miss { id, why }, of) in notes {
        let line = records.offset(id).and_then(|at| lines.get(&at).copied()).unwrap_or(0);
        let loss = Loss { lost, entity: records.name(id), id, line, why, of };
        if lost == Lost::Repaired {
            report.repairs.push(loss);
        } else {
            report.losses.push(loss);
        }
    }
    (bodies, report)
}

fn count(report: &mut CurvedReport, built: &Built, kind: BodyKind) {
    match kind {
        BodyKind::Solid => report.solids += 1,
        BodyKind::Sheet => report.sheets += 1,
    }
    for (kind, count) in &built.kinds {
        *report.faces.entry(kind).or_default() += count;
    }
    if built.gap.distance > report.vertex_gap.distance {
        report.vertex_gap = built.gap;
    }
}

/// Reads bodies of a file.
struct Reader<'a> {
    geometry: Geometry<'a>,
    resolution: f64,
}

impl Reader<'_> {
    fn body(&self, id: u64, notes: &mut Notes) -> Result<(Built, Pose), Miss> {
        let mut words = self.geometry.records.words(id, id, "body")?;
        let (lump, wire, transform) = (words.pointer()?, words.pointer()?, words.pointer()?);
        if let Some(wire) = wire {
            notes.push((Lost::Item, Why::Unsupported.at(wire), id));
        }
        let lump = lump.ok_or(Why::NotA("a body with a lump").at(id))?;
        let place = transform.map_or(Ok(Shift::IDENTITY), |at| self.geometry.shift(at, id))?;
        // What scales or mirrors is in the body; the rest is its pose.
        let mirror = DVec3::new(1.0, 1.0, if place.mirrors() { -1.0 } else { 1.0 });
        let mirror = DMat3::from_diagonal(mirror);
        let rigid = Shift { turn: place.turn * mirror, scale: 1.0, translation: place.translation };
        let pose = rigid.pose().ok_or(Why::Size.at(id))?;
        let baked = Shift { turn: mirror, scale: place.scale, translation: DVec3::ZERO };
        let shift = (!place.is_rigid()).then_some(baked);
        Ok((Shaper::new(self.geometry, shift, self.resolution, notes).body(id, lump)?, pose))
    }
}

/// What attributes say of bodies.
#[derive(Default)]
struct Labels {
    names: HashMap<u64, String>,
    colours: HashMap<u64, [f32; 3]>,
}

impl Labels {
    fn of(records: &Records<'_>) -> Labels {
        let mut labels = Labels::default();
        for id in records.ids() {
            let Some((name, mut words)) = records.whole(id) else { continue };
            let names = memchr::memmem::find(name, b"name_attrib").is_some();
            if !names && !name.starts_with(b"rgb_color") {
                continue;
            }
            // The owner is the last pointer; then come the values.
            let (mut owner, mut text, mut numbers) = (None, None, Vec::new());
            while let Some(token) = words.next() {
                match token {
                    Token::Pointer(pointer) => {
                        owner = pointer;
                        numbers.clear();
                    }
                    Token::Number(value) => numbers.push(value.clamp(0.0, 1.0) as f32),
                    Token::Text(found) => text = Some(String::from_utf8_lossy(found).trim().to_owned()),
                    _ => {}
                }
            }
            match (owner, text, &numbers[..]) {
                (Some(owner), Some(text), _) if names => drop(labels.names.insert(owner, text)),
                (Some(owner), _, &[r, g, b, ..]) if !names => drop(labels.colours.insert(owner, [r, g, b])),
                _ => {}
            }
        }
        labels
    }
}
