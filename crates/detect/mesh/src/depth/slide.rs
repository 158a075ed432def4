//! Translations of B that put a plane between the bodies.

use super::ball::Ball;
use crate::pairs::FacePair;
use crate::relation::Space;
use kontakt_answers::Side;
use kontakt_math::DVec3;
use kontakt_math::expansion::two_sum;
use kontakt_math::round::{dot_up, length_down, length_up};

/// A translation of B in A's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    /// To rounding.
    pub(super) push: DVec3,
    /// **Never less** than the least length along this direction that separates.
    pub(super) length: f64,
}

/// Most products of a vertex and a direction that are worth it.
const WORK: usize = 20_000_000;

/// For each promising direction the translation that separates by a plane; directions without a finite one are left out.
pub(super) fn by_planes(space: &Space, pairs: &[FacePair], ball: Option<&Ball>) -> Vec<Slide> {
    let (a, b) = (space.mesh(Side::A).faces().vertices(), space.mesh(Side::B).faces().vertices());
    let placed: Vec<(DVec3, f64)> =
        b.iter().map(|&x| (space.between.b_in_a(x), space.between.error_at(x))).collect();
    let most = (WORK / (a.len() + b.len())).clamp(8, 512);
    directions(space, pairs, ball, most).into_iter().filter_map(|n| separate(a, &placed, n)).collect()
}

/// The translation along n after which n·b ≥ n·a for all points.
///
/// h is evaluated upward: B's exact points are within the given error of the placed ones, so n·b ≥ n·b̃ − |n|·error.
fn separate(a: &[DVec3], b: &[(DVec3, f64)], n: DVec3) -> Option<Slide> {
    let axis = n.abs().element_sum() == 1.0 && n.abs().max_element() == 1.0;
    let length = if axis { 1.0 } else { length_up(n) };
    // Along an axis of A's frame a product of three with two zeros and one ±1 is exact.
    let up = |x: DVec3| if axis { n.dot(x) } else { dot_up(n, x) };
    let far = a.iter().map(|&x| up(x)).fold(f64::NEG_INFINITY, f64::max);
    let back = b
        .iter()
        .map(|&(x, error)| {
            let reach = up(-x);
            if error == 0.0 { reach } else { (reach + error * length * (1.0 + 4.0 * f64::EPSILON)).next_up() }
        })
        .fold(f64::NEG_INFINITY, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x) });
    let (sum, error) = two_sum(far, back);
    let h = if error > 0.0 { sum.next_up() } else { sum };
    let shortest = if axis { h } else { (h / length_down(n)).next_up() };
    (shortest.is_finite() && shortest >= 0.0)
        .then(|| Slide { push: n * (h / n.length_squared()), length: shortest })
}

/// Directions of A's frame: axes of both bodies, the line of centres, normals of touching faces, then of all faces, and the
/// way between the ball's nearest points; all both ways, none twice.
fn directions(space: &Space, pairs: &[FacePair], ball: Option<&Ball>, most: usize) -> Vec<DVec3> {
    let turn = space.between.turn();
    let mut found: Vec<DVec3> = Vec::new();
    let mut add = |n: DVec3| {
        let n = n / n.abs().max_element();
        if n.is_finite() && found.len() + 2 <= most && !found.contains(&n) {
            found.push(n);
            found.push(-n);
        }
    };
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        add(axis);
        add(turn * axis);
    }
    if let Some(slide) = ball.and_then(Ball::slide) {
        add(slide.push);
    }
    let normal = |side: Side, face: u32| {
        let [a, b, c] = space.mesh(side).faces().triangle_points(face as usize);
        let n = (b - a).cross(c - a);
        if side == Side::A { n } else { turn * n }
    };
    let centre = |side: Side| {
        let vertices = space.mesh(side).faces().vertices();
        vertices.iter().sum::<DVec3>() / vertices.len() as f64
    };
    add(space.between.b_in_a(centre(Side::B)) - centre(Side::A));
    for pair in pairs.iter().step_by(pairs.len().div_ceil(most).max(1)) {
        let (n, m) = (normal(Side::A, pair.a), normal(Side::B, pair.b));
        add(n);
        add(m);
        add(n.cross(m));
    }
    for side in [Side::A, Side::B] {
        let count = space.mesh(side).faces().triangles().len();
        for face in (0..count as u32).step_by(count.div_ceil(most / 2).max(1)) {
            add(normal(side, face));
        }
    }
    found
}
