//! Sphere, line-swept and rectangle-swept sphere against exact distances of their cores in rationals.

use kontakt_bounds::{Bound, FitError, Lss, Objective, Rss, Sphere};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::Generator;
use testkit::min_norm::{min_norm_point, root};
use testkit::rational::{Rational, Vector, add, dot, exact, scale, sub, vector};
use testkit::rigid::rotate;

/// A swept sphere as the hull of core points and a radius, exactly.
trait Swept: Bound + Copy + std::fmt::Debug + PartialEq {
    fn core(&self) -> Vec<Vector>;
    fn thickness(&self) -> f64;
    fn random(generator: &mut Generator) -> Self;
}

fn point(generator: &mut Generator) -> DVec3 {
    DVec3::from_array(generator.point())
}

impl Swept for Sphere {
    fn core(&self) -> Vec<Vector> {
        vec![vector(self.centre.to_array())]
    }

    fn thickness(&self) -> f64 {
        self.radius
    }

    fn random(generator: &mut Generator) -> Self {
        Sphere { centre: point(generator), radius: 1.2 * generator.coordinate().abs() }
    }
}

impl Swept for Lss {
    fn core(&self) -> Vec<Vector> {
        [self.start, self.end].map(|p| vector(p.to_array())).to_vec()
    }

    fn thickness(&self) -> f64 {
        self.radius
    }

    fn random(generator: &mut Generator) -> Self {
        Lss { start: point(generator), end: point(generator), radius: 0.3 * generator.coordinate().abs() }
    }
}

impl Swept for Rss {
    fn core(&self) -> Vec<Vector> {
        let [c, u, v] = [self.centre, self.half_u, self.half_v].map(|p| vector(p.to_array()));
        let corner = |(s, t): (f64, f64)| add(&c, &add(&scale(&exact(s), &u), &scale(&exact(t), &v)));
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(corner).to_vec()
    }

    fn thickness(&self) -> f64 {
        self.radius
    }

    fn random(generator: &mut Generator) -> Self {
        let half_u = 0.5 * point(generator);
        let half_v = 0.5 * half_u.cross(point(generator));
        Rss { centre: point(generator), half_u, half_v, radius: 0.6 * generator.coordinate().abs() }
    }
}

fn generator(seed: u64) -> Generator {
    if seed.is_multiple_of(2) { Generator::grid(seed) } else { Generator::free(seed) }
}

/// Exact squared distance of the hulls.
fn squared(a: &[Vector], b: &[Vector]) -> Rational {
    let difference: Vec<Vector> = a.iter().flat_map(|p| b.iter().map(move |q| sub(p, q))).collect();
    let nearest = min_norm_point(&difference);
    dot(&nearest, &nearest)
}

/// Whether the ball lies in the volume, exactly.
fn holds<V: Swept>(volume: &V, centre: &Vector, radius: f64) -> bool {
    let room = exact(volume.thickness()) - exact(radius);
    room >= exact(0.0) && squared(&volume.core(), std::slice::from_ref(centre)) <= &room * &room
}

fn overlap_and_gap<V: Swept>(overlaps_wanted: std::ops::Range<usize>) {
    let mut overlaps = 0;
    for seed in 0..300 {
        let mut generator = generator(seed);
        let (a, b) = (V::random(&mut generator), V::random(&mut generator));
        let distance_squared = squared(&a.core(), &b.core());
        let radii = exact(a.thickness()) + exact(b.thickness());
        let disjoint = distance_squared > &radii * &radii;
        let gap = a.gap_below(&b);
        assert!(a.may_overlap(&b) || disjoint, "{a:?} {b:?} meet");
        assert_eq!(a.may_overlap(&b), b.may_overlap(&a));
        let below = exact(gap) + &radii;
        assert!(gap == 0.0 || &below * &below <= distance_squared, "{a:?} {b:?}: gap {gap}");
        let truth = root(&distance_squared) - (a.thickness() + b.thickness());
        assert!(gap >= truth - 1e-12, "{a:?} {b:?}: gap {gap} of {truth}");
        assert!(!a.may_overlap(&b) || truth < 1e-12, "{a:?} {b:?}: {truth} not seen");
        overlaps += usize::from(a.may_overlap(&b));
    }
    assert!(overlaps_wanted.contains(&overlaps), "generator drifted: {overlaps} overlaps");
}

fn merge_and_transform<V: Swept>() {
    for seed in 0..40 {
        let mut generator = generator(seed);
        let (a, b) = (V::random(&mut generator), V::random(&mut generator));
        let both = a.merge(&b);
        for part in [a, b] {
            for corner in part.core() {
                assert!(holds(&both, &corner, part.thickness()), "{a:?} and {b:?} not in {both:?}");
            }
        }
        assert_eq!(a.merge(&a), a);
        let q = DQuat::from_array(generator.quaternion());
        let pose = Pose::new(q, point(&mut generator)).unwrap();
        let image = a.transformed(&pose);
        let exact_q = pose.rotation().to_array().map(exact);
        for corner in a.core() {
            let moved = add(&rotate(&exact_q, &corner), &vector(pose.translation().to_array()));
            assert!(holds(&image, &moved, a.thickness()), "{a:?} leaves {image:?}");
        }
        assert!(image.measure().diameter <= a.measure().diameter + 1e-12);
        assert_eq!(a.transformed(&Pose::IDENTITY), a);
    }
}

