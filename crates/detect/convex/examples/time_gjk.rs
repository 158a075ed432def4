//! Times GJK on separated pairs: nanoseconds of thread time a query, the least of several rounds. An argument names one
//! class to run alone, a second one the number of rounds.

use kontakt_convex::gjk::{Cut, separation, verdict};
use kontakt_convex::{Shape, Warm};
use kontakt_math::{Between, DQuat, DVec3, Pose};
use std::hint::black_box;

fn now() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e9 + t.tv_nsec as f64
}

fn least(rounds: usize, count: usize, mut run: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = now();
            run();
            (now() - start) / count as f64
        })
        .fold(f64::INFINITY, f64::min)
}

fn direction(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

fn pose(random: &mut fastrand::Rng, at: DVec3) -> Pose {
    let axis = direction(random);
    Pose::new(DQuat::from_axis_angle(axis, random.f64() * 6.0), at).expect("a pose")
}

fn main() {
    let mut random = fastrand::Rng::with_seed(1);
    let hull = |n: usize, random: &mut fastrand::Rng| {
        Shape::hull(&(0..n).map(|_| direction(random)).collect::<Vec<_>>()).expect("points")
    };
    let half =
        |random: &mut fastrand::Rng| DVec3::from_array(std::array::from_fn(|_| 0.3 + 0.7 * random.f64()));
    let mut classes: Vec<(String, Vec<[Shape; 2]>)> = vec![(
        "sphere-sphere".into(),
        vec![[Shape::sphere(0.5).expect("r"), Shape::sphere(0.4).expect("r")]],
    )];
    let boxes = |random: &mut fastrand::Rng| Shape::cuboid(half(random)).expect("box");
    classes.push((
        "sphere-box".into(),
        (0..20).map(|_| [Shape::sphere(0.5).expect("r"), boxes(&mut random)]).collect(),
    ));
    classes.push(("box-box".into(), (0..20).map(|_| [boxes(&mut random), boxes(&mut random)]).collect()));
    for n in [8, 32, 128, 512, 1000, 4000] {
        let pairs = (0..20).map(|_| [hull(n, &mut random), hull(n, &mut random)]).collect();
        classes.push((format!("hull{n}"), pairs));
    }
    println!(
        "{:>14} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9}",
        "ns", "distance", "warm", "boolean", "between", "exact", "width", "normal"
    );
    let only = std::env::args().nth(1);
    let rounds = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(7);
    for (name, pairs) in classes.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        let poses: Vec<[Pose; 2]> = (0..2000)
            .map(|_| {
                let (a, b) = (direction(&mut random) * 0.5, direction(&mut random) * (2.7 + random.f64()));
                [pose(&mut random, a), pose(&mut random, b)]
            })
            .collect();
        let n = poses.len();
        let shapes = |i: usize| &pairs[i % pairs.len()];
        let (mut exact, mut width, mut normal) = (0, 0.0_f64, 0.0_f64);
        let mut apart = 0;
        for (i, p) in poses.iter().enumerate() {
            let mut warm = Warm::default();
            if let Cut::Apart(answer) =
                separation(&shapes(i)[0], &shapes(i)[1], &Between::new(p[0], p[1]), &mut warm)
            {
                width = width.max(answer.separation.width());
                normal = normal.max(answer.normal_error);
                apart += 1;
            }
            exact += warm.exact;
        }
        let cold = least(rounds, n, || {
            for (i, p) in poses.iter().enumerate() {
                black_box(separation(
                    &shapes(i)[0],
                    &shapes(i)[1],
                    &Between::new(p[0], p[1]),
                    &mut Warm::default(),
                ));
            }
        });
        let mut warms = vec![Warm::default(); n];
        let warm = least(rounds, n, || {
            for (i, p) in poses.iter().enumerate() {
                black_box(separation(&shapes(i)[0], &shapes(i)[1], &Between::new(p[0], p[1]), &mut warms[i]));
            }
        });
        let boolean = least(rounds, n, || {
            for (i, p) in poses.iter().enumerate() {
                black_box(verdict(
                    &shapes(i)[0],
                    &shapes(i)[1],
                    &Between::new(p[0], p[1]),
                    &mut Warm::default(),
                ));
            }
        });
        let between = least(rounds, n, || {
            for p in &poses {
                black_box(Between::new(p[0], p[1]));
            }
        });
        println!(
            "{name:>14} {cold:9.1} {warm:9.1} {boolean:9.1} {between:9.1} {exact:8} {width:9.1e} {normal:9.1e} apart {apart}"
        );
    }
}
