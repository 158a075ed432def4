//! Verdict and numbers of GJK against exact arithmetic.

mod gjk_help;

use gjk_help::{Body, body, differences};
use kontakt_convex::gjk::{Cut, separation, verdict};
use kontakt_convex::{Verdict, Warm};
use kontakt_math::Between;
use num_traits::{ToPrimitive, Zero};
use testkit::generate::Generator;
use testkit::min_norm::min_norm_point;
use testkit::rational::{Rational, Vector, dot, exact};

/// The truth: verdict and squared distance of the cores.
///
/// The boundary is looked at only in small integers: free reals never put the origin there, and it takes long.
fn truth(a: &Body, b: &Body, grid: bool) -> (Verdict, Rational) {
    let points = differences(a, b);
    let nearest = min_norm_point(&points);
    let squared = dot(&nearest, &nearest);
    let reach: Rational =
        a.shape.radii().into_iter().chain(b.shape.radii()).map(exact).fold(Rational::zero(), |s, r| s + r);
    let verdict = if squared > &reach * &reach {
        Verdict::Separate
    } else if squared == &reach * &reach && !reach.is_zero() {
        Verdict::Touching
    } else if !grid || !reach.is_zero() || !on_boundary(&points) {
        Verdict::Overlapping
    } else {
        Verdict::Touching
    };
    (verdict, squared)
}

/// Whether the origin, in the hull of the points (halves of integers), lies on its boundary: by all planes through it and two
/// points.
fn on_boundary(points: &[Vector]) -> bool {
    let twice = |x: &Rational| (x * exact(2.0)).to_integer().to_i64().expect("small integers");
    let mut points: Vec<[i64; 3]> =
        points.iter().map(|p| [twice(&p[0]), twice(&p[1]), twice(&p[2])]).collect();
    points.sort_unstable();
    points.dedup();
    let dot = |a: [i64; 3], b: [i64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let mut spans_space = false;
    for (i, p) in points.iter().enumerate() {
        for q in &points[..i] {
            let n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            if n == [0; 3] {
                continue;
            }
            let sides: Vec<i64> = points.iter().map(|x| dot(n, *x).signum()).collect();
            spans_space |= sides.iter().any(|s| *s != 0);
            if !sides.contains(&1) || !sides.contains(&-1) {
                return true;
            }
        }
    }
    !spans_space
}

/// Compares; returns the verdict for the tally.
fn check(a: &Body, b: &Body, warm: &mut Warm, grid: bool, label: &str) -> Verdict {
    let (expected, squared) = truth(a, b, grid);
    let between = Between::new(a.pose(), b.pose());
    let back = Between::new(b.pose(), a.pose());
    assert_eq!(verdict(&a.shape, &b.shape, &between, warm), expected, "{label}: verdict");
    assert_eq!(verdict(&b.shape, &a.shape, &back, &mut Warm::default()), expected, "{label}: swapped");
    match separation(&a.shape, &b.shape, &between, warm) {
        Cut::Apart(answer) => {
            assert_eq!(answer.verdict, expected, "{label}");
            assert!(!squared.is_zero(), "{label}: cores meet");
            let reach = exact(a.radius()) + exact(b.radius());
            let (lo, hi) = (exact(answer.separation.lo()) + &reach, exact(answer.separation.hi()) + &reach);
            assert!(lo <= Rational::zero() || &lo * &lo <= squared, "{label}: lower end {answer:?}");
            assert!(hi >= Rational::zero() && &hi * &hi >= squared, "{label}: upper end {answer:?}");
        }
        Cut::CoresMeet { verdict, .. } => {
            assert_eq!(verdict, expected, "{label}");
            assert!(squared.is_zero(), "{label}: cores are apart");
        }
        Cut::NotPolytopal => panic!("{label}: polytopal"),
    }
    expected
}

#[test]
fn small_integers() {
    let mut tally = [0; 3];
    for case in 0..400 {
        let mut random = Generator::grid(case);
        let margin = f64::from(random.integer(0..=2).max(1) - 1);
        let shift = f64::from(random.integer(0..=1));
        let a = body(&mut random, [1.0; 3], shift, margin);
        let b = body(&mut random, [1.0; 3], 0.0, 0.0);
        let verdict = check(&a, &b, &mut Warm::default(), true, &format!("case {case}"));
        tally[verdict as usize] += 1;
    }
    assert!(tally.iter().all(|n| *n > 10), "{tally:?}");
}

#[test]
fn free_reals_of_all_sizes() {
    let mut tally = [0; 3];
    for case in 0..60 {
        let mut random = Generator::free(case);
        let scale = [1.0, 1e-9, 1e9][random.index(3)];
        let thin = [[1.0, 1.0, 1.0], [1.0, 1.0, 1e-6], [1e-6, 1.0, 1e-6]][random.index(3)].map(|s| s * scale);
        let a = body(&mut random, thin, 0.0, 0.0);
        let margin = 0.1 * scale * f64::from(random.integer(0..=1));
        let b = body(&mut random, [scale; 3], 0.0, margin);
        let verdict = check(&a, &b, &mut Warm::default(), false, &format!("case {case}"));
        tally[verdict as usize] += 1;
    }
    assert!(tally[0] > 10 && tally[2] > 10, "{tally:?}");
}