fn fit_contains<V: Swept>() {
    for seed in 0..16 {
        let mut generator = generator(seed);
        let points: Vec<DVec3> = (0..=seed * 7).map(|_| point(&mut generator)).collect();
        let fitted = V::fit(&points).unwrap();
        for p in &points {
            assert!(fitted.contains(*p));
            assert!(holds(&fitted, &vector(p.to_array()), 0.0), "{p} not in {fitted:?}");
        }
        let far: Vec<DVec3> = points.iter().map(|p| *p * 1e280 + DVec3::splat(-1e290)).collect();
        let fitted = V::fit(&far).unwrap();
        for p in &far {
            assert!(holds(&fitted, &vector(p.to_array()), 0.0), "{p} not in {fitted:?}");
        }
        let outside = fitted.farthest(DVec3::X) + DVec3::X * 1e283;
        assert!(!fitted.contains(outside));
    }
}

fn bad_and_degenerate<V: Swept>() {
    assert_eq!(V::fit(&[]), Err(FitError::Empty));
    assert_eq!(V::fit(&[DVec3::ONE, DVec3::NAN]), Err(FitError::NotFinite { index: 1 }));
    let one = V::fit(&[DVec3::new(1.0, 2.0, 3.0); 5]).unwrap();
    assert_eq!(one.measure().diameter, 0.0, "{one:?}");
    for scale in [1e-310, 1e-300, 1e-200, 1.0, 1e100, 1e300] {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 0.0], [1.0, 1.0, 0.0]];
        for count in 2..=5 {
            let points: Vec<DVec3> = points[..count].iter().map(|p| DVec3::from_array(*p) * scale).collect();
            let fitted = V::fit(&points).unwrap();
            assert!(fitted.measure().diameter <= 2.0 * scale, "{fitted:?}");
            for p in &points {
                assert!(fitted.contains(*p) && holds(&fitted, &vector(p.to_array()), 0.0), "{p} {fitted:?}");
            }
        }
    }
}

#[test]
fn spheres() {
    overlap_and_gap::<Sphere>(40..260);
    merge_and_transform::<Sphere>();
    fit_contains::<Sphere>();
    bad_and_degenerate::<Sphere>();
    assert!(Sphere::new(DVec3::ZERO, -1.0).is_err() && Sphere::new(DVec3::NAN, 1.0).is_err());
}

#[test]
fn line_swept_spheres() {
    overlap_and_gap::<Lss>(40..260);
    merge_and_transform::<Lss>();
    fit_contains::<Lss>();
    bad_and_degenerate::<Lss>();
    assert!(Lss::new(DVec3::ZERO, DVec3::ONE, -1.0).is_err());
}

#[test]
fn rectangle_swept_spheres() {
    overlap_and_gap::<Rss>(40..260);
    merge_and_transform::<Rss>();
    fit_contains::<Rss>();
    bad_and_degenerate::<Rss>();
    assert!(Rss::new(DVec3::ZERO, DVec3::X, DVec3::ONE, 1.0).is_err(), "edges not at right angles");
}

#[test]
fn two_spheres_of_unequal_radii_merge_tightly() {
    let small = Sphere { centre: DVec3::new(-3.0, 0.0, 0.0), radius: 1.0 };
    let large = Sphere { centre: DVec3::new(3.0, 0.0, 0.0), radius: 2.0 };
    let both = small.merge(&large);
    assert!((both.radius - 4.5).abs() < 1e-14 && (both.centre - DVec3::new(0.5, 0.0, 0.0)).length() < 1e-14);
    let tangent = Sphere { centre: DVec3::new(2.5, 0.0, 0.0), radius: 1.5 };
    assert!((tangent.merge(&large).radius - 2.0).abs() < 1e-14);
    let inside = Sphere { centre: DVec3::new(2.5, 0.0, 0.0), radius: 1.4 };
    assert_eq!(inside.merge(&large), large);
    assert_eq!(large.merge(&inside), large);
}

/// Points on the surface of a known volume, turned: the fit must come close to its size.
#[test]
fn fits_recover_what_the_points_were_taken_from() {
    let turn = DQuat::from_xyzw(0.1, -0.4, 0.3, 0.8).normalize();
    let mut generator = Generator::free(9);
    let mut sphere = || loop {
        let p = point(&mut generator);
        if (0.1..1.0).contains(&p.length()) {
            return p.normalize();
        }
    };
    let mut on_capsule = Vec::new();
    let mut on_rectangle = Vec::new();
    for i in 0..3000_u32 {
        let s = sphere();
        let end = DVec3::new(0.0, 0.0, if i % 2 == 0 { 2.0 } else { -2.0 });
        on_capsule.push(turn * (s * 0.5 + end) + DVec3::splat(3.0));
        let corner = DVec3::new(if i % 2 == 0 { 2.0 } else { -2.0 }, if i % 4 < 2 { 1.0 } else { -1.0 }, 0.0);
        on_rectangle.push(turn * (s * 0.5 + corner));
    }
    let capsule = Lss { start: DVec3::Z * -2.0, end: DVec3::Z * 2.0, radius: 0.5 };
    let ratio = Lss::fit(&on_capsule).unwrap().measure().volume / capsule.measure().volume;
    assert!(ratio < 1.02, "capsule {ratio}");
    let flat = Rss { centre: DVec3::ZERO, half_u: DVec3::X * 2.0, half_v: DVec3::Y, radius: 0.5 };
    let ratio = Rss::fit(&on_rectangle).unwrap().measure().volume / flat.measure().volume;
    assert!(ratio < 1.02, "rectangle {ratio}");
    // Objectives differ: what is small by one is not smaller by another than its own best.
    let by = |objective| Rss::fit_by(&on_capsule, objective).unwrap().measure().by(objective);
    assert!(by(Objective::Diameter) <= 1.02 * 5.0);
}
