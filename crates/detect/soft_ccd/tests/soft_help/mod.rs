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

/// Points anywhere in the unit cube at both ends.
#[allow(dead_code, reason = "each test uses a part of this module")]
pub(crate) fn random(kind: Kind, count: usize) -> Vec<Query> {
    let mut g = testkit::Generator::free(11);
    let mut points = || std::array::from_fn(|_| DVec3::from_array(g.point()));
    (0..count).map(|_| Query::new(kind, points(), points()).expect("finite")).collect()
}

/// Neighbouring elements of a wrinkled sheet with edges of about 1 that moves by about 0.3 in a step: what a search for
/// overlapping swept boxes gives.
#[allow(dead_code, reason = "each test uses a part of this module")]
pub(crate) fn cloth(kind: Kind, count: usize) -> Vec<Query> {
    let mut g = testkit::Generator::free(12);
    let mut queries = Vec::new();
    while queries.len() < count {
        let mut small = |size: f64| DVec3::from_array(g.point()) * size;
        let element = |p: DVec3, a: DVec3, b: DVec3| [p, p + DVec3::X + a, p + DVec3::Y + b];
        let one = element(DVec3::ZERO, small(0.3), small(0.3));
        let other = element(small(1.2) * DVec3::new(1.0, 1.0, 0.6), small(0.3), small(0.3));
        let start = match kind {
            Kind::VertexFace => [other[0], one[0], one[1], one[2]],
            Kind::EdgeEdge => [one[0], one[1], other[0], other[2]],
        };
        let drift = small(0.3);
        let end = start.map(|p| p + drift + small(0.15));
        let (a, b): (&[usize], &[usize]) =
            if kind == Kind::VertexFace { (&[0], &[1, 2, 3]) } else { (&[0, 1], &[2, 3]) };
        let bounds = |side: &[usize]| {
            side.iter()
                .flat_map(|&i| [start[i], end[i]])
                .fold((DVec3::MAX, DVec3::MIN), |(lo, hi), p| (lo.min(p), hi.max(p)))
        };
        let ((a_lo, a_hi), (b_lo, b_hi)) = (bounds(a), bounds(b));
        if a_lo.cmple(b_hi).all() && b_lo.cmple(a_hi).all() {
            queries.push(Query::new(kind, start, end).expect("finite"));
        }
    }
    queries
}
