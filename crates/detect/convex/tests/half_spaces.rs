//! Half-spaces against rationals: verdicts exact, ranges enclose the exact separation.

use kontakt_convex::{Answer, Shape, Verdict, half_space};
use kontakt_math::{Between, DQuat, DVec3, Pose};
use num_traits::{Signed, Zero};
use testkit::rational::{Rational, dot, exact, sub, vector};
use testkit::{Generator, rigid};

type PoseNumbers = ([f64; 4], [f64; 3]);

fn pose((q, t): PoseNumbers) -> Pose {
    Pose::new(DQuat::from_array(q), DVec3::from_array(t)).unwrap()
}

/// The least of normal·x over the points, in the plane's frame, exactly.
fn lowest(plane: PoseNumbers, body: PoseNumbers, normal: [f64; 3], points: &[[f64; 3]]) -> Rational {
    let [qx, qy, qz, qw] = plane.0.map(exact);
    let back = [-qx, -qy, -qz, qw];
    let height = |p: &[f64; 3]| {
        let world = rigid::apply(body.0, body.1, *p);
        dot(&rigid::rotate(&back, &sub(&world, &vector(plane.1))), &vector(normal))
    };
    points.iter().map(height).min().unwrap()
}

/// Sign of height − level − radius·|normal|.
fn sign(height: &Rational, level: f64, radius: &Rational, normal: [f64; 3]) -> i32 {
    let rise = height - exact(level);
    let squared = dot(&vector(normal), &vector(normal));
    if radius.is_zero() {
        return testkit::rational::sign(&rise);
    }
    if !rise.is_positive() {
        return -1;
    }
    testkit::rational::sign(&(&rise * &rise - radius * radius * squared))
}

/// Whether (height − level)/|normal| − radius lies in the range.
fn encloses(answer: &Answer, height: &Rational, level: f64, radius: &Rational, normal: [f64; 3]) -> bool {
    let at_least =
        |end: f64| end == f64::NEG_INFINITY || sign(height, level, &(radius + exact(end)), normal) >= 0;
    let below = |end: f64| {
        // height − level ≤ (radius + end)·|normal|; with a negative right side the mirrored question.
        let right = radius + exact(end);
        if right.is_negative() {
            sign(&-height, -level, &-right, normal) >= 0
        } else {
            sign(height, level, &right, normal) <= 0
        }
    };
    let lower = {
        let right = radius + exact(answer.separation.lo());
        if right.is_negative() {
            sign(&-height, -level, &-right, normal) <= 0
        } else {
            at_least(answer.separation.lo())
        }
    };
    lower && below(answer.separation.hi())
}

fn verdict_of(sign: i32) -> Verdict {
    match sign {
        1 => Verdict::Separate,
        0 => Verdict::Touching,
        _ => Verdict::Overlapping,
    }
}

fn check(source: &mut Generator, counts: &mut [usize; 3], on_grid: bool) {
    let (plane, body) = ((source.quaternion(), source.point()), (source.quaternion(), source.point()));
    let normal = source.point();
    if normal == [0.0; 3] {
        return;
    }
    let count = 1 + source.index(6);
    let points: Vec<[f64; 3]> = (0..count).map(|_| source.point()).collect();
    let [round, margin] = [source.index(3) as f64 * 0.5, source.index(2) as f64 * 0.25];
    let height = lowest(plane, body, normal, &points);
    // Half of the planes pass as close to the lowest point as a double can.
    let close = num_traits::ToPrimitive::to_f64(&height).unwrap();
    let radius = exact(round) + exact(margin);
    let level = if source.index(2) == 0 {
        close - (round + margin) * DVec3::from_array(normal).length()
    } else {
        source.point()[0]
    };
    let level = if on_grid { level.round() } else { level };
    let vertices: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(*p)).collect();
    let hull = Shape::hull(&vertices).unwrap().with_margin(margin).unwrap();
    let half = Shape::half_space(DVec3::from_array(normal), level).unwrap().with_margin(round).unwrap();
    let expected = sign(&height, level, &radius, normal);
    counts[(expected + 1) as usize] += 1;
    let answer = half_space::answer(&half, &hull, &Between::new(pose(plane), pose(body)));
    assert_eq!(answer.verdict, verdict_of(expected), "{plane:?} {body:?} {normal:?} {level} {points:?}");
    assert!(encloses(&answer, &height, level, &radius, normal), "{answer:?} {plane:?} {body:?} {points:?}");
    assert!(answer.separation.width() <= 1e-12 * (10.0 + answer.separation.hi().abs()), "{answer:?}");
    let other = half_space::answer(&hull, &half, &Between::new(pose(body), pose(plane)));
    assert_eq!(other, answer.swapped());
}

