//! Triangular prism ("pie slice"). Canonical form: centre, frame, triangle in the frame's first two coordinates, half height.

use super::axial::{checked_point, checked_size};
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points, product};
use crate::probe::Point;
use crate::search::{
    candidate_axes, extreme_points, frame_along, normalised, outline, pattern_search, tilted, unit,
};
use crate::separation;
use crate::sets::{Both, PointSet, Posed, farthest_from};
use kontakt_math::round::{add_up, dot_error, dot_up, mul_up};
use kontakt_math::{DMat3, DVec2, DVec3, Pose};
use std::f64::consts::TAU;

/// The set {c + A·(p, z) : p in the triangle, |z| ≤ h}, with A the stored matrix, orthonormal to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prism {
    centre: DVec3,
    axes: DMat3,
    triangle: [DVec2; 3],
    half_height: f64,
}

/// Least sine between the normals of two sides: flatter triangles are not looked for.
const LEAST_SINE: f64 = 1e-2;

impl Prism {
    /// A prism over a triangle in the plane of the first two axes, along the third. The axes must be orthonormal within
    /// 1e-9 (they are made so to rounding), the triangle's corners finite; their order does not matter.
    pub fn new(
        centre: DVec3,
        axes: DMat3,
        triangle: [DVec2; 3],
        half_height: f64,
    ) -> Result<Prism, FitError> {
        let off = axes.transpose() * axes - DMat3::IDENTITY;
        if !(off.is_finite() && off.to_cols_array().iter().all(|x| x.abs() <= 1e-9)) {
            return Err(FitError::Parameter { what: format!("prism axes {axes} are not orthonormal") });
        }
        if let Some(corner) = triangle.iter().find(|p| !p.is_finite()) {
            return Err(FitError::Parameter { what: format!("prism corner {corner} is not finite") });
        }
        Ok(Prism {
            centre: checked_point("prism", "centre", centre)?,
            axes: orthonormal(axes),
            triangle: counter_clockwise(triangle),
            half_height: checked_size("prism", "half height", half_height)?,
        })
    }

    /// Origin of the prism's frame (not its centroid).
    pub fn origin(&self) -> DVec3 {
        self.centre
    }

    /// Columns are the frame's axes; the third is the direction of extrusion.
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// Corners of the cross-section in the first two axes, counter-clockwise.
    pub fn triangle(&self) -> [DVec2; 3] {
        self.triangle
    }

    /// Half of the height.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Prism = Prism {
        centre: DVec3::ZERO,
        axes: DMat3::IDENTITY,
        triangle: [
            DVec2::NEG_INFINITY,
            DVec2::new(f64::INFINITY, f64::NEG_INFINITY),
            DVec2::new(0.0, f64::INFINITY),
        ],
        half_height: f64::INFINITY,
    };

    /// The six corners, to rounding.
    pub fn corners(&self) -> [DVec3; 6] {
        std::array::from_fn(|i| {
            let height = if i < 3 { -self.half_height } else { self.half_height };
            self.centre + self.axes * self.triangle[i % 3].extend(height)
        })
    }

    /// Outward normals of the three sides, as angles in the frame.
    fn side_angles(&self) -> [f64; 3] {
        std::array::from_fn(|i| {
            let along = self.triangle[(i + 1) % 3] - self.triangle[i];
            (-along.x).atan2(along.y)
        })
    }

    /// A prism with these axes and side normals that encloses the set, **certified** by [`Prism::encloses`]; as tight as
    /// rounding allows.
    fn around(set: &impl Support, axes: DMat3, angles: [f64; 3]) -> Result<Prism, FitError> {
        let too_large = || FitError::too_large(Prism::NAME);
        let (low, high) = (-set.reach(-axes.z_axis), set.reach(axes.z_axis));
        let middle = set.centre();
        let centre = middle + axes.z_axis * (0.5 * low + 0.5 * high - middle.dot(axes.z_axis));
        let radius = farthest_from(set, centre);
        if !(centre.is_finite() && radius.is_finite()) {
            return Err(too_large());
        }
        let normals = angles.map(DVec2::from_angle);
        let offsets = normals.map(|n| offset_above(set, centre, &axes, n.extend(0.0), radius));
        let half_height = offset_above(set, centre, &axes, DVec3::Z, radius).max(offset_above(
            set,
            centre,
            &axes,
            DVec3::NEG_Z,
            radius,
        ));
        // The corners are rounded intersections of the side lines: move the lines out until the proof succeeds.
        let size_of_place = centre.abs().max_element();
        let mut margin = 0.0;
        for _ in 0..48 {
            let triangle = triangle_of(normals, offsets.map(|o| o + margin));
            let prism = Prism { centre, axes, triangle, half_height: half_height.max(0.0) };
            if prism.half_height.is_finite() && prism.encloses(set, radius) {
                return Ok(prism);
            }
            margin = 2.0 * margin + 4.0 * f64::EPSILON * (radius + size_of_place) + f64::from_bits(256);
        }
        Err(too_large())
    }

    /// Whether the sides as stored are proven to enclose a set that lies within `radius` of the centre and between
    /// bottom and top.
    ///
    /// Proof: the exact outward normal N of a side is perpendicular to the exact difference e of two stored corners. The
    /// computed ê differs by at most u|e| a component, so N·(p − v) ≤ N̂·(p − v) + 2u|ê||p − v|, and N̂·p has the certified
    /// upper bound of `offset_above`. The set is on the inner side when that is at most N̂·v, rounded downward.
    fn encloses(&self, set: &impl Support, radius: f64) -> bool {
        (0..3).all(|i| {
            let (v, next) = (self.triangle[i], self.triangle[(i + 1) % 3]);
            let along = next - v;
            // Only the normal's direction counts: a power of two brings it to unit size without rounding.
            let exponent = along.abs().max_element().log2().floor().clamp(-1000.0, 1000.0);
            let normal = DVec2::new(along.y, -along.x) * (-exponent).exp2();
            let slack = 4.0 * f64::EPSILON * normal.length() * (radius + v.abs().element_sum());
            let highest = offset_above(set, self.centre, &self.axes, normal.extend(0.0), radius) + slack;
            let side = normal.dot(v) - dot_error(normal.extend(0.0), v.extend(0.0));
            normal != DVec2::ZERO && highest.next_up() <= side.next_down()
        })
    }
}

