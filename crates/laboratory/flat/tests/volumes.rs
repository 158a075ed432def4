//! Plane volumes against exact rational truths.

use kontakt_lab_flat::{FlatBound, FlatHull, FlatKDop, FlatPose, OrientedRectangle, Rectangle};
use kontakt_math::DVec2;
use testkit::rational::{Rational, exact};
use testkit::{Generator, Parallelepiped};

type Point = [Rational; 2];

fn point(p: DVec2) -> Point {
    [exact(p.x), exact(p.y)]
}

fn dot(a: &Point, b: &Point) -> Rational {
    &a[0] * &b[0] + &a[1] * &b[1]
}

/// The exact image R(h/|h|)·p + t, scaled by |h| so that it stays rational: returns (image − t)·|h|, and |h|² apart.
fn turned(pose: &FlatPose, p: &Point) -> Point {
    let [c, s] = point(pose.heading());
    [&c * &p[0] - &s * &p[1], &s * &p[0] + &c * &p[1]]
}

trait ExactSet: FlatBound {
    fn holds(&self, p: &Point) -> bool;
}

impl ExactSet for Rectangle {
    fn holds(&self, p: &Point) -> bool {
        (0..2).all(|i| exact(self.min[i]) <= p[i] && p[i] <= exact(self.max[i]))
    }
}

impl ExactSet for OrientedRectangle {
    fn holds(&self, p: &Point) -> bool {
        let (a, c) = (point(self.axis), point(self.centre));
        let offset = [&p[0] - &c[0], &p[1] - &c[1]];
        let across = [-&a[1], a[0].clone()];
        let norm = dot(&a, &a);
        let within = |y: Rational, h: f64| y.clone().max(-y) <= exact(h) * &norm;
        within(dot(&a, &offset), self.half_extents.x) && within(dot(&across, &offset), self.half_extents.y)
    }
}

impl<const PAIRS: usize> ExactSet for FlatKDop<PAIRS> {
    fn holds(&self, p: &Point) -> bool {
        Self::directions().iter().enumerate().all(|(i, n)| {
            let along = dot(&point(*n), p);
            exact(self.min[i]) <= along && along <= exact(self.max[i])
        })
    }
}

impl ExactSet for FlatHull {
    fn holds(&self, p: &Point) -> bool {
        let corners: Vec<Point> = self.corners().iter().map(|c| point(*c)).collect();
        let n = corners.len();
        let zero = exact(0.0);
        let left = |a: &Point, b: &Point| {
            (&b[0] - &a[0]) * (&p[1] - &a[1]) - (&b[1] - &a[1]) * (&p[0] - &a[0]) >= zero
        };
        let within = |i: usize| corners.iter().any(|c| c[i] <= p[i]) && corners.iter().any(|c| c[i] >= p[i]);
        within(0) && within(1) && (0..n).all(|i| left(&corners[i], &corners[(i + 1) % n]))
    }
}

fn cloud(g: &mut Generator, n: usize, scale: f64, shift: f64) -> Vec<DVec2> {
    g.points(n).into_iter().map(|p| DVec2::new(p[0], p[1]) * scale + shift).collect()
}

