//! Nanoseconds an overlap test, data in the first-level cache, one thread. Least of many short runs, so that a busy
//! machine does little harm. `cargo run --release -p kontakt-bounds --example overlap_speed`

use kontakt_bounds::batch::{AabbBatch, Hits, Isa, KDopBatch, ObbBatch};
use kontakt_bounds::{
    Aabb, Bound, CentreRadiusAabb, Dop14, Dop26, MinWidthsAabb, Obb, QuaternionObb, SquareObb, TwoAxesObb,
};
use kontakt_math::{DMat3, DQuat, DVec3};
use std::hint::black_box;
use std::time::Instant;
use testkit::Generator;

const MEMBERS: usize = 128;

/// Least time over 3000 short measurements of eight runs each, per test.
fn nanoseconds(tests: usize, mut run: impl FnMut() -> usize) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..3000 {
        let start = Instant::now();
        for _ in 0..8 {
            black_box(run());
        }
        least = least.min(start.elapsed().as_secs_f64());
    }
    least * 1e9 / (8 * tests) as f64
}

fn random_boxes(generator: &mut Generator, spread: f64) -> Vec<Obb> {
    (0..MEMBERS)
        .map(|_| {
            let centre = DVec3::from_array(generator.point()) * spread;
            let axes = DMat3::from_quat(DQuat::from_array(generator.quaternion()));
            let half = DVec3::from_array(generator.point()).abs() * 0.5 + 0.1;
            Obb { centre, axes, half_extents: half }
        })
        .collect()
}

/// Share of hits and times for one mixture of near and far pairs.
fn oriented(spread: f64) {
    let mut generator = Generator::free(7);
    let (ones, others) = (random_boxes(&mut generator, spread), random_boxes(&mut generator, spread));
    let (a, b) = ObbBatch::pair(&ones, &others);
    let mut hits = Hits::new();
    a.pair_hits(&b, &mut hits);
    println!("oriented boxes, pairs, {:.0} % overlap:", 100.0 * hits.count() as f64 / MEMBERS as f64);
    for isa in Isa::available() {
        let pairs = nanoseconds(MEMBERS, || {
            a.pair_hits_with(isa, &b, &mut hits);
            hits.count()
        });
        let many = nanoseconds(MEMBERS, || {
            a.hits_with(isa, &others[0], &mut hits);
            hits.count()
        });
        println!("  {isa:?}: pairs {pairs:.2} ns, one against many {many:.2} ns");
    }
    let scalar =
        nanoseconds(MEMBERS, || a.boxes().iter().zip(b.boxes()).filter(|(a, b)| a.may_overlap(b)).count());
    let faces = nanoseconds(MEMBERS, || {
        a.boxes().iter().zip(b.boxes()).filter(|(a, b)| a.may_overlap_by_faces(b)).count()
    });
    let checked = nanoseconds(MEMBERS, || ones.iter().zip(&others).filter(|(a, b)| a.may_overlap(b)).count());
    println!(
        "  scalar f64: checked once {scalar:.2} ns, six axes {faces:.2} ns, checked each time {checked:.2} ns"
    );
}

fn representations() {
    let mut generator = Generator::free(8);
    let (ones, others) = (random_boxes(&mut generator, 1.2), random_boxes(&mut generator, 1.2));
    let quaternions: Vec<_> =
        ones.iter().zip(&others).map(|(a, b)| (QuaternionObb::from(a), QuaternionObb::from(b))).collect();
    let two_axes: Vec<_> =
        ones.iter().zip(&others).map(|(a, b)| (TwoAxesObb::from(a), TwoAxesObb::from(b))).collect();
    let square: Vec<_> =
        ones.iter().zip(&others).map(|(a, b)| (SquareObb::of(a), SquareObb::of(b))).collect();
    println!(
        "oriented box kept as matrix {:.2} ns, quaternion {:.2} ns, two axes {:.2} ns",
        nanoseconds(MEMBERS, || square.iter().filter(|(a, b)| a.may_overlap(b)).count()),
        nanoseconds(MEMBERS, || quaternions.iter().filter(|(a, b)| a.may_overlap(b)).count()),
        nanoseconds(MEMBERS, || two_axes.iter().filter(|(a, b)| a.may_overlap(b)).count()),
    );
    let boxes: Vec<Aabb> = ones.iter().map(Obb::to_aabb).collect();
    let widths: Vec<MinWidthsAabb> = boxes.iter().map(MinWidthsAabb::from).collect();
    let radii: Vec<CentreRadiusAabb> = boxes.iter().map(CentreRadiusAabb::from).collect();
    println!(
        "upright box kept as corners {:.2} ns, corner and widths {:.2} ns, centre and radii {:.2} ns",
        nanoseconds(MEMBERS, || boxes.iter().filter(|b| b.may_overlap(&boxes[3])).count()),
        nanoseconds(MEMBERS, || widths.iter().filter(|b| b.may_overlap(&widths[3])).count()),
        nanoseconds(MEMBERS, || radii.iter().filter(|b| b.may_overlap(&radii[3])).count()),
    );
}

fn intervals() {
    let mut generator = Generator::free(9);
    let boxes = random_boxes(&mut generator, 1.2);
    let upright: Vec<Aabb> = boxes.iter().map(Obb::to_aabb).collect();
    let fit14 = |b: &Obb| Dop14::fit(&b.corners()).expect("finite corners");
    let fit26 = |b: &Obb| Dop26::fit(&b.corners()).expect("finite corners");
    let (dops14, dops26): (Vec<_>, Vec<_>) = boxes.iter().map(|b| (fit14(b), fit26(b))).unzip();
    let (batch, batch14, batch26) =
        (AabbBatch::new(&upright), KDopBatch::new(&dops14), KDopBatch::new(&dops26));
    let mut hits = Hits::new();
    for isa in Isa::available() {
        let one = nanoseconds(MEMBERS, || {
            batch.hits_with(isa, &upright[0], &mut hits);
            hits.count()
        });
        let share = hits.count() as f64 / MEMBERS as f64;
        let one14 = nanoseconds(MEMBERS, || {
            batch14.hits_with(isa, &dops14[0], &mut hits);
            hits.count()
        });
        let one26 = nanoseconds(MEMBERS, || {
            batch26.hits_with(isa, &dops26[0], &mut hits);
            hits.count()
        });
        println!(
            "one against many ({share:.2} hit), {isa:?}: upright box {one:.2} ns, 14-DOP {one14:.2} ns, 26-DOP {one26:.2} ns"
        );
    }
}

fn main() {
    for spread in [3.0, 1.2, 0.6] {
        oriented(spread);
    }
    representations();
    intervals();
}
