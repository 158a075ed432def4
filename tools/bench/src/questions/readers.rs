//! Reading mesh files.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, Effort, Outcome, hold};
use crate::data::surfaces::{Surface, bumpy_sphere, terrain};
use crate::data::writers;
use crate::peer::{Peer, number};
use crate::product;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use std::path::Path;
use std::process::Command;

/// Part of trimesh's time allowed.
const AT_MOST: f64 = 0.2;
/// Peak memory allowed, in sizes of the result.
const PEAK: f64 = 3.0;

/// Vertices and faces read.
type Counts = (usize, usize);

type Writer = fn(&Path, &Surface) -> std::io::Result<()>;
const FORMATS: [(&str, Writer); 3] = [("ply", writers::ply), ("stl", writers::stl), ("obj", writers::obj)];

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 2, 2.5);
    let surfaces: [fn() -> Surface; 4] =
        [|| bumpy_sphere(200_000), || terrain(200_000), || bumpy_sphere(900_000), || terrain(900_000)];
    let mut rows = Vec::new();
    for make in surfaces {
        let surface = make();
        for (ending, write) in FORMATS {
            let name = format!("{}.{ending}", surface.name);
            if !bench.wants(&name) {
                continue;
            }
            let path = bench.scratch.path(&name.replace(' ', "-"));
            match write(&path, &surface) {
                Ok(()) => rows.push(case(bench, name, &path, &surface, effort)),
                Err(problem) => bench.skip(format!("{name}: {problem}")),
            }
            // Leaving it in the scratch folder until the end would only cost space.
            let _ = std::fs::remove_file(&path);
        }
    }
    Table {
        key: "read",
        title: "Reading binary PLY, binary STL (vertices welded) and OBJ",
        target: "at most 1/5 of the time of trimesh's default load; peak memory at most 3 times the result; the same \
                 vertices and faces",
        notes: "Generated files with coordinates of single precision, warm in the file cache. \"Peak / result\" is the growth \
                of the highest resident size (VmHWM) of a fresh process that reads the file, over the heap bytes of the mesh \
                it holds in the end.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn case(bench: &mut Bench, name: String, path: &Path, surface: &Surface, effort: Effort) -> Row {
    let mut contenders = vec![Contender::new("kontakt", || {
        let (seconds, mesh) = timed(|| product::read::read_mesh(path));
        mesh.map(|mesh| (seconds, (mesh.vertices, mesh.faces)))
    })];
    if let Ok(peer) = &mut bench.peers.trimesh_load {
        match peer.load(path) {
            Ok(()) => contenders.push(Contender::new("trimesh", move || ask_trimesh(peer))),
            Err(reason) => contenders.push(Contender::new("trimesh", move || Err(reason.clone()))),
        }
    }
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let ratio = Ratio::of(&times, "kontakt", "trimesh", Some(AT_MOST));
    let size = path.metadata().map_or(0.0, |about| about.len() as f64 * 1e-6);
    let mut facts = counts_fact(&outcomes, (surface.vertices.len(), surface.triangles.len()));
    match peak_of_fresh_process(path) {
        Ok((peak, result)) => {
            let sizes = peak as f64 / result.max(1) as f64;
            facts.push(Fact::plain("result, MB", format!("{:.1}", result as f64 * 1e-6)));
            facts.push(Fact::judged("peak / result", format!("{sizes:.2}"), sizes <= PEAK));
        }
        Err(reason) => facts.push(Fact::judged("peak / result", reason, false)),
    }
    Row { case: name, size: format!("{size:.1} MB"), times, ratio, facts }
}

fn ask_trimesh(peer: &mut Peer) -> Result<(f64, Counts), String> {
    let answer = peer.ask("read")?;
    let count = |key: &str| answer[key].as_u64().map(|n| n as usize).ok_or("the driver counts nothing");
    Ok((number(&answer, "seconds")?, (count("vertices")?, count("faces")?)))
}

fn counts_fact(outcomes: &[Outcome<Counts>], truth: Counts) -> Vec<Fact> {
    let read = |outcome: &Outcome<Counts>| Some((outcome.name, *outcome.answers.first()?));
    outcomes
        .iter()
        .filter_map(read)
        .map(|(name, counts)| {
            let shown =
                if counts == truth { "all".to_owned() } else { format!("{} / {}", counts.0, counts.1) };
            match name {
                "kontakt" => Fact::judged("kontakt read", shown, counts == truth),
                _ => Fact::plain("trimesh read", shown),
            }
        })
        .collect()
}

/// Growth of the highest resident size while reading, and size of the result, both in bytes.
fn peak_of_fresh_process(path: &Path) -> Result<(u64, u64), String> {
    let program = std::env::current_exe().map_err(|problem| problem.to_string())?;
    let output =
        Command::new(program).arg(crate::memory::CHILD).arg(path).output().map_err(|p| p.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(peak), Some(result)) => Ok((peak, result)),
        _ => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}
