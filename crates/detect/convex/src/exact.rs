//! Exact answers about two placed polytopes: GJK once more, in numbers that do not round.
//!
//! Called when doubles cannot tell. Everything is scaled by the common weight of B's exact places, so that no division is
//! needed. The loop is finite: the distance falls with every step, and there are finitely many simplices.

mod boundary;
pub(crate) mod boxes;
pub(crate) mod measure;
mod scene;
pub(crate) mod simplex;

pub(crate) use scene::Scene;
pub(crate) use simplex::Nearest;

use crate::Verdict;
use crate::difference::corners::Corners;
use kontakt_math::{DVec3, Sign};
use std::cmp::Ordering;

/// The point of the difference nearest to the origin. `hints` are vertices to try first; any will do.
pub(crate) fn nearest<A: Corners, B: Corners>(scene: &Scene<'_, A, B>, hints: &[[u32; 2]]) -> Nearest {
    let mut hints = hints.iter().copied();
    let first = hints.next().unwrap_or([0, 0]);
    let mut nearest = Nearest::point(scene.spot(first));
    loop {
        if simplex::holds_origin(&nearest) {
            return nearest;
        }
        let hint = hints.next();
        let candidate = scene.spot(hint.unwrap_or_else(|| scene.lowest(&nearest.direction)));
        if nearest.beyond(&candidate.place) == Sign::Negative {
            nearest = nearest.widened(candidate);
        } else if hint.is_none() {
            // No vertex lies before the plane across the direction: nothing is nearer.
            return nearest;
        }
    }
}

/// How the bodies lie to each other when this is the cores' nearest point and `radii` grow them. When sharp bodies touch,
/// also a direction (from A to B) across which they are separated.
pub(crate) fn verdict<A: Corners, B: Corners>(
    scene: &Scene<'_, A, B>,
    nearest: &Nearest,
    radii: [f64; 4],
) -> (Verdict, Option<DVec3>) {
    let sharp = radii == [0.0; 4];
    if !simplex::holds_origin(nearest) {
        let verdict = match measure::compare_with_radii(scene, nearest, radii) {
            Ordering::Greater => Verdict::Separate,
            Ordering::Equal => Verdict::Touching,
            Ordering::Less => Verdict::Overlapping,
        };
        return (verdict, None);
    }
    if !sharp {
        // The ball about a common point of the cores is in both bodies.
        return (Verdict::Overlapping, None);
    }
    match boundary::outer_normal(scene, nearest) {
        Some(normal) => (Verdict::Touching, Some(normal)),
        None => (Verdict::Overlapping, None),
    }
}
