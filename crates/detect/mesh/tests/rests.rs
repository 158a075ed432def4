//! One body lies below a plane, another rests on it and reaches through it where the first one has holes: a bolt in a plate.
//!
//! The plane proves that they have no common interior, if the parts below it are looked at: pins in holes and in the plate's material, blocks, double
//! walls and segments, of either body. The truth is known by how the bodies are made.

mod bodies;

use bodies::{Shape, exact_turns, pose};
use kontakt_answers::Relation;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{PlacedMesh, RelationOptions, relation};
use std::collections::BTreeSet;
use testkit::Generator;
use testkit::polycube::Polycube;

/// How many random scenes; more for a long run.
fn cases() -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(250)
}

const SIZE: i32 = 3;

/// A column of the plate: its middle, cells being four wide.
fn middle((x, y): (i32, i32)) -> DVec3 {
    DVec3::new(4.0 * f64::from(x) + 2.0, 4.0 * f64::from(y) + 2.0, 0.0)
}

/// Something within one column, from one height to another.
fn pin(kind: usize, at: (i32, i32), low: f64, high: f64) -> Shape {
    let shape = match kind {
        0 | 1 => Shape::block([-1.0, -1.0, low], [1.0, 1.0, high]),
        // A double wall, upright or level.
        2 => {
            let wall = Shape::square([-1.0, low], [1.0, high], 0.0).map(|v| DVec3::new(v.x, v.z, v.y));
            wall.clone().with(&wall)
        }
        3 => {
            let wall = Shape::square([-1.0, -1.0], [1.0, 1.0], high);
            wall.clone().with(&wall)
        }
        // A triangle that is a segment, walked to and fro.
        _ => {
            let (p, q) = (DVec3::new(0.5, 0.25, low), DVec3::new(0.5, 0.25, high));
            Shape { vertices: vec![p, q], triangles: vec![[0, 0, 1], [0, 0, 1]] }
        }
    };
    shape.map(|v| v + middle(at))
}

fn columns(random: &mut Generator, share: usize) -> BTreeSet<(i32, i32)> {
    let all = (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y)));
    all.filter(|_| random.index(100) < share).collect()
}

fn layer(columns: &BTreeSet<(i32, i32)>, height: i32) -> Shape {
    let cells = columns.iter().map(|&(x, y)| [x, y, height]).collect();
    Shape::new(Polycube { cells }.surface(0x9E37_79B9_7F4A_7C15)).map(|v| v * 4.0)
}

#[test]
fn what_rests_on_a_plate_and_reaches_into_it() {
    let mut seen = [0; 3];
    for seed in 0..cases() {
        let mut random = Generator::grid(seed);
        let mut plate = columns(&mut random, 60);
        let mut head = columns(&mut random, 40);
        plate.insert((0, 0));
        head.insert((SIZE - 1, SIZE - 1));
        let (mut a, mut b) = (layer(&head, 0), layer(&plate, -1));
        let mut overlaps = false;
        for at in columns(&mut random, 25) {
            let kind = random.index(5);
            // Below the plane: in the material or in a hole.
            a = a.with(&pin(kind, at, -3.0, -1.0));
            overlaps |= plate.contains(&at);
        }
        for at in columns(&mut random, 15) {
            // Through the plane, where nothing rests and no pin is; a sheet of the plate lies in the plane there, now and then.
            if plate.contains(&at)
                || head.contains(&at)
                || a.vertices.iter().any(|v| v.z < 0.0 && near(*v, at))
            {
                continue;
            }
            a = a.with(&Shape::block([-1.0, -1.0, -2.0], [1.0, 1.0, 2.0]).map(|v| v + middle(at)));
            if random.index(3) == 0 {
                let sheet = Shape::square([-0.5, -0.5], [0.5, 0.5], 0.0).map(|v| v + middle(at));
                b = b.with(&sheet).with(&sheet);
                overlaps = true;
            }
        }
        // Cells that have at least a corner in common.
        let touches =
            head.iter().any(|h| plate.iter().any(|p| (h.0 - p.0).abs() <= 1 && (h.1 - p.1).abs() <= 1));
        let turn = exact_turns()[random.index(5)];
        for (one, other) in [(&a, &b), (&b, &a)] {
            let (one, other) = (one.shuffled(seed).mesh(), other.shuffled(seed + 1).mesh());
            for at in
                [Pose::IDENTITY, pose(turn, DVec3::new(3.0, -1.0, 7.0)), pose(DQuat::IDENTITY, DVec3::X)]
            {
                let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
                let found = relation(PlacedMesh::new(&one, at), PlacedMesh::new(&other, at), &options).exact;
                let class = match found {
                    Relation::Separate { .. } => 0,
                    Relation::Touching => 1,
                    Relation::Overlapping { .. } => 2,
                    other => panic!("{seed}: {other:?}"),
                };
                let truth = if overlaps { 2 } else { usize::from(touches) };
                assert_eq!(class, truth, "{seed}: plate {plate:?} head {head:?}");
                seen[class] += 1;
            }
        }
    }
    assert!(seen.iter().skip(1).all(|&count| count > cases() / 2), "{seen:?}");
}

fn near(v: DVec3, at: (i32, i32)) -> bool {
    let away = (v - middle(at)).abs();
    away.x < 2.0 && away.y < 2.0
}
