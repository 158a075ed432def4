//! Relation classes of random bodies made of grid cells, against counting cells.

mod bodies;

use bodies::{Shape, exact_turns, pose, turned_back};
use kontakt_answers::{OverlapKind, Relation, Side};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{MeshQuery, PlacedMesh, RelationOptions};
use std::collections::BTreeMap;
use testkit::Generator;
use testkit::polycube::{CellRelation, Polycube};

fn plain(relation: Relation) -> CellRelation {
    match relation {
        Relation::Separate { .. } => CellRelation::Separate,
        Relation::Touching => CellRelation::Touching,
        Relation::Overlapping { kind, .. } => {
            CellRelation::Overlapping { piercing: kind == Some(OverlapKind::Piercing) }
        }
        Relation::Contained { inner: Side::A } => CellRelation::FirstInside,
        Relation::Contained { inner: Side::B } => CellRelation::SecondInside,
        Relation::Duplicate => CellRelation::Same,
        Relation::Undecided { .. } => unreachable!("meshes are decided"),
    }
}

fn without_kind(relation: CellRelation) -> CellRelation {
    match relation {
        CellRelation::Overlapping { .. } => CellRelation::Overlapping { piercing: false },
        same => same,
    }
}

const QUICK: RelationOptions = RelationOptions { touch_tolerance: 0.0, depth_effort: None, kind: true };

/// Random pairs: two unrelated bodies, or the second made from the first so that rare classes come up.
fn pair(random: &mut Generator) -> (Polycube, Polycube) {
    let size = random.integer(2..=4);
    let a = Polycube::random(random, size);
    let b = Polycube::random(random, size);
    let shift = |random: &mut Generator| std::array::from_fn(|_| random.integer(-2..=2));
    match random.index(10) {
        0 => (a.clone(), a),
        1 => (a.clone(), a.with(&b)),
        2 if a.clone().without(&b).cells.is_empty() => (a, b),
        2 => (a.clone().without(&b), b),
        3 => (a.moved(shift(random)).with(&b), b),
        4 => {
            let by = shift(random);
            (a.clone(), a.moved(by))
        }
        _ => {
            let by = shift(random);
            (a, b.moved(by))
        }
    }
}

#[test]
fn classes_equal_those_of_cells() {
    let mut random = Generator::grid(7);
    let mut asker = MeshQuery::new();
    let mut seen: BTreeMap<CellRelation, usize> = BTreeMap::new();
    for round in 0..600_u64 {
        let (a, b) = pair(&mut random);
        let truth = a.relation(&b);
        *seen.entry(without_kind(truth)).or_default() += 1;
        let mut shapes = [(a, round), (b, round + 7)].map(|(body, seed)| {
            Shape::new(body.surface(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))).shuffled(seed)
        });
        let turns = exact_turns();
        let mut poses = [Pose::IDENTITY; 2];
        match round % 4 {
            1 => {
                let far = |s: &Shape| s.map(|v| v * 2f64.powi(-20) + DVec3::splat(8_388_608.0));
                shapes = shapes.map(|s| far(&s));
            }
            2 => {
                for k in 0..2 {
                    let q = turns[random.index(turns.len())];
                    shapes[k] = shapes[k].map(|v| turned_back(q, v));
                    poses[k] = pose(q, DVec3::ZERO);
                }
            }
            3 => {
                let q = DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64);
                poses = [pose(q, DVec3::new(0.1, 1e6, 0.0)); 2];
            }
            _ => {}
        }
        let [x, y] = shapes.map(|s| s.mesh());
        let report = asker.relation(PlacedMesh::new(&x, poses[0]), PlacedMesh::new(&y, poses[1]), &QUICK);
        let found = plain(report.exact);
        assert_eq!(found, truth, "round {round}");
        if let Relation::Separate { distance } = report.exact {
            assert!(distance.lo() > 0.0);
        }
    }
    println!("{seen:?}");
    for least in [
        CellRelation::Separate,
        CellRelation::Touching,
        CellRelation::FirstInside,
        CellRelation::SecondInside,
        CellRelation::Same,
        CellRelation::Overlapping { piercing: false },
    ] {
        assert!(seen.get(&least).copied().unwrap_or(0) >= 30, "{least:?} came up too rarely: {seen:?}");
    }
}

