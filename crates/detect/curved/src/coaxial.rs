//! How far two whole surfaces of simple kinds are apart, where that is known in closed form.
//!
//! Patches of a piston and its bore are nearly parallel everywhere: bounds of triangles would need as many of them as the clearance is
//! small. Their surfaces tell at once.

use crate::curve::Curve;
use crate::frame::Frame;
use crate::surface::Surface;
use crate::tessellate::Domain;
use kontakt_math::{Between, DVec3};
use kontakt_mesh::face::distance as triangle_distance;

/// A surface whose points are all at one distance from an axis or a centre.
#[derive(Clone, Debug)]
pub(crate) enum Round {
    /// A circular cylinder, between two heights over its frame.
    Cylinder {
        frame: Frame,
        radius: f64,
        heights: [f64; 2],
    },
    Sphere {
        centre: DVec3,
        radius: f64,
    },
    /// A face in a plane, by a point and the unit normal of it: discs about centres, whose hull holds its edges, and so the face; and
    /// discs that it is all outside of.
    Flat {
        origin: DVec3,
        normal: DVec3,
        discs: Vec<(DVec3, f64)>,
        holes: Vec<(DVec3, f64)>,
    },
}

impl Round {
    /// The surface of a face, with corners of triangles that are within `off` of it; `None` for other kinds.
    pub(crate) fn of(
        domain: &Domain,
        edges: &[&Curve],
        circles: &[(DVec3, f64)],
        corners: impl Iterator<Item = DVec3> + Clone,
        off: f64,
    ) -> Option<Round> {
        match domain {
            Domain::Surface { surface: Surface::Cylinder { frame, radii: [a, b] }, .. } if a == b => {
                let ends = [f64::INFINITY, f64::NEG_INFINITY];
                let heights =
                    corners.map(|x| frame.local(x).z).fold(ends, |[low, high], z| [low.min(z), high.max(z)]);
                let heights = [heights[0] - off, heights[1] + off];
                Some(Round::Cylinder { frame: *frame, radius: *a, heights })
            }
            Domain::Surface { surface: Surface::Plane(frame), .. } => {
                let (origin, normal) = (frame.origin, frame.z);
                let mut discs: Vec<(DVec3, f64)> = Vec::new();
                for curve in edges {
                    match curve {
                        // Its ends are among the corners.
                        Curve::Line { .. } => {}
                        Curve::Ellipse { frame, radii } => discs.push((frame.origin, radii[0].max(radii[1]))),
                        Curve::Nurbs(nurbs) => discs.extend(nurbs.points().iter().map(|x| (*x, 0.0))),
                    }
                }
                let holes =
                    circles.iter().copied().filter(|circle| is_hole(*circle, corners.clone())).collect();
                let all_round = edges.iter().all(|curve| matches!(curve, Curve::Ellipse { .. }));
                if !all_round {
                    discs.extend(corners.map(|x| (x, 0.0)));
                }
                Some(Round::Flat { origin, normal, discs, holes })
            }
            Domain::Sphere { frame, radius } => Some(Round::Sphere { centre: frame.origin, radius: *radius }),
            Domain::Surface { .. } => None,
        }
    }

    /// In another frame.
    fn placed(&self, between: &Between) -> Round {
        match *self {
            Round::Cylinder { frame, radius, heights } => {
                let turn = between.turn();
                let origin = between.b_in_a(frame.origin);
                let frame = Frame { origin, x: turn * frame.x, y: turn * frame.y, z: turn * frame.z };
                Round::Cylinder { frame, radius, heights }
            }
            Round::Sphere { centre, radius } => Round::Sphere { centre: between.b_in_a(centre), radius },
            Round::Flat { origin, normal, ref discs, ref holes } => {
                let placed = |discs: &[(DVec3, f64)]| {
                    discs.iter().map(|(x, radius)| (between.b_in_a(*x), *radius)).collect()
                };
                Round::Flat {
                    origin: between.b_in_a(origin),
                    normal: between.turn() * normal,
                    discs: placed(discs),
                    holes: placed(holes),
                }
            }
        }
    }
}

/// A stretch, or a point twice, that a surface is everywhere within a radius of.
type Core = ([DVec3; 2], f64);

impl Round {
    fn core(&self) -> Option<Core> {
        match self {
            Round::Cylinder { frame, radius, heights } => {
                Some((heights.map(|z| frame.origin + frame.z * z), *radius))
            }
            Round::Sphere { centre, radius } => Some(([*centre; 2], *radius)),
            Round::Flat { discs, .. } => match discs.as_slice() {
                [(centre, radius)] => Some(([*centre; 2], *radius)),
                _ => None,
            },
        }
    }

