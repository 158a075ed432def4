//! A gap that equals a limit keeps a clearance and is within a tolerance: the same for meshes, polytopes, rounded shapes, unions in unions and
//! half-spaces, in both orders, against whole numbers.
//!
//! Only sharp bodies had it: `check` called a ball one unit from a plate `undecided`, and forbade it, where the clearance was 1.

mod help;

use help::{Generator, as_mesh, cases};
use kontakt_convex::{Part, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::Limit;
use kontakt_pair::{Body, Placed, Query};
use testkit::run_length::seed;

/// A box grown by a ball, or all above a plane; in quarters of a unit.
struct Thing {
    half: DVec3,
    radius: f64,
    shape: Shape,
}

/// Wrapped in unions up to three deep, its radius shared out among the levels.
fn nested(random: &mut Generator, shape: Shape, radius: f64) -> Shape {
    let mut left = radius;
    let mut shape = shape;
    for _ in 0..random.0.u32(0..4) {
        let own = 0.25 * f64::from(random.0.u32(0..=(4.0 * left) as u32));
        left -= own;
        let whole = Part { shape: shape.with_margin(own).unwrap(), pose: Pose::IDENTITY };
        let far = Part {
            shape: Shape::point(),
            pose: Pose::new(DQuat::IDENTITY, DVec3::new(0.0, 0.0, 4096.0)).unwrap(),
        };
        let mut parts = vec![whole, far];
        if random.0.bool() {
            parts.reverse();
        }
        shape = Shape::union(parts).unwrap();
    }
    shape.with_margin(left).unwrap()
}

fn thing(random: &mut Generator) -> Thing {
    let whole = |random: &mut Generator| f64::from(random.0.i32(1..5));
    let radius = 0.25 * f64::from(random.0.i32(0..9));
    let (half, shape) = match random.0.u32(0..4) {
        0 => (DVec3::ZERO, Shape::point()),
        1 => {
            let long = whole(random);
            (DVec3::Z * long, Shape::capsule(long, 0.0).unwrap())
        }
        _ => {
            let half = DVec3::new(whole(random), whole(random), whole(random));
            (half, Shape::cuboid(half).unwrap())
        }
    };
    Thing { half, radius, shape: nested(random, shape, radius) }
}

fn asked(query: &mut Query, a: Placed, b: Placed, limit: f64, order: std::cmp::Ordering, what: &str) {
    for (a, b) in [(a, b), (b, a)] {
        let what = format!("{what}: {:?} and {:?}, {:?}", a.pose, b.pose, query.distance(a, b).range);
        assert_eq!(query.within(a, b, Limit::Below(limit)), Some(order.is_lt()), "below {limit}: {what}");
        assert_eq!(query.within(a, b, Limit::AtMost(limit)), Some(order.is_le()), "at most {limit}: {what}");
    }
}

#[test]
fn a_gap_that_equals_a_limit_is_told_for_all_families() {
    let (mut query, mut ties) = (Query::new(), 0);
    for number in 0..cases() {
        let mut random = Generator(fastrand::Rng::with_seed(seed(55_000) + number));
        let (one, other) = (thing(&mut random), thing(&mut random));
        let place = random.point(true, 12);
        let turn = [DQuat::IDENTITY, DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0).normalize()][random.0.usize(0..2)];
        let far = random.point(true, 3) * 1024.0;
        let pose = |x: DVec3| Pose::new(turn, (turn * x).round() + far).unwrap();
        let beyond = (place.abs() - one.half - other.half).max(DVec3::ZERO);
        let (squared, radii) = (beyond.length_squared(), one.radius + other.radius);
        // The nearest multiple of a quarter to the gap, which it often equals; all squares are exact.
        let limit = ((squared.sqrt() - radii) * 4.0).round() / 4.0 + 0.25 * f64::from(random.0.i32(-1..2));
        if limit <= 0.0 || squared <= radii * radii {
            continue;
        }
        let order = squared.total_cmp(&((radii + limit) * (radii + limit)));
        ties += u32::from(order.is_eq());
        let b = Body::convex(other.shape.clone());
        let mut all = vec![Body::convex(one.shape.clone())];
        if one.radius == 0.0 && one.half.min_element() > 0.0 {
            all.push(Body::mesh(as_mesh(&Shape::cuboid(one.half).unwrap())));
        }
        for a in &all {
            let what = format!("case {number}: {:?} and {:?}, {place} apart", one.shape, other.shape);
            asked(
                &mut query,
                Placed::new(a, pose(DVec3::ZERO)),
                Placed::new(&b, pose(place)),
                limit,
                order,
                &what,
            );
        }
        // A wall below: its height over the lowest point.
        let drop = other.half.z + other.radius + f64::from(random.0.i32(1..9));
        let scale = f64::from(random.0.i32(1..6));
        let wall = Body::convex(Shape::half_space(DVec3::Z * scale, (place.z - drop) * scale).unwrap());
        let gap = drop - other.half.z - other.radius;
        let limit = gap + 0.25 * f64::from(random.0.i32(-1..2));
        let what = format!("case {number}: {:?} over a wall, {place}, {drop}, {scale}", other.shape);
        let wall = Placed::new(&wall, pose(DVec3::ZERO));
        asked(&mut query, wall, Placed::new(&b, pose(place)), limit, gap.total_cmp(&limit), &what);
        if let [_, mesh] = &all[..] {
            // Poses are made of whole numbers.
            let height = (place.z - drop).ceil() + one.half.z + f64::from(random.0.i32(1..9));
            let gap = height - one.half.z - (place.z - drop);
            let limit = gap + 0.25 * f64::from(random.0.i32(-1..2));
            let what = format!("case {number}: a mesh over a wall, {place}, {drop}, {scale}");
            let mesh = Placed::new(mesh, pose(DVec3::Z * height));
            asked(&mut query, mesh, wall, limit, gap.total_cmp(&limit), &what);
        }
    }
    assert!(ties > cases() as u32 / 20, "{ties}");
}
