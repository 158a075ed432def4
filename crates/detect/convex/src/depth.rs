//! How deep two polytopes lie in each other: the least translation that separates them.
//!
//! With the difference C = A − B, which holds the origin, it is the distance of the origin from C's boundary, and the normal
//! is that of the nearest facet. The ball that grows each core adds its radius.

use crate::lab::every_axis::{Features, least_overlap};
use crate::{Answer, Shape, Verdict};
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3};

/// The penetration of two shapes with polytopal cores that meet; `None` when a core is not polytopal.
pub fn penetration(a: &Shape, b: &Shape, between: &Between) -> Option<Answer> {
    let (fa, fb) = (Features::of(a.core())?, Features::of(b.core())?);
    let (overlap, normal) = least_overlap(&fa, &fb, between);
    let radius: f64 = a.radii().iter().chain(&b.radii()).sum();
    let depth = overlap.max(0.0) + radius;
    let pose = between.poses()[0];
    let verdict = if depth > 0.0 { Verdict::Overlapping } else { Verdict::Touching };
    Some(Answer {
        verdict,
        separation: Range::new(-depth, 0.0).unwrap_or(Range::ZERO),
        normal: pose.rotate(normal),
        normal_error: std::f64::consts::PI,
        point_a: pose.apply(DVec3::ZERO),
        point_b: pose.apply(-depth * normal),
        point_error: f64::INFINITY,
    })
}