/// Bodies in which flush overlaps often cut something in two: plates, bars, rings, and random ones.
fn flush_body(random: &mut Generator) -> Polycube {
    let size = random.integer(2..=4);
    match random.index(5) {
        0 => bar(random),
        1 => bar(random).with(&bar(random)),
        2 => Polycube::random(random, 4).without(&Polycube::random(random, 3)),
        3 => {
            let (low, wide) = ([0, 0, random.integer(0..=2)], random.integer(3..=5));
            let plate = Polycube::block(low, [wide, wide, low[2] + random.integer(1..=3)]);
            plate.without(&Polycube::block([1, 1, low[2] + random.integer(-1..=1)], [wide - 1, wide - 1, 9]))
        }
        _ => Polycube::random(random, size),
    }
}

#[test]
fn kinds_of_flush_overlaps_equal_those_of_cells() {
    let mut random = Generator::grid(23);
    let mut asker = MeshQuery::new();
    let mut seen: BTreeMap<CellRelation, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for round in 0..750_u64 {
        let (a, b) = (flush_body(&mut random), flush_body(&mut random));
        let b = b.moved(std::array::from_fn(|_| random.integer(-1..=1)));
        // Every third first body has coarser faces than the second.
        let coarse = round % 3 == 0;
        let truth = if coarse { a.doubled().relation(&b) } else { a.relation(&b) };
        if !matches!(truth, CellRelation::Overlapping { .. }) {
            continue;
        }
        *seen.entry(truth).or_default() += 1;
        let place = |v: DVec3| match round % 4 {
            0 => v,
            1 => v * 2f64.powi(-20) + DVec3::splat(8_388_608.0),
            2 => v * 2f64.powi(-20),
            _ => DVec3::new(v.x + 2.0 * v.y - v.z, v.y - 3.0 * v.z, v.x + v.z),
        };
        let [x, y] = [(&a, round, coarse), (&b, !round, false)].map(|(body, seed, doubled)| {
            let surface = Shape::new(body.surface(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))).shuffled(seed);
            surface.map(|v| place(if doubled { 2.0 * v } else { v })).mesh()
        });
        for (p, q) in [(&x, &y), (&y, &x)] {
            let found = plain(asker.relation(PlacedMesh::at_rest(p), PlacedMesh::at_rest(q), &QUICK).exact);
            if found != truth {
                wrong.push((round, truth));
            }
        }
    }
    println!("{seen:?}");
    assert!(wrong.is_empty(), "{} wrong: {wrong:?}", wrong.len());
    for piercing in [false, true] {
        assert!(seen[&CellRelation::Overlapping { piercing }] >= 120, "{seen:?}");
    }
}

/// A long bar along some axis.
fn bar(random: &mut Generator) -> Polycube {
    let axis = random.index(3);
    let mut low: [i32; 3] = std::array::from_fn(|_| random.integer(0..=2));
    let mut high = low.map(|x| x + random.integer(1..=2));
    low[axis] = random.integer(-4..=1);
    high[axis] = random.integer(4..=9);
    Polycube::block(low, high)
}

#[test]
fn kinds_in_general_position_equal_those_of_cells() {
    let mut random = Generator::grid(11);
    let mut asker = MeshQuery::new();
    let mut seen: BTreeMap<CellRelation, usize> = BTreeMap::new();
    for round in 0..400_u64 {
        let size = random.integer(2..=4);
        let (a, b) = (Polycube::random(&mut random, size), Polycube::random(&mut random, size));
        let b = match random.index(2) {
            0 => b.moved(std::array::from_fn(|_| random.integer(-3..=1))),
            _ => bar(&mut random),
        };
        let truth = a.doubled().relation(&b.doubled().moved([1, 1, 1]));
        let x = Shape::new(a.surface(round)).mesh();
        let y = Shape::new(b.surface(!round)).moved(0.3125, 0.4375, 0.28125).mesh();
        *seen.entry(truth).or_default() += 1;
        let found = plain(asker.relation(PlacedMesh::at_rest(&x), PlacedMesh::at_rest(&y), &QUICK).exact);
        assert_eq!(found, truth, "round {round}: {a:?} {b:?}");
    }
    println!("{seen:?}");
    for piercing in [false, true] {
        assert!(seen[&CellRelation::Overlapping { piercing }] >= 15, "{seen:?}");
    }
}

