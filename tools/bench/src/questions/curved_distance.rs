//! How far are two bodies with curved faces apart?

use crate::bench::Bench;
use crate::clock::timed;
use crate::data::curved::Actor;
use crate::data::files::short_name;
use crate::product::curved;
use crate::questions::curved_scene::{Pair, row};
use crate::report::{Fact, Row, Table, Unit};
use kontakt::math::{DVec3, Pose};
use std::path::PathBuf;

const NOTES: &str = "kontakt: certified interval, wanted to 1e-6 of the bodies' size; bodies are ready, as where many questions follow one \
                     reading (\"cold\": triangles, trees and one question, everything but reading). OCCT: `BRepExtrema_DistShapeShape`, \
                     which keeps nothing. Agreement: OCCT's value is in the interval, up to its own 1e-7. Where it is not, the nearest \
                     points of the one that says less are held against the surfaces, point by point.";
const TARGET: &str = "no answer of kontakt refuted; as fast as OCCT or faster";

/// Where a body comes from.
#[derive(Clone, Copy)]
enum Source {
    Made(&'static str),
    File(&'static str),
}
use Source::{File, Made};

/// Two bodies, and axis, angle and shift of the second.
type Case = (&'static str, Source, Source, [f64; 3], f64, [f64; 3]);

const OBLIQUE: [f64; 3] = [1.0, 2.0, 3.0];
const X: [f64; 3] = [1.0, 0.0, 0.0];

const CASES: [Case; 19] = [
    ("linked tori", Made("torus R10 r2"), Made("torus R10 r2"), X, 1.3, [9.5, 0.7, 0.4]),
    ("two smooth cubes", Made("smooth cube"), Made("smooth cube"), OBLIQUE, 0.7, [2.6, 1.2, 1.1]),
    ("six spheres / cube", Made("six spheres"), Made("smooth cube"), OBLIQUE, 0.7, [3.2, 1.0, 0.5]),
    ("screw / screw", File("screw.step"), File("screw.step"), OBLIQUE, 0.7, [25.0, 3.0, 1.0]),
    (
        "featuretype / itself",
        File("featuretype.STEP"),
        File("featuretype.STEP"),
        OBLIQUE,
        0.7,
        [0.0, 0.0, 60.0],
    ),
    (
        "base_interface / itself",
        File("base_interface_AP214.STEP"),
        File("base_interface_AP203.STEP"),
        X,
        0.4,
        [0.0, 0.0, 200.0],
    ),
    ("io1 / itself", File("io1-cm-214.stp"), File("io1-cm-214.stp"), X, 0.4, [40.0, 3.0, 2.0]),
    ("sg1 / itself", File("sg1-c5-214.stp"), File("sg1-c5-214.stp"), OBLIQUE, 0.4, [110.0, 3.0, 2.0]),
    ("piston in bore, 1 µm, coaxial", Made("bore"), Made("piston"), X, 0.0, [0.0; 3]),
    ("piston in bore, 1 µm, off by 0.5 µm", Made("bore"), Made("piston"), X, 0.0, [5e-4, 0.0, 0.0]),
    ("piston in bore, 1 µm, tilted 1e-6", Made("bore"), Made("piston"), X, 1e-6, [0.0; 3]),
    ("cone / cone, apex to side", Made("cone with apex"), Made("cone with apex"), X, 2.0, [0.0, 25.0, 12.0]),
    ("torus / torus as NURBS", Made("torus R10 r3"), Made("torus as NURBS"), OBLIQUE, 0.7, [20.0, 14.0, 3.0]),
    ("vase / pipe", Made("vase"), Made("pipe along a spline"), X, 0.3, [25.0, 0.0, 0.0]),
    ("loft / extruded spline", Made("loft, smooth"), Made("extruded spline"), OBLIQUE, 0.7, [25.0, 5.0, 3.0]),
    (
        "ellipsoid / stretched torus",
        Made("ellipsoid"),
        Made("stretched torus"),
        OBLIQUE,
        0.7,
        [18.0, 8.0, 3.0],
    ),
    (
        "two tubes / drilled torus",
        Made("two tubes, filleted"),
        Made("drilled torus"),
        OBLIQUE,
        0.7,
        [30.0, 18.0, 12.0],
    ),
    ("thin ring about a lens", Made("torus, thin"), Made("lens"), OBLIQUE, 0.7, [40.0, 3.0, 8.0]),
    (
        "huge smooth cubes",
        Made("huge smooth cube"),
        Made("huge smooth cube"),
        OBLIQUE,
        0.7,
        [2.6e5, 1.2e5, 1.1e5],
    ),
];

fn file_of(bench: &mut Bench, source: Source) -> Option<PathBuf> {
    match source {
        Made(name) => bench.made_file(name),
        File(name) => bench.step_file(name),
    }
}

fn first(bench: &mut Bench, source: Source) -> Result<Actor, String> {
    let file = file_of(bench, source).ok_or("not present")?;
    bench.actors(&file)?.into_iter().next().ok_or_else(|| "no solid".to_owned())
}

fn pose(axis: [f64; 3], angle: f64, shift: [f64; 3]) -> Result<Pose, String> {
    Pose::from_axis_angle(axis.into(), angle, shift.into()).map_err(|problem| problem.to_string())
}

/// CPU seconds of making both bodies and of one question.
fn cold(pair: &Pair) -> Option<f64> {
    let read = [curved::read(&pair.a.name.0).ok()?, curved::read(&pair.b.name.0).ok()?];
    let (seconds, found) = timed(|| {
        let [a, b] = [curved::solids(&read[0]).ok()?, curved::solids(&read[1]).ok()?];
        let second = pair.by.map_or_else(|| b[0].clone(), |by| b[0].moved(&by));
        curved::distance(&a[0], &second)
    });
    found.map(|_| seconds)
}

pub(super) fn named(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 4.0);
    let mut rows = Vec::new();
    for (name, a, b, axis, angle, shift) in CASES {
        if !bench.wants(name) {
            continue;
        }
        let pair = first(bench, a).and_then(|a| {
            Ok(Pair { name: name.to_owned(), a, b: first(bench, b)?, by: Some(pose(axis, angle, shift)?) })
        });
        match pair {
            Ok(pair) => {
                let mut row = row(bench, name.to_owned(), std::slice::from_ref(&pair), effort);
                let shown = cold(&pair).map_or("–".to_owned(), |seconds| format!("{:.2}", 1e3 * seconds));
                row.facts.insert(0, Fact::plain("kontakt cold, ms", shown));
                rows.push(row);
            }
            Err(reason) => bench.skip(format!("{name}: {reason}")),
        }
    }
    table("distance", "Two curved bodies: distance", effort, rows)
}

fn table(key: &'static str, title: &'static str, effort: crate::contest::Effort, rows: Vec<Row>) -> Table {
    Table { key, title, target: TARGET, notes: NOTES, unit: Unit::Milliseconds, effort, rows }
}

/// Every shape that OCCT makes, against a torus that stands at seeded places about it.
pub(super) fn unseen(bench: &mut Bench) -> Table {
    let effort = bench.effort(2, 1, 1.0);
    let mut rows = Vec::new();
    let torus = first(bench, Made("torus R10 r3"));
    for made in bench.made() {
        if !bench.wants(&made.name) {
            continue;
        }
        let pairs = torus.clone().and_then(|torus| {
            let shape = bench.actors(&made.file)?.into_iter().next().ok_or("no solid")?;
            Ok(around(&shape, &torus, bench.seed))
        });
        match pairs {
            Ok(pairs) => rows.push(row(bench, made.name, &pairs, effort)),
            Err(reason) => bench.skip(format!("{}: {reason}", made.name)),
        }
    }
    table("unseen", "Shapes written by OCCT, with a torus at six places", effort, rows)
}

fn around(shape: &Actor, torus: &Actor, seed: u64) -> Vec<Pair> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut number = |low: f64, high: f64| low + (high - low) * random.f64();
    let [low, high] = shape.solid.bounds();
    let place = |k: usize| {
        let axis = DVec3::from_array([0; 3].map(|_| number(-1.0, 1.0)));
        let way = DVec3::from_array([0; 3].map(|_| number(-1.0, 1.0))).normalize_or(DVec3::X);
        let reach = number(0.4, 1.0) * (0.5 * (high - low).length() + 13.0);
        let by = Pose::from_axis_angle(axis, number(0.0, 3.0), low.midpoint(high) + way * reach).ok();
        Pair { name: format!("place {k}"), a: shape.clone(), b: torus.clone(), by }
    };
    (0..6).map(place).collect()
}

/// All pairs of solids of assemblies, where they stand.
pub(super) fn pairs(bench: &mut Bench) -> Table {
    let effort = bench.effort(1, 1, 20.0);
    let mut rows = Vec::new();
    for name in ["as1-oc-214.stp", "box_sides.STEP", "dm1-id-214.stp"] {
        if !bench.wants(name) {
            continue;
        }
        let Some(file) = bench.step_file(name) else { continue };
        match bench.actors(&file) {
            Ok(actors) => rows.push(row(bench, short_name(&file), &every_pair(&actors), effort)),
            Err(reason) => bench.skip(format!("{name}: {reason}")),
        }
    }
    table("pairs", "All pairs of an assembly: distance", effort, rows)
}

fn every_pair(actors: &[Actor]) -> Vec<Pair> {
    let of = |i: usize| {
        (i + 1..actors.len()).map(move |j| Pair {
            name: format!("solids {} and {}", actors[i].name.1, actors[j].name.1),
            a: actors[i].clone(),
            b: actors[j].clone(),
            by: None,
        })
    };
    (0..actors.len()).flat_map(of).collect()
}
