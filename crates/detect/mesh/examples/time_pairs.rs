//! Times the questions between two bodies at 1000 random poses: `cargo run --release -p kontakt-mesh --example time_pairs`.
//! With `KONTAKT_DATA` set to a folder with `mesh/env.obj` and `mesh/rob.obj`, also on those. Words after `--` choose scenes and
//! questions by their names.

use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh};
use kontakt_shapes::{FaceSet, make};
use rustix::time::{ClockId, clock_gettime};

/// Poses a scene is asked about.
const POSES: usize = 1000;
/// The least of the repeats counts, because the machine may be busy: so many seconds of them (or `KONTAKT_SECONDS`), at
/// least three.
const SECONDS: f64 = 0.4;

struct Scene {
    name: &'static str,
    a: Mesh,
    b: Mesh,
    poses: Vec<Pose>,
}

type Question = fn(&mut MeshQuery, PlacedMesh, PlacedMesh) -> f64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked_for = |name: &str, of: &[&str]| {
        let mut chosen = words.iter().filter(|word| of.contains(&word.as_str())).peekable();
        chosen.peek().is_none() || chosen.any(|word| word == name)
    };
    let scenes = ["rob", "balls", "knots", "mixed", "sheet", "scene-0", "scene-1", "scene-2"];
    let questions: [(&str, Question); 4] = [
        ("any", |asker, a, b| f64::from(u8::from(asker.any_contact(a, b).is_some()))),
        ("pairs", |asker, a, b| asker.all_pairs(a, b).len() as f64),
        ("distance", |asker, a, b| asker.distance(a, b).range.lo()),
        ("within", |asker, a, b| f64::from(u8::from(asker.within(a, b, 0.02).closer == Some(true)))),
    ];
    let names = questions.map(|(name, _)| name);
    for name in scenes {
        if !asked_for(name, &scenes) {
            continue;
        }
        let Some(scene) = scene(name)? else {
            println!("{name:8} skipped: KONTAKT_DATA or KONTAKT_SCENES is not set");
            continue;
        };
        for (question, ask) in questions {
            if asked_for(question, &names) {
                report(&scene, question, ask);
            }
        }
    }
    Ok(())
}

fn report(scene: &Scene, question: &str, ask: Question) {
    let mut asker = MeshQuery::new();
    let mut least = f64::INFINITY;
    let mut sum = 0.0;
    let (mut repeats, mut spent) = (0, 0.0);
    let seconds = std::env::var("KONTAKT_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(SECONDS);
    while repeats < 3 || spent < seconds {
        asker.visits = kontakt_answers::Visits::default();
        let start = cpu_seconds();
        sum = scene
            .poses
            .iter()
            .map(|&pose| ask(&mut asker, PlacedMesh::at_rest(&scene.a), PlacedMesh::new(&scene.b, pose)))
            .sum();
        let seconds = cpu_seconds() - start;
        (repeats, spent, least) = (repeats + 1, spent + seconds, least.min(seconds));
    }
    let each = |count: u64| count as f64 / scene.poses.len() as f64;
    println!(
        "{:8} {question:8} {:10.3} µs   answer {:12.6}   boxes {:10.1}   faces {:8.1}   exact {:6.2}",
        scene.name,
        least / scene.poses.len() as f64 * 1e6,
        sum / scene.poses.len() as f64,
        each(asker.visits.volume_tests),
        each(asker.visits.face_tests),
        each(asker.visits.exact_tests)
    );
}

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

fn scene(name: &'static str) -> Result<Option<Scene>, Box<dyn std::error::Error>> {
    if let Some(number) = name.strip_prefix("scene-") {
        let Some(folder) = std::env::var_os("KONTAKT_SCENES") else { return Ok(None) };
        return stored(name, &std::path::Path::new(&folder).join(format!("scene-{number}"))).map(Some);
    }
    let (a, b, nearest, farthest) = match name {
        "rob" => {
            let Some(folder) = std::env::var_os("KONTAKT_DATA") else { return Ok(None) };
            let folder = std::path::PathBuf::from(folder).join("mesh");
            let poses = within_box(DVec3::new(-3000.0, -3000.0, 0.0), DVec3::splat(3000.0));
            let (a, b) = (read(&folder.join("env.obj"))?, read(&folder.join("rob.obj"))?);
            return Ok(Some(Scene { name, a: Mesh::new(a)?, b: Mesh::new(b)?, poses }));
        }
        "balls" => (make::bumpy_ball(66, 0.2)?, make::bumpy_ball(59, 0.1)?, 1.5, 2.4),
        "knots" => (make::bumpy_knot(900, 48, 0.12, 0.3)?, make::bumpy_knot(700, 49, 0.1, 0.2)?, 0.8, 2.0),
        "mixed" => (make::bumpy_ball(66, 0.2)?, make::bumpy_knot(700, 49, 0.1, 0.2)?, 1.2, 2.3),
        _ => (make::terrain(300, 0.1)?, make::bumpy_ball(30, 0.3)?, 0.5, 1.7),
    };
    let poses = on_shell(nearest, farthest);
    Ok(Some(Scene { name, a: Mesh::new(a)?, b: Mesh::new(b)?, poses }))
}

fn turn(random: &mut fastrand::Rng) -> DQuat {
    loop {
        let q: [f64; 4] = std::array::from_fn(|_| random.f64() * 2.0 - 1.0);
        let square: f64 = q.iter().map(|x| x * x).sum();
        if (0.01..1.0).contains(&square) {
            return DQuat::from_array(q).normalize();
        }
    }
}

fn within_box(low: DVec3, high: DVec3) -> Vec<Pose> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut place = || low + (high - low) * DVec3::from_array(std::array::from_fn(|_| random.f64()));
    let places: Vec<DVec3> = (0..POSES).map(|_| place()).collect();
    places.into_iter().filter_map(|t| Pose::new(turn(&mut random), t).ok()).collect()
}

