//! Overlap and gap for every pair of kinds: a special test where there is one, the support-based one otherwise.
//!
//! The round volumes are a point, segment or rectangle with a radius. Their pairs are decided on these cores, which
//! are polytopes (the search ends after finitely many steps), and the radii are subtracted.

use super::AnyVolume;
use crate::bound::{Bound, Support};
use crate::probe::{Corners, Point, Segment};
use crate::separation;
use crate::volume::{Aabb, Obb};
use kontakt_math::DVec3;
use kontakt_math::round::{add_up, dot_up};

/// `false` is a proof that the sets are disjoint.
pub(super) fn may_overlap(a: &AnyVolume, b: &AnyVolume) -> bool {
    match (a, b) {
        (AnyVolume::Aabb(a), AnyVolume::Obb(b)) | (AnyVolume::Obb(b), AnyVolume::Aabb(a)) => {
            box_in_box(a).may_overlap(b)
        }
        _ => a.own_overlap(b).unwrap_or_else(|| cores_may_overlap(&Core::of(a), &Core::of(b))),
    }
}

/// **Never more** than the exact distance of the two sets; 0 when they may overlap.
pub(super) fn gap_below(a: &AnyVolume, b: &AnyVolume) -> f64 {
    a.own_gap(b).unwrap_or_else(|| cores_gap(&Core::of(a), &Core::of(b)))
}

/// An axis-aligned box for the 15-axis test; encloses it, so that "apart" stays a proof.
fn box_in_box(aabb: &Aabb) -> Obb {
    Obb::from_aabb(aabb)
}

/// A set that is all points within `radius` of its skeleton.
struct Core<'a> {
    skeleton: Skeleton<'a>,
    radius: f64,
}

enum Skeleton<'a> {
    Point(Point),
    Segment(Segment),
    /// {centre + s·u + t·v : |s|, |t| ≤ 1}
    Rectangle {
        centre: DVec3,
        u: DVec3,
        v: DVec3,
    },
    Whole(&'a dyn Support),
}

impl<'a> Core<'a> {
    fn of(volume: &'a AnyVolume) -> Core<'a> {
        match volume {
            AnyVolume::Sphere(s) => Core { skeleton: Skeleton::Point(Point(s.centre)), radius: s.radius },
            AnyVolume::Lss(s) => {
                Core { skeleton: Skeleton::Segment(Corners([s.start, s.end])), radius: s.radius }
            }
            AnyVolume::Rss(s) => Core {
                skeleton: Skeleton::Rectangle { centre: s.centre, u: s.half_u, v: s.half_v },
                radius: s.radius,
            },
            _ => Core { skeleton: Skeleton::Whole(volume.as_support()), radius: 0.0 },
        }
    }
}

impl Support for Skeleton<'_> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        match self {
            Skeleton::Point(point) => point.0,
            Skeleton::Segment(segment) => segment.farthest(direction),
            Skeleton::Rectangle { centre, u, v } => {
                let towards = |edge: DVec3| if direction.dot(edge) < 0.0 { -edge } else { edge };
                *centre + towards(*u) + towards(*v)
            }
            Skeleton::Whole(set) => set.farthest(direction),
        }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        match self {
            Skeleton::Point(point) => point.reach(direction),
            Skeleton::Segment(segment) => segment.reach(direction),
            Skeleton::Rectangle { centre, u, v } => {
                let half = |edge: DVec3| dot_up(direction, edge).max(dot_up(-direction, edge));
                add_up(dot_up(direction, *centre), add_up(half(*u), half(*v)))
            }
            Skeleton::Whole(set) => set.reach(direction),
        }
    }

    fn centre(&self) -> DVec3 {
        match self {
            Skeleton::Point(point) => point.0,
            Skeleton::Segment(segment) => segment.centre(),
            Skeleton::Rectangle { centre, .. } => *centre,
            Skeleton::Whole(set) => set.centre(),
        }
    }
}

fn cores_may_overlap(a: &Core, b: &Core) -> bool {
    if a.radius == 0.0 && b.radius == 0.0 {
        return separation::may_overlap(&a.skeleton, &b.skeleton);
    }
    cores_gap(a, b) <= 0.0
}

/// Proof: the distance of two sets widened by radii is that of the skeletons less both radii, or 0.
fn cores_gap(a: &Core, b: &Core) -> f64 {
    let between = separation::gap_below(&a.skeleton, &b.skeleton);
    let radii = if a.radius == 0.0 && b.radius == 0.0 { return between } else { add_up(a.radius, b.radius) };
    (between - radii).next_down().max(0.0)
}
