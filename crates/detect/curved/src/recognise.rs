//! Planes, cylinders, cones and spheres, lines and arcs of circles that are written as B-splines.
//!
//! Many CAD systems write every surface as a B-spline. A quadric among them is found from its normals and then **proven**: with h(u, v) the
//! homogeneous coordinates of a Bézier piece in the quadric's own axes, Q(h) is a polynomial whose Bernstein coefficients bound it,
//! and the distance of every point from the quadric is bounded with it. Answers on the quadric hold for the B-spline up to that residual.

mod arc;

use crate::brep::{Brep, Edge, Face};
use crate::frame::Frame;
use crate::nurbs::NurbsSurface;
use crate::surface::Surface;
use kontakt_math::DVec3;

/// What is farther from a quadric than this part of its size is none.
const NEAR: f64 = 1e-8;
/// Samples along each parameter that a quadric is guessed from.
const SAMPLES: usize = 4;

/// A quadric in place of another surface.
#[derive(Clone, Debug)]
pub(crate) struct Recognised {
    surface: Surface,
    /// Whether its normal points the other way.
    flipped: bool,
    /// **Never less** than the distance of a point of the one from the other.
    residual: f64,
}

/// A boundary with quadrics, circles and lines in place of B-splines that are such.
#[derive(Debug)]
pub(crate) struct Simplified {
    pub(crate) brep: Brep,
    /// How far each face may be from the one given.
    pub(crate) faces: Vec<f64>,
    /// How far an edge may be from the one given.
    pub(crate) edges: f64,
}

impl Simplified {
    pub(crate) fn of(brep: &Brep) -> Simplified {
        let mut residuals = vec![0.0; brep.faces().len()];
        let faces = brep.faces().iter().zip(&mut residuals).map(|(face, residual)| {
            let Some(found) = recognise(&face.surface) else { return face.clone() };
            *residual = found.residual;
            Face { surface: found.surface, outward: face.outward != found.flipped, loops: face.loops.clone() }
        });
        let faces: Vec<Face> = faces.collect();
        let users = brep.faces_of_edges();
        let mut worst: f64 = 0.0;
        let edges = brep.edges().iter().zip(users).map(|(edge, users)| {
            let surfaces: Vec<&Surface> = users.iter().map(|&(face, _)| &faces[face].surface).collect();
            let Some((curve, range, residual)) = arc::of_edge(edge, &surfaces) else { return edge.clone() };
            worst = worst.max(residual);
            Edge { curve, range, ends: edge.ends }
        });
        let edges = edges.collect();
        Simplified { brep: brep.with(edges, faces), faces: residuals, edges: worst }
    }
}

fn recognise(surface: &Surface) -> Option<Recognised> {
    let Surface::Nurbs(nurbs) = surface else { return None };
    let samples = Sample::over(nurbs)?;
    let size = extent(nurbs.points());
    [plane, sphere, cylinder, cone].into_iter().find_map(|guess| {
        let (surface, residual) = guess(&samples, nurbs)?;
        let near = residual <= NEAR * size;
        near.then(|| {
            let Sample { point, normal } = samples[samples.len() / 2];
            let flipped = surface
                .invert_near(point, None)
                .is_some_and(|[u, v]| surface.jet(u, v).normal().dot(normal) < 0.0);
            Recognised { surface, flipped, residual: residual * (1.0 + 1e-9) + 1e-15 * size }
        })
    })
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    point: DVec3,
    normal: DVec3,
}

impl Sample {
    /// Points and unit normals all over a surface; none where it is singular.
    fn over(nurbs: &NurbsSurface) -> Option<Vec<Sample>> {
        let [u, v] = nurbs.domain();
        let at = |[from, to]: [f64; 2], k: usize| from + (to - from) * (k as f64 + 0.5) / SAMPLES as f64;
        let samples = (0..SAMPLES * SAMPLES).map(|k| {
            let jet = nurbs.jet(at(u, k / SAMPLES), at(v, k % SAMPLES));
            let normal = jet.normal().try_normalize()?;
            Some(Sample { point: jet.point, normal })
        });
        samples.collect()
    }
}

fn extent(points: &[DVec3]) -> f64 {
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    (high - low).max_element()
}

/// The two samples whose normals differ most.
fn widest(samples: &[Sample]) -> Option<(Sample, Sample)> {
    let first = samples.first()?;
    let far = |from: DVec3| {
        samples.iter().min_by(|a, b| a.normal.dot(from).abs().total_cmp(&b.normal.dot(from).abs()))
    };
    let one = far(first.normal)?;
    Some((*one, *far(one.normal)?))
}