#[test]
fn hulls_over_planes() {
    let mut counts = [0; 3];
    let mut source = Generator::free(70);
    for _ in 0..600 {
        check(&mut source, &mut counts, false);
    }
    assert!(counts[0] > 100 && counts[2] > 100, "{counts:?}");
    let mut counts = [0; 3];
    let mut source = Generator::grid(71);
    for _ in 0..600 {
        check(&mut source, &mut counts, true);
    }
    assert!(counts.iter().all(|c| *c > 30), "{counts:?}");
}

/// Curved bodies over a tilted plane by their closed forms.
#[test]
fn curved_bodies_over_planes() {
    let mut source = Generator::free(72);
    for _ in 0..300 {
        let (q, t) = (source.quaternion(), source.point());
        let normal = DVec3::from_array(source.point());
        let offset = source.point()[0];
        let lengths = source.point().map(f64::abs);
        let turned = pose((q, t)).rotation().conjugate() * normal.normalize();
        let height = normal.normalize().dot(DVec3::from_array(t)) - offset / normal.length();
        let across = turned.x.hypot(turned.y);
        let [x, y, z] = lengths;
        let cases = [
            (Shape::ellipsoid(DVec3::from_array(lengths)), (DVec3::from_array(lengths) * turned).length()),
            (Shape::cylinder(x, y), x * turned.z.abs() + y * across),
            (Shape::cone(x, y), (-x * turned.z).max(x * turned.z + y * across)),
            (Shape::sphere(z), z),
            (Shape::capsule(x, z), x * turned.z.abs() + z),
        ];
        let half = Shape::half_space(normal, offset).unwrap();
        for (shape, reach) in cases {
            let answer =
                half_space::answer(&half, &shape.unwrap(), &Between::new(Pose::IDENTITY, pose((q, t))));
            let expected = height - reach;
            let slack = 1e-14 * (4.0 + expected.abs() + offset.abs() / normal.length());
            assert!(answer.separation.lo() <= expected + slack && answer.separation.hi() >= expected - slack);
            assert!(answer.separation.width() < 100.0 * slack, "{answer:?}");
            let gap = (answer.point_b - answer.point_a).dot(answer.normal);
            assert!((gap - expected).abs() < 10.0 * slack, "{answer:?}");
            assert!(answer.point_error < 1e-9 || reach < 1e-3, "{answer:?} {lengths:?}");
        }
    }
}

#[test]
fn two_half_spaces() {
    let up = Shape::half_space(DVec3::new(0.0, 0.0, 2.0), 2.0).unwrap();
    let down = |level: f64| Shape::half_space(DVec3::new(0.0, 0.0, -3.0), level).unwrap();
    let same = Between::new(Pose::IDENTITY, Pose::IDENTITY);
    let ask = |level: f64| half_space::answer(&up, &down(level), &same);
    assert_eq!(ask(-3.0).verdict, Verdict::Touching);
    assert_eq!(ask((-3.0_f64).next_up()).verdict, Verdict::Overlapping);
    assert_eq!(ask((-3.0_f64).next_down()).verdict, Verdict::Separate);
    let apart = ask(-9.0);
    assert!(apart.separation.lo() <= 2.0 && apart.separation.hi() >= 2.0 && apart.separation.width() < 1e-12);
    let tilted = Pose::new(DQuat::from_xyzw(1e-200, 0.0, 0.0, 1.0), DVec3::Z * 100.0).unwrap();
    let wedge = half_space::answer(&up, &down(-9.0), &Between::new(Pose::IDENTITY, tilted));
    assert_eq!(wedge.verdict, Verdict::Overlapping, "not quite parallel planes meet somewhere");
    let rounded = down(-9.0).with_margin(2.0).unwrap();
    assert_eq!(half_space::answer(&up, &rounded, &same).verdict, Verdict::Touching);
}

/// Ends of doubles: no panic, no NaN.
#[test]
fn wild_numbers() {
    for normal in [DVec3::new(1e-300, 0.0, 1e300), DVec3::splat(5e-324), DVec3::splat(1e308)] {
        for offset in [0.0, 1e308, -1e-308] {
            let half = Shape::half_space(normal, offset).unwrap();
            for size in [0.0, 1e-300, 1e300] {
                let body = Shape::cuboid(DVec3::splat(size)).unwrap();
                let answer = half_space::answer(&half, &body, &Between::new(Pose::IDENTITY, Pose::IDENTITY));
                assert!(
                    !answer.separation.lo().is_nan() && answer.verdict != Verdict::Undecided,
                    "{answer:?}"
                );
            }
        }
    }
}
