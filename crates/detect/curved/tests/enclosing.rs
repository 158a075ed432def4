//! Smallest volumes about true surfaces against closed forms, and dense points that must be inside.

mod bodies;

use bodies::Solid;
use bodies::rounded::{button, capsule, rounded_cube, six_balls};
use kontakt_bounds::Bound;
use kontakt_curved::{BallOptions, Body, BoxOptions, Outline, TessellationOptions};
use kontakt_math::DVec3;
use std::time::{Duration, Instant};

fn body(solid: &Solid, deviation: f64) -> Body {
    let options = TessellationOptions { deviation, most_triangles: 1_000_000 };
    Body::new(&solid.brep, &options).expect(solid.name)
}

fn everything() -> Vec<Solid> {
    let mut all = bodies::all();
    all.extend([six_balls(), rounded_cube(1.0, 0.25), capsule(1.0, 3.0), button(3.0, 2.0, 0.5)]);
    all
}

/// Points of the true surface.
fn samples(solid: &Solid) -> Vec<DVec3> {
    body(solid, 4e-3).tessellation().points.clone()
}

/// The volume by the divergence theorem tells whether faces are right.
#[test]
fn rounded_bodies_are_right() {
    for solid in [rounded_cube(1.0, 0.25), capsule(1.0, 3.0)] {
        let fine = body(&solid, 1e-3);
        let made = fine.tessellation();
        let volume: f64 = made
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|id| made.points[id as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!((volume - solid.volume).abs() < 0.01 * solid.volume, "{}: {volume}", solid.name);
    }
}

#[test]
fn reaches_hold_all_points_and_are_met() {
    let mut random = fastrand::Rng::with_seed(3);
    for solid in everything() {
        let (coarse, points) = (body(&solid, 0.05), samples(&solid));
        let mut outline = Outline::new(&coarse);
        for k in 0..20 {
            let mut way = DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5).normalize();
            if k < 6 {
                way = [DVec3::X, DVec3::Y, DVec3::Z][k / 2] * if k % 2 == 0 { 1.0 } else { -1.0 };
            }
            let found = outline.reach(way, 1e-10).expect("a reach");
            let most = points.iter().map(|x| way.dot(*x)).fold(f64::NEG_INFINITY, f64::max);
            let name = solid.name;
            assert!(found.upper >= most, "{name} along {way}: {found:?}, {most}");
            assert!(found.upper - most < 2e-2, "{name} along {way}: {found:?}, {most}");
            assert!(found.upper - found.lower < 1e-9, "{name} along {way}: {found:?}");
            let from = way * (random.f64() * 4.0);
            let found = outline.farthest(from, 1e-10).expect("a reach");
            let most = points.iter().map(|x| (*x - from).length()).fold(0.0, f64::max);
            assert!(
                found.upper >= most && found.upper - most < 2e-2,
                "{name} from {from}: {found:?}, {most}"
            );
            assert!(found.upper - found.lower < 1e-9, "{name} from {from}: {found:?}");
        }
    }
}

#[test]
fn balls() {
    let exact = |name: &str| match name {
        "cylinder" | "cylinder with a seam" => Some(10.25_f64.sqrt()),
        "cone" | "cone with a seam" => Some(13.0 / 6.0),
        "ball" | "ball with a seam" | "bead" => Some(3.0),
        "torus" | "half of a torus" | "lower half of a torus" => Some(7.0),
        "six balls" => Some(2.0),
        "rounded cube" => Some(0.75 * 3.0_f64.sqrt() + 0.25),
        "capsule" => Some(2.5),
        _ => None,
    };
    for solid in everything() {
        let (coarse, points) = (body(&solid, 0.05), samples(&solid));
        let started = Instant::now();
        let ball = Outline::new(&coarse).smallest_ball(&BallOptions::default()).expect("a ball");
        println!("{}: {ball:?} gap {:e} in {:?}", solid.name, ball.gap(), started.elapsed());
        assert!(ball.gap() <= 1e-9, "{}: {ball:?} {:e}", solid.name, ball.gap());
        assert!(points.iter().all(|x| ball.outer.contains(*x)), "{}", solid.name);
        if let Some(exact) = exact(solid.name) {
            assert!(
                ball.lower_radius <= exact * (1.0 + 1e-15) && exact <= ball.outer.radius,
                "{ball:?}, {exact}"
            );
        }
    }
}

#[test]
fn axis_parallel_boxes() {
    for (solid, low, high) in [
        (bodies::cylinder(2.0, 5.0, true), DVec3::new(-2.0, -2.0, 0.0), DVec3::new(2.0, 2.0, 5.0)),
        (bodies::torus(5.0, 2.0), DVec3::new(-7.0, -7.0, -2.0), DVec3::new(7.0, 7.0, 2.0)),
        (bodies::half_torus(5.0, 2.0), DVec3::new(-7.0, -7.0, 0.0), DVec3::new(7.0, 7.0, 2.0)),
        (bodies::elbow(5.0, 2.0), DVec3::new(0.0, 0.0, -2.0), DVec3::new(7.0, 7.0, 2.0)),
        (rounded_cube(1.0, 0.25), DVec3::splat(-1.0), DVec3::splat(1.0)),
        (button(3.0, 2.0, 0.5), DVec3::new(-3.0, -3.0, 0.0), DVec3::new(3.0, 3.0, 2.0)),
    ] {
        let found = Outline::new(&body(&solid, 0.05)).extents(1e-10).expect("a box");
        println!("{}: {found:?}", solid.name);
        assert!(found.outer.min.cmple(low).all() && high.cmple(found.outer.max).all(), "{found:?}");
        let off = (low - found.outer.min).max(found.outer.max - high).max_element();
        assert!(off <= 1e-9 && found.gap <= 1e-9, "{}: {off:e} {found:?}", solid.name);
    }
}

#[test]
fn boxes() {
    // Where boxes in other orientations are as good, the gap is what it is after the time.
    let exact = |name: &str| match name {
        "cylinder" | "cylinder with a seam" => Some((80.0, 0.1)),
        "ball" | "ball with a seam" => Some((216.0, 0.2)),
        "bead" => Some((144.0 * 2.0_f64.sqrt(), 0.1)),
        "torus" => Some((784.0, 0.1)),
        "six balls" => Some((1000.0 / 27.0, 1e-6)),
        "rounded cube" => Some((8.0, 1e-6)),
        "capsule" => Some((20.0, 0.1)),
        "truncated cone" => Some((48.0, 0.1)),
        _ => None,
    };
    for solid in everything() {
        let (coarse, points) = (body(&solid, 0.05), samples(&solid));
        let started = Instant::now();
        let converges = matches!(solid.name, "six balls" | "rounded cube");
        let time_limit = Duration::from_millis(if converges { 30_000 } else { 300 });
        let options = BoxOptions { time_limit, ..BoxOptions::default() };
        let found = Outline::new(&coarse).smallest_box(&options).expect("a box");
        println!(
            "{}: {} … {} gap {:e}, {} rounds, {} points in {:?}",
            solid.name,
            found.lower_volume,
            found.upper_volume,
            found.gap(),
            found.rounds,
            found.points,
            started.elapsed()
        );
        assert!(points.iter().all(|x| found.outer.contains(*x)), "{}", solid.name);
        if let Some((exact, gap)) = exact(solid.name) {
            assert!(
                found.lower_volume <= exact && exact <= found.upper_volume * (1.0 + 1e-14),
                "{found:?}, {exact}"
            );
            assert!(found.gap() <= gap, "{}: {:e}", solid.name, found.gap());
        }
    }
}