fn promises<B: ExactSet>() {
    let mut apart = 0;
    for (seed, (scale, shift)) in
        [(1.0, 0.0), (1.0, 1e12), (1e300, 0.0), (1e-300, 0.0)].into_iter().enumerate()
    {
        for grid in [false, true] {
            let mut g = if grid { Generator::grid(seed as u64) } else { Generator::free(seed as u64) };
            for _ in 0..50 {
                let count = 1 + g.index(5);
                let (one, two) = (cloud(&mut g, count, scale, shift), cloud(&mut g, 2, scale, shift));
                let (a, b) = (B::fit(&one).expect("finite"), B::fit(&two).expect("finite"));
                let context = format!("{} scale {scale} shift {shift} grid {grid} {one:?} {two:?}", B::NAME);
                let merged = a.merge(&b);
                for p in &one {
                    assert!(a.holds(&point(*p)) && a.contains(*p), "{context}: fit");
                    assert!(merged.holds(&point(*p)), "{context}: merge");
                }
                assert!(two.iter().all(|p| merged.holds(&point(*p))), "{context}: merge");
                let d = cloud(&mut g, 1, 1.0, 0.0)[0];
                let largest = one.iter().map(|p| dot(&point(d), &point(*p))).max().expect("not empty");
                assert!(exact(a.reach(d)) >= largest, "{context}: reach");
                let found = dot(&point(d), &point(a.farthest(d)));
                let slack = exact(1e-11 * (scale + shift)) * exact(1.0 + d.length());
                assert!(exact(a.reach(d)) <= found + slack, "{context}: reach is loose or farthest is not");
                let gap = a.gap_below(&b);
                assert!(gap == 0.0 || !a.may_overlap(&b), "{context}: gap and overlap disagree");
                if gap > 0.0 {
                    apart += 1;
                    let close = one
                        .iter()
                        .any(|p| two.iter().any(|q| (p.x - q.x).hypot(p.y - q.y) < gap * (1.0 - 1e-14)));
                    assert!(!close, "{context}: points are closer than the gap");
                    assert!(!one.iter().any(|p| b.holds(&point(*p))), "{context}: apart with a common point");
                }
                turn_encloses(&a, &one, &mut g, scale, &context);
            }
        }
    }
    assert!((50..350).contains(&apart), "{}: generator drifted, {apart} of 400 apart", B::NAME);
}

/// The image of each point must hold: compared in rationals with the turn's length |h| bracketed from both sides.
fn turn_encloses<B: ExactSet>(a: &B, points: &[DVec2], g: &mut Generator, scale: f64, context: &str) {
    let shift = DVec2::new(g.coordinate(), g.coordinate()) * scale;
    let pose = FlatPose::new(g.unit() * 6.0, shift).expect("finite");
    let image = a.transformed(&pose);
    let [c, s] = point(pose.heading());
    // |h| lies between √(|h|²) rounded in rationals: two Newton steps from 1 overestimate by less than 10⁻⁶⁰.
    let norm = &c * &c + &s * &s;
    let half = exact(0.5);
    let newton = |x: Rational| (&x + &norm / &x) * &half;
    let length = newton(newton(exact(1.0)));
    for p in points {
        let [x, y] = turned(&pose, &point(*p));
        let t = point(shift);
        assert!(image.holds(&[x / &length + &t[0], y / &length + &t[1]]), "{context}: transform");
    }
}

#[test]
fn rectangle_keeps_its_promises() {
    promises::<Rectangle>();
}

#[test]
fn oriented_rectangle_keeps_its_promises() {
    promises::<OrientedRectangle>();
}

#[test]
fn flat_kdops_keep_their_promises() {
    promises::<FlatKDop<2>>();
    promises::<FlatKDop<3>>();
    promises::<FlatKDop<4>>();
    promises::<FlatKDop<6>>();
    promises::<FlatKDop<8>>();
}

#[test]
fn hull_keeps_its_promises() {
    promises::<FlatHull>();
}

#[test]
fn hull_is_exact_where_points_are_in_line_or_the_same() {
    let p = |x: f64, y: f64| DVec2::new(x, y);
    let hull = |points: &[DVec2]| FlatHull::fit(points).expect("finite").corners().len();
    assert_eq!(hull(&[p(1.0, 1.0); 5]), 1);
    assert_eq!(hull(&[p(0.0, 0.0), p(0.1, 0.1), p(0.2, 0.2), p(0.3, 0.3)]), 2);
    assert_eq!(hull(&[p(0.0, 0.0), p(1.0, 0.0), p(2.0, 0.0), p(2.0, 2.0), p(0.0, 2.0), p(1.0, 1.0)]), 4);
    assert_eq!(hull(&[p(0.0, 0.0), p(-0.0, 0.0)]), 1);
    assert!(FlatHull::fit(&[]).is_err() && FlatHull::fit(&[p(f64::NAN, 0.0)]).is_err());
}