    /// How far the surface is beyond a plane, on whichever side: discs and cylinders reach as far along its normal as they are turned to it.
    fn beyond(&self, origin: DVec3, normal: DVec3) -> f64 {
        let height = |x: DVec3, reach: f64| {
            let height = (x - origin).dot(normal);
            [height - reach, height + reach]
        };
        let hull = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
        let [low, high] = match self {
            Round::Cylinder { frame, radius, heights } => {
                let reach = radius * normal.cross(frame.z).length();
                let [one, other] = heights.map(|z| height(frame.origin + frame.z * z, reach));
                hull(one, other)
            }
            Round::Sphere { centre, radius } => height(*centre, *radius),
            Round::Flat { normal: own, discs, .. } => {
                let share = normal.cross(*own).length();
                let ranges = discs.iter().map(|(x, radius)| height(*x, radius * share));
                ranges.fold([f64::INFINITY, f64::NEG_INFINITY], hull)
            }
        };
        low.max(-high)
    }
}

/// Not more than the distance of two surfaces, the second one's frame mapped to the first one's, up to roundings of their sizes.
///
/// Of two cylinders, every point x of the second is square to its axis at a point b, |x − b| = s, and b is within e of the first axis. So
/// the distance of x from the first axis is at most s + e, and at least s cos θ − e with θ between the axes: of the first
/// cylinder, of radius r, it keeps r − s − e or s cos θ − e − r. Spheres are cylinders of no height with any axis. The distance from an axis is
/// convex: over a plane face it is largest on its edges, and no larger than over the discs that hold these. Beside each other they are as far
/// apart as their cores, less both radii. Of a plane face with a hole of radius h, a point is at least h from the hole's centre, so at least h cos θ
/// square to an axis at an angle θ with the normal, less what the centre is off the axis; that falls with a convex number. From a plane face, as the other is beyond its plane.
pub(crate) fn apart(a: &Round, b: &Round, between: &Between) -> f64 {
    let b = b.placed(between);
    let beside = a.core().zip(b.core()).map(|((p, r), (q, s))| of_stretches(p, q) - r - s);
    let beyond = |flat: &Round, other: &Round| match flat {
        Round::Flat { origin, normal, .. } => other.beyond(*origin, *normal),
        Round::Cylinder { .. } | Round::Sphere { .. } => 0.0,
    };
    about(a, &b).max(beside.unwrap_or(0.0)).max(beyond(a, &b)).max(beyond(&b, a))
}

/// The same where one of them is about the other or beside its axis.
fn about(a: &Round, b: &Round) -> f64 {
    let farthest = |frame: &Frame, discs: &[(DVec3, f64)]| {
        discs.iter().map(|(x, radius)| from_axis(frame, *x) + radius).fold(0.0, f64::max)
    };
    match (a, b) {
        (Round::Flat { .. }, Round::Flat { .. }) => 0.0,
        (Round::Cylinder { frame, radius, .. }, Round::Flat { discs, holes, normal, .. })
        | (Round::Flat { discs, holes, normal, .. }, Round::Cylinder { frame, radius, .. }) => {
            let cos = frame.z.dot(*normal).abs();
            let round = holes.iter().map(|(x, hole)| hole * cos - from_axis(frame, *x) - radius);
            round.fold(radius - farthest(frame, discs), f64::max)
        }
        (Round::Sphere { centre, radius }, Round::Flat { discs, .. })
        | (Round::Flat { discs, .. }, Round::Sphere { centre, radius }) => {
            let reach = discs.iter().map(|(x, r)| (*x - *centre).length() + r).fold(0.0, f64::max);
            radius - reach
        }
        (Round::Sphere { centre, radius }, Round::Sphere { centre: other, radius: s }) => {
            let off = (*other - *centre).length();
            (off - radius - s).max((radius - s).abs() - off)
        }
        (Round::Cylinder { frame, radius, .. }, Round::Sphere { centre, radius: s })
        | (Round::Sphere { centre, radius: s }, Round::Cylinder { frame, radius, .. }) => {
            let off = from_axis(frame, *centre);
            (off - radius - s).max(radius - s - off)
        }
        (
            Round::Cylinder { frame, radius, heights },
            Round::Cylinder { frame: other, radius: s, heights: others },
        ) => {
            let cos = frame.z.dot(other.z).abs();
            // The distance from a line is convex along the other axis: largest at an end.
            let most = |from: &Frame, to: &Frame, heights: [f64; 2]| {
                heights.into_iter().map(|z| from_axis(to, from.origin + from.z * z)).fold(0.0, f64::max)
            };
            let (of_b, of_a) = (most(other, frame, *others), most(frame, other, *heights));
            let inside = (radius - s - of_b).max(s - radius - of_a);
            inside.max(s * cos - of_b - radius).max(radius * cos - of_a - s)
        }
    }
}

/// Whether a face with these corners lies outside of a circle that is one of its borders: no corner is inside, and not all are on it. It lies all
/// on one side, since its other borders do not cross the circle.
fn is_hole((centre, radius): (DVec3, f64), corners: impl Iterator<Item = DVec3>) -> bool {
    let (low, high) = corners
        .map(|x| (x - centre).length())
        .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), away| (low.min(away), high.max(away)));
    low >= radius * (1.0 - 1e-9) && high > radius * (1.0 + 1e-6)
}

/// The distance of two stretches.
fn of_stretches([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    triangle_distance([a, b, b], [c, d, d]).squared.sqrt()
}

fn from_axis(frame: &Frame, point: DVec3) -> f64 {
    let away = point - frame.origin;
    (away - frame.z * away.dot(frame.z)).length()
}