/// **Never less** than the maximum of n·q over the set in the prism's coordinates q = A⁻¹(x − centre), for a set within
/// `radius` of the centre.
///
/// Proof: the computed D is within 6u|n| of the product of the axes with n. Their Gram matrix is within 16u of the identity (an orthonormal frame to rounding), so
/// |A⁻¹w − Aᵀw| ≤ 17u|w| and n·q = n·Aᵀw + δ = D·w + δ', |δ'| ≤ 24u|n||w|. D·w = D·x − D·c is bounded by the set's reach.
fn offset_above(set: &impl Support, centre: DVec3, axes: &DMat3, n: DVec3, radius: f64) -> f64 {
    let direction = *axes * n;
    let height = add_up(set.reach(direction), dot_up(-direction, centre));
    height + 16.0 * f64::EPSILON * n.length() * radius
}

/// Corners where the side lines {p : nᵢ·p = oᵢ} meet; corner i between sides i − 1 and i, so that side i runs from corner i.
fn triangle_of(normals: [DVec2; 3], offsets: [f64; 3]) -> [DVec2; 3] {
    std::array::from_fn(|i| {
        let j = (i + 2) % 3;
        let (a, b) = (normals[j], normals[i]);
        DVec2::new(offsets[j] * b.y - offsets[i] * a.y, offsets[i] * a.x - offsets[j] * b.x) / a.perp_dot(b)
    })
}

fn counter_clockwise([a, b, c]: [DVec2; 3]) -> [DVec2; 3] {
    if (b - a).perp_dot(c - a) < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// Gram–Schmidt, twice: orthonormal to rounding when nearly so before.
fn orthonormal(axes: DMat3) -> DMat3 {
    let mut m = axes;
    for _ in 0..2 {
        let x = m.x_axis.normalize_or(DVec3::X);
        let y = (m.y_axis - x * x.dot(m.y_axis)).normalize_or(x.any_orthonormal_vector());
        let z = x.cross(y) * 1.0_f64.copysign(x.cross(y).dot(m.z_axis));
        m = DMat3::from_cols(x, y, z);
    }
    m
}

/// Area of the tightest triangle with these side normals (a little is added for flat sets); infinite when the normals do
/// not enclose.
fn area_cost(points: &[DVec2], angles: &[f64]) -> f64 {
    const THICKNESS: f64 = 1e-7;
    let normals: [DVec2; 3] = std::array::from_fn(|i| DVec2::from_angle(angles[i]));
    if (0..3).any(|i| normals[i].perp_dot(normals[(i + 1) % 3]) < LEAST_SINE) {
        return f64::INFINITY;
    }
    let offsets = normals.map(|n| points.iter().fold(f64::NEG_INFINITY, |o, p| o.max(n.dot(*p))) + THICKNESS);
    let [a, b, c] = triangle_of(normals, offsets);
    0.5 * (b - a).perp_dot(c - a)
}

/// Points turned into the frame about `axis`: cross-section and cost of the height.
fn turned(points: &[DVec3], axes: &DMat3) -> (Vec<DVec2>, f64) {
    let local: Vec<DVec3> = points.iter().map(|p| axes.transpose() * *p).collect();
    let (low, high) =
        local.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.z), h.max(p.z)));
    (local.iter().map(|p| p.truncate()).collect(), high - low + 1e-7)
}

