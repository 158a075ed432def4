//! The smallest box: containment in rationals, the proven gap against blind sampling, known optima, invariance.

use kontakt_bounds::{BoxMethod, BoxRequest, FitError, Obb, Objective, SmallestBox, smallest_box};
use kontakt_math::{DMat3, DQuat, DVec3};
use testkit::Generator;
use testkit::rational::{abs, cross, dot, sub, vector};

const OBJECTIVES: [Objective; 3] = [Objective::Volume, Objective::Surface, Objective::Diameter];

fn ask(method: BoxMethod, objective: Objective) -> BoxRequest {
    BoxRequest { method, objective, ..BoxRequest::default() }
}

fn solve(points: &[DVec3], method: BoxMethod, objective: Objective) -> SmallestBox {
    let found = smallest_box(points, &ask(method, objective)).expect("finite points");
    assert!(found.value.is_finite() && found.obb.half_extents.is_finite());
    for &p in points {
        assert!(holds(&found.obb, p), "{method:?} {p} {:?}", found.obb);
    }
    found
}

/// p = c + Σ sᵢaᵢ solved in rationals (Cramer), |sᵢ| ≤ hᵢ, and the naive test in doubles.
fn holds(obb: &Obb, p: DVec3) -> bool {
    let columns = [obb.axes.x_axis, obb.axes.y_axis, obb.axes.z_axis];
    let naive =
        columns.iter().zip(obb.half_extents.to_array()).all(|(a, h)| a.dot(p - obb.centre).abs() <= h);
    let [a, b, c] = columns.map(|v| vector(v.to_array()));
    let x = sub(&vector(p.to_array()), &vector(obb.centre.to_array()));
    let normals = [cross(&b, &c), cross(&c, &a), cross(&a, &b)];
    let det = dot(&a, &normals[0]);
    let half = vector(obb.half_extents.to_array());
    naive && (0..3).all(|i| abs(&dot(&normals[i], &x)) <= &half[i] * abs(&det))
}

fn value(points: &[DVec3], axes: DMat3, objective: Objective) -> f64 {
    let [a, b, c] = [axes.x_axis, axes.y_axis, axes.z_axis].map(|u| {
        let along = || points.iter().map(|p| u.dot(*p));
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    });
    match objective {
        Objective::Volume => a * b * c,
        Objective::Surface => 2.0 * (a * b + b * c + c * a),
        Objective::Diameter => (a * a + b * b + c * c).sqrt(),
    }
}

fn cloud(generator: &mut Generator, n: usize) -> Vec<DVec3> {
    let stretch = DVec3::new(1.0, 0.2 + generator.unit(), 0.05 + generator.unit());
    generator.points(n).into_iter().map(|p| DVec3::from(p) * stretch).collect()
}

fn turned(generator: &mut Generator, points: &[DVec3]) -> Vec<DVec3> {
    let turn = DQuat::from_array(generator.quaternion());
    points.iter().map(|&p| turn * p).collect()
}

fn boxes_corners(size: DVec3) -> Vec<DVec3> {
    (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * size).collect()
}

/// Blind sampling must not find anything below the proven bound, and must come near the value found: a bound that is
/// too low or a value that is too high would show.
#[test]
fn the_gap_is_true_and_small() {
    let mut close = 0;
    for seed in 0..8 {
        for (mut generator, n) in [(Generator::free(seed), 24), (Generator::grid(seed), 60)] {
            let points = cloud(&mut generator, n);
            for objective in OBJECTIVES {
                let found = solve(&points, BoxMethod::Exact, objective);
                let gap = found.gap.expect("proven");
                assert!((0.0..2e-11).contains(&gap), "{gap:e} {objective:?} seed {seed}");
                let mut free = Generator::free(1000 + seed);
                let least = (0..4000)
                    .map(|_| {
                        value(&points, DMat3::from_quat(DQuat::from_array(free.quaternion())), objective)
                    })
                    .fold(f64::INFINITY, f64::min);
                assert!(least >= found.value * (1.0 - gap) * (1.0 - 1e-12));
                close += u32::from(least < 1.1 * found.value);
            }
        }
    }
    assert!(close > 24, "sampling came near only {close} times of 48: the values found may be too high");
}