fn on_shell(nearest: f64, farthest: f64) -> Vec<Pose> {
    let mut random = fastrand::Rng::with_seed(8);
    (0..POSES)
        .filter_map(|_| {
            let direction = turn(&mut random) * DVec3::X;
            let length = nearest + (farthest - nearest) * random.f64();
            Pose::new(turn(&mut random), direction * length).ok()
        })
        .collect()
}

/// A scene as the benchmark stores it: counts (vertices and triangles of A, of B, poses), then vertices and corners of A, of
/// B, then poses as translation and quaternion; 64-bit counts and numbers, 32-bit corners, little-endian.
fn stored(name: &'static str, path: &std::path::Path) -> Result<Scene, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path)?;
    let mut rest = bytes.as_slice();
    let mut take = |length: usize| {
        let (head, tail) = rest.split_at(length);
        rest = tail;
        head
    };
    let counts: Vec<usize> = take(40).chunks(8).map(|c| number(c) as usize).collect();
    let mut faces = |vertices: usize, triangles: usize| {
        let points = take(24 * vertices).chunks(24).map(|c| DVec3::from_slice(&reals(c))).collect();
        let corner = |c: &[u8]| u32::from_le_bytes([c[0], c[1], c[2], c[3]]);
        let corners = take(12 * triangles).chunks(12);
        FaceSet::from_triangles(
            points,
            corners.map(|c| [corner(c), corner(&c[4..]), corner(&c[8..])]).collect(),
        )
    };
    let (a, b) = (faces(counts[0], counts[1])?, faces(counts[2], counts[3])?);
    let pose = |c: &[u8]| {
        let x = reals(c);
        Pose::new(DQuat::from_slice(&x[3..]), DVec3::from_slice(&x))
    };
    let poses = take(56 * counts[4]).chunks(56).map(pose).collect::<Result<_, _>>()?;
    Ok(Scene { name, a: Mesh::new(a)?, b: Mesh::new(b)?, poses })
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

fn reals(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks(8).map(|c| f64::from_bits(number(c))).collect()
}

/// Vertices and triangles of an OBJ file; everything else is skipped.
fn read(path: &std::path::Path) -> Result<FaceSet, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let x: Vec<f64> = words.take(3).map(str::parse).collect::<Result<_, _>>()?;
                vertices.push(DVec3::from_slice(&x));
            }
            Some("f") => {
                let id = |word: &str| word.split('/').next().unwrap_or("").parse::<u32>().map(|id| id - 1);
                let f: Vec<u32> = words.map(id).collect::<Result<_, _>>()?;
                triangles.extend((2..f.len()).map(|i| [f[0], f[i - 1], f[i]]));
            }
            _ => {}
        }
    }
    Ok(FaceSet::from_triangles(vertices, triangles)?)
}
