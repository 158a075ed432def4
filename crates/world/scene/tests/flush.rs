//! Blocks that stand flush on each other, turned and rounded to single precision as files have them.
//! `KONTAKT_CASES` raises the number of assemblies, `KONTAKT_SEED` takes others.

use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::Body;
use kontakt_scene::{Class, Limits, Precision, Rules, Scene, SceneBody, TouchTolerance};
use kontakt_shapes::FaceSet;
use testkit::run_length::{cases, seed};

/// A block by its lowest and highest corner, in whole numbers.
type Block = [[i32; 3]; 2];

/// Blocks with disjoint interiors: a box cut in two again and again.
fn cut(random: &mut fastrand::Rng) -> Vec<Block> {
    let mut blocks: Vec<Block> = vec![[[0; 3], [64, 48, 32]]];
    for _ in 0..random.usize(1..7) {
        let block = blocks.swap_remove(random.usize(..blocks.len()));
        let axis = random.usize(..3);
        if block[1][axis] - block[0][axis] < 2 {
            blocks.push(block);
            continue;
        }
        let at = random.i32(block[0][axis] + 1..block[1][axis]);
        let (mut low, mut high) = (block, block);
        low[1][axis] = at;
        high[0][axis] = at;
        // Now and then a gap.
        if random.u8(..) < 48 && at + 1 < block[1][axis] {
            high[0][axis] = at + 1;
        }
        blocks.extend([low, high]);
    }
    blocks
}

/// The class of two blocks whose interiors have nothing in common.
fn class([a, b]: [&Block; 2]) -> Class {
    let apart = (0..3).any(|k| a[1][k] < b[0][k] || b[1][k] < a[0][k]);
    if apart { Class::Separate } else { Class::Touching }
}

fn scene(blocks: &[Block], place: impl Fn(DVec3) -> DVec3, precision: Precision) -> Scene {
    let body = |(k, block): (usize, &Block)| {
        let corner = |i: usize| {
            let at = |axis: usize| f64::from(block[i >> axis & 1][axis]);
            place(DVec3::new(at(0), at(1), at(2)))
        };
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let faces = FaceSet::from_triangles((0..8).map(corner).collect(), triangles).unwrap();
        SceneBody {
            name: format!("block {k}").as_str().into(),
            body: Body::mesh(Mesh::with_threads(faces, 1).unwrap()),
            pose: Pose::IDENTITY,
            faces_before: 0,
            precision,
        }
    };
    blocks.iter().enumerate().map(body).collect()
}

#[test]
fn flush_blocks_do_not_clash_however_they_are_rounded() {
    let mut random = fastrand::Rng::with_seed(seed(3));
    let (mut touching, mut rounded) = (0, 0);
    for round in 0..cases(400) {
        let blocks = cut(&mut random);
        let turn = match random.usize(..3) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_rotation_z(random.f64() * 6.0),
            _ => DQuat::from_xyzw(random.f64(), random.f64(), random.f64() - 0.5, random.f64()).normalize(),
        };
        let shift = DVec3::new(random.f64(), random.f64(), random.f64()) * 200.0;
        let scale = [0.1, 1.0, 25.4, 1e-3][random.usize(..4)];
        let single = random.bool();
        let place = |x: DVec3| {
            let at = turn * (x * scale) + shift * scale;
            if single { at.as_vec3().as_dvec3() } else { at }
        };
        let precision = if single { Precision::Single } else { Precision::Double };
        let report = scene(&blocks, place, precision).check(Rules::default(), &Limits::NONE);
        for finding in report.findings() {
            let expected = class([&blocks[finding.a], &blocks[finding.b]]);
            assert_eq!(
                finding.judgement.class,
                expected,
                "round {round}: {blocks:?} {:?} by {:?}, tolerance {:?}",
                (&finding.found.overlap, &finding.found.not_measured),
                finding.signed(),
                finding.limits
            );
            touching += usize::from(expected == Class::Touching);
            rounded += usize::from(finding.exact() != expected);
        }
        assert!(!report.is_forbidden());
    }
    assert!(touching > 500 && rounded > 200, "{touching} touching, {rounded} of them but for rounding");
}