/// Axes and side angles of a small prism around points in the unit ball.
fn best_position(points: &[DVec3]) -> (DMat3, [f64; 3]) {
    let mut best = (f64::INFINITY, DVec3::Z, vec![0.0, TAU / 3.0, 2.0 * TAU / 3.0]);
    for axis in candidate_axes(points) {
        let (flat, height) = turned(points, &frame_along(axis));
        for start in 0..4 {
            let first = f64::from(start) * TAU / 12.0;
            let angles = [first, first + TAU / 3.0, first + 2.0 * TAU / 3.0];
            let (angles, area) = pattern_search(&angles, 0.3, 1e-4, |a| area_cost(&flat, a));
            if area * height < best.0 {
                best = (area * height, axis, angles);
            }
        }
    }
    let (_, axis, angles) = best;
    let start = [0.0, 0.0, angles[0], angles[1], angles[2]];
    let (found, _) = pattern_search(&start, 0.1, 1e-8, |p| {
        let (flat, height) = turned(points, &frame_along(tilted(axis, DVec2::new(p[0], p[1]))));
        height * area_cost(&flat, &p[2..])
    });
    (frame_along(tilted(axis, DVec2::new(found[0], found[1]))), [found[2], found[3], found[4]])
}

impl Support for Prism {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let local = self.axes.transpose() * direction;
        let flat = local.truncate();
        let corner = self
            .triangle
            .into_iter()
            .fold(self.triangle[0], |best, p| if flat.dot(p) > flat.dot(best) { p } else { best });
        self.centre + self.axes * corner.extend(self.half_height.copysign(local.z))
    }

    fn reach(&self, direction: DVec3) -> f64 {
        // d·(c + A(p,z)) = d·c + g·(p,z) with g = Aᵀd; each component of the computed g is within e of the exact.
        let g = self.axes.transpose() * direction;
        let columns = [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis];
        let e = columns.map(|axis| dot_error(axis, direction));
        let section = self.triangle.iter().fold(f64::NEG_INFINITY, |best, p| {
            let error = add_up(mul_up(e[0], p.x.abs()), mul_up(e[1], p.y.abs()));
            best.max(add_up(dot_up(g.truncate().extend(0.0), p.extend(0.0)), error))
        });
        let height = mul_up(self.half_height, add_up(g.z.abs(), e[2]));
        add_up(dot_up(direction, self.centre), add_up(section, height))
    }

    fn centre(&self) -> DVec3 {
        let third = self.triangle.iter().map(|p| *p / 3.0).sum::<DVec2>();
        self.centre + self.axes * third.extend(0.0)
    }
}

impl Bound for Prism {
    const NAME: &'static str = "prism";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        check_points(points)?;
        let points = &extreme_points(points);
        let (scaled, _, _) = normalised(&outline(points));
        let (axes, angles) = best_position(&scaled);
        Prism::around(&PointSet(points), axes, angles)
    }

    fn merge(&self, other: &Self) -> Self {
        let both = Both(self, other);
        let corners: Vec<DVec3> = self.corners().into_iter().chain(other.corners()).collect();
        let (scaled, _, _) = normalised(&corners);
        let positions =
            [(self.axes, self.side_angles()), (other.axes, other.side_angles()), best_position(&scaled)];
        let candidates =
            positions.into_iter().filter_map(|(axes, angles)| Prism::around(&both, axes, angles).ok());
        // Empty only when the union overflows.
        candidates
            .min_by(|a, b| a.measure().volume.total_cmp(&b.measure().volume))
            .unwrap_or(Prism::EVERYTHING)
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        let axes = DMat3::from_cols(
            a_from_b.rotate(self.axes.x_axis),
            a_from_b.rotate(self.axes.y_axis),
            a_from_b.rotate(self.axes.z_axis),
        );
        let posed = Posed::new(self, a_from_b);
        Prism::around(&posed, orthonormal(axes), self.side_angles()).unwrap_or_else(|_| {
            // A triangle so flat that its sides have no angles: the sides of any other do.
            let axes = frame_along(unit(axes.z_axis).unwrap_or(DVec3::Z));
            Prism::around(&posed, axes, [0.0, TAU / 3.0, 2.0 * TAU / 3.0]).unwrap_or(Prism::EVERYTHING)
        })
    }

    fn measure(&self) -> Measure {
        // Scaled to unit size, so that products overflow only where the result does.
        let size = self.triangle.iter().fold(0.0_f64, |m, p| m.max(p.abs().max_element()));
        if size == f64::INFINITY {
            return Measure::INFINITE;
        }
        let [a, b, c] = self.triangle.map(|p| if size > 0.0 { p / size } else { p });
        let unit_area = 0.5 * (b - a).perp_dot(c - a).abs();
        let sides = [b - a, c - b, a - c].map(|side| side.length() * size);
        let height = 2.0 * self.half_height;
        Measure {
            volume: product([unit_area, size, size, height]),
            surface: product([2.0, unit_area, size, size])
                + product([sides[0] + sides[1] + sides[2], height]),
            diameter: sides.into_iter().fold(0.0_f64, f64::max).hypot(height),
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("centre", self.centre.into()),
            ("axes", Parameter::Vectors(vec![self.axes.x_axis, self.axes.y_axis, self.axes.z_axis])),
            ("triangle", Parameter::Vectors(self.triangle.iter().map(|corner| corner.extend(0.0)).collect())),
            ("half_height", self.half_height.into()),
        ]
    }

    fn contains(&self, point: DVec3) -> bool {
        separation::may_overlap(self, &Point(point))
    }

    fn may_overlap(&self, other: &Self) -> bool {
        separation::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        separation::gap_below(self, other)
    }
}
