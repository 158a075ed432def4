//! Files into bodies, and what the reader remarked on the way.

use super::address::Address;
use super::before::Before;
use crate::failure::Failure;
use crate::progress;
use crate::reading::{Reading, SplitName};
use crate::text;
use kontakt::io::{Loaded, ReadOptions, ReadReport, Split, read};
use kontakt::schedule::Deadline;
use kontakt::shapes::Body;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::Path;

/// Reads the bodies that are meant, `FILE` or `FILE:NAME`, until a deadline.
pub(crate) fn load(typed: &Path, reading: &Reading, deadline: Deadline) -> Result<Loaded, Failure> {
    let Meant { bodies, report } = meant(&Address::of(typed), reading, deadline)?;
    Ok(Loaded { bodies: bodies.into_iter().map(|(body, _)| body).collect(), report })
}

/// Bodies that are meant, and where each begins in its file.
pub(crate) struct Meant {
    pub(crate) bodies: Vec<(Body, Before)>,
    pub(crate) report: ReadReport,
}

/// Reads the bodies that are meant until a deadline.
pub(crate) fn meant(address: &Address, reading: &Reading, deadline: Deadline) -> Result<Meant, Failure> {
    let Loaded { bodies, report } = whole(&address.file, reading, deadline)?;
    let places = address.pick(bodies.iter().map(|body| body.name.as_str()))?;
    let before = Before::each(bodies.iter().map(|body| &body.faces));
    Ok(Meant { bodies: chosen(bodies.into_iter().zip(before), &places), report })
}

/// Those of a list at places in order.
pub(crate) fn chosen<T>(list: impl Iterator<Item = T>, places: &[usize]) -> Vec<T> {
    let mut places = places.iter().copied().peekable();
    list.enumerate().filter_map(|(place, item)| places.next_if_eq(&place).map(|_| item)).collect()
}

/// Reads a file until a deadline.
fn whole(path: &Path, reading: &Reading, deadline: Deadline) -> Result<Loaded, Failure> {
    let split = match reading.split {
        None | Some(SplitName::Objects) => Split::Objects,
        Some(SplitName::Groups) => Split::Groups,
        Some(SplitName::Components) => Split::Components,
    };
    let options = ReadOptions { split, deadline, ..ReadOptions::default() };
    Ok(progress::during(format!("reading {}", path.display()), || read(path, &options))?)
}

/// The remarks of a reader that are worth a line, as key and count.
pub(crate) fn remarks(report: &ReadReport) -> Vec<(&'static str, u64)> {
    let all = [
        ("unknown_keywords", report.unknown_keywords),
        ("junk_lines", report.junk_lines),
        ("triangulated_polygons", report.triangulated_polygons),
        ("rough_polygons", report.rough_polygons),
        ("repeated_names", report.repeated_names),
        ("empty_objects", report.empty_objects),
        ("ignored_elements", report.ignored_elements),
        ("unused_vertices", report.unused_vertices),
        ("rotations_taken_as_exact_quarter_turns", report.exact_quarter_turns),
        ("rotations_taken_as_exact_eighth_or_twelfth_turns", report.exact_finer_turns),
        ("skins", report.skins),
        ("morph_targets", report.morph_targets),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).collect()
}

/// The remarks on several files.
#[derive(Default)]
pub(crate) struct Remarks(Vec<(String, ReadReport)>);

impl Remarks {
    pub(crate) fn add(&mut self, path: &Path, report: ReadReport) {
        let remark = (path.display().to_string(), report);
        // A file may be read for this body and for that; what there is to say about it is said once.
        if !self.0.contains(&remark) {
            self.0.push(remark);
        }
    }

    /// A line for everything that was passed over or changed.
    pub(crate) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (file, report) in &self.0 {
            for (what, count) in remarks(report) {
                let odd = matches!(what, "unknown_keywords" | "junk_lines").then_some(report.first_odd_line);
                let first = odd.map_or_else(String::new, |line| format!(", the first odd line is {line}"));
                writeln!(out, "  {}: {count} {}{first}", text::one_line(file), what.replace('_', " "))?;
            }
        }
        Ok(())
    }

    /// An object a file.
    pub(crate) fn json(&self) -> Value {
        let entry = |(file, report): &(String, ReadReport)| {
            let mut entry = Map::from_iter([("file".to_owned(), json!(file))]);
            entry.extend(remarks(report).into_iter().map(|(key, count)| (key.to_owned(), json!(count))));
            if report.first_odd_line > 0 {
                entry.insert("first_odd_line".to_owned(), json!(report.first_odd_line));
            }
            Value::Object(entry)
        };
        self.0.iter().map(entry).collect()
    }
}
