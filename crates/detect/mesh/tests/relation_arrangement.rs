//! Classes and kinds of random bodies of every sort against the arrangement of their planes, each pair written down in
//! several ways.
//!
//! Found with it, each wrong before: `separate` where a part without volume lay inside a solid; `touching` where a flat closed
//! body was crossed by a sheet; `protruding` where a body that crosses itself cut another in two; `duplicate` where two needles
//! of one line only overlapped.

mod bodies;

use bodies::{Shape, pose};
use kontakt_answers::{OverlapKind, Relation, Side};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh, RelationOptions};
use kontakt_shapes::{FaceList, FaceSet};
use std::collections::BTreeMap;
use testkit::Generator;
use testkit::arrangement::{ArrangedRelation, Triangle, body, companion, relation};

const QUICK: RelationOptions = RelationOptions { touch_tolerance: 0.0, depth_effort: None, kind: true };

fn plain(relation: Relation) -> ArrangedRelation {
    match relation {
        Relation::Separate { .. } => ArrangedRelation::Separate,
        Relation::Touching => ArrangedRelation::Touching,
        Relation::Overlapping { kind, .. } => {
            ArrangedRelation::Overlapping { piercing: kind.map(|kind| kind == OverlapKind::Piercing) }
        }
        Relation::Contained { inner: Side::A } => ArrangedRelation::FirstInside,
        Relation::Contained { inner: Side::B } => ArrangedRelation::SecondInside,
        Relation::Duplicate => ArrangedRelation::Same,
        Relation::Undecided { .. } => unreachable!("meshes are decided"),
    }
}

/// Vertices and triangles, with every place once or once for each corner.
fn shape(body: &[Triangle], shared: bool) -> Shape {
    let mut shape = Shape { vertices: Vec::new(), triangles: Vec::new() };
    for t in body {
        shape.triangles.push(t.map(|p| {
            let place = DVec3::from_array(p.map(|x| x as f64));
            let known = shape.vertices.iter().position(|&v| v == place).filter(|_| shared);
            known.unwrap_or_else(|| {
                shape.vertices.push(place);
                shape.vertices.len() - 1
            }) as u32
        }));
    }
    shape
}

/// An integer quaternion: |q|² and the integer matrix |q|²·R(q).
struct Turn {
    q: [i64; 4],
    square: i64,
}

impl Turn {
    const ALL: [Turn; 6] = [
        Turn { q: [1, 1, 1, 0], square: 3 },
        Turn { q: [2, 0, 0, 1], square: 5 },
        Turn { q: [1, -1, 0, 2], square: 6 },
        Turn { q: [1, 1, -2, 1], square: 7 },
        Turn { q: [1, 2, 0, 2], square: 9 },
        Turn { q: [0, -3, 1, 1], square: 11 },
    ];

    /// |q|²·R(q)·p, or with the inverse turn.
    fn apply(&self, p: [i64; 3], back: bool) -> [i64; 3] {
        let [x, y, z, w] = self.q;
        let w = if back { -w } else { w };
        let rows = [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ];
        rows.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2])
    }

    /// The quaternion times a whole number and a power of two, so that it is near unit length and exact.
    fn quaternion(&self) -> DQuat {
        let unit = 2f64.powi(20);
        let factor = (unit / (self.square as f64).sqrt()).round() / unit;
        let [x, y, z, w] = self.q.map(|x| x as f64 * factor);
        DQuat::from_xyzw(x, y, z, w)
    }
}

fn turned(body: &[Triangle], map: impl Fn([i64; 3]) -> [i64; 3]) -> Vec<Triangle> {
    body.iter().map(|t| t.map(&map)).collect()
}