#[test]
fn exact_classes_are_those_of_whole_numbers() {
    let mut random = fastrand::Rng::with_seed(seed(5));
    let rules = || Rules { touch_tolerance: TouchTolerance::Within(0.0), ..Rules::default() };
    for round in 0..cases(400) {
        let blocks = cut(&mut random);
        let scale = [1.0, 0.25, 1024.0][random.usize(..3)];
        let far = f64::from(random.i32(-4..5)) * 4096.0;
        let report = scene(&blocks, |x| (x + far) * scale, Precision::Single).check(rules(), &Limits::NONE);
        for finding in report.findings() {
            let expected = class([&blocks[finding.a], &blocks[finding.b]]);
            assert_eq!(finding.judgement.class, expected, "round {round}: {blocks:?}");
        }
    }
}

/// A part that is there twice, the second a hair off its place, is told as such; one that lacks a corner is not.
#[test]
fn one_part_twice_is_a_duplicate_however_it_is_rounded() {
    let mut random = fastrand::Rng::with_seed(seed(7));
    let mut rounded = 0;
    for round in 0..cases(100) {
        let block: Block = [[0; 3], [0; 3].map(|_: i32| random.i32(1..60))];
        let size = f64::from(block[1].into_iter().max().unwrap_or(1));
        let off = DVec3::new(random.f64(), random.f64(), random.f64()) * 1e-9 * size;
        let turn = DQuat::from_xyzw(random.f64(), random.f64(), random.f64() - 0.5, random.f64()).normalize();
        let alone = |place: &dyn Fn(DVec3) -> DVec3| scene(&[block], place, Precision::Double);
        let twice = [alone(&|x| turn * x), alone(&|x| turn * x + off)];
        let both: Scene = twice.iter().flat_map(Scene::bodies).cloned().collect();
        let report = both.check(Rules::default(), &Limits::NONE);
        let finding = report.finding(0);
        assert_eq!(finding.judgement.class, Class::Duplicate, "round {round}: {block:?} by {off}");
        rounded += usize::from(finding.exact() != Class::Duplicate);
        let exact = Rules { touch_tolerance: TouchTolerance::Within(0.0), ..Rules::default() };
        assert_eq!(both.check(exact, &Limits::NONE).finding(0).judgement.class, finding.exact());
        // A block that ends a unit before it, with three of its sides on the other's.
        let shorter = [block[0], [block[1][0], block[1][1], block[1][2] + 1]];
        let other = scene(&[block, shorter], |x| turn * x, Precision::Double);
        let finding = other.check(Rules::default(), &Limits::NONE);
        assert_ne!(finding.finding(0).judgement.class, Class::Duplicate, "round {round}: {block:?}");
        assert!(finding.is_forbidden());
    }
    assert!(rounded > 20, "{rounded} only but for rounding");
}

/// What the decimals of a text suggest excuses nothing that goes through a foil, or lies in it.
#[test]
fn decimals_of_a_text_excuse_no_foil() {
    let unit = 1e-5;
    let foil: Block = [[-50, -50, 0], [50, 50, 2]];
    for (pin, expected) in [
        ([[0, 0, -10], [5, 5, 12]], Class::Overlapping),
        ([[0, 0, 0], [5, 5, 2]], Class::Contained),
        ([[0, 0, 1], [5, 5, 12]], Class::Overlapping),
        ([[0, 0, 3], [5, 5, 12]], Class::Separate),
        ([[0, 0, 2], [5, 5, 12]], Class::Touching),
    ] {
        let scene = scene(&[foil, pin], |x| x * unit, Precision::Decimal(unit));
        let report = scene.check(Rules::default(), &Limits::NONE);
        let found = report.findings().next().unwrap().judgement.class;
        assert_eq!(found, expected, "{pin:?}");
    }
}
