//! The public queries of moving primitives, by kind and by origin.

use kontakt::io::read_moving_queries;
use kontakt::soft_ccd::{Kind, Query};
use std::path::{Path, PathBuf};

/// Queries of one kind, with their truth.
pub(crate) struct QuerySet {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) queries: Vec<Query>,
    pub(crate) truth: Vec<bool>,
}

/// Four sets: vertex–face and edge–edge, of the unit tests and of the scenes; or why there are none.
pub(crate) fn corpus() -> Result<Vec<QuerySet>, String> {
    let folder = std::env::var_os("KONTAKT_DATA").ok_or("KONTAKT_DATA is not set")?;
    let mut files = Vec::new();
    collect(&PathBuf::from(folder).join("ccd"), &mut files)?;
    files.sort();
    let mut sets: Vec<QuerySet> = Vec::new();
    for file in files {
        let path = file.to_string_lossy().into_owned();
        let (kind, short) =
            if path.contains("vertex-face") { (Kind::VertexFace, "VF") } else { (Kind::EdgeEdge, "EE") };
        let origin = if path.contains("unit-tests") { "unit tests" } else { "scenes" };
        let name = format!("{short} {origin}");
        let index = sets.iter().position(|set| set.name == name).unwrap_or_else(|| {
            sets.push(QuerySet { name, kind, queries: Vec::new(), truth: Vec::new() });
            sets.len() - 1
        });
        for read in read_moving_queries(&file, kind).map_err(|problem| problem.to_string())? {
            sets[index].queries.push(read.query);
            sets[index].truth.push(read.touches);
        }
    }
    if sets.is_empty() { Err("no queries in folder ccd of KONTAKT_DATA".to_owned()) } else { Ok(sets) }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(folder).map_err(|problem| format!("folder ccd of KONTAKT_DATA: {problem}"))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "csv") {
            files.push(path);
        }
    }
    Ok(())
}

/// Raw doubles for the peers: the kind, then all coordinates.
pub(crate) fn raw(set: &QuerySet) -> Vec<u8> {
    let mut bytes = f64::to_le_bytes(if set.kind == Kind::EdgeEdge { 1.0 } else { 0.0 }).to_vec();
    for query in &set.queries {
        for point in query.start().iter().chain(&query.end()) {
            bytes.extend(point.to_array().iter().flat_map(|x| x.to_le_bytes()));
        }
    }
    bytes
}