/// Four axes decide exactly: compared with the oracle of parallelepipeds, whose third side is flat here.
#[test]
fn oriented_rectangles_apart_are_apart() {
    let solid = |r: &OrientedRectangle| Parallelepiped {
        centre: [r.centre.x, r.centre.y, 0.0],
        axes: [[r.axis.x, r.axis.y, 0.0], [-r.axis.y, r.axis.x, 0.0], [0.0, 0.0, 1.0]],
        half: [r.half_extents.x, r.half_extents.y, 0.0],
    };
    for grid in [false, true] {
        let mut g = if grid { Generator::grid(4) } else { Generator::free(4) };
        let (mut apart, mut missed) = (0, 0);
        for _ in 0..600 {
            let mut make = || OrientedRectangle {
                centre: DVec2::new(g.coordinate(), g.coordinate()),
                axis: if grid { [DVec2::X, DVec2::Y][g.index(2)] } else { DVec2::from_angle(g.unit() * 7.0) },
                half_extents: DVec2::new(g.coordinate().abs(), g.coordinate().abs()) * 0.6,
            };
            let (a, b) = (make(), make());
            let truth = solid(&a).disjoint(&solid(&b));
            assert!(truth || a.may_overlap(&b), "{a:?} {b:?}");
            apart += usize::from(truth);
            missed += usize::from(truth && a.may_overlap(&b));
        }
        assert!((120..480).contains(&apart), "generator drifted: {apart}");
        assert!(missed <= if grid { 30 } else { 1 }, "{missed} apart pairs called maybe");
    }
}

/// The calipers' rectangle is no larger than the best of a fine sweep over all angles.
#[test]
fn the_least_rectangle_is_the_least() {
    let mut g = Generator::free(12);
    for round in 0..60 {
        let points = cloud(&mut g, 3 + round % 20, 1.0, 0.0);
        let best = OrientedRectangle::fit(&points).expect("finite").measure().area;
        for step in 0..400 {
            let axis = DVec2::from_angle(f64::from(step) * std::f64::consts::FRAC_PI_2 / 400.0);
            let other = OrientedRectangle::enclosing(axis, &points).expect("unit").measure().area;
            assert!(best <= other * (1.0 + 1e-12), "{best} is not least, {other} at step {step}");
        }
    }
    let square = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y];
    assert!((OrientedRectangle::fit(&square).expect("finite").measure().area - 2.0).abs() < 1e-12);
}

#[test]
fn tilted_rectangles_hold_the_smallest_and_refuse_the_largest() {
    let mut generator = Generator::free(77);
    let (mut held, mut refused) = (0, 0);
    for scale in [f64::from_bits(1), 1e-320, 1e-300, 1.0, 1e300, 1.2e307, 1.7e307] {
        for turn in 0..20 {
            let axis = DVec2::from_angle(0.3 * f64::from(turn));
            let points: Vec<DVec2> = (0..6)
                .map(|_| DVec2::new(generator.coordinate(), generator.coordinate()) * scale * 10.0)
                .collect();
            match OrientedRectangle::enclosing(axis, &points) {
                Ok(found) => {
                    held += 1;
                    assert!(points.iter().all(|p| found.holds(&point(*p))), "{scale:e} {axis}: {found:?}");
                }
                Err(error) => {
                    refused += 1;
                    assert!(
                        scale > 1e306 && error.to_string().contains("too far apart"),
                        "{scale:e}: {error}"
                    );
                }
            }
        }
    }
    assert!(held >= 100 && refused > 0, "generator drifted: {held} held, {refused} refused");
}
