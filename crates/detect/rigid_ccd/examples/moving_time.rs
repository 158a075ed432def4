//! Thread CPU time of certified first contacts: two boxes to 1e-9, and 13k × 70k triangles to 1e-6.
#![allow(missing_docs, reason = "an example")]

use kontakt_answers::Impact;
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};
use testbodies::moving::flights::{Between, Flight};
use testbodies::moving::{block, bumpy_sphere, wavy_torus};

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn series(name: &str, [a, b]: [&Mesh; 2], count: usize, tolerance: f64, far: f64, both: bool, aside: f64) {
    let mut asker = MotionQuery::new();
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    let mut times = Vec::new();
    let (mut hits, mut open) = (0, 0);
    let motions = Flight { far, aside, both, between: Between::Slerp }.motions(count, 7);
    for [motion_a, motion_b] in &motions {
        let mut best = f64::INFINITY;
        let before = asker.visits;
        for _ in 0..3 {
            let start = cpu();
            let answer = asker.impact(
                MovingMesh { mesh: a, motion: motion_a },
                MovingMesh { mesh: b, motion: motion_b },
                &options,
            );
            best = best.min(cpu() - start);
            std::hint::black_box(answer);
        }
        let answer = asker.impact(
            MovingMesh { mesh: a, motion: motion_a },
            MovingMesh { mesh: b, motion: motion_b },
            &options,
        );
        match answer {
            Impact::Contact { .. } => hits += 1,
            Impact::Undecided { .. } => open += 1,
            Impact::Free { .. } => {}
        }
        let visits = asker.visits;
        times.push((
            best,
            (visits.volume_tests - before.volume_tests) / 4,
            (visits.face_tests - before.face_tests) / 4,
        ));
    }
    times.sort_by(|x, y| x.0.total_cmp(&y.0));
    let at = |share: f64| {
        let (t, v, f) = times[((times.len() - 1) as f64 * share) as usize];
        format!("{:.1} µs ({v} boxes, {f} faces)", t * 1e6)
    };
    println!(
        "{name}: {hits} hits, {open} open of {count}; median {}, p90 {}, worst {}",
        at(0.5),
        at(0.9),
        at(1.0)
    );
}

fn main() {
    let box_a = block(DVec3::new(0.5, 0.7, 0.3));
    let box_b = block(DVec3::new(0.4, 0.3, 0.6));
    for both in [false, true] {
        series("boxes 1e-9", [&box_a, &box_b], 1000, 1e-9, 3.0, both, 0.0);
    }
    if std::env::args().nth(1).as_deref() == Some("boxes") {
        return;
    }
    let sphere = bumpy_sphere(58, 0.1);
    let torus = wavy_torus(350, 100, 0.3, 0.3);
    println!("{} x {} triangles", sphere.faces().triangles().len(), torus.faces().triangles().len());
    for both in [false, true] {
        series("sphere x torus 1e-6", [&sphere, &torus], 100, 1e-6, 4.0, both, 0.0);
        series("the same, passing by", [&sphere, &torus], 100, 1e-6, 4.0, both, 2.1);
    }
}