#[test]
fn depth_is_bracketed() {
    let mut random = Generator::grid(5);
    let mut asker = MeshQuery::new();
    let (mut deep, mut tight) = (0, 0);
    for round in 0..60_u64 {
        let (a, b) = (Polycube::random(&mut random, 3), Polycube::random(&mut random, 3));
        let b = b.moved(std::array::from_fn(|_| random.integer(-2..=2)));
        if a.cells.is_disjoint(&b.cells) {
            continue;
        }
        let (x, y) = (Shape::new(a.surface(round)).mesh(), Shape::new(b.surface(!round)).mesh());
        let depth = asker.depth(PlacedMesh::at_rest(&x), PlacedMesh::at_rest(&y), 24).expect("solids");
        deep += 1;
        tight += usize::from(depth.range.lo() >= 0.999 * depth.range.hi());
        // Integer translations that separate are never shorter than the lower end.
        let least = separating_length(&a, &b);
        assert!(depth.range.lo() <= least, "{:?} {least}", depth.range);
        assert!(depth.range.lo() > 0.0 && depth.range.hi() < 20.0);
        // The push separates, up to its rounding.
        let away = pose(DQuat::IDENTITY, depth.push * (1.0 + 1e-9));
        let after = asker.relation(PlacedMesh::at_rest(&x), PlacedMesh::new(&y, away), &QUICK).exact;
        assert!(matches!(after, Relation::Separate { .. } | Relation::Touching), "{after:?} after {depth:?}");
        assert!(depth.push.length() <= depth.range.hi() * (1.0 + 1e-9));
    }
    println!("{deep} overlaps, bounds within 0.1 % in {tight}");
    assert!(deep > 15 && 3 * tight > 2 * deep, "{tight} of {deep}");
}

fn separating_length(a: &Polycube, b: &Polycube) -> f64 {
    let mut least = i32::MAX;
    for x in -8..=8 {
        for y in -8..=8 {
            for z in -8..=8 {
                let square = x * x + y * y + z * z;
                if square < least && a.cells.is_disjoint(&b.moved([x, y, z]).cells) {
                    least = square;
                }
            }
        }
    }
    f64::from(least).sqrt()
}

#[test]
fn depth_of_boxes_is_exact() {
    let mut asker = MeshQuery::new();
    let cube = Shape::block([0.0; 3], [2.0; 3]);
    let big = Shape::block([-3.0; 3], [5.0; 3]);
    let cases = [
        (cube.moved(1.5, 0.25, 0.5), cube.clone(), 0.5),
        (cube.moved(1.0, 1.25, 1.5), cube.clone(), 0.5),
        (cube.clone(), cube.clone(), 2.0),
        (cube.clone(), big.clone(), 5.0),
        (cube.moved(-2.5, 0.0, 0.0), big.clone(), 2.5),
        (Shape::block([-1.0, -9.0, 0.5], [3.0, 9.0, 1.0]), cube.clone(), 1.0),
    ];
    for (a, b, truth) in cases {
        let (a, b) = (a.mesh(), b.mesh());
        for (x, y) in [(&a, &b), (&b, &a)] {
            let depth = asker.depth(PlacedMesh::at_rest(x), PlacedMesh::at_rest(y), 16).unwrap();
            assert!(depth.range.lo() <= truth && truth <= depth.range.hi(), "{:?} {truth}", depth.range);
            assert!(depth.range.width() <= 1e-9 * truth, "{:?} {truth}", depth.range);
        }
    }
    // A tolerance makes a slight overlap and a slight gap a touch, and keeps the exact class.
    let (a, b) = (cube.mesh(), cube.moved(1.9375, 0.0, 0.0).mesh());
    let options = RelationOptions { touch_tolerance: 0.0625, depth_effort: Some(16), kind: true };
    let report = asker.relation(PlacedMesh::at_rest(&a), PlacedMesh::at_rest(&b), &options);
    assert_eq!(report.relation, Relation::Touching);
    assert!(matches!(report.exact, Relation::Overlapping { .. }));
    let apart = cube.moved(2.0625, 0.0, 0.0).mesh();
    let report = asker.relation(PlacedMesh::at_rest(&a), PlacedMesh::at_rest(&apart), &options);
    assert_eq!(report.relation, Relation::Touching);
    assert!(matches!(report.exact, Relation::Separate { .. }));
}