#[test]
fn known_optima() {
    let mut generator = Generator::free(5);
    let size = DVec3::new(3.0, 2.0, 0.5);
    let points = turned(&mut generator, &boxes_corners(size));
    for method in [BoxMethod::Fast, BoxMethod::Exact] {
        assert!((solve(&points, method, Objective::Volume).value / 3.0 - 1.0).abs() < 1e-12);
        assert!((solve(&points, method, Objective::Surface).value / 17.0 - 1.0).abs() < 1e-12);
    }
    // A regular tetrahedron fits in the cube whose face diagonals are its edges.
    let tetrahedron =
        [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(DVec3::from);
    let points = turned(&mut generator, &tetrahedron);
    assert!((solve(&points, BoxMethod::Exact, Objective::Volume).value / 8.0 - 1.0).abs() < 1e-12);
}

/// Every method contains the points, none beats the exact one, and a certified gap is true.
#[test]
fn all_methods_against_exact() {
    for seed in 0..4 {
        let mut generator = if seed % 2 == 0 { Generator::free(seed) } else { Generator::grid(seed) };
        let points = cloud(&mut generator, 40);
        for objective in OBJECTIVES {
            let exact = solve(&points, BoxMethod::Exact, objective);
            for method in BoxMethod::ALL {
                let found = solve(&points, method, objective);
                assert!(
                    found.value >= exact.value * (1.0 - 1e-15),
                    "{method:?} {} {}",
                    found.value,
                    exact.value
                );
                let limit = match method {
                    BoxMethod::Fast => 1e-6,
                    BoxMethod::NelderMead | BoxMethod::Powell => 0.05,
                    _ => 1.5,
                };
                assert!(
                    found.value <= exact.value * (1.0 + limit),
                    "{method:?} {objective:?} {} {}",
                    found.value,
                    exact.value
                );
                let request = BoxRequest { certify: true, ..ask(method, objective) };
                let gap = smallest_box(&points, &request).expect("finite").gap.expect("certified");
                assert!(found.value * (1.0 - gap) <= exact.value * (1.0 + 1e-15));
                assert!(found.value * (1.0 - gap) >= exact.value * (1.0 - 1e-6));
            }
        }
    }
}

#[test]
fn place_scale_order_and_turn_change_nothing() {
    for seed in 0..6 {
        let mut generator = Generator::free(seed);
        let points = cloud(&mut generator, 50);
        let expected = solve(&points, BoxMethod::Fast, Objective::Volume).value;
        let same = |points: &[DVec3], factor: f64, tolerance: f64| {
            let got = solve(points, BoxMethod::Fast, Objective::Volume).value / factor;
            assert!((got / expected - 1.0).abs() < tolerance, "{got} {expected}");
        };
        same(&turned(&mut generator, &points), 1.0, 1e-6);
        same(&points.iter().rev().copied().collect::<Vec<_>>(), 1.0, 1e-6);
        same(&points.iter().map(|&p| p * 1e-60).collect::<Vec<_>>(), 1e-180, 1e-6);
        same(&points.iter().map(|&p| p * 1e80).collect::<Vec<_>>(), 1e240, 1e-6);
        same(&points.iter().map(|&p| p + 1e6).collect::<Vec<_>>(), 1.0, 1e-6);
        let twice = solve(&points, BoxMethod::Fast, Objective::Volume);
        assert_eq!(twice, solve(&points, BoxMethod::Fast, Objective::Volume));
    }
}

#[test]
fn thin_and_tiny_input() {
    let p = DVec3::new(1.0, 2.0, -3.0);
    let q = DVec3::new(4.0, 2.0, 1.0);
    let r = DVec3::new(0.3, -2.0, 0.7);
    for objective in OBJECTIVES {
        for method in BoxMethod::ALL {
            for points in [vec![p], vec![p; 5], vec![p, q], vec![p, q, p, (p + q) / 2.0]] {
                let found = solve(&points, method, objective);
                assert_eq!(found.gap, Ok(0.0));
                if objective == Objective::Diameter {
                    let length = if points.contains(&q) { p.distance(q) } else { 0.0 };
                    assert!((found.value - length).abs() < 1e-13);
                } else {
                    assert!(found.value < 1e-12);
                }
            }
            if objective == Objective::Volume {
                let triangle = solve(&[p, q, r], method, objective);
                assert!(triangle.value < 1e-12 && triangle.gap == Ok(0.0));
            }
        }
    }
    // The equilateral triangle across a cube's corners: the least diameter is the cube's, not the flat box's.
    let found = solve(&[DVec3::X, DVec3::Y, DVec3::Z], BoxMethod::Exact, Objective::Diameter);
    assert!(found.value <= 3.0_f64.sqrt() * (1.0 + 1e-12));
    // A right triangle's least rectangle has its legs as sides.
    let flat = solve(&[DVec3::ZERO, DVec3::X * 3.0, DVec3::Y * 4.0], BoxMethod::Exact, Objective::Volume);
    let mut sides = (flat.obb.half_extents * 2.0).to_array();
    sides.sort_by(f64::total_cmp);
    assert!(sides[0] < 1e-14 && sides[1] * sides[2] <= 12.0 * (1.0 + 1e-14));
}

#[test]
fn extreme_magnitudes() {
    for scale in [1e-300, 1e-150, 1e150, 1e300] {
        let points: Vec<DVec3> =
            boxes_corners(DVec3::new(3.0, 2.0, 1.0)).iter().map(|&p| p * scale).collect();
        for method in BoxMethod::ALL {
            let obb = smallest_box(&points, &ask(method, Objective::Diameter)).expect("finite").obb;
            assert!(points.iter().all(|&p| holds(&obb, p)), "{method:?} {scale:e}");
            assert!(obb.half_extents.max_element() < 4.0 * scale);
        }
    }
}

/// A plate a millionth as thick as wide, turned anyhow: cells must be allowed to be flat too.
#[test]
fn thin_plates() {
    for seed in 0..3 {
        let mut generator = Generator::free(seed);
        let size = DVec3::new(1.0, 0.7, 1e-6);
        let plate: Vec<DVec3> = generator.points(30).into_iter().map(|p| DVec3::from(p) * size).collect();
        let points = turned(&mut generator, &plate);
        let found = solve(&points, BoxMethod::Exact, Objective::Volume);
        assert!(found.gap.is_ok_and(|gap| gap < 1e-6), "{found:?}");
        let fast = solve(&points, BoxMethod::Fast, Objective::Volume);
        assert!(fast.value <= found.value * (1.0 + 1e-6));
    }
}

#[test]
fn bad_input_is_named() {
    let request = BoxRequest::default();
    assert_eq!(smallest_box(&[], &request), Err(FitError::Empty));
    let culprit = [DVec3::ZERO, DVec3::new(0.0, 0.0, f64::NEG_INFINITY)];
    assert_eq!(smallest_box(&culprit, &request), Err(FitError::NotFinite { index: 1 }));
}
