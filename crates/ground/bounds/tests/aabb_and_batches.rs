//! Axis-aligned boxes: representations, rays and segments against exact truths; batches against their scalar twins.

use kontakt_bounds::batch::{AabbBatch, Hits, Isa, KDopBatch};
use kontakt_bounds::{Aabb, Bound, CentreRadiusAabb, Dop6, Dop18, Dop26, KDop, MinWidthsAabb};
use kontakt_math::DVec3;
use testkit::rational::{Rational, exact};
use testkit::{Generator, Parallelepiped};

fn random_box(g: &mut Generator, scale: f64) -> Aabb {
    let (p, q) = (DVec3::from_array(g.point()), DVec3::from_array(g.point()));
    Aabb { min: p.min(q) * scale, max: p.max(q) * scale }
}

fn generators(seed: u64) -> [Generator; 2] {
    [Generator::free(seed), Generator::grid(seed)]
}

#[test]
fn representations_enclose_and_never_say_apart_wrongly() {
    for mut g in generators(1) {
        let mut apart = 0;
        for round in 0..3000 {
            let scale = [1.0, 1e12, 1e300, 1e-300, 1e-320][round % 5];
            let (a, b) = (random_box(&mut g, scale), random_box(&mut g, scale));
            let (wa, wb) = (MinWidthsAabb::from(&a), MinWidthsAabb::from(&b));
            let (ca, cb) = (CentreRadiusAabb::from(&a), CentreRadiusAabb::from(&b));
            for i in 0..3 {
                assert!(exact(wa.min[i]) <= exact(a.min[i]));
                assert!(exact(wa.min[i]) + exact(wa.widths[i]) >= exact(a.max[i]));
                assert!(exact(ca.centre[i]) - exact(ca.radius[i]) <= exact(a.min[i]));
                assert!(exact(ca.centre[i]) + exact(ca.radius[i]) >= exact(a.max[i]));
            }
            assert!(Aabb::from(&wa).encloses(&a) && Aabb::from(&ca).encloses(&a));
            apart += usize::from(!a.may_overlap(&b));
            if a.may_overlap(&b) {
                assert!(wa.may_overlap(&wb) && ca.may_overlap(&cb));
            }
        }
        assert!((600..2400).contains(&apart), "generator drifted: {apart}");
    }
}

/// Exact parameters of the line in the box: the largest entry and the least exit over the axes.
fn exact_passage(b: &Aabb, o: DVec3, d: DVec3) -> Option<(Rational, Rational)> {
    let (mut enter, mut leave) = (exact(0.0), exact(8.0));
    for i in 0..3 {
        if d[i] == 0.0 {
            if o[i] < b.min[i] || o[i] > b.max[i] {
                return None;
            }
            continue;
        }
        let at = |x: f64| (exact(x) - exact(o[i])) / exact(d[i]);
        let (p, q) = (at(b.min[i]), at(b.max[i]));
        enter = enter.max(p.clone().min(q.clone()));
        leave = leave.min(p.max(q));
    }
    (enter <= leave).then_some((enter, leave))
}

#[test]
fn ray_passages_enclose_the_exact_ones() {
    for mut g in generators(2) {
        let (mut hits, mut extra) = (0, 0);
        for round in 0..3000 {
            let scale = [1.0, 1e12, 1e307, 1e-300][round % 4];
            let b = random_box(&mut g, scale);
            let (o, d) = (DVec3::from_array(g.point()) * scale, DVec3::from_array(g.point()) * scale);
            let found = b.ray_entry(o, d, 8.0);
            match exact_passage(&b, o, d) {
                Some((enter, leave)) => {
                    hits += 1;
                    let passage = found.expect("an exact hit was called a miss");
                    assert!(
                        exact(passage.enter) <= enter
                            && exact(passage.leave.min(f64::MAX)) >= leave.min(exact(f64::MAX))
                    );
                    assert!(enter - exact(passage.enter) <= exact(1e-14) * exact(8.0));
                }
                None => extra += usize::from(found.is_some()),
            }
        }
        assert!((300..2700).contains(&hits), "generator drifted: {hits}");
        assert!(extra <= 30, "{extra} misses were called hits");
    }
}

