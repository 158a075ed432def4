//! Two half-spaces: apart only where their planes are parallel and face each other.

use super::exact::compare_with_ball;
use crate::{Answer, Shape, Verdict};
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3, Dyadic, Sign, U};

fn exact(x: f64) -> Dyadic {
    Dyadic::new(x).unwrap_or(Dyadic::ZERO)
}

/// Two half-spaces that are not exactly opposite meet in a wedge, and no translation separates them: the depth is infinite.
pub(super) fn answer(
    shapes: [&Shape; 2],
    normals: [DVec3; 2],
    offsets: [f64; 2],
    between: &Between,
) -> Answer {
    let pose = &between.poses()[0];
    let scaled = normals.map(|n| n / n.abs().max_element());
    let [up, down] = [scaled[0].normalize(), (between.turn() * scaled[1]).normalize()];
    let level = |i: usize| offsets[i] / normals[i].abs().max_element() / scaled[i].length();
    let foot_a = up * level(0);
    let foot_b = down * level(1) + between.shift();
    let wedge = Answer {
        verdict: Verdict::Overlapping,
        separation: Range::new(f64::NEG_INFINITY, -f64::MAX).unwrap_or(Range::ZERO),
        normal: pose.rotate(up),
        normal_error: std::f64::consts::PI,
        point_a: pose.apply(foot_a),
        point_b: pose.apply(foot_b),
        point_error: f64::INFINITY,
    };
    if up.cross(down).length() > 1e-9 || up.dot(down) > 0.0 || !are_opposite(normals, between) {
        return wedge;
    }
    let radii = shapes.map(|shape| shape.radii()[0] + shape.radii()[1]);
    let total = radii[0] + radii[1];
    let gap = up.dot(foot_b) - level(0) - total;
    let size = level(0).abs() + level(1).abs() + between.shift().length() + total;
    let error = 256.0 * U * size + between.error_within(level(1).abs() * 2.0) + f64::MIN_POSITIVE;
    let verdict = match sign_of_gap(shapes, normals, offsets, between) {
        Sign::Positive => Verdict::Separate,
        Sign::Zero => Verdict::Touching,
        Sign::Negative => Verdict::Overlapping,
    };
    let tiny = f64::from_bits(1);
    let (lo, hi) = match verdict {
        Verdict::Separate => ((gap - error).max(tiny), (gap + error).max(tiny)),
        Verdict::Overlapping => ((gap - error).min(-tiny), (gap + error).min(-tiny)),
        _ => (0.0, 0.0),
    };
    let point_a = foot_a + up * radii[0];
    let point_b = point_a + up * gap;
    Answer {
        verdict,
        separation: Range::new(lo, hi).unwrap_or(wedge.separation),
        normal_error: 64.0 * U,
        point_a: pose.apply(point_a),
        point_b: pose.apply(point_b),
        point_error: 2.0 * error + 2.0 * pose.apply_error(point_a) + 2.0 * pose.apply_error(point_b),
        ..wedge
    }
}

/// B's normal in A's frame, times a positive number.
fn turned(normal: DVec3, between: &Between) -> ([Dyadic; 3], Dyadic) {
    let ([x, y, z, w], [ox, oy, oz, _]) = (between.exact_b(normal), between.exact_b(DVec3::ZERO));
    ([&x - &ox, &y - &oy, &z - &oz], w)
}

/// Whether the normals point exactly against each other.
fn are_opposite(normals: [DVec3; 2], between: &Between) -> bool {
    let a = normals[0].to_array().map(exact);
    let (b, _) = turned(normals[1], between);
    let cross = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    let dot = &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2]);
    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(i, j)| cross(i, j).is_zero()) && dot.sign() == Sign::Negative
}

/// Sign of the gap of opposite half-spaces. With m = −s·n for B's normal m in A's frame (s > 0), B is m·(x − t) ≤ c, that is
/// n·x ≥ n·t − c/s, and A is n·x ≤ d: the gap times |n| is n·t − c/s − d. |m|² = s²|n|², so s = −m·n/|n|². Everything
/// times s and |n|² and the weights stays a polynomial.
fn sign_of_gap(shapes: [&Shape; 2], normals: [DVec3; 2], offsets: [f64; 2], between: &Between) -> Sign {
    let n = normals[0].to_array().map(exact);
    let (m, w) = turned(normals[1], between);
    let [tx, ty, tz, _] = between.exact_b(DVec3::ZERO);
    let dot = |p: &[Dyadic; 3], q: &[Dyadic; 3]| &(&(&p[0] * &q[0]) + &(&p[1] * &q[1])) + &(&p[2] * &q[2]);
    // s·w·|n|² and n·t·w.
    let steep = &Dyadic::ZERO - &dot(&m, &n);
    let squared = dot(&n, &n);
    let placed = dot(&n, &[tx, ty, tz]);
    // (n·t·w − d·w)·steep − c·w·|n|²·w, over w²·s·|n|²·…: the common factor steep·w is positive.
    let rise = &(&placed - &(&exact(offsets[0]) * &w)) * &steep;
    let fall = &(&(&exact(offsets[1]) * &w) * &squared) * &w;
    let height = &rise - &fall;
    let grown = shapes.iter().flat_map(|s| s.radii()).fold(Dyadic::ZERO, |sum, r| &sum + &exact(r));
    compare_with_ball(&height, &grown, &n, &(&steep * &w))
}
