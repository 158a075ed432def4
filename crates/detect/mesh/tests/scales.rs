//! Rays, nearest points and inside at every scale that doubles have, against rational arithmetic.
//!
//! What was wrong: products of coordinates left the range of doubles, below 2⁻³⁰⁰ or so and for directions of 1e160 and more, and a
//! ray got t = 0 and a face that it does not meet first. The first face is now found by exact fractions, t is one rounding
//! of the exact parameter, and a direction of no length is refused where the ray is made.

mod bodies;

use bodies::Shape;
use kontakt_math::{DVec3, Dyadic};
use kontakt_mesh::{Location, Ray, RayError};
use num_traits::{Signed, Zero};
use testkit::Generator;
use testkit::min_norm::{at_most_root, hull_distance_squared};
use testkit::rational::{Rational, Vector, add, cross, dot, exact, scale, sub, vector};

/// How many random scenes; more for a long run.
fn cases() -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

/// x·2^exponent, rounded to nearest where it is no double.
fn times_power(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * f64::powi(2.0, half) * f64::powi(2.0, exponent - half)
}

/// The least t ≥ 0 at which o + t·d is in the convex hull of three points, by cutting the line with the planes through the edges.
fn first(o: &Vector, d: &Vector, corners: &[Vector; 3]) -> Option<Rational> {
    let [a, b, c] = corners;
    let normal = cross(&sub(b, a), &sub(c, a));
    if normal.iter().all(Zero::is_zero) {
        return [(a, b), (b, c), (c, a)].iter().filter_map(|(p, q)| first_of_segment(o, d, p, q)).min();
    }
    let (ahead, facing) = (dot(&sub(a, o), &normal), dot(d, &normal));
    let inward = |p: &Vector, q: &Vector| cross(&normal, &sub(q, p));
    let edges = [(a, b), (b, c), (c, a)];
    if !facing.is_zero() {
        let t = ahead / facing;
        let x = add(o, &scale(&t, d));
        let inside = edges.iter().all(|(p, q)| !dot(&inward(p, q), &sub(&x, p)).is_negative());
        return (inside && !t.is_negative()).then_some(t);
    }
    if !ahead.is_zero() {
        return None;
    }
    // In the plane: o + t·d is inside of every edge for t in an interval.
    let (mut enter, mut leave) = (Rational::zero(), None::<Rational>);
    for (p, q) in edges {
        let n = inward(p, q);
        let (height, slope) = (dot(&n, &sub(o, p)), dot(&n, d));
        if slope.is_zero() {
            if height.is_negative() {
                return None;
            }
        } else {
            let t = -height / &slope;
            if slope.is_positive() {
                enter = enter.max(t);
            } else {
                leave = Some(leave.map_or_else(|| t.clone(), |l| l.min(t.clone())));
            }
        }
    }
    leave.is_none_or(|leave| enter <= leave).then_some(enter)
}

/// The same for a segment, or a point.
fn first_of_segment(o: &Vector, d: &Vector, p: &Vector, q: &Vector) -> Option<Rational> {
    let on_line = |x: &Vector| cross(&sub(x, o), d).iter().all(Zero::is_zero);
    let at = |x: &Vector| dot(&sub(x, o), d) / dot(d, d);
    if on_line(p) && on_line(q) {
        let (s, t) = (at(p), at(q));
        let (low, high) = (s.clone().min(t.clone()), s.max(t));
        return (!high.is_negative()).then(|| low.max(Rational::zero()));
    }
    let e = sub(q, p);
    let n = cross(d, &e);
    if n.iter().all(Zero::is_zero) || !dot(&sub(p, o), &n).is_zero() {
        return None;
    }
    let square = dot(&n, &n);
    let t = dot(&cross(&sub(p, o), &e), &n) / &square;
    let s = dot(&cross(&sub(p, o), d), &n) / &square;
    let on_segment = !s.is_negative() && s <= Rational::from_integer(1.into());
    (on_segment && !t.is_negative()).then_some(t)
}

