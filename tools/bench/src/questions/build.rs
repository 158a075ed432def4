//! Building the hierarchy that queries use.

use crate::bench::Bench;
use crate::builders;
use crate::contest::{Contender, Effort, Outcome, hold};
use crate::data::scenes::{PlainMesh, Scene};
use crate::peer::number;
use crate::product;
use crate::questions::mesh_scene::{least, load, ratio};
use crate::report::{Fact, Row, Table, Time, Unit};
use kontakt::shapes::make;
use obvhs::BvhBuildParams;

/// What a contender tells beside its time.
#[derive(Clone, Copy)]
struct Built {
    /// Of the hierarchy, without the mesh.
    bytes: Option<f64>,
    /// Seconds on the wall.
    wall: Option<f64>,
}

/// Bytes a triangle that the runtime form may take.
const MOST_BYTES: f64 = 64.0;
/// Wanted speed-up by a second thread.
const SPEED_UP: f64 = 1.7;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 6.0);
    let mut rows = Vec::new();
    for (name, mesh) in meshes() {
        if bench.wants(name) {
            match mesh {
                Ok(mesh) => rows.push(row(bench, name, mesh, effort)),
                Err(reason) => bench.skip(format!("{name}: {reason}")),
            }
        }
    }
    Table {
        key: "build",
        title: "Building the default runtime hierarchy",
        target: "one thread: at most 0.7 of the faster of obvhs `fast` and Embree medium; 1.7 times faster again with two; at most 64 \
                 bytes a triangle beside the mesh",
        notes: "Triangles or boxes are handed over before the clock starts. kontakt's hierarchy has oriented boxes in outward-rounded \
                single precision; all others have boxes along the axes. obvhs builds a binary tree; \"wide\" is its compressed eight-wide \
                one. kontakt with two threads is time on the wall, all others CPU time.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

/// About 870k triangles each.
pub(super) fn meshes() -> [(&'static str, Result<PlainMesh, String>); 2] {
    let unit = |faces| PlainMesh::unit(&faces);
    [
        ("figure", make::knobbly(208, 24, 1).map(unit).map_err(|error| error.to_string())),
        ("terrain", make::terrain(660, 0.12).map(unit).map_err(|error| error.to_string())),
    ]
}

fn row(bench: &mut Bench, name: &'static str, mesh: PlainMesh, effort: Effort) -> Row {
    let scene = Scene { name, a: mesh, b: PlainMesh::default(), poses: Vec::new() };
    if let Err(reason) = load(bench, &scene) {
        bench.skip(format!("{name}: {reason}"));
    }
    let mesh = &scene.a;
    let count = mesh.triangles.len();
    let outcomes = hold(contenders(bench, mesh), effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let rivals = ["obvhs fast", "obvhs fast, wide", "Embree medium"].map(|name| least(&times, name));
    let best = rivals.into_iter().flatten().reduce(f64::min);
    let mut facts = Vec::new();
    if let Some(speed_up) = speed_up(&outcomes) {
        facts.push(Fact::judged("two threads are faster by", format!("{speed_up:.2}"), speed_up >= SPEED_UP));
    }
    for outcome in &outcomes {
        let Some(bytes) = outcome.answers.last().and_then(|built| built.bytes) else { continue };
        let each = bytes / count as f64;
        match outcome.name {
            "kontakt" => {
                facts.push(Fact::judged(
                    "kontakt bytes a triangle",
                    format!("{each:.1}"),
                    each <= MOST_BYTES,
                ));
            }
            "obvhs fast" => facts.push(Fact::plain("obvhs bytes", format!("{each:.1}"))),
            "obvhs fast, wide" => facts.push(Fact::plain("obvhs wide bytes", format!("{each:.1}"))),
            "Embree medium" => facts.push(Fact::plain("Embree bytes", format!("{each:.1}"))),
            "parry f32" => facts.push(Fact::plain("parry bytes", format!("{each:.1}"))),
            "bvh" => facts.push(Fact::plain("bvh bytes", format!("{each:.1}"))),
            _ => {}
        }
    }
    let ratio = ratio(&times, best, "the faster of obvhs fast and Embree medium", 0.7);
    Row { case: name.to_owned(), size: format!("{count} triangles"), times, ratio, facts }
}

fn contenders<'a>(bench: &'a mut Bench, mesh: &'a PlainMesh) -> Vec<Contender<'a, Built>> {
    let mut all = Vec::new();
    if !bench.peers_only {
        match product::mesh::faces(mesh) {
            Ok(faces) => {
                let again = faces.clone();
                all.push(Contender::new("kontakt", move || {
                    let (cpu, wall, bytes) = product::mesh::build(&faces, 1)?;
                    Ok((cpu, Built { bytes: Some(bytes as f64), wall: Some(wall) }))
                }));
                all.push(Contender::new("kontakt, two threads", move || {
                    let (_, wall, bytes) = product::mesh::build(&again, 2)?;
                    Ok((wall, Built { bytes: Some(bytes as f64), wall: Some(wall) }))
                }));
            }
            Err(reason) => bench.skip(reason),
        }
    }
    let triangles = builders::obvhs_triangles(mesh);
    let again = triangles.clone();
    let more = triangles.clone();
    let told = |(seconds, bytes): builders::Built| {
        Ok((seconds, Built { bytes: bytes.map(|bytes| bytes as f64), wall: None }))
    };
    all.push(Contender::new("obvhs fast", move || {
        told(builders::obvhs_binary(&triangles, BvhBuildParams::fast_build()))
    }));
    all.push(Contender::new("obvhs medium", move || {
        told(builders::obvhs_binary(&again, BvhBuildParams::medium_build()))
    }));
    all.push(Contender::new("obvhs fast, wide", move || {
        told(builders::obvhs_wide(&more, BvhBuildParams::fast_build()))
    }));
    if let Ok(peer) = &mut bench.peers.embree {
        all.push(Contender::new("Embree medium", move || {
            let answer = peer.ask("medium")?;
            Ok((number(&answer, "seconds")?, Built { bytes: Some(number(&answer, "bytes")?), wall: None }))
        }));
    }
    all.push(Contender::new("bvh", move || told(builders::bvh(mesh))));
    all.push(Contender::new("parry f32", move || told(builders::parry(mesh))));
    for (name, peer) in [("FCL AABB", &mut bench.peers.fcl), ("coal AABB", &mut bench.peers.coal)] {
        if let Ok(peer) = peer {
            all.push(Contender::new(name, move || {
                Ok((number(&peer.ask("build")?, "seconds")?, Built { bytes: None, wall: None }))
            }));
        }
    }
    all
}

/// Time on the wall of one thread over that of two.
fn speed_up(outcomes: &[Outcome<Built>]) -> Option<f64> {
    let wall = |name: &str| {
        let outcome = outcomes.iter().find(|outcome| outcome.name == name)?;
        outcome.answers.iter().filter_map(|built| built.wall).reduce(f64::min)
    };
    Some(wall("kontakt")? / wall("kontakt, two threads")?)
}
