//! Lines and arcs of circles among B-spline curves.

use super::{NEAR, extent, local};
use crate::brep::Edge;
use crate::curve::Curve;
use crate::frame::Frame;
use crate::nurbs::NurbsCurve;
use crate::surface::Surface;
use kontakt_math::DVec3;
use std::f64::consts::{PI, TAU};

/// Points of an edge that are compared with its faces.
const SAMPLES: usize = 9;

/// A line or a circle, its range and **never less** than the distance of a point of the edge from it, or of it from the edge.
type Arc = (Curve, [f64; 2], f64);

/// What an edge on a B-spline runs along, where that is as near as rounding, or about as near as its faces are: an edge that only approximates
/// the circle in which they meet is no better than the circle.
pub(super) fn of_edge(edge: &Edge, surfaces: &[&Surface]) -> Option<Arc> {
    let Curve::Nurbs(nurbs) = &edge.curve else { return None };
    let size = extent(nurbs.points());
    let gap = surfaces.iter().map(|surface| off_surface(edge, surface)).fold(0.0, f64::max);
    let own = plane_and_centre(edge, nurbs);
    let axes = surfaces.iter().filter_map(|surface| match surface {
        Surface::Cylinder { frame, .. }
        | Surface::Cone { frame, .. }
        | Surface::Torus { frame, .. }
        | Surface::Revolution { frame, .. } => Some(frame),
        _ => None,
    });
    let about = axes.filter_map(|axis| Some(on_axis(axis, own?)));
    let circles =
        own.into_iter().chain(about).filter_map(|(centre, normal)| circle(edge, nurbs, centre, normal));
    let found = line(edge, nurbs).into_iter().chain(circles);
    let (curve, range, residual) = found.min_by(|a, b| a.2.total_cmp(&b.2))?;
    let near = (NEAR * size).max(4.0 * gap.min(1e-5 * size));
    (residual <= near).then_some((curve, range, residual * (1.0 + 1e-9) + 4e-15 * size))
}

/// How far samples of an edge are from a surface.
fn off_surface(edge: &Edge, surface: &Surface) -> f64 {
    let [from, to] = edge.range;
    let points = (0..SAMPLES).map(|k| edge.curve.point(from + (to - from) * k as f64 / SAMPLES as f64));
    let off = |x: DVec3| match surface {
        Surface::Plane(frame) => frame.local(x).z.abs(),
        surface => surface.invert_near(x, None).map_or(0.0, |[u, v]| (surface.point(u, v) - x).length()),
    };
    points.map(off).fold(0.0, f64::max)
}

/// The same circle about an axis.
fn on_axis(axis: &Frame, (centre, normal): (DVec3, DVec3)) -> (DVec3, DVec3) {
    let sign = if normal.dot(axis.z) < 0.0 { -1.0 } else { 1.0 };
    (axis.origin + axis.z * (centre - axis.origin).dot(axis.z), axis.z * sign)
}

/// All control points near a line, so all points are, as they are means of them. They ascend along it, so a plane square to it is met by their
/// polygon once, and by the curve no more often (variation diminishing): the curve runs through the stretch between its ends, once.
fn line(edge: &Edge, nurbs: &NurbsCurve) -> Option<Arc> {
    let [from, to] = edge.range.map(|t| nurbs.jet(t).point);
    let direction = to - from;
    let along = direction.try_normalize()?;
    let heights = nurbs.points().iter().map(|x| (*x - from).dot(along));
    if !heights.is_sorted() {
        return None;
    }
    let aside = |x: &DVec3| (*x - from) - along * (*x - from).dot(along);
    let off = nurbs.points().iter().map(|x| aside(x).length()).fold(0.0, f64::max);
    Some((Curve::Line { origin: from, direction }, [0.0, 1.0], off))
}

