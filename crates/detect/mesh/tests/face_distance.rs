//! Distances of triangles against the exact distance of their corners' hulls (Wolfe's algorithm in rationals).

use kontakt_answers::{Range, Visits};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{Between, FaceDistance, distance, distance_range};
use testkit::min_norm::{at_most_root, hull_distance_squared, min_norm_point, root};
use testkit::rational::{dot, exact, integer, sub, vector};
use testkit::{Generator, rotation};

type Triangle = [[f64; 3]; 3];

fn ours(a: Triangle, b: Triangle) -> FaceDistance {
    distance(a.map(DVec3::from_array), b.map(DVec3::from_array))
}

/// Largest coordinate difference within both triangles.
fn size(a: Triangle, b: Triangle) -> f64 {
    let extent = |t: Triangle| {
        (0..3).map(|i| t.iter().map(|p| (p[i] - t[0][i]).abs()).fold(0.0, f64::max)).fold(0.0, f64::max)
    };
    extent(a).max(extent(b))
}

/// Compares the value with the truth and the witness points with the triangles; returns the relative error.
fn check(a: Triangle, b: Triangle) -> f64 {
    let found = ours(a, b);
    let truth = root(&hull_distance_squared(&a, &b));
    let scale = size(a, b) + truth + f64::MIN_POSITIVE;
    let on = |t: Triangle, p: DVec3| root(&hull_distance_squared(&t, &[p.to_array()]));
    // Witness points are stored in absolute coordinates: rounded there.
    let place = a.iter().chain(&b).flatten().fold(0.0, |far: f64, x| far.max(x.abs()));
    let room = 1e-14 * scale + 1e-15 * place;
    assert!(on(a, found.point_a) <= room && on(b, found.point_b) <= room, "off: {a:?} {b:?} {found:?}");
    assert!((found.point_a.distance(found.point_b) - found.squared.sqrt()).abs() <= room);
    let error = (found.squared.sqrt() - truth).abs() / scale;
    assert!(error <= 1e-13, "{error:e}: {} instead of {truth}: {a:?} {b:?}", found.squared.sqrt());
    error
}

fn triangle(source: &mut Generator) -> Triangle {
    let mut corners: Triangle = std::array::from_fn(|_| source.point());
    match source.index(8) {
        0 => corners[2] = corners[0],
        1 => corners[2] = std::array::from_fn(|i| 2.0 * corners[1][i] - corners[0][i]),
        2 => corners = [corners[0]; 3],
        // Slivers.
        3 => {
            let thin = 10.0_f64.powf(-12.0 * source.unit());
            let (p, q) = (corners[0], corners[1]);
            let middle: [f64; 3] = std::array::from_fn(|i| 0.5 * (p[i] + q[i]));
            corners[2] = std::array::from_fn(|i| middle[i] + thin * (corners[2][i] - middle[i]));
        }
        _ => {}
    }
    corners
}

#[test]
fn on_the_grid() {
    let mut source = Generator::grid(11);
    let mut meeting = 0;
    for _ in 0..300 {
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        check(a, b);
        meeting += usize::from(ours(a, b).squared < 1e-28);
    }
    assert!((40..200).contains(&meeting), "{meeting} meet");
}

#[test]
fn with_free_coordinates_near_and_far() {
    let mut source = Generator::free(12);
    for _ in 0..300 {
        let (a, mut b) = (triangle(&mut source), triangle(&mut source));
        let far = 10.0_f64.powf(4.0 * source.unit() - 2.0);
        let shift = source.point();
        b = b.map(|p| std::array::from_fn(|i| p[i] + far * shift[i]));
        check(a, b);
    }
}

/// Faces, edges and corners at gaps down to rounding, nearly parallel.
#[test]
fn almost_touching() {
    let mut source = Generator::free(13);
    for _ in 0..400 {
        let a: Triangle = std::array::from_fn(|_| source.point());
        let gap = 10.0_f64.powf(-15.0 * source.unit());
        let tilt = 10.0_f64.powf(-15.0 * source.unit());
        let (shift, rock) = (source.point(), source.point());
        let slide = source.point();
        // A copy, slid within its plane or not, shifted and rocked by a little.
        let b = a.map(|p| {
            std::array::from_fn(|i| {
                let along = slide[0] * (a[1][i] - a[0][i]) + slide[1] * (a[2][i] - a[0][i]);
                p[i] + along + gap * shift[i] + tilt * rock[(i + 1) % 3] * p[(i + 2) % 3]
            })
        });
        check(a, b);
    }
}

/// Neither place nor size matter.
#[test]
fn far_away_huge_and_tiny() {
    let mut source = Generator::grid(14);
    for _ in 0..100 {
        let (a, b) = (triangle(&mut source), triangle(&mut source));
        // Slivers off the grid would round far away.
        let [a, b] = [a, b].map(|t| t.map(|p| p.map(f64::round)));
        let here = ours(a, b).squared;
        let far = |t: Triangle| t.map(|p| p.map(|x| x + f64::from(1 << 23)));
        assert!((ours(far(a), far(b)).squared - here).abs() <= 1e-13);
        for exponent in [400, -400, -1000, 900] {
            let power = 2.0_f64.powi(exponent);
            let scaled = |t: Triangle| t.map(|p| p.map(|x| x * power));
            let found = ours(scaled(a), scaled(b));
            assert!(found.point_a.is_finite() && found.point_b.is_finite() && !found.squared.is_nan());
            let length = (found.point_a / power).distance(found.point_b / power);
            assert!((length - here.sqrt()).abs() <= 1e-13, "{exponent} {a:?} {b:?}");
        }
    }
}

/// The range contains the exact distance, is [0, 0] exactly for triangles that meet, and is narrow.
#[test]
fn ranges_contain_the_truth() {
    let (mut meeting, mut wide, mut all) = (0, 0, 0);
    for (grid, seed) in [(true, 15), (false, 16)] {
        let mut source = if grid { Generator::grid(seed) } else { Generator::free(seed) };
        for _ in 0..120 {
            let (a, b) = (triangle(&mut source), triangle(&mut source));
            let (q, t) = (source.quaternion(), source.point().map(|x| 0.25 * x));
            let pose = Pose::new(DQuat::from_array(q), DVec3::from_array(t)).unwrap();
            let between = Between::new(Pose::IDENTITY, pose);
            let mut visits = Visits::default();
            let (range, found) =
                distance_range(&between, a.map(DVec3::from_array), b.map(DVec3::from_array), &mut visits);
            let moved = b.map(|x| rotation::moved(q, t, &vector(x)));
            let difference: Vec<_> =
                a.iter().flat_map(|p| moved.iter().map(|q| sub(&vector(*p), q))).collect();
            let nearest = min_norm_point(&difference);
            let squared = dot(&nearest, &nearest);
            assert!(at_most_root(range.lo(), &squared), "{range:?} {a:?} {b:?}");
            let hi = exact(range.hi());
            assert!(&hi * &hi >= squared, "{range:?} {a:?} {b:?}");
            let zero = squared == integer(0);
            assert_eq!(range == Range::ZERO, zero, "{range:?} {a:?} {b:?}");
            meeting += usize::from(zero);
            all += 1;
            wide += usize::from(range.hi() - range.lo() > 1e-12 * (size(a, b) + range.hi()));
            assert!(found.squared.sqrt() <= range.hi());
        }
    }
    assert!(meeting > 8 && wide * 20 < all, "{meeting} meet, {wide} of {all} wide");
}
