//! Thread CPU time of first contacts of boxes that fall face on face.
#![allow(missing_docs, reason = "an example")]

use kontakt_answers::Impact;
use kontakt_convex::Shape;
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh, MovingShape};
use testbodies::moving::{Dice, block};

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn main() {
    let halves = [DVec3::new(1.0, 1.5, 0.5), DVec3::new(0.5, 0.75, 0.25)];
    let shapes = halves.map(|half| Shape::cuboid(half).expect("a box"));
    let meshes = halves.map(block);
    let at = |x: f64, z: f64, angle: f64| {
        Pose::from_axis_angle(DVec3::Z, angle, DVec3::new(x, 0.1, z)).expect("finite")
    };
    let slerp = |from: Pose, to: Pose| Motion::slerp(from, to, DVec3::ZERO).expect("finite");
    let mut dice = Dice::new(3);
    for tolerance in [1e-6, 1e-9] {
        let options = MotionOptions { tolerance, ..MotionOptions::default() };
        for (name, kind) in ["drop", "both", "turning", "sideways", "turned drop"].into_iter().zip(0..) {
            let mut asker = MotionQuery::new();
            let (mut of_shapes, mut of_meshes, mut hits) = (Vec::new(), Vec::new(), [0; 2]);
            for _ in 0..200 {
                let (z, x) = (2.0 + dice.0.f64(), 0.3 * dice.signed());
                let rest = Motion::Rest(Pose::IDENTITY);
                let motions = match kind {
                    0 => [rest, slerp(at(x, z, 0.0), at(x, -z, 0.0))],
                    1 => [slerp(at(0.0, -1.0, 0.0), at(0.0, 0.5, 0.0)), slerp(at(x, z, 0.0), at(x, -z, 0.0))],
                    2 => [rest, slerp(at(x, z, 0.0), at(x, -z, 1.0))],
                    3 => [rest, slerp(at(x, z, 0.0), at(x + 0.1, -z, 0.0))],
                    _ => [rest, slerp(at(x, z, 0.7), at(x, -z, 0.7))],
                };
                let [a, b] = [0, 1].map(|k: usize| MovingShape { shape: &shapes[k], motion: &motions[k] });
                let [p, q] = [0, 1].map(|k: usize| MovingMesh { mesh: &meshes[k], motion: &motions[k] });
                let mut best = [f64::INFINITY; 2];
                for round in 0..5 {
                    let start = cpu();
                    let answer = std::hint::black_box(asker.impact_of_shapes(a, b, &options));
                    best[0] = best[0].min(cpu() - start);
                    let start = cpu();
                    let other = std::hint::black_box(asker.impact(p, q, &options));
                    best[1] = best[1].min(cpu() - start);
                    if round == 0 {
                        hits[0] += i32::from(matches!(answer, Impact::Contact { .. }));
                        hits[1] += i32::from(matches!(other, Impact::Contact { .. }));
                    }
                }
                of_shapes.push(best[0]);
                of_meshes.push(best[1]);
            }
            let told = |times: &mut Vec<f64>| {
                times.sort_by(f64::total_cmp);
                format!("median {:.1} µs, worst {:.1}", times[100] * 1e6, times[199] * 1e6)
            };
            println!(
                "{name} {tolerance:e}: shapes {} hits {}; meshes {} hits {}",
                hits[0],
                told(&mut of_shapes),
                hits[1],
                told(&mut of_meshes)
            );
        }
    }
}
