//! Nanoseconds a question takes through the dispatcher, about many different pairs one after another: the mean over 2000 random
//! poses of 20 shapes, the least of several rounds. An argument names one class to run alone ("capsule hull32", of the kinds that
//! `help` knows), a second one the number of rounds, a third one a question.

mod help;

use help::{direction, now, rotation, shape};
use kontakt_convex::{ConvexQuery, Method, PlacedShape, Shape, Verdict};
use kontakt_math::Pose;
use std::hint::black_box;

/// Two shapes by number, and their poses.
type Query = ([usize; 2], [Pose; 2]);

fn queries(shapes: &[Vec<Shape>; 2], apart: bool, random: &mut fastrand::Rng) -> Vec<Query> {
    let mut all = Vec::new();
    let mut asker = ConvexQuery::new();
    while all.len() < 2000 {
        let which = [random.usize(0..20), random.usize(0..20)];
        let at = direction(random);
        let far = if apart { 0.8 + 2.2 * random.f64() } else { 0.1 + 1.5 * random.f64() };
        let places = [at, at + far * direction(random)];
        let poses = places.map(|place| Pose::new(rotation(random), place).expect("a pose"));
        let [a, b] = [0, 1].map(|i| PlacedShape::new(&shapes[i][which[i]], poses[i]));
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
    let asked = only.as_deref().map_or(classes.to_vec(), |only| vec![only]);
    for class in asked {
        let (first, second) = class.split_once(' ').expect("two names");
        let shapes =
            [first, second].map(|name| (0..20).map(|_| shape(name, &mut random)).collect::<Vec<_>>());
        let (apart, deep) = (queries(&shapes, true, &mut random), queries(&shapes, false, &mut random));
        let time = |method: Method,
                    queries: &[Query],
                    ask: &dyn Fn(&mut ConvexQuery, PlacedShape, PlacedShape) -> f64| {
            let run = || {
                let mut asker = ConvexQuery::with_method(method);
                let begin = now();
                for (which, poses) in queries {
                    let [a, b] = [0, 1].map(|i| PlacedShape::new(&shapes[i][which[i]], poses[i]));
                    black_box(ask(&mut asker, a, b));
                }
                (now() - begin) / queries.len() as f64
            };
            (0..rounds).map(|_| run()).fold(f64::INFINITY, f64::min)
        };
        let verdict = |asker: &mut ConvexQuery, a: PlacedShape, b: PlacedShape| {
            f64::from(asker.intersect(a, b) == Verdict::Separate)
        };
        let distance =
            |asker: &mut ConvexQuery, a: PlacedShape, b: PlacedShape| asker.distance(a, b).separation.lo();
        let contact =
            |asker: &mut ConvexQuery, a: PlacedShape, b: PlacedShape| asker.contact(a, b).separation.lo();
        let manifold = |asker: &mut ConvexQuery, a: PlacedShape, b: PlacedShape| {
            asker.manifold(a, b, 0.0).contacts.len() as f64
        };
        print!("{class:18}");
        let all: [(&str, &dyn Fn() -> f64); 8] = [
            ("verdict", &|| time(Method::Default, &apart, &verdict)),
            ("distance", &|| time(Method::Default, &apart, &distance)),
            ("contact", &|| time(Method::Default, &apart, &contact)),
            ("iterative", &|| time(Method::Iterative, &apart, &contact)),
            ("deep verdict", &|| time(Method::Default, &deep, &verdict)),
            ("deep", &|| time(Method::Default, &deep, &contact)),
            ("deep manifold", &|| time(Method::Default, &deep, &manifold)),
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