/// All control points lie near a plane, so all points do, as they are means of them.
fn plane(samples: &[Sample], nurbs: &NurbsSurface) -> Option<(Surface, f64)> {
    let Sample { point, normal } = *samples.first()?;
    let frame = Frame::new(point, normal, None).ok()?;
    let off = nurbs.points().iter().map(|x| (*x - point).dot(frame.z).abs()).fold(0.0, f64::max);
    Some((Surface::Plane(frame), off))
}

/// How far along the normals two points of one circle or sphere are from its centre.
fn common_radius(one: &Sample, other: &Sample) -> Option<f64> {
    let turn = one.normal - other.normal;
    let radius = (one.point - other.point).dot(turn) / turn.length_squared();
    radius.is_finite().then_some(radius)
}

fn sphere(samples: &[Sample], nurbs: &NurbsSurface) -> Option<(Surface, f64)> {
    let (one, other) = widest(samples)?;
    let radius = common_radius(&one, &other)?;
    let centre = one.point - one.normal * radius;
    let frame = Frame::new(centre, DVec3::Z, None).ok()?;
    let radius = radius.abs();
    let q = nurbs.quadric_bound(&|h| {
        let [x, y, z] = local(&frame, h);
        [(x, 1.0), (y, 1.0), (z, 1.0), (radius * h[3], -1.0)]
    });
    (radius > 0.0).then(|| (Surface::Sphere { frame, radius }, q / radius))
}

fn cylinder(samples: &[Sample], nurbs: &NurbsSurface) -> Option<(Surface, f64)> {
    let (one, other) = widest(samples)?;
    let axis = one.normal.cross(other.normal).try_normalize()?;
    if samples.iter().any(|sample| sample.normal.dot(axis).abs() > 1e-5) {
        return None;
    }
    let flat = |sample: &Sample| Sample {
        point: sample.point - axis * sample.point.dot(axis),
        normal: sample.normal,
    };
    let radius = common_radius(&flat(&one), &flat(&other))?;
    let frame = Frame::new(one.point - one.normal * radius, axis, Some(one.normal)).ok()?;
    let radius = radius.abs();
    // |ρ − r| = |ρ² − r²| / (ρ + r).
    let q = nurbs.quadric_bound(&|h| {
        let [x, y, _] = local(&frame, h);
        [(x, 1.0), (y, 1.0), (0.0, 0.0), (radius * h[3], -1.0)]
    });
    (radius > 0.0).then(|| (Surface::Cylinder { frame, radii: [radius; 2] }, q / radius))
}

fn cone(samples: &[Sample], nurbs: &NurbsSurface) -> Option<(Surface, f64)> {
    // Normals of a cone lie on a circle: its axis is square to differences of three of them.
    let (one, other) = widest(samples)?;
    let spread = |s: &Sample| (s.normal - one.normal).cross(s.normal - other.normal).length();
    let third = samples.iter().max_by(|a, b| spread(a).total_cmp(&spread(b)))?;
    let axis = (one.normal - third.normal).cross(other.normal - third.normal).try_normalize()?;
    // All tangent planes meet in the apex: Cramer's rule.
    let [n, m, k] = [one.normal, other.normal, third.normal];
    let determinant = n.dot(m.cross(k));
    let apex =
        (m.cross(k) * one.point.dot(n) + k.cross(n) * other.point.dot(m) + n.cross(m) * third.point.dot(k))
            / determinant;
    if !apex.is_finite() {
        return None;
    }
    let middle = samples[samples.len() / 2].point - apex;
    let axis = if middle.dot(axis) < 0.0 { -axis } else { axis };
    let height = middle.dot(axis);
    let radius = (middle - axis * height).length();
    let slope = radius / height;
    let frame = Frame::new(apex + axis * height, axis, None).ok()?;
    if !(slope > 1e-6 && slope < 1e6) {
        return None;
    }
    // Radii along the cone are linear in z, so no less than the least at a control point; |ρ − R| = |ρ² − R²| / (ρ + R).
    let least = nurbs
        .points()
        .iter()
        .map(|x| radius + slope * (*x - frame.origin).dot(frame.z))
        .fold(f64::INFINITY, f64::min);
    let q = nurbs.quadric_bound(&|h| {
        let [x, y, z] = local(&frame, h);
        [(x, 1.0), (y, 1.0), (0.0, 0.0), (radius * h[3] + slope * z, -1.0)]
    });
    (least > 0.0).then(|| (Surface::Cone { frame, radii: [radius; 2], slope }, q / least))
}

/// Homogeneous coordinates (w x, w) in a frame's axes.
fn local(frame: &Frame, h: [f64; 4]) -> [f64; 3] {
    let from = DVec3::new(h[0], h[1], h[2]) - frame.origin * h[3];
    frame.turned_back(from).to_array()
}
