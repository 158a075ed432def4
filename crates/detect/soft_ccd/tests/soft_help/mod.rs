//! Queries from files for the tests.

use kontakt_math::DVec3;
use kontakt_soft_ccd::{Kind, Query};
use std::path::{Path, PathBuf};

/// A query of the corpus and its truth.
#[allow(dead_code, reason = "each test uses a part of this module")]
pub(crate) struct Case {
    pub(crate) query: Query,
    pub(crate) touches: bool,
    pub(crate) place: String,
}

/// All queries below `$KONTAKT_DATA/ccd`; none, with a message, when the variable is not set.
#[allow(dead_code, reason = "each test uses a part of this module")]
pub(crate) fn corpus() -> Option<Vec<Case>> {
    let Some(folder) = std::env::var_os("KONTAKT_DATA") else {
        println!("skipped: corpus not present (KONTAKT_DATA is not set)");
        return None;
    };
    let mut files = Vec::new();
    collect(&PathBuf::from(folder).join("ccd"), &mut files);
    files.sort();
    Some(files.iter().flat_map(|file| read(file)).collect())
}

#[allow(dead_code, reason = "each test uses a part of this module")]
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("KONTAKT_DATA is set, so its ccd folder must be readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "csv") {
            files.push(path);
        }
    }
}

/// Eight lines a query: `xnum,xden,ynum,yden,znum,zden,truth`.
#[allow(dead_code, reason = "each test uses a part of this module")]
fn read(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("readable");
    let kind = if file.to_string_lossy().contains("vertex-face") { Kind::VertexFace } else { Kind::EdgeEdge };
    let rows: Vec<[f64; 7]> = text
        .lines()
        .map(|line| {
            let mut fields = line.split(',').map(|field| field.trim().parse::<f64>().expect("a number"));
            std::array::from_fn(|_| fields.next().expect("seven fields"))
        })
        .collect();
    let point = |r: &[f64; 7]| DVec3::new(r[0] / r[1], r[2] / r[3], r[4] / r[5]);
    rows.chunks_exact(8)
        .enumerate()
        .map(|(i, rows)| Case {
            query: Query::new(
                kind,
                std::array::from_fn(|k| point(&rows[k])),
                std::array::from_fn(|k| point(&rows[k + 4])),
            )
            .expect("finite"),
            touches: rows[0][6] == 1.0,
            place: format!("{} query {i}", file.display()),
        })
        .collect()
}

/// Points anywhere in a cube at both ends.
#[allow(dead_code, reason = "each test uses a part of this module")]
pub(crate) fn random(kind: Kind, count: usize) -> Vec<Query> {
    queries(kind, testkit::moving_pairs::random(count, 11))
}

/// Neighbouring elements of a moving sheet.
#[allow(dead_code, reason = "each test uses a part of this module")]
pub(crate) fn cloth(kind: Kind, count: usize) -> Vec<Query> {
    queries(kind, testkit::moving_pairs::cloth(kind == Kind::EdgeEdge, count, 12))
}

#[allow(dead_code, reason = "each test uses a part of this module")]
fn queries(kind: Kind, motions: Vec<testkit::moving_pairs::Motion>) -> Vec<Query> {
    let query = |[start, end]: testkit::moving_pairs::Motion| {
        Query::new(kind, start.map(DVec3::from_array), end.map(DVec3::from_array)).expect("finite")
    };
    motions.into_iter().map(query).collect()
}
