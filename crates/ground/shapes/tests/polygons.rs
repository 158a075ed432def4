//! Planar convex or not, decided against exact rational arithmetic by another definition.

use kontakt_math::DVec3;
use kontakt_shapes::{FaceList, FaceSet};
use testkit::Generator;
use testkit::rational::{cross, dot, orient3d, sign, sub, vector};

/// Planar: all quadruples with the first corner coplanar. Convex: some view direction n (a corner's cross product) sees every corner on the left
/// of every side, no side has length zero, and the polygon goes round once: the turning angle, from doubles, is 2π.
fn is_planar_convex(points: &[[f64; 3]]) -> bool {
    let n = points.len();
    let triples = (1..n).flat_map(|i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| [i, j, k])));
    let mut volumes = triples.map(|[i, j, k]| orient3d(points[0], points[i], points[j], points[k]));
    let coplanar = volumes.all(|sign| sign == 0);
    let exact: Vec<_> = points.iter().map(|&p| vector(p)).collect();
    let side = |i: usize| sub(&exact[(i + 1) % n], &exact[i]);
    if !coplanar || (0..n).any(|i| exact[i] == exact[(i + 1) % n]) {
        return false;
    }
    let turn = |i: usize| cross(&side(i), &side((i + 1) % n));
    let Some(normal) = (0..n).map(turn).find(|t| sign(&dot(t, t)) > 0) else { return false };
    let left = (0..n)
        .all(|i| (0..n).all(|k| sign(&dot(&normal, &cross(&side(i), &sub(&exact[k], &exact[i])))) >= 0));
    let float = |i: usize| DVec3::from(points[(i + 1) % n]) - DVec3::from(points[i % n]);
    let turning: f64 = (0..n).map(|i| float(i).angle_between(float(i + 1))).sum();
    left && (turning - std::f64::consts::TAU).abs() < 1e-6
}

#[test]
fn stays_whole_exactly_when_planar_and_convex() {
    let (mut whole, mut cases) = (0, 0);
    for seed in 0..3000 {
        let mut random = Generator::grid(seed);
        let n = 4 + random.index(4);
        let mut points = random.points(n);
        match seed % 4 {
            // In the plane z = x + 2y, in random order.
            0 => points.iter_mut().for_each(|p| p[2] = p[0] + 2.0 * p[1]),
            // The same, sorted round the origin: often convex; every corner pushed out to a big circle, rounded.
            1 | 2 => {
                points.sort_by(|a, b| a[1].atan2(a[0]).total_cmp(&b[1].atan2(b[0])));
                for p in &mut points {
                    let r = p[0].hypot(p[1]).max(1.0);
                    *p = [(p[0] * 40.0 / r).round(), (p[1] * 40.0 / r).round(), 0.0];
                    p[2] = p[0] + 2.0 * p[1];
                }
                if seed % 4 == 2 {
                    points.reverse();
                }
            }
            _ => {}
        }
        let mut list = FaceList::default();
        list.push(&(0..n as u32).collect::<Vec<_>>()).unwrap();
        let set = FaceSet::new(points.iter().map(|&p| p.into()).collect(), list).unwrap();
        let expected = is_planar_convex(&points);
        assert_eq!(set.triangulated_count() == 0, expected, "{points:?}");
        assert_eq!(set.triangles().len(), n - 2);
        if expected {
            let no_area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|i| vector(points[i as usize]));
                let area = cross(&sub(&b, &a), &sub(&c, &a));
                sign(&dot(&area, &area)) == 0
            };
            assert!(!set.triangles().iter().any(no_area), "{points:?} {:?}", set.triangles());
        }
        whole += usize::from(expected);
        cases += 1;
    }
    assert!((cases / 10..cases / 2).contains(&whole), "generator drifted: {whole} of {cases} convex");
}
