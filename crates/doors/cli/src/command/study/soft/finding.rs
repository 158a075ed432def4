//! How pairs are found: cells and tables of the spatial hash, boxes and tubes of moved faces.

use super::super::page::{Cell, Page, Table};
use super::Extent;
use super::scene::{DT, SCENES};
use crate::clock::ProcessClock;
use crate::failure::Failure;
use kontakt::math::DVec3;
use kontakt::soft::Loose;
use kontakt::soft_ccd::mesh::{FaceCells, Method, Options, Search, Step};
use kontakt_lab_soft::discrete::Hash;

const WORDS: &str = "\
**Pair finding** of one step, the bears 0.3 s into their fall and just before their first contact, moved on by the model alone. The thesis enters moved points by voxel traversal and looks moved triangles up by the box around their start and end, or by \
tubes around the way of their centroid or of all three corners; it came back to the box. *Cells* and *sweep* are the product's sorted boxes. All ways lead to the same contacts; candidates are pairs left for the exact test.";

pub(super) fn section(page: &mut Page, extent: Extent) -> Result<Vec<String>, Failure> {
    page.heading("How pairs are found");
    page.words(WORDS);
    let scene = SCENES[3];
    let wrong = |error: &dyn std::error::Error| Failure::Usage(format!("pair finding: {error}"));
    let mut world = Loose::new(&scene.bodies(extent)?).map_err(|e| wrong(&e))?;
    world.advance(0.24, &scene.forces(), 100);
    let from = world.places.clone();
    world.advance(DT, &scene.forces(), 10);
    let step = Step::new(world.surface(), &from, &world.places).map_err(|e| wrong(&e))?;
    let mean = mean_width(&world, &from);
    let mut table = Table::new(
        "Ways to find pairs of a moving surface",
        ["way", "vertex–face candidates", "edge–edge candidates", "µs"],
    );
    let hash =
        |cell: Option<f64>, table: Option<usize>, faces: FaceCells| Method::Hash { cell, table, faces };
    let ways = [
        ("cells", Method::Cells),
        ("sweep", Method::Sweep),
        ("hash, boxes", hash(None, None, FaceCells::Box)),
        ("hash, tube of the centroid", hash(None, None, FaceCells::Tube)),
        ("hash, three tubes", hash(None, None, FaceCells::ThreeTubes)),
    ];
    let mut times = Vec::new();
    for (name, method) in ways {
        let (row, micros) = measured(&step, name, method);
        table.row(row);
        times.push(micros);
    }
    page.table(table);
    page.table(trade_off(&step, mean));
    page.table(discrete(&world));
    Ok(vec![format!(
        "Pair finding: the thesis's hash with boxes takes {:.1} times as long as the product's sorted cells, with tubes {:.1} and {:.1} times.",
        times[2] / times[0],
        times[3] / times[0],
        times[4] / times[0]
    )])
}

/// Of boxes around moved faces.
fn mean_width(world: &Loose, from: &[DVec3]) -> f64 {
    let width = |corners: &[u32; 3]| {
        let at = || corners.iter().flat_map(|&v| [from[v as usize], world.places[v as usize]]);
        let (low, high) = at().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        (high - low).element_sum() / 3.0
    };
    let faces = world.surface().triangles();
    faces.iter().map(width).sum::<f64>() / faces.len().max(1) as f64
}

/// The least of a few.
fn measured(step: &Step<'_>, name: &str, method: Method) -> (Vec<Cell>, f64) {
    let options = Options { method, ..Options::default() };
    let mut least = f64::INFINITY;
    let mut counts = None;
    for _ in 0..3 {
        let clock = ProcessClock::start();
        counts = Some(Search::new(step, &options).count_candidates());
        least = least.min(clock.seconds() * 1e6);
    }
    let counts = counts.unwrap_or_default();
    let row = vec![
        Cell::from(name),
        Cell::Number(counts.vertex_face_candidates as f64, 0),
        Cell::Number(counts.edge_edge_candidates as f64, 0),
        Cell::Number(least, 0),
    ];
    (row, least)
}

/// Times by cell and table.
fn trade_off(step: &Step<'_>, mean: f64) -> Table {
    const SHARES: [f64; 5] = [0.01, 0.1, 0.5, 1.0, 4.0];
    let vertices = step.surface().vertex_count();
    let columns: Vec<String> = std::iter::once("cell / mean width of moved faces".to_owned())
        .chain(SHARES.map(|share| format!("{} slots: µs", (share * vertices as f64).ceil())))
        .collect();
    let title = "The thesis's hash: cells against slots, moved points and faces".to_owned();
    let mut table = Table { title, columns, rows: Vec::new() };
    for factor in [0.25, 0.5, 1.0, 2.0, 4.0] {
        let mut row = vec![Cell::Number(factor, 2)];
        for share in SHARES {
            let slots = (share * vertices as f64).ceil() as usize;
            let method =
                Method::Hash { cell: Some(factor * mean), table: Some(slots.max(1)), faces: FaceCells::Box };
            row.push(Cell::Number(measured(step, "", method).1, 0));
        }
        table.row(row);
    }
    table
}

/// The discrete method's hash at one state.
fn discrete(world: &Loose) -> Table {
    let mut table = Table::new(
        "The discrete method's hash: cells against slots, vertices and tetrahedra at rest",
        ["cell / mean edge", "slots / vertices", "cells looked up", "vertices met", "tested", "µs"],
    );
    let best = Hash::of(world);
    for factor in [0.25, 0.5, 1.0, 2.0, 4.0] {
        for share in [0.01, 0.1, 1.0] {
            let slots = ((share * best.slots as f64).ceil() as usize).max(1);
            let hash = Hash { cell: factor * best.cell, slots };
            let clock = ProcessClock::start();
            let (_, lookups) = hash.vertices_inside(world);
            let micros = clock.seconds() * 1e6;
            table.row(vec![
                Cell::Number(factor, 2),
                Cell::Number(share, 2),
                Cell::Number(lookups.cells as f64, 0),
                Cell::Number(lookups.met as f64, 0),
                Cell::Number(lookups.tested as f64, 0),
                Cell::Number(micros, 0),
            ]);
        }
    }
    table
}