/// One way of writing down a scene: shapes and poses.
fn written(random: &mut Generator, scene: [&[Triangle]; 2]) -> [(Shape, Pose); 2] {
    let seed = random.index(1 << 30) as u64;
    let plain = |body: &[Triangle], k: u64| shape(body, seed % 3 != k).shuffled(seed + k);
    let both = [plain(scene[0], 0), plain(scene[1], 1)];
    match random.index(6) {
        0 => both.map(|s| (s, Pose::IDENTITY)),
        1 => {
            let far = DVec3::new(8_388_608.0, -1024.0, 3.0);
            both.map(|s| (s.map(|v| v * 2f64.powi(-20) + far), Pose::IDENTITY))
        }
        2 => {
            let scale = 2f64.powi(random.integer(-40..=40));
            both.map(|s| (s.map(|v| v * scale), pose(DQuat::IDENTITY, DVec3::new(scale, 0.0, 3.0 * scale))))
        }
        3 => {
            let any = pose(DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64), DVec3::new(0.1, 0.2, -0.3));
            both.map(|s| (s, any))
        }
        _ => {
            // Each turned back in its numbers and forth by its pose; the scene grows by both squares.
            let turns = [0, 1].map(|_| &Turn::ALL[random.index(Turn::ALL.len())]);
            let shift = DVec3::new(3.0, 0.0, -5.0);
            [0, 1].map(|k: usize| {
                let grown = turns[1 - k].square;
                let back = turned(scene[k], |p| turns[k].apply(p, true).map(|x| x * grown));
                (plain(&back, k as u64), pose(turns[k].quaternion(), shift))
            })
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn assert_all(
    seed: u64,
    cases: u64,
    scene: impl Fn(&mut Generator) -> Scene,
) -> BTreeMap<ArrangedRelation, u64> {
    let mut asker = MeshQuery::new();
    let mut seen: BTreeMap<ArrangedRelation, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in 0..cases {
        let case = (number("KONTAKT_SEED", 0) << 32) + case;
        let mut random = Generator::grid(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ case);
        let Scene { truth, written } = scene(&mut random);
        *seen.entry(truth).or_default() += 1;
        for [(a, at_a), (b, at_b)] in written {
            let (x, y) = (a.mesh(), b.mesh());
            let (x, y) = (PlacedMesh::new(&x, at_a), PlacedMesh::new(&y, at_b));
            let found = [asker.relation(x, y, &QUICK), asker.relation(y, x, &QUICK)].map(|r| plain(r.exact));
            if found != [truth, truth.swapped()] {
                println!("case {case}: {found:?}, not {truth:?}\n{a:?}\n{at_a:?}\n{b:?}\n{at_b:?}");
                wrong.push(case);
            }
        }
    }
    println!("{seen:?}");
    assert!(wrong.is_empty(), "{} wrong: {wrong:?}", wrong.len());
    seen
}

fn pair(random: &mut Generator) -> [Vec<Triangle>; 2] {
    let a = body(random, &[]);
    let b = companion(random, &a);
    if random.index(2) == 0 { [a, b] } else { [b, a] }
}

struct Scene {
    truth: ArrangedRelation,
    written: Vec<[(Shape, Pose); 2]>,
}

#[test]
fn classes_equal_those_of_the_arrangement() {
    let cases = number("KONTAKT_CASES", 80);
    let seen = assert_all(1, cases, |random| {
        let [a, b] = pair(random);
        let written = (0..3).map(|_| written(random, [&a, &b])).collect();
        Scene { truth: relation(&a, &b), written }
    });
    for (class, per_mille) in [
        (ArrangedRelation::Separate, 20),
        (ArrangedRelation::Touching, 50),
        (ArrangedRelation::FirstInside, 20),
        (ArrangedRelation::SecondInside, 20),
        (ArrangedRelation::Same, 50),
        (ArrangedRelation::Overlapping { piercing: None }, 50),
        (ArrangedRelation::Overlapping { piercing: Some(false) }, 50),
        (ArrangedRelation::Overlapping { piercing: Some(true) }, 50),
    ] {
        let count = seen.get(&class).copied().unwrap_or(0);
        assert!(1000 * count >= per_mille * cases, "{class:?} came up too rarely: {seen:?}");
    }
}

/// One body turned against the other: nothing is flush but by chance, and coordinates are no doubles.
#[test]
fn classes_of_bodies_turned_against_each_other() {
    let cases = number("KONTAKT_CASES", 60);
    let seen = assert_all(2, cases, |random| {
        let [a, b] = pair(random);
        let turn = &Turn::ALL[random.index(3)];
        // About a point in the middle, and moved.
        let middle = [2, 3, 2];
        let b = turned(&b, |p| std::array::from_fn(|k| p[k] - middle[k]));
        let place: [i64; 3] = std::array::from_fn(|k| middle[k] + i64::from(random.integer(-1..=1)));
        let world_a = turned(&a, |p| p.map(|x| x * turn.square));
        let world_b = turned(&b, |p| {
            let image = turn.apply(p, false);
            std::array::from_fn(|k| image[k] + turn.square * place[k])
        });
        let at = pose(turn.quaternion(), DVec3::from_array(place.map(|x| x as f64)));
        let seed = random.index(1 << 30) as u64;
        let forms = [shape(&a, true).shuffled(seed), shape(&b, true).shuffled(seed + 1)];
        let [a, b] = forms;
        Scene { truth: relation(&world_a, &world_b), written: vec![[(a, Pose::IDENTITY), (b, at)]] }
    });
    for piercing in [None, Some(false), Some(true)] {
        let count = seen.get(&ArrangedRelation::Overlapping { piercing }).copied().unwrap_or(0);
        assert!(20 * count >= cases, "{piercing:?}: {seen:?}");
    }
}

/// Sheets of one parallelogram each. Where the one passes through the other's diagonal no two triangles cross, and once that
/// made them touch only, depending on which corner a face began with.
#[test]
fn faces_cross_whichever_way_they_are_cut() {
    let cases = number("KONTAKT_CASES", 80);
    let mut random = Generator::grid(3 + number("KONTAKT_SEED", 0));
    let mut asker = MeshQuery::new();
    let (mut crossing, mut rare) = (0, 0);
    for case in 0..cases {
        let mut quads = [0, 1].map(|_| parallelogram(&mut random));
        if case % 8 == 0 {
            // One through the other's diagonal.
            let ([p, _, q, _], [from, to, ..]) = (quads[0], quads[1]);
            let moved = |x: [i64; 3], by: i64| std::array::from_fn(|k| x[k] + by * (to[k] - from[k]));
            quads[1] = [moved(p, -1), moved(q, -1), moved(q, 1), moved(p, 1)];
        }
        let cut = |k: usize, from: usize| -> Vec<Triangle> {
            let at = |i: usize| quads[k][(i + from) % 4];
            vec![[at(0), at(1), at(2)], [at(0), at(2), at(3)]]
        };
        let truths = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| relation(&cut(0, i), &cut(1, j)));
        let overlapping = ArrangedRelation::Overlapping { piercing: None };
        let truth = if truths.contains(&overlapping) { overlapping } else { truths[0] };
        crossing += u64::from(truth == overlapping);
        rare += u64::from(truths.iter().any(|&other| other != truth));
        for from in 0..4 {
            let [a, b] = [0, 1].map(|k: usize| {
                let corners =
                    (0..4).map(|i| DVec3::from_array(quads[k][(i + from * (k + 1)) % 4].map(|x| x as f64)));
                let mut faces = FaceList::default();
                faces.push(&[0, 1, 2, 3]).unwrap();
                Mesh::with_threads(FaceSet::new(corners.collect(), faces).unwrap(), 1).unwrap()
            });
            let found = asker.relation(PlacedMesh::at_rest(&a), PlacedMesh::at_rest(&b), &QUICK).exact;
            assert_eq!(plain(found), truth, "case {case}: {quads:?} from {from}");
        }
    }
    println!("{crossing} of {cases} crossing, {rare} by some diagonals only");
    assert!(10 * crossing >= cases && 20 * rare >= cases, "{crossing} {rare}");
}

fn parallelogram(random: &mut Generator) -> [[i64; 3]; 4] {
    loop {
        let [p, u, v]: [[i64; 3]; 3] =
            [1, 3, 3].map(|most| std::array::from_fn(|_| i64::from(random.integer(-most..=most))));
        let sum = |by: [[i64; 3]; 2]| -> [i64; 3] { std::array::from_fn(|k| p[k] + by[0][k] + by[1][k]) };
        let quad = [sum([[0; 3]; 2]), sum([u, [0; 3]]), sum([u, v]), sum([v, [0; 3]])];
        let normal: [i64; 3] =
            std::array::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
        if normal != [0; 3] {
            return quad;
        }
    }
}
