//! Thread CPU time of certified first contacts of convex shapes to 1e-9.
#![allow(missing_docs, reason = "an example")]

use kontakt_answers::Impact;
use kontakt_convex::Shape;
use kontakt_math::{DVec3, Motion};
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingShape};
use testbodies::moving::Dice;

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn series(name: &str, [a, b]: [&Shape; 2], both: bool) {
    let mut dice = Dice::new(7);
    let mut asker = MotionQuery::new();
    let options = MotionOptions { tolerance: 1e-9, ..MotionOptions::default() };
    let (mut times, mut hits, mut open, mut looks) = (Vec::new(), 0, 0, 0);
    for _ in 0..1000 {
        let towards = dice.direction();
        let pose_b = dice.pose(towards * 3.0);
        let way = -towards * 6.0 + dice.vector() * 0.5;
        let end_b = dice.moved(pose_b, way);
        let pose_a = dice.pose(DVec3::ZERO);
        let shift = dice.vector() * 0.5;
        let end_a = dice.moved(pose_a, shift);
        let motion_a = if both {
            Motion::slerp(pose_a, end_a, DVec3::ZERO).expect("finite")
        } else {
            Motion::Rest(pose_a)
        };
        let motion_b = Motion::slerp(pose_b, end_b, DVec3::ZERO).expect("finite");
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let before = asker.visits.volume_tests;
            let start = cpu();
            let [x, y] =
                [MovingShape { shape: a, motion: &motion_a }, MovingShape { shape: b, motion: &motion_b }];
            let answer = std::hint::black_box(asker.impact_of_shapes(x, y, &options));
            best = best.min(cpu() - start);
            looks = asker.visits.volume_tests - before;
            hits += u32::from(matches!(answer, Impact::Contact { .. }));
            open += u32::from(matches!(answer, Impact::Undecided { .. }));
        }
        times.push((best, looks));
    }
    times.sort_by(|x, y| x.0.total_cmp(&y.0));
    let at = |share: f64| {
        let (t, looks) = times[((times.len() - 1) as f64 * share) as usize];
        format!("{:.1} µs ({looks} planes)", t * 1e6)
    };
    println!(
        "{name}: {} hits, {} open; median {}, p90 {}, worst {}",
        hits / 5,
        open / 5,
        at(0.5),
        at(0.9),
        at(1.0)
    );
}

fn main() {
    let boxes = [DVec3::new(0.5, 0.7, 0.3), DVec3::new(0.4, 0.3, 0.6)]
        .map(|half| Shape::cuboid(half).expect("a box"));
    let ball = Shape::sphere(0.5).expect("a ball");
    let egg = Shape::ellipsoid(DVec3::new(0.5, 0.7, 0.3)).expect("an ellipsoid");
    let can = Shape::cylinder(0.5, 0.3).expect("a cylinder");
    let pill = Shape::capsule(0.5, 0.3).expect("a capsule");
    for both in [false, true] {
        series("boxes", [&boxes[0], &boxes[1]], both);
        series("ball and box", [&ball, &boxes[1]], both);
        series("balls", [&ball, &ball], both);
        series("capsules", [&pill, &pill], both);
        series("ellipsoids", [&egg, &egg], both);
        series("cylinders", [&can, &can], both);
    }
}
