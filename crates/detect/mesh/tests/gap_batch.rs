//! Lower bounds and estimates of the batch against precise and exact distances.

use kontakt_bounds::batch::Isa;
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::face::{Between, Gaps, Octet, distance_between, gap_batch};
use testkit::Generator;
use testkit::min_norm::{at_most_root, hull_distance_squared};

type Triangle = [DVec3; 3];

fn octets(between: &Between, a: &[Triangle], b: &[Triangle]) -> (Octet, Octet) {
    let flat = |t: &[Triangle]| -> Vec<DVec3> { t.iter().flatten().copied().collect() };
    let index =
        |n: usize| -> Vec<[u32; 3]> { (0..n as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect() };
    let (mut p, mut q) = (Octet::default(), Octet::default());
    p.fill_a(&flat(a), &index(a.len()));
    q.fill_b(between, &flat(b), &index(b.len()));
    (p, q)
}

fn triangles(source: &mut Generator, count: usize, centre: DVec3) -> Vec<Triangle> {
    (0..count)
        .map(|_| {
            let mut t = [0, 1, 2].map(|_| centre + DVec3::from_array(source.point()));
            match source.index(8) {
                0 => t[2] = t[0],
                // Needles.
                1 => t[2] = t[0].lerp(t[1], source.unit()) + 1e-6 * DVec3::from_array(source.point()),
                _ => {}
            }
            t
        })
        .collect()
}

/// Proven: compared exactly, at rest.
#[test]
fn never_more_than_the_exact_distance() {
    let between = Between::new(Pose::IDENTITY, Pose::IDENTITY);
    for (grid, seed) in [(true, 41), (false, 42)] {
        let mut source = if grid { Generator::grid(seed) } else { Generator::free(seed) };
        let mut positive = 0;
        for _ in 0..12 {
            let centre = DVec3::from_array(source.point());
            let (n, m) = (1 + source.index(8), 1 + source.index(8));
            let (a, b) = (triangles(&mut source, n, DVec3::ZERO), triangles(&mut source, m, centre));
            let (p, q) = octets(&between, &a, &b);
            for isa in Isa::available() {
                let mut gaps = Gaps::default();
                gap_batch(isa, &p, &q, &mut gaps);
                for (i, t) in a.iter().enumerate() {
                    for (j, s) in b.iter().enumerate() {
                        let exact = hull_distance_squared(&t.map(|x| x.to_array()), &s.map(|x| x.to_array()));
                        assert!(at_most_root(gaps.lower(i, j), &exact), "{isa:?} {t:?} {s:?}");
                        positive += usize::from(gaps.lower(i, j) > 0.0);
                    }
                }
            }
        }
        assert!(positive > 200, "{positive}");
    }
}

/// At generic poses and sizes: below the precise distance, and close to it.
#[test]
fn below_and_close_to_the_precise_distance() {
    let mut source = Generator::free(43);
    let (mut loose, mut off, mut all) = (0, 0, 0);
    for _ in 0..300 {
        let pose = |source: &mut Generator| {
            Pose::new(DQuat::from_array(source.quaternion()), DVec3::from_array(source.point())).unwrap()
        };
        let between = Between::new(pose(&mut source), pose(&mut source));
        let size = 10.0_f64.powf(source.unit() * 40.0 - 20.0);
        let between =
            if size > 1e-3 && size < 1e3 { between } else { Between::new(Pose::IDENTITY, Pose::IDENTITY) };
        let centre = 2.0 * DVec3::from_array(source.point());
        let (n, m) = (1 + source.index(8), 1 + source.index(8));
        let scaled = |t: Vec<Triangle>| -> Vec<Triangle> { t.iter().map(|t| t.map(|x| x * size)).collect() };
        let a = scaled(triangles(&mut source, n, DVec3::ZERO));
        let b = scaled(triangles(&mut source, m, centre));
        let (p, q) = octets(&between, &a, &b);
        for isa in Isa::available() {
            let mut gaps = Gaps::default();
            gap_batch(isa, &p, &q, &mut gaps);
            for (i, t) in a.iter().enumerate() {
                for (j, s) in b.iter().enumerate() {
                    let truth = distance_between(&between, *t, *s).squared.sqrt();
                    let scale = size + truth;
                    assert!(gaps.lower(i, j) <= truth + 1e-14 * scale);
                    off += usize::from(gaps.estimate(i, j) < truth - 1e-4 * scale);
                    all += 1;
                    loose += usize::from(gaps.lower(i, j) < truth - 1e-4 * scale);
                }
            }
            assert_eq!(gaps.below(f64::INFINITY).count(), a.len() * b.len());
            assert_eq!(gaps.below(0.0).count(), 0);
            assert!(gaps.nearest().is_some());
        }
    }
    assert!(loose * 100 < all && off * 100 < all, "{loose} loose and {off} off of {all}");
}

#[test]
fn empty_huge_and_equal() {
    let between = Between::new(Pose::IDENTITY, Pose::IDENTITY);
    let mut gaps = Gaps::default();
    for isa in Isa::available() {
        let (p, q) = octets(&between, &[], &[[DVec3::ZERO; 3]]);
        gap_batch(isa, &p, &q, &mut gaps);
        assert_eq!(gaps.nearest(), None);
        let (p, q) = octets(&between, &[[DVec3::ONE; 3]], &[[DVec3::ONE; 3]]);
        gap_batch(isa, &p, &q, &mut gaps);
        assert_eq!((gaps.lower(0, 0), gaps.nearest()), (0.0, Some((0, 0))));
        let far = DVec3::splat(1e300);
        let (p, q) = octets(&between, &[[far; 3]], &[[-far; 3]]);
        gap_batch(isa, &p, &q, &mut gaps);
        assert!(gaps.lower(0, 0) >= 0.0 && gaps.lower(0, 0) < 3.5e300);
    }
}