/// Distance from the axis and height, bounded as for quadrics: |ρ − r| = |ρ² − r²| / (ρ + r). Control points turn about the axis one way
/// and no more than once round: a half plane from the axis is met by their polygon at most once, so by the curve, which meets no whole plane
/// more often than the polygon does and, having to pass, each half of it an odd number of times.
fn circle(edge: &Edge, nurbs: &NurbsCurve, centre: DVec3, normal: DVec3) -> Option<Arc> {
    let is_closed = edge.ends[0] == edge.ends[1];
    let [a, c] = edge.range.map(|t| nurbs.jet(t).point);
    let frame = Frame::new(centre, normal, Some(a - centre)).ok()?;
    let radius = frame.local(a).truncate().length();
    let end = if is_closed { TAU } else { angle(frame.local(c)) };
    if !(turns_once(&frame, nurbs.points()) && radius > 0.0 && end > 0.0) {
        return None;
    }
    let q = nurbs.quadric_bound(&|h| {
        let [x, y, _] = local(&frame, h);
        [(x, 1.0), (y, 1.0), (0.0, 0.0), (radius * h[3], -1.0)]
    });
    let height = nurbs.points().iter().map(|x| frame.local(*x).z.abs()).fold(0.0, f64::max);
    Some((Curve::Ellipse { frame, radii: [radius; 2] }, [0.0, end], q / radius + height))
}

/// The middle and the axis of the circle through three points of an edge.
fn plane_and_centre(edge: &Edge, nurbs: &NurbsCurve) -> Option<(DVec3, DVec3)> {
    let [from, to] = edge.range;
    let is_closed = edge.ends[0] == edge.ends[1];
    let shares = if is_closed { [0.0, 1.0 / 3.0, 2.0 / 3.0] } else { [0.0, 0.5, 1.0] };
    let [a, b, c] = shares.map(|share| nurbs.jet(from + (to - from) * share).point);
    circumcentre(a, b, c)
}

/// The middle of the circle through three points, and the normal about which they turn anticlockwise.
fn circumcentre(a: DVec3, b: DVec3, c: DVec3) -> Option<(DVec3, DVec3)> {
    let (p, q) = (b - a, c - a);
    let normal = p.cross(q);
    let up = (p.length_squared() * q.cross(normal) + q.length_squared() * normal.cross(p))
        / (2.0 * normal.length_squared());
    let centre = a + up;
    (centre.is_finite() && normal.length_squared() > 0.0).then_some((centre, normal))
}

/// From 0 up to a turn.
fn angle(local: DVec3) -> f64 {
    local.y.atan2(local.x).rem_euclid(TAU)
}

/// Whether points follow each other anticlockwise about the axis, by less than half a turn each and one turn in all.
fn turns_once(frame: &Frame, points: &[DVec3]) -> bool {
    let steps = points.windows(2).map(|pair| {
        let [p, q] = [frame.local(pair[0]), frame.local(pair[1])];
        (p.x * q.y - p.y * q.x).atan2(p.x * q.x + p.y * q.y)
    });
    let steps: Vec<f64> = steps.collect();
    steps.iter().all(|step| (0.0..0.99 * PI).contains(step)) && steps.iter().sum::<f64>() <= TAU + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(degree: usize, knots: Vec<f64>, points: Vec<DVec3>, weights: Option<Vec<f64>>) -> bool {
        let [from, to] = [knots[0], knots[knots.len() - 1]];
        let nurbs = NurbsCurve::new(degree, knots, points, weights).expect("a curve");
        let edge = Edge { curve: Curve::Nurbs(nurbs), range: [from, to], ends: [0, 1] };
        of_edge(&edge, &[]).is_some()
    }

    /// A half circle of two quarters; with the points in another order it goes back on itself, on the same circle or off it.
    #[test]
    fn an_arc_goes_one_way() {
        let quarter = |order: [usize; 5]| {
            let places = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0], [-1.0, 0.0]];
            let points = order.map(|k| DVec3::new(places[k][0], places[k][1], 0.0));
            let weights = order.map(|k| if k % 2 == 1 { 0.5_f64.sqrt() } else { 1.0 });
            seen(2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0], points.to_vec(), Some(weights.to_vec()))
        };
        assert!(quarter([0, 1, 2, 3, 4]));
        assert!(quarter([4, 3, 2, 1, 0]));
        assert!(!quarter([0, 1, 2, 1, 0]), "there and back");
        assert!(!quarter([0, 3, 2, 1, 4]));
    }

    #[test]
    fn a_line_goes_one_way() {
        let through = |shares: [f64; 4], aside: f64| {
            let points = shares.map(|x| DVec3::new(x, 2.0 * x, 0.0));
            let mut points = points.to_vec();
            points[1].z = aside;
            seen(3, vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], points, None)
        };
        assert!(through([0.0, 0.1, 0.9, 1.0], 0.0));
        assert!(!through([0.0, 0.9, 0.1, 1.0], 0.0), "back in the middle");
        assert!(!through([0.0, 0.1, 0.9, 1.0], 1e-4));
    }
}