/// Whether a double is the nearest to an exact number.
fn is_nearest(x: f64, truth: &Rational) -> bool {
    if x.is_infinite() {
        // Half a unit beyond the greatest.
        let greatest = exact(f64::MAX);
        let half = (&greatest - exact(f64::MAX.next_down())) / exact(2.0);
        return x.signum() > 0.0 && truth.abs() >= greatest + half;
    }
    let off = |y: f64| (exact(y) - truth).abs();
    let beside = |y: f64| !y.is_finite() || off(x) <= off(y);
    beside(x.next_up()) && beside(x.next_down())
}

fn random_shape(random: &mut Generator, grid: bool) -> Shape {
    let point = |random: &mut Generator| {
        let p = DVec3::from_array(random.point());
        if grid { DVec3::from_array(std::array::from_fn(|_| f64::from(random.integer(-3..=3)))) } else { p }
    };
    Shape {
        vertices: (0..9).map(|_| point(random)).collect(),
        triangles: (0..14).map(|_| std::array::from_fn(|_| random.index(9) as u32)).collect(),
    }
}

#[test]
fn the_first_face_is_the_first_at_every_scale() {
    let (mut hits, mut misses, mut beyond) = (0, 0, 0);
    for round in 0..cases() {
        let grid = round % 3 != 0;
        let mut random = if grid { Generator::grid(4000 + round) } else { Generator::free(4000 + round) };
        let shape = random_shape(&mut random, grid);
        // Grid coordinates are multiples of 1 up to 4, so that they are doubles at all of these scales.
        let size = random.integer(-1074..=1020);
        let mesh = shape.map(|v| DVec3::from_array(v.to_array().map(|x| times_power(x, size)))).mesh();
        for _ in 0..6 {
            let length = random.integer(-1074..=1020);
            let coordinate = |random: &mut Generator, reach: i32| {
                if grid { f64::from(random.integer(-reach..=reach)) } else { random.coordinate() }
            };
            let o: [f64; 3] = std::array::from_fn(|_| times_power(coordinate(&mut random, 4), size));
            let d: [f64; 3] = std::array::from_fn(|_| times_power(coordinate(&mut random, 2), length));
            let Ok(ray) = Ray::new(DVec3::from_array(o), DVec3::from_array(d)) else { continue };
            let (origin, direction) = (vector(o), vector(d));
            let faces = mesh.faces();
            let mut truth: Vec<(Rational, u32)> = (0..faces.triangles().len())
                .filter_map(|face| {
                    let corners = faces.triangle_points(face).map(|p| vector(p.to_array()));
                    first(&origin, &direction, &corners).map(|t| (t, face as u32))
                })
                .collect();
            truth.sort();
            let found = mesh.ray_hits(ray, f64::INFINITY);
            let ids = |hits: &[(Rational, u32)]| hits.iter().map(|hit| hit.1).collect::<Vec<_>>();
            assert_eq!(found.iter().map(|hit| hit.face).collect::<Vec<_>>(), ids(&truth), "{o:?} {d:?}");
            assert_eq!(mesh.ray(ray, f64::INFINITY), found.first().copied(), "{o:?} {d:?}");
            for (hit, (t, _)) in found.iter().zip(&truth) {
                assert!(is_nearest(hit.t, t), "{o:?} {d:?}: {} for {t}", hit.t);
                let place = add(&origin, &scale(t, &direction));
                assert!((0..3).all(|k| is_nearest(hit.point[k], &place[k])), "{o:?} {d:?}: {}", hit.point);
                beyond += usize::from(hit.t.is_infinite() || (hit.t == 0.0 && !t.is_zero()));
                assert_eq!(mesh.ray(ray, hit.t).map(|hit| hit.face), Some(truth[0].1), "up to its own t");
            }
            hits += usize::from(!truth.is_empty());
            misses += usize::from(truth.is_empty());
        }
    }
    let all = hits + misses;
    assert!(hits * 5 > all && misses * 5 > all && beyond * 50 > all, "{hits} {misses} {beyond}");
}

