//! Chung and Wang's search for a separating axis of two polytopes (1996), for study.
//!
//! Every support point w of the difference found for a direction s says that a separating axis n must have n·w < 0. The
//! directions left form a cone, which each step cuts; when it is empty the bodies meet. Work grows with the square of
//! the number of steps.

use crate::bodies::{Bodies, Sample};
use crate::contact::Ending;
use kontakt_convex::Verdict;
use kontakt_math::DVec3;

/// How it works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChungWang {
    /// Support points at most; for polytopes with m and n corners m·n suffice.
    pub steps: usize,
}

impl Default for ChungWang {
    fn default() -> Self {
        ChungWang { steps: 4096 }
    }
}

/// What it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// Its own word; `Touching` when the axes left are within roundings of none, `Undecided` when steps ran out.
    pub verdict: Verdict,
    /// The last direction tried: a separating axis from A to B when separate.
    pub axis: DVec3,
    /// Support points used.
    pub steps: usize,
    /// How it ended.
    pub ending: Ending,
}

impl ChungWang {
    /// Runs it.
    pub fn run(&self, bodies: &impl Bodies) -> Finding {
        let noise = 1e-15 * bodies.size();
        let mut axis = (-bodies.middle().w()).try_normalize().unwrap_or(DVec3::X);
        let mut cone: Option<Vec<DVec3>> = None;
        let mut inner = axis;
        for steps in 1..=self.steps {
            let w = Sample::w(&bodies.support(axis));
            let finding = |verdict| Finding { verdict, axis, steps, ending: Ending::Converged };
            if axis.dot(w) < -noise {
                return finding(Verdict::Separate);
            }
            let Some(away) = (-w).try_normalize() else { return finding(Verdict::Touching) };
            let left = match cone.take() {
                None => hemisphere(away),
                Some(rays) => cut(&rays, inner, away),
            };
            // Some direction well inside the cone; that of a hemisphere is its pole.
            let middle = if left.len() == 4 && steps == 1 { away } else { left.iter().sum::<DVec3>() };
            if left.len() < 3 || middle.length() < 1e-12 {
                return finding(Verdict::Overlapping);
            }
            if axis.dot(w).abs() <= noise && is_sliver(&left) {
                return finding(Verdict::Touching);
            }
            // Chung and Wang's step: mirror the axis at the plane across w; if earlier conditions forbid it, take the middle.
            let mirrored = axis - 2.0 * axis.dot(away) * away;
            axis = if inside(&left, mirrored) { mirrored } else { middle.normalize() };
            (cone, inner) = (Some(left), middle);
        }
        Finding { verdict: Verdict::Undecided, axis, steps: self.steps, ending: Ending::TooLong }
    }
}

/// All directions with a non-negative product with `pole`, as four rays around it.
fn hemisphere(pole: DVec3) -> Vec<DVec3> {
    let (u, v) = pole.any_orthonormal_pair();
    let sense = if u.cross(v).dot(pole) > 0.0 { 1.0 } else { -1.0 };
    vec![u, v * sense, -u, v * -sense]
}

/// The part of a cone (rays counter-clockwise seen from outside, and one inside) where x·pole ≥ 0.
fn cut(rays: &[DVec3], inside: DVec3, pole: DVec3) -> Vec<DVec3> {
    let mut left = Vec::with_capacity(rays.len() + 1);
    for (k, from) in rays.iter().enumerate() {
        let to = rays[(k + 1) % rays.len()];
        let (here, there) = (from.dot(pole), to.dot(pole));
        if here >= 0.0 {
            left.push(*from);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            left.extend((*from * there.abs() + to * here.abs()).try_normalize());
        }
    }
    // The first cut of a hemisphere leaves two opposite rays side by side: one between them tells the way.
    let opposite = (0..left.len()).find(|k| left[*k].dot(left[(k + 1) % left.len()]) < -0.99);
    let between = (inside - inside.dot(pole) * pole).try_normalize();
    if let (Some(k), Some(between)) = (opposite, between) {
        left.insert(k + 1, between);
    }
    left
}

/// Whether a direction is in a cone.
fn inside(rays: &[DVec3], x: DVec3) -> bool {
    (0..rays.len()).all(|k| rays[k].cross(rays[(k + 1) % rays.len()]).dot(x) >= 0.0)
}

/// Whether a cone has no width worth the name.
fn is_sliver(rays: &[DVec3]) -> bool {
    let area: f64 =
        (1..rays.len() - 1).map(|k| (rays[k] - rays[0]).cross(rays[k + 1] - rays[0]).length()).sum();
    area < 1e-12
}
