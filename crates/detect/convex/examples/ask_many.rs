//! Nanoseconds a question takes through the dispatcher, about many different pairs one after another: the mean over 2000 random
//! poses of 20 shapes, the least of several rounds. An argument names one class to run alone, a second one the
//! number of rounds, a third one a question.

use kontakt_convex::{Asker, Method, Placed, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use std::hint::black_box;

fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn direction(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

fn rotation(random: &mut fastrand::Rng) -> DQuat {
    loop {
        let q: [f64; 4] = std::array::from_fn(|_| random.f64() * 2.0 - 1.0);
        let q = DQuat::from_array(q);
        if (0.01..1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

fn shape(name: &str, random: &mut fastrand::Rng) -> Shape {
    let radii = DVec3::from_array(std::array::from_fn(|_| 0.4 + 0.6 * random.f64()));
    let made = match name {
        "sphere" => Shape::sphere(radii.x),
        "box" => Shape::cuboid(radii),
        "ellipsoid" => Shape::ellipsoid(radii),
        hull => {
            let count = hull.trim_start_matches("hull").parse().expect("a number of points");
            Shape::hull(&(0..count).map(|_| radii * direction(random)).collect::<Vec<_>>())
        }
    };
    made.expect("a shape")
}

/// Two shapes by number, and their poses.
type Query = ([usize; 2], [Pose; 2]);

fn queries(shapes: &[Vec<Shape>; 2], apart: bool, random: &mut fastrand::Rng) -> Vec<Query> {
    let mut all = Vec::new();
    let mut asker = Asker::new();
    while all.len() < 2000 {
        let which = [random.usize(0..20), random.usize(0..20)];
        let at = direction(random);
        let far = if apart { 0.8 + 2.2 * random.f64() } else { 0.1 + 1.5 * random.f64() };
        let places = [at, at + far * direction(random)];
        let poses = places.map(|place| Pose::new(rotation(random), place).expect("a pose"));
        let [a, b] = [0, 1].map(|i| Placed::new(&shapes[i][which[i]], poses[i]));
        if (asker.intersect(a, b) == Verdict::Separate) == apart {
            all.push((which, poses));
        }
    }
    all
}

fn main() {
    let mut random = fastrand::Rng::with_seed(17);
    let only = std::env::args().nth(1);
    let rounds = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(15);
    let classes = [
        "sphere sphere",
        "sphere box",
        "box box",
        "hull8 hull8",
        "hull32 hull32",
        "hull128 hull128",
        "hull1000 hull1000",
    ];
    let question = std::env::args().nth(3);
    for class in classes.iter().filter(|class| only.as_ref().is_none_or(|only| *class == only)) {
        let (first, second) = class.split_once(' ').expect("two names");
        let shapes =
            [first, second].map(|name| (0..20).map(|_| shape(name, &mut random)).collect::<Vec<_>>());
        let (apart, deep) = (queries(&shapes, true, &mut random), queries(&shapes, false, &mut random));
        let time = |method: Method, queries: &[Query], ask: &dyn Fn(&mut Asker, Placed, Placed) -> f64| {
            let run = || {
                let mut asker = Asker::with_method(method);
                let begin = now();
                for (which, poses) in queries {
                    let [a, b] = [0, 1].map(|i| Placed::new(&shapes[i][which[i]], poses[i]));
                    black_box(ask(&mut asker, a, b));
                }
                (now() - begin) / queries.len() as f64
            };
            (0..rounds).map(|_| run()).fold(f64::INFINITY, f64::min)
        };
        let verdict =
            |asker: &mut Asker, a: Placed, b: Placed| f64::from(asker.intersect(a, b) == Verdict::Separate);
        let distance = |asker: &mut Asker, a: Placed, b: Placed| asker.distance(a, b).separation.lo();
        let contact = |asker: &mut Asker, a: Placed, b: Placed| asker.contact(a, b).separation.lo();
        print!("{class:18}");
        let all: [(&str, &dyn Fn() -> f64); 6] = [
            ("verdict", &|| time(Method::Default, &apart, &verdict)),
            ("distance", &|| time(Method::Default, &apart, &distance)),
            ("contact", &|| time(Method::Default, &apart, &contact)),
            ("iterative", &|| time(Method::Iterative, &apart, &contact)),
            ("deep", &|| time(Method::Default, &deep, &contact)),
            ("deep iterative", &|| time(Method::Iterative, &deep, &contact)),
        ];
        for (name, time) in all {
            if question.as_ref().is_none_or(|question| question == name) {
                print!("   {name} {:.0}", time());
            }
        }
        println!();
    }
}
