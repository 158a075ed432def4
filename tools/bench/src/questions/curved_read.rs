//! How fast are STEP files read, and is everything in them found?

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, Effort, hold};
use crate::data::files::short_name;
use crate::occt;
use crate::product::curved;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::io::CurvedFile;
use std::path::Path;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(7, 1, 2.0);
    let mut rows = Vec::new();
    for file in bench.step_files() {
        if bench.wants(&short_name(&file)) {
            rows.push(row(bench, &file, effort));
        }
    }
    Table {
        key: "read",
        title: "Reading STEP",
        target: "as many solids and faces as OCCT finds, every mesh closed; faster than OCCT",
        notes: "kontakt: `read_step`, boundaries without triangles. OCCT: `STEPControl_Reader`, boundaries with curves in parameters. \
                \"Bodies\": making triangles 1e-3 of a body's size off its faces, and their tree, for every body once (not in the \
                times).",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, file: &Path, effort: Effort) -> Row {
    let mut contenders: Vec<Contender<'_, [u64; 2]>> = vec![Contender::new("kontakt", || {
        let (seconds, read) = timed(|| curved::read(file));
        read.map(|read| (seconds, counts(&read)))
    })];
    if let Ok(peer) = &mut bench.peers.occt {
        contenders.push(Contender::new("OCCT", move || occt::read(peer, file)));
    }
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let found: Vec<Option<[u64; 2]>> =
        outcomes.iter().map(|outcome| outcome.answers.last().copied()).collect();
    let mut facts = vec![same(found[0], found.get(1).copied().flatten())];
    facts.extend(curved::read(file).map(|read| bodies(&read)).unwrap_or_default());
    let ratio = Ratio::of(&times, "kontakt", "OCCT", Some(1.0));
    let size = std::fs::metadata(file).map_or(0, |about| about.len() / 1000);
    Row { case: short_name(file), size: format!("{size} kB"), times, ratio, facts }
}

/// Solids and faces.
pub(super) fn counts(file: &CurvedFile) -> [u64; 2] {
    [file.bodies.len() as u64, file.bodies.iter().map(|body| body.brep.faces().len() as u64).sum()]
}

/// Whether both found the same.
pub(super) fn same(ours: Option<[u64; 2]>, theirs: Option<[u64; 2]>) -> Fact {
    let show = |found: Option<[u64; 2]>| {
        found.map_or("–".to_owned(), |[solids, faces]| format!("{solids}/{faces}"))
    };
    // A file of references to other files has no body; then both must find none.
    let none = |found: Option<[u64; 2]>| found.is_none_or(|[solids, _]| solids == 0);
    let equal = ours == theirs || theirs.is_none() || (none(ours) && none(theirs));
    Fact::judged("solids/faces, OCCT's", format!("{}, {}", show(ours), show(theirs)), equal)
}

/// Whether triangles can be made for everything that was read.
pub(super) fn bodies(file: &CurvedFile) -> Vec<Fact> {
    let lost: u64 = file.bodies.iter().map(|body| body.lost_faces).sum();
    let lost = Fact::judged("lost faces", lost.to_string(), lost == 0);
    let (seconds, made) = timed(|| curved::solids(file));
    match made {
        Ok(solids) => {
            let triangles: usize = solids.iter().map(|solid| solid.body.tessellation().triangles.len()).sum();
            let open = solids.iter().filter(|solid| !solid.body.mesh().is_closed()).count();
            let shown = if open == 0 { "closed".to_owned() } else { format!("{open} open") };
            let ms = Fact::plain("bodies, ms", format!("{:.2}", 1e3 * seconds));
            vec![
                lost,
                ms,
                Fact::plain("triangles", triangles.to_string()),
                Fact::judged("meshes", shown, open == 0),
            ]
        }
        Err(reason) => vec![lost, Fact::judged("meshes", reason, false)],
    }
}
