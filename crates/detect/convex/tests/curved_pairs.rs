//! Curved pairs with answers known in closed form, and properties that hold for all.

use kontakt_convex::smooth::{self, Want};
use kontakt_convex::{Answer, Convex, Shape, Verdict};
use kontakt_math::{Between, DQuat, DVec3, Pose};
use std::sync::Arc;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

fn ask(a: &Shape, b: &Shape, pose: Pose) -> Answer {
    smooth::answer(a, b, &Between::new(Pose::IDENTITY, pose), &mut DVec3::ZERO.clone(), Want::Contact)
}

/// The value is inside of the range, which is narrow.
fn expect(name: &str, answer: &Answer, value: f64, size: f64) {
    let slack = 1e-15 * size;
    println!(
        "{name}: width {:.1e} normal {:.1e} points {:.1e}",
        answer.separation.width(),
        answer.normal_error,
        answer.point_error
    );
    assert!(
        answer.separation.lo() <= value + slack && answer.separation.hi() >= value - slack,
        "{name}: {answer:?} {value}"
    );
    assert!(answer.separation.width() <= 1e-10 * size, "{name}: {answer:?}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn degenerate_and_symmetric_pairs() {
    let ellipsoid = |x, y, z| Shape::ellipsoid(DVec3::new(x, y, z)).unwrap();
    let cylinder = |h, r| Shape::cylinder(h, r).unwrap();
    let cone = |h, r| Shape::cone(h, r).unwrap();
    let sphere = |r| Shape::sphere(r).unwrap();
    let cuboid = |x, y, z| Shape::cuboid(DVec3::new(x, y, z)).unwrap();
    let tip = |h: f64, r: f64| (2.0 * h).hypot(r);
    // The least of a sum of widths over the polar angle.
    let width = |z: f64| (1.0 + 8.0 * z * z).sqrt() + (1.0 + 3.0 * z * z).sqrt() - 0.5 * z;
    let ring = -(0..100_000).map(|i| width(0.045 + 1e-8 * f64::from(i))).fold(f64::INFINITY, f64::min);
    let cases = [
        (
            "concentric balls as ellipsoids",
            ellipsoid(1.0, 1.0, 1.0),
            ellipsoid(0.5, 0.5, 0.5),
            at(0.0, 0.0, 0.0),
            -1.5,
        ),
        ("balls as ellipsoids", ellipsoid(1.0, 1.0, 1.0), ellipsoid(0.5, 0.5, 0.5), at(0.0, 1.2, 0.0), -0.3),
        (
            "balls as ellipsoids apart",
            ellipsoid(1.0, 1.0, 1.0),
            ellipsoid(0.5, 0.5, 0.5),
            at(0.0, 3.0, 4.0),
            3.5,
        ),
        ("same ellipsoid", ellipsoid(1.0, 2.0, 3.0), ellipsoid(1.0, 2.0, 3.0), at(0.0, 0.0, 0.0), -2.0),
        ("spheroids, ring", ellipsoid(1.0, 1.0, 3.0), ellipsoid(1.0, 1.0, 2.0), at(0.0, 0.0, 0.5), ring),
        ("spheroids end to end", ellipsoid(1.0, 1.0, 3.0), ellipsoid(1.0, 1.0, 2.0), at(0.0, 0.0, 4.5), -0.5),
        ("ball in the middle of a cylinder", cylinder(3.0, 1.0), sphere(0.25), at(0.0, 0.0, 0.5), -1.25),
        (
            "ball at the axis of a flat cylinder",
            cylinder(0.5, 2.0),
            sphere(0.25),
            at(0.0, 0.0, 0.125),
            -0.625,
        ),
        (
            "ball on the axis of a cone",
            cone(1.0, 1.0),
            sphere(0.25),
            at(0.0, 0.0, -0.5),
            -0.25 - 0.5_f64.min(1.5 / tip(1.0, 1.0)),
        ),
        ("ball high in a cone", cone(1.0, 1.0), sphere(0.25), at(0.0, 0.0, 0.5), -0.25 - 0.5 / tip(1.0, 1.0)),
        ("cylinders with one axis, flat", cylinder(1.0, 1.0), cylinder(1.0, 0.5), at(0.0, 0.0, 1.75), -0.25),
        ("cylinders with one axis, ring", cylinder(5.0, 1.0), cylinder(5.0, 0.5), at(0.0, 0.0, 1.75), -1.5),
        ("cylinders on each other", cylinder(1.0, 1.0), cylinder(1.0, 1.0), at(0.0, 0.0, 2.0), 0.0),
        ("cylinders side by side", cylinder(1.0, 1.0), cylinder(1.0, 1.0), at(2.0, 0.0, 0.5), 0.0),
        ("cylinders side by side, apart", cylinder(1.0, 1.0), cylinder(1.0, 1.0), at(3.0, 4.0, 0.5), 3.0),
        ("cylinder on a box", cuboid(2.0, 2.0, 1.0), cylinder(1.0, 1.0), at(0.5, 0.0, 2.0), 0.0),
        ("cylinder over a box", cuboid(2.0, 2.0, 1.0), cylinder(1.0, 1.0), at(0.5, 0.0, 2.5), 0.5),
        ("cylinder into a box", cuboid(2.0, 2.0, 1.0), cylinder(1.0, 1.0), at(0.5, 0.0, 1.5), -0.5),
        ("cone's tip on a box", cuboid(2.0, 2.0, 1.0), cone(1.0, 1.0), at(0.0, 0.0, -2.0), 0.0),
        ("cone's tip into a box", cuboid(2.0, 2.0, 1.0), cone(1.0, 1.0), at(0.0, 0.0, -1.75), -0.25),
        ("cone stands on a box", cuboid(2.0, 2.0, 1.0), cone(1.0, 1.0), at(0.25, 0.25, 2.0), 0.0),
        ("ellipsoid on a box", cuboid(2.0, 2.0, 1.0), ellipsoid(1.0, 0.5, 0.25), at(0.25, 0.25, 1.25), 0.0),
        (
            "ellipsoid in the middle of a cube",
            cuboid(1.0, 1.0, 1.0),
            ellipsoid(0.5, 0.5, 0.25),
            at(0.0, 0.0, 0.0),
            -1.25,
        ),
        (
            "discs in one plane apart",
            ellipsoid(1.0, 1.0, 0.0),
            ellipsoid(1.0, 1.0, 0.0),
            at(3.0, 0.0, 0.0),
            1.0,
        ),
        ("discs in one plane", ellipsoid(1.0, 1.0, 0.0), ellipsoid(1.0, 1.0, 0.0), at(1.0, 0.0, 0.0), 0.0),
        ("disc over disc", ellipsoid(1.0, 1.0, 0.0), cylinder(0.0, 1.0), at(0.5, 0.0, 0.5), 0.5),
        ("point ellipsoids", ellipsoid(0.0, 0.0, 0.0), ellipsoid(0.0, 0.0, 0.0), at(0.0, 3.0, 4.0), 5.0),
        (
            "point ellipsoids at one place",
            ellipsoid(0.0, 0.0, 0.0),
            ellipsoid(0.0, 0.0, 0.0),
            at(0.0, 0.0, 0.0),
            0.0,
        ),
        ("needles crossing", ellipsoid(1.0, 0.0, 0.0), ellipsoid(0.0, 1.0, 0.0), at(0.0, 0.0, 0.5), 0.5),
        ("needles in contact", ellipsoid(1.0, 0.0, 0.0), ellipsoid(0.0, 1.0, 0.0), at(0.25, 0.0, 0.0), 0.0),
        ("needle in a ball", ellipsoid(1.0, 1.0, 1.0), ellipsoid(0.0, 0.0, 0.5), at(0.0, 0.0, 0.0), -1.0),
        ("thread of a cylinder", cylinder(1.0, 0.0), cylinder(1.0, 1.0), at(3.0, 0.0, 0.0), 2.0),
        ("thread in a cylinder", cylinder(1.0, 0.0), cylinder(3.0, 1.0), at(0.5, 0.0, 0.0), -0.5),
    ];
    let mut failed = Vec::new();
    for (name, a, b, pose, value) in cases {
        let answer = ask(&a, &b, pose);
        let result = std::panic::catch_unwind(|| expect(name, &answer, value, 4.0));
        let verdict = if value > 0.0 {
            Verdict::Separate
        } else if value < 0.0 {
            Verdict::Overlapping
        } else {
            Verdict::Touching
        };
        if result.is_err() || answer.verdict != verdict {
            failed.push((name, answer));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Support of a shape given by plain numbers, straight from the definition.
#[derive(Clone, Debug)]
struct Plain {
    shape: Shape,
    kind: usize,
    numbers: [f64; 3],
    points: Vec<DVec3>,
}

impl Plain {
    fn random(random: &mut fastrand::Rng, kind: usize) -> Plain {
        // Now and then thin, tiny or huge.
        let wild = [1.0, 1.0, 1.0, 1e-6, 1e-9, 1e6][random.usize(..6)];
        let mut length = |factor: f64| (0.1 + random.f64()) * factor;
        let numbers = [length(1.0), length(1.0), length(wild)];
        let [x, y, z] = numbers;
        let mut points = Vec::new();
        let shape = match kind {
            0 => Shape::ellipsoid(DVec3::new(x, y, z)),
            1 => Shape::cylinder(x, z),
            2 => Shape::cone(z, x),
            3 => Shape::cuboid(DVec3::new(x, y, z)),
            _ => {
                points = (0..3 + random.usize(..8))
                    .map(|_| DVec3::new(random.f64() - 0.5, random.f64() - 0.5, (random.f64() - 0.5) * wild))
                    .collect();
                Shape::hull(&points)
            }
        };
        Plain { shape: shape.unwrap(), kind, numbers, points }
    }

    fn is_tame(&self) -> bool {
        let extent = |axis: DVec3| self.reach(axis) + self.reach(-axis);
        let extents = [DVec3::X, DVec3::Y, DVec3::Z].map(extent);
        extents.iter().all(|x| *x > 0.01 && *x < 100.0)
    }

    fn reach(&self, d: DVec3) -> f64 {
        let [x, y, z] = self.numbers;
        let across = d.x.hypot(d.y);
        match self.kind {
            0 => (DVec3::new(x, y, z) * d).length(),
            1 => x * d.z.abs() + z * across,
            2 => (z * d.z).max(-z * d.z + x * across),
            3 => DVec3::new(x, y, z).dot(d.abs()),
            _ => self.points.iter().map(|p| p.dot(d)).fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

fn direction(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
        if v.length() > 0.05 && v.length() < 0.5 {
            return v.normalize();
        }
    }
}

/// No direction, drawn at random or near the answer's normal, shows a larger gap than the upper end; the lower end is the gap
/// across the normal; the points have the right distance.
#[test]
fn no_direction_contradicts() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut counts = [0; 4];
    let (mut wide, mut tame_but_wide) = (0, 0);
    for round in 0..1200 {
        let other = random.usize(..5);
        let (a, b) = (Plain::random(&mut random, round % 3), Plain::random(&mut random, other));
        let turn =
            DQuat::from_xyzw(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
        let away = [0.2, 0.7, 1.2, 2.5][random.usize(..4)];
        let pose = Pose::new(turn.normalize(), direction(&mut random) * away).unwrap();
        let answer = ask(&a.shape, &b.shape, pose);
        let gap =
            |n: DVec3| n.dot(pose.translation()) - a.reach(n) - b.reach(-(pose.rotation().conjugate() * n));
        let size = 4.0 + a.numbers.iter().chain(&b.numbers).fold(0.0, |m: f64, x| m.max(*x));
        let slack = 1e-14 * size;
        for k in 0..400 {
            let lean = [0.0, 1e-7, 1e-4, 1e-2, 0.3][k % 5];
            let n = if k % 2 == 0 {
                direction(&mut random)
            } else {
                (answer.normal + direction(&mut random) * lean).normalize()
            };
            assert!(
                gap(n) <= answer.separation.hi() + slack,
                "{answer:?} {n:?} {} {a:?} {b:?} {pose:?}",
                gap(n)
            );
        }
        assert!(gap(answer.normal) <= answer.separation.hi() + slack);
        assert!(gap(answer.normal) >= answer.separation.lo() - slack, "{answer:?} {a:?} {b:?} {pose:?}");
        if answer.separation.width() > 1e-10 * size {
            wide += 1;
            tame_but_wide += usize::from(a.is_tame() && b.is_tame());
        } else {
            let across = answer.point_b - answer.point_a - answer.normal * answer.separation.lo();
            assert!(across.length() <= 1e-6 * size, "{across:?} {answer:?} {a:?} {b:?} {pose:?}");
        }
        counts[match answer.verdict {
            Verdict::Separate => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping => 2,
            Verdict::Undecided => 3,
        }] += 1;
    }
    println!("{counts:?} wide {wide} {tame_but_wide}");
    assert!(counts[0] > 300 && counts[2] > 300 && counts[3] == 0, "{counts:?}");
    assert!(wide <= 120 && tame_but_wide == 0, "{wide} {tame_but_wide}");
}

/// From the smallest to the largest doubles: no panic, no NaN, the right verdict.
#[test]
fn all_sizes() {
    for power in [-300, -250, -150, -100, -9, 0, 9, 100, 150, 250, 300] {
        let s = 10.0_f64.powi(power);
        let shapes = [
            Shape::ellipsoid(DVec3::new(1.0, 2.0, 3.0) * s),
            Shape::cylinder(2.0 * s, s),
            Shape::cone(2.0 * s, s),
            Shape::ellipsoid(DVec3::new(1.0, 2.0, 1e-6) * s),
        ]
        .map(Result::unwrap);
        let cube = Shape::cuboid(DVec3::splat(s)).unwrap();
        for shape in &shapes {
            let apart = ask(&cube, shape, at(5.0 * s, 0.0, 0.5 * s));
            assert_eq!(apart.verdict, Verdict::Separate, "{s} {apart:?}");
            assert!((apart.separation.lo() / s - 3.0).abs() < 0.05, "{s} {apart:?}");
            let inside = ask(&cube, shape, at(0.25 * s, 0.0, 0.0));
            assert_eq!(inside.verdict, Verdict::Overlapping, "{s} {inside:?}");
            assert!(inside.point_a.is_finite() && inside.normal.is_finite(), "{inside:?}");
            let far = ask(&cube, shape, at(1e305, 0.0, 0.0));
            assert!(far.verdict == Verdict::Separate || far.verdict == Verdict::Undecided, "{s} {far:?}");
        }
    }
}

/// An ellipsoid that is known only by its support map.
#[derive(Debug)]
struct Unknown(DVec3);

impl Convex for Unknown {
    fn support(&self, direction: DVec3) -> DVec3 {
        let scaled = self.0 * direction;
        self.0 * scaled / scaled.length()
    }
}

#[test]
fn users_shapes() {
    let radii = DVec3::new(1.0, 0.5, 0.75);
    let user = Shape::user(Arc::new(Unknown(radii)));
    let known = Shape::ellipsoid(radii).unwrap();
    let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    for other in
        [Shape::cuboid(DVec3::splat(0.5)).unwrap(), Shape::cylinder(0.5, 0.25).unwrap(), known.clone()]
    {
        for x in [0.1, 0.7, 2.0, 20.0] {
            let pose = Pose::new(turn, DVec3::new(x, 0.2, 0.1)).unwrap();
            let (a, b) = (ask(&user, &other, pose), ask(&known, &other, pose));
            println!("{:e} {:?}", a.separation.width(), a.verdict);
            assert_eq!(a.verdict, b.verdict);
            assert!(a.separation.lo() <= b.separation.hi() && b.separation.lo() <= a.separation.hi());
            let limit = if a.verdict == Verdict::Separate { 1e-10 } else { 1e-3 };
            assert!(a.separation.width() < limit, "{a:?}");
        }
    }
}
