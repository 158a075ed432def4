//! Files into bodies, and what the reader remarked on the way.

use crate::args::{Reading, SplitName};
use crate::failure::Failure;
use crate::progress;
use kontakt::io::{Loaded, ReadOptions, ReadReport, Split, read};
use std::path::Path;

pub(crate) fn load(path: &Path, reading: &Reading) -> Result<Loaded, Failure> {
    let split = match reading.split {
        None | Some(SplitName::Objects) => Split::Objects,
        Some(SplitName::Groups) => Split::Groups,
        Some(SplitName::Components) => Split::Components,
    };
    let options = ReadOptions { split, ..ReadOptions::default() };
    Ok(progress::during(format!("reading {}", path.display()), || read(path, &options))?)
}

/// The remarks of a reader that are worth a line, as key and count.
pub(crate) fn remarks(report: &ReadReport) -> Vec<(&'static str, u64)> {
    let all = [
        ("unknown_keywords", report.unknown_keywords),
        ("junk_lines", report.junk_lines),
        ("triangulated_polygons", report.triangulated_polygons),
        ("rough_polygons", report.rough_polygons),
        ("empty_objects", report.empty_objects),
        ("ignored_elements", report.ignored_elements),
        ("unused_vertices", report.unused_vertices),
        ("skins", report.skins),
        ("morph_targets", report.morph_targets),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).collect()
}
