//! How far does a box reach beyond the mesh it bounds?

use crate::bench::Bench;
use crate::contest::{Contender, hold};
use crate::data::scenes::PlainMesh;
use crate::product;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::shapes::{FaceSet, make};
use kontakt_hierarchy::{Faces, Packed};

/// Wanted of the bounds.
const GAP: f64 = 0.01;
/// Seconds.
const LIMIT: f64 = 50e-3;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(9, 1, 4.0);
    let cases = [("figure", make::knobbly(23, 24, 1)), ("terrain", make::terrain(71, 0.12))];
    let mut rows = Vec::new();
    for (name, faces) in cases {
        if !bench.wants(name) || bench.peers_only {
            continue;
        }
        let faces = faces.map_err(|error| error.to_string());
        match faces.and_then(|faces| row(name, &PlainMesh::unit(&faces), effort)) {
            Ok(row) => rows.push(row),
            Err(reason) => bench.skip(format!("{name}: {reason}")),
        }
    }
    Table {
        key: "hausdorff",
        title: "Directed Hausdorff distance from a box to its mesh",
        target: "bounds 1 % apart in at most 50 ms, 10k triangles",
        notes: "From the solid box along the axes to the faces, with certified bounds; the hierarchy is built before.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(name: &str, mesh: &PlainMesh, effort: crate::contest::Effort) -> Result<Row, String> {
    let faces: FaceSet = product::mesh::faces(mesh)?;
    let tree = Packed::build(Faces::of(&faces), 1).map_err(|error| error.to_string())?;
    let outcomes =
        hold(vec![Contender::new("kontakt", || product::mesh::hausdorff(&faces, &tree, GAP))], effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let mut facts = Vec::new();
    if let Some([lower, upper]) = outcomes[0].answers.last() {
        facts.push(Fact::judged("bounds", format!("[{lower:.5}, {upper:.5}]"), upper - lower <= GAP * upper));
    }
    let ratio = times[0].least.map(|least| Ratio {
        against: "limit",
        value: least / LIMIT,
        of_medians: None,
        at_most: Some(1.0),
    });
    Ok(Row {
        case: name.to_owned(),
        size: format!("{} triangles", mesh.triangles.len()),
        times,
        ratio,
        facts,
    })
}