#[test]
fn what_is_no_ray_is_refused() {
    assert_eq!(Ray::new(DVec3::ZERO, DVec3::ZERO), Err(RayError::NoDirection));
    assert_eq!(Ray::new(DVec3::NAN, DVec3::X), Err(RayError::NotFinite));
    assert_eq!(Ray::new(DVec3::ZERO, DVec3::new(1.0, f64::INFINITY, 0.0)), Err(RayError::NotFinite));
    assert!(Ray::new(DVec3::ZERO, DVec3::new(0.0, f64::from_bits(1), -0.0)).is_ok());
}

#[test]
fn points_are_near_and_inside_at_every_scale() {
    let mut seen = [0; 4];
    for round in 0..cases() {
        let mut random = Generator::grid(7000 + round);
        let block = Shape::block([0.0, 0.0, -1.0], [2.0, 1.0, 1.0]);
        let size = random.integer(-1074..=1020);
        let scaled = |v: DVec3| DVec3::from_array(v.to_array().map(|x| times_power(x, size)));
        let shape = if round % 2 == 0 { block } else { random_shape(&mut random, true) };
        let mesh = shape.map(scaled).mesh();
        let plain = shape.mesh();
        for _ in 0..8 {
            let point = DVec3::from_array(std::array::from_fn(|_| f64::from(random.integer(-2..=3))));
            let verdict = plain.inside(point).verdict;
            seen[verdict as usize] += 1;
            let there = scaled(point);
            if mesh.is_closed() {
                assert_eq!(mesh.inside(there).verdict, verdict, "{point} at 2^{size}");
            }
            let near = mesh.nearest(there).unwrap();
            let truth = (0..mesh.faces().triangles().len())
                .map(|face| {
                    let corners = mesh.faces().triangle_points(face).map(|p| p.to_array());
                    hull_distance_squared(&[there.to_array()], &corners)
                })
                .min()
                .unwrap();
            let (lo, hi) = (near.distance.lo(), near.distance.hi());
            assert!(lo.is_finite() && at_most_root(lo, &truth), "{lo} {point} at 2^{size}");
            // hi² ≥ truth
            assert!(hi.is_infinite() || exact(hi) * exact(hi) >= truth, "{hi} {point} at 2^{size}");
            // And the bounds say something: they are relatively narrow wherever the distance is not 0 and doubles are not sparse.
            if size > -1000 && hi.is_finite() && !truth.is_zero() {
                assert!(hi - lo <= 1e-9 * hi, "[{lo}, {hi}] {point} at 2^{size}");
            }
        }
    }
    assert!(seen[Location::Inside as usize] > 0 && seen[Location::Outside as usize] > 20, "{seen:?}");
}

/// Every quotient is one rounding of the exact one, subnormal and beyond.
#[test]
fn quotients_are_rounded_once() {
    let mut random = Generator::free(99);
    for _ in 0..cases() * 20 {
        let number = |random: &mut Generator| {
            let exponent = random.integer(-1074..=1000);
            times_power(random.coordinate(), exponent)
        };
        let [a, b, c] = [0, 1, 2].map(|_| number(&mut random));
        if b == 0.0 {
            continue;
        }
        let [x, y, z] = [a, b, c].map(|x| Dyadic::new(x).unwrap());
        let (over, truth) = (&(&x * &z) + &x, (exact(a) * exact(c) + exact(a)) / exact(b));
        let found = over.nearest_quotient(&y);
        let (found, truth) = if truth.is_negative() { (-found, -truth) } else { (found, truth) };
        assert!(is_nearest(found, &truth), "{a:e} {b:e} {c:e}: {found:e}");
    }
}
