//! How far two whole surfaces of simple kinds are apart, where that is known in closed form.
//!
//! Patches of a piston and its bore are nearly parallel everywhere: bounds of triangles would need as many of them as the clearance is
//! small. Their surfaces tell at once.

use crate::curve::Curve;
use crate::frame::Frame;
use crate::surface::Surface;
use crate::tessellate::Domain;
use kontakt_math::{Between, DVec3};

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
    /// A plane face: balls about centres whose hull holds its edges, and so the face.
    Flat(Vec<(DVec3, f64)>),
}

impl Round {
    /// The surface of a face, with corners of triangles that are within `off` of it; `None` for other kinds.
    pub(crate) fn of(
        domain: &Domain,
        edges: &[&Curve],
        corners: impl Iterator<Item = DVec3>,
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
            Domain::Surface { surface: Surface::Plane(_), .. } => {
                let mut balls: Vec<(DVec3, f64)> = Vec::new();
                for curve in edges {
                    match curve {
                        // Its ends are among the corners.
                        Curve::Line { .. } => {}
                        Curve::Ellipse { frame, radii } => balls.push((frame.origin, radii[0].max(radii[1]))),
                        Curve::Nurbs(nurbs) => balls.extend(nurbs.points().iter().map(|x| (*x, 0.0))),
                    }
                }
                let all_round = edges.iter().all(|curve| matches!(curve, Curve::Ellipse { .. }));
                if !all_round {
                    balls.extend(corners.map(|x| (x, 0.0)));
                }
                Some(Round::Flat(balls))
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
            Round::Flat(ref balls) => {
                Round::Flat(balls.iter().map(|(x, radius)| (between.b_in_a(*x), *radius)).collect())
            }
        }
    }
}

/// Not more than the distance of two surfaces, the second one's frame mapped to the first one's, up to roundings of their sizes.
///
/// Of two cylinders, every point x of the second is square to its axis at a point b, |x − b| = s, and b is within e of the first axis. So
/// the distance of x from the first axis is at most s + e, and at least s cos θ − e with θ between the axes: of the first
/// cylinder, of radius r, it keeps r − s − e or s cos θ − e − r. Spheres are cylinders of no height with any axis. The distance from an axis is
/// convex: over a plane face it is largest on its edges, and no larger than over balls that hold these.
pub(crate) fn apart(a: &Round, b: &Round, between: &Between) -> f64 {
    let b = b.placed(between);
    let farthest = |frame: &Frame, balls: &[(DVec3, f64)]| {
        balls.iter().map(|(x, radius)| from_axis(frame, *x) + radius).fold(0.0, f64::max)
    };
    match (a, &b) {
        (Round::Flat(_), Round::Flat(_)) => 0.0,
        (Round::Cylinder { frame, radius, .. }, Round::Flat(balls))
        | (Round::Flat(balls), Round::Cylinder { frame, radius, .. }) => radius - farthest(frame, balls),
        (Round::Sphere { centre, radius }, Round::Flat(balls))
        | (Round::Flat(balls), Round::Sphere { centre, radius }) => {
            let reach = balls.iter().map(|(x, r)| (*x - *centre).length() + r).fold(0.0, f64::max);
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

fn from_axis(frame: &Frame, point: DVec3) -> f64 {
    let away = point - frame.origin;
    (away - frame.z * away.dot(frame.z)).length()
}
