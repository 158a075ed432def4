//! Reading a saved hierarchy with its mesh.

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::product;
use crate::questions::build::meshes;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use std::path::Path;

/// Seconds for a million triangles.
const LIMIT: f64 = 20e-3;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(15, 1, 4.0);
    let mut rows = Vec::new();
    for (name, mesh) in meshes() {
        if bench.wants(name) && !bench.peers_only {
            let file = bench.scratch.path("hierarchy.kh");
            match mesh.and_then(|mesh| row(name, &mesh, &file, effort)) {
                Ok(row) => rows.push(row),
                Err(reason) => bench.skip(format!("{name}: {reason}")),
            }
        }
    }
    Table {
        key: "load",
        title: "Loading a saved hierarchy with its mesh",
        target: "at most 20 ms for a million triangles from a warm page cache, checksums verified",
        notes: "CPU time of one thread from opening the file to a mesh ready for queries: reading, checksums, and the checks \
                that keep a crafted file from leading queries astray. \"Copy\" reads the same file into one list of bytes and does \
                nothing else.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(
    name: &str,
    mesh: &crate::data::scenes::PlainMesh,
    file: &Path,
    effort: Effort,
) -> Result<Row, String> {
    let count = mesh.triangles.len();
    let bytes = product::mesh::save(mesh, file)?;
    let contenders = vec![
        Contender::new("kontakt", || product::mesh::load(file)),
        Contender::new("copy", || {
            let (seconds, bytes) = crate::clock::timed(|| std::fs::read(file));
            Ok((seconds, bytes.map_err(|problem| problem.to_string())?.len()))
        }),
    ];
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let per_million = |seconds: f64| seconds * 1e6 / count as f64;
    let least = times[0].least.unwrap_or(f64::NAN);
    let whole = outcomes[0].answers.iter().all(|triangles| *triangles == count);
    let facts = vec![
        Fact::plain("ms a million", format!("{:.1}", 1e3 * per_million(least))),
        Fact::plain("file, bytes a triangle", format!("{:.1}", bytes as f64 / count as f64)),
        Fact::judged("all triangles back", whole.to_string(), whole),
    ];
    let value = per_million(least) / LIMIT;
    let ratio = Some(Ratio { against: "limit", value, of_medians: None, at_most: Some(1.0) });
    Ok(Row { case: name.to_owned(), size: format!("{count} triangles"), times, ratio, facts })
}