#[test]
fn segments_called_a_miss_are_one() {
    for mut g in generators(3) {
        let (mut misses, mut extra) = (0, 0);
        for _ in 0..800 {
            let b = random_box(&mut g, 1.0);
            let (p, q) = (DVec3::from_array(g.point()), DVec3::from_array(g.point()));
            // The segment and the box as exact parallelepipeds: centre and half vector of sums that are exact here
            // only on the grid; free points are rounded to 20 bits first.
            let round = |v: DVec3| (v * 1_048_576.0).round() / 1_048_576.0;
            let (p, q, b) = (round(p), round(q), Aabb { min: round(b.min), max: round(b.max) });
            let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let (c, h) = ((b.min + b.max) / 2.0, (b.max - b.min) / 2.0);
            let solid = Parallelepiped { centre: c.to_array(), axes: upright, half: h.to_array() };
            let (m, s) = ((p + q) / 2.0, (q - p) / 2.0);
            let (u, v) = if s == DVec3::ZERO { (DVec3::X, DVec3::Y) } else { s.any_orthogonal_pair() };
            let along = if s == DVec3::ZERO { DVec3::Z } else { s };
            let half = if s == DVec3::ZERO { 0.0 } else { 1.0 };
            let segment = Parallelepiped {
                centre: m.to_array(),
                axes: [along.to_array(), u.to_array(), v.to_array()],
                half: [half, 0.0, 0.0],
            };
            let truth = solid.disjoint(&segment);
            assert!(truth || b.may_hit_segment(p, q), "{b:?} {p} {q}");
            misses += usize::from(truth);
            extra += usize::from(truth && b.may_hit_segment(p, q));
        }
        assert!((80..720).contains(&misses), "generator drifted: {misses}");
        assert!(extra <= 8, "{extra} of {misses} misses were not seen");
    }
}

/// Two independent directions that are, with the given one, a basis; not nearly parallel is all that is needed.
trait OrthogonalPair {
    fn any_orthogonal_pair(self) -> (DVec3, DVec3);
}

impl OrthogonalPair for DVec3 {
    fn any_orthogonal_pair(self) -> (DVec3, DVec3) {
        let u = self.any_orthogonal_vector();
        (u, self.cross(u))
    }
}

#[test]
fn box_batches_equal_the_scalar_test() {
    for mut g in generators(4) {
        for count in [0, 1, 7, 8, 9, 63, 64, 65, 200] {
            let boxes: Vec<Aabb> = (0..count).map(|_| random_box(&mut g, 1.0)).collect();
            let batch = AabbBatch::new(&boxes);
            let mut hits = Hits::new();
            for _ in 0..10 {
                let query = random_box(&mut g, 0.7);
                let expected: Vec<usize> = (0..count).filter(|&i| boxes[i].may_overlap(&query)).collect();
                for isa in Isa::available() {
                    batch.hits_with(isa, &query, &mut hits);
                    assert_eq!(hits.iter().collect::<Vec<_>>(), expected, "{isa:?} {count}");
                    assert_eq!((hits.len(), hits.count()), (count, expected.len()));
                }
            }
        }
    }
}

fn dop_batches<const PAIRS: usize>(g: &mut Generator) {
    let mut dop = || {
        let points: Vec<DVec3> = g.points(3).into_iter().map(DVec3::from_array).collect();
        KDop::<PAIRS>::fit(&points).expect("finite")
    };
    let dops: Vec<KDop<PAIRS>> = (0..100).map(|_| dop()).collect();
    let batch = KDopBatch::new(&dops);
    let (mut hits, mut total) = (Hits::new(), 0);
    for query in dops.iter().take(20) {
        let expected: Vec<usize> = (0..dops.len()).filter(|&i| dops[i].may_overlap(query)).collect();
        total += expected.len();
        for isa in Isa::available() {
            batch.hits_with(isa, query, &mut hits);
            assert_eq!(hits.iter().collect::<Vec<_>>(), expected, "{isa:?}");
        }
    }
    assert!((200..1990).contains(&total), "generator drifted: {total}");
}

#[test]
fn dop_batches_equal_the_scalar_test() {
    for mut g in generators(5) {
        dop_batches::<3>(&mut g);
        dop_batches::<9>(&mut g);
        dop_batches::<13>(&mut g);
    }
    assert_eq!((Dop6::NAME, Dop18::NAME, Dop26::NAME), ("kdop6", "kdop18", "kdop26"));
}

#[test]
fn bad_input_is_an_error_that_names_it() {
    let nan = [DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)];
    assert_eq!(Aabb::fit(&[]).expect_err("empty").to_string(), "no points to enclose");
    for message in [
        Aabb::fit(&nan).expect_err("NaN").to_string(),
        kontakt_bounds::Obb::fit(&nan).expect_err("NaN").to_string(),
        Dop26::fit(&nan).expect_err("NaN").to_string(),
    ] {
        assert_eq!(message, "point 1 has a coordinate that is not finite");
    }
    assert!(Aabb::new(DVec3::ONE, DVec3::ZERO).is_err());
    let negative = kontakt_bounds::Obb::new(DVec3::ZERO, kontakt_math::DMat3::IDENTITY, -DVec3::ONE);
    assert!(negative.expect_err("negative").to_string().contains("negative"));
    let skew = kontakt_bounds::Obb::new(
        DVec3::ZERO,
        kontakt_math::DMat3::from_diagonal(DVec3::splat(2.0)),
        DVec3::ONE,
    );
    assert!(skew.expect_err("skew").to_string().contains("orthonormal"));
}
