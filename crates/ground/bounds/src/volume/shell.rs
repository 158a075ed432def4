//! Spherical shell: what lies between two concentric spheres, and, if asked for, in a cone from their centre
//! (Krishnan et al. 1998). The only volume here that is not convex.

use super::axial::{axial_bounds, checked_axis, checked_point, checked_size, length, outward, pose_error};
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points, product};
use crate::closest::closest_on_triangle;
use crate::probe::{Corners, Point};
use crate::search::{by_coordinates, middle_and_size, pattern_search, principal_axes, sorted, unit};
use crate::separation;
use kontakt_math::round::{add_up, dot_up, length_up, mul_up};
use kontakt_math::{DMat3, DVec3, Pose};
use std::cmp::Ordering;
use std::f64::consts::PI;

/// The set {x : r ≤ |x − c| ≤ R and (x − c)·â ≥ cos θ·|x − c|}; cos θ = −1 is the whole shell. Its [`Support`] is that of its
/// convex hull, so probes and pairs with other kinds do not see the hollow; shell against shell does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shell {
    centre: DVec3,
    inner_radius: f64,
    outer_radius: f64,
    axis: DVec3,
    cos_half_angle: f64,
}

impl Shell {
    /// The whole shell between two radii, 0 ≤ inner ≤ outer.
    pub fn new(centre: DVec3, inner_radius: f64, outer_radius: f64) -> Result<Shell, FitError> {
        Shell::in_cone(centre, inner_radius, outer_radius, DVec3::Z, -1.0)
    }

    /// The part of a shell in a cone from its centre; `cos_half_angle` in [−1, 1], −1 for the whole shell.
    pub fn in_cone(
        centre: DVec3,
        inner_radius: f64,
        outer_radius: f64,
        axis: DVec3,
        cos_half_angle: f64,
    ) -> Result<Shell, FitError> {
        let shell = Shell {
            centre: checked_point("shell", "centre", centre)?,
            inner_radius: checked_size("shell", "inner radius", inner_radius)?,
            outer_radius: checked_size("shell", "outer radius", outer_radius)?,
            axis: checked_axis("shell", axis)?,
            cos_half_angle,
        };
        if inner_radius > outer_radius {
            let what = format!("shell inner radius {inner_radius} exceeds outer radius {outer_radius}");
            return Err(FitError::Parameter { what });
        }
        if !(-1.0..=1.0).contains(&cos_half_angle) {
            let what = format!("shell cosine of half angle {cos_half_angle} is not in [-1, 1]");
            return Err(FitError::Parameter { what });
        }
        Ok(shell)
    }

    /// Common centre of both spheres.
    pub fn middle(&self) -> DVec3 {
        self.centre
    }

    /// Radius of the hollow.
    pub fn inner_radius(&self) -> f64 {
        self.inner_radius
    }

    /// Radius of the outside.
    pub fn outer_radius(&self) -> f64 {
        self.outer_radius
    }

    /// Axis of the cone, unit to rounding.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Cosine of the cone's half angle; −1 for the whole shell.
    pub fn cos_half_angle(&self) -> f64 {
        self.cos_half_angle
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Shell = Shell {
        centre: DVec3::ZERO,
        inner_radius: 0.0,
        outer_radius: f64::INFINITY,
        axis: DVec3::Z,
        cos_half_angle: -1.0,
    };

    fn or_everything(self) -> Shell {
        if self.centre.is_finite() && self.outer_radius.is_finite() { self } else { Shell::EVERYTHING }
    }

    fn sin_half_angle(&self) -> f64 {
        ((1.0 - self.cos_half_angle) * (1.0 + self.cos_half_angle)).sqrt()
    }

    /// Encloses all faces, not only their corners: the hollow is kept clear of every triangle. Without triangles the
    /// same as `fit`. Indices must be in range of `points`.
    pub fn fit_mesh(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Shell, FitError> {
        check_points(points)?;
        if let Some(t) = triangles.iter().flatten().find(|i| **i as usize >= points.len()) {
            let what = format!("triangle corner {t} is beyond the {} points", points.len());
            return Err(FitError::Parameter { what });
        }
        // Sorted, so that the order in which points and faces came cannot change the search.
        let sorted = sorted(points);
        let mut faces: Vec<[DVec3; 3]> = if triangles.is_empty() {
            sorted.iter().map(|p| [*p; 3]).collect()
        } else {
            triangles.iter().map(|t| t.map(|i| points[i as usize])).collect()
        };
        for face in &mut faces {
            face.sort_unstable_by(by_coordinates);
        }
        faces.sort_unstable_by(|a, b| {
            a.iter().zip(b).fold(Ordering::Equal, |o, (a, b)| o.then(by_coordinates(a, b)))
        });
        let centre = best_centre(&sorted, &faces);
        let convex_only = !triangles.is_empty();
        Shell::around(&sorted, &faces, centre, convex_only).map_err(|_| FitError::too_large(Shell::NAME))
    }

    /// The tightest shell about `centre`, **certified**: radii and angle are outward bounds over all points and faces.
    ///
    /// A face is inside when it stays out of the hollow (its certified distance from the centre) and its corners are in
    /// ball and cone, both convex; a cone beyond 90° is not, so faces then get the whole shell.
    fn around(
        points: &[DVec3],
        faces: &[[DVec3; 3]],
        centre: DVec3,
        convex_only: bool,
    ) -> Result<Shell, FitError> {
        let outer = points.iter().fold(0.0_f64, |far, p| far.max(distance_bounds(*p, centre).1));
        let inner =
            faces.iter().fold(f64::INFINITY, |near, face| near.min(face_distance_below(centre, *face)));
        let (axis, mut cos) = cone_of(points, centre);
        if cos < -0.9 || (convex_only && cos < 0.0) {
            cos = -1.0;
        }
        Shell::in_cone(centre, inner.min(outer), outer, axis, cos).map(|found| Shell { axis, ..found })
    }
}

/// Certified bounds of the distance of two points: the difference has a relative error of u a component, its length of
/// 4u, so 8u of the computed length cover both.
fn distance_bounds(a: DVec3, b: DVec3) -> (f64, f64) {
    let computed = length(a - b);
    let error = 4.0 * f64::EPSILON * computed;
    ((computed - error).max(0.0), (computed + error).next_up())
}

/// **Never more** than the distance of the triangle from the centre.
fn face_distance_below(centre: DVec3, face: [DVec3; 3]) -> f64 {
    if face[0] == face[1] && face[1] == face[2] {
        return distance_bounds(centre, face[0]).0;
    }
    let direction = closest_on_triangle(centre, face) - centre;
    match unit(direction) {
        Some(direction) => {
            separation::certified_gap(&Point(centre), &Corners(face), direction).unwrap_or(0.0)
        }
        None => 0.0,
    }
}

/// Axis and a certified lower bound of the cosine of the cone from `centre` around all points.
///
/// Proof: with w = fl(x − c) the computed w·a/|w| is off by less than 16u in all (4u for the dot product relative to
/// |w||a|, 4u for |w|, 4u for |a|, u for w, u for the quotient); a point at the centre lies in every cone.
fn cone_of(points: &[DVec3], centre: DVec3) -> (DVec3, f64) {
    let mean = points.iter().filter_map(|p| unit(*p - centre)).sum::<DVec3>();
    let Some(axis) = unit(mean) else { return (DVec3::Z, -1.0) };
    let cosines = points.iter().filter_map(|p| {
        let w = *p - centre;
        (w != DVec3::ZERO).then(|| unit(w).map_or(-1.0, |u| u.dot(axis)))
    });
    let least = cosines.fold(1.0_f64, f64::min);
    (axis, (least - 8.0 * f64::EPSILON).max(-1.0))
}

/// Centre with a small shell around it: the middle of the points and places off it, then a local search, over a sample.
fn best_centre(points: &[DVec3], faces: &[[DVec3; 3]]) -> DVec3 {
    const SAMPLE: usize = 200;
    let (middle, size) = middle_and_size(points);
    if size == 0.0 {
        return middle;
    }
    let local = |p: DVec3| (p - middle) / size;
    let some_points: Vec<DVec3> =
        points.iter().step_by(points.len().div_ceil(SAMPLE)).map(|p| local(*p)).collect();
    let some_faces: Vec<[DVec3; 3]> =
        faces.iter().step_by(faces.len().div_ceil(SAMPLE)).map(|f| f.map(local)).collect();
    let cost = |at: &[f64]| {
        let centre = DVec3::from_slice(at);
        let outer = some_points.iter().fold(0.0_f64, |far, p| far.max(p.distance(centre)));
        let inner = some_faces
            .iter()
            .map(|f| closest_on_triangle(centre, *f).distance(centre))
            .fold(f64::INFINITY, f64::min)
            .min(outer);
        let (_, cos) = cone_of(&some_points, centre);
        let cos = if cos < 0.0 { -1.0 } else { cos };
        (outer.powi(3) - inner.powi(3) + 1e-7) * (1.0 - cos + 1e-7)
    };
    let axes = principal_axes(&some_points);
    let offsets = [axes.x_axis, axes.y_axis, axes.z_axis]
        .into_iter()
        .flat_map(|a| [a * 1.5, a * -1.5, a * 4.0, a * -4.0]);
    let searched = std::iter::once(DVec3::ZERO)
        .chain(offsets)
        .chain(sphere_through(&some_points))
        .map(|start| pattern_search(&start.to_array(), 0.25, 1e-3, cost))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    searched
        .map_or(middle, |(at, _)| middle + DVec3::from_slice(&pattern_search(&at, 1e-3, 1e-7, cost).0) * size)
}

/// Centre of the sphere that passes through the points best, in the least-squares sense of |x|² ≈ 2c·x + k.
fn sphere_through(points: &[DVec3]) -> Option<DVec3> {
    let count = points.len() as f64;
    let mean = points.iter().sum::<DVec3>() / count;
    let mean_square = points.iter().map(|p| p.length_squared()).sum::<f64>() / count;
    let mut matrix = DMat3::ZERO;
    let mut right = DVec3::ZERO;
    for p in points {
        let d = *p - mean;
        matrix += DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        right += d * (p.length_squared() - mean_square);
    }
    let centre = matrix.inverse() * right * 0.5;
    // Nearly flat points have their centre far away; beyond this the cone's sides gain nothing.
    (centre.is_finite() && centre.length() < 30.0).then_some(centre)
}

impl Support for Shell {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let Some(towards) = unit(direction) else { return self.centre + self.axis * self.outer_radius };
        let along = towards.dot(self.axis);
        if along >= self.cos_half_angle {
            return self.centre + towards * self.outer_radius;
        }
        let across = outward(towards, self.axis).unwrap_or(self.axis.any_orthonormal_vector());
        let rim = self.axis * self.cos_half_angle + across * self.sin_half_angle();
        let radius = if rim.dot(towards) > 0.0 { self.outer_radius } else { self.inner_radius };
        self.centre + rim * radius
    }

    fn reach(&self, direction: DVec3) -> f64 {
        // Over the cap of unit vectors u within θ of â, max d·u = |d| if d itself is within θ, else cos(φ − θ)|d| =
        // (d·â)cos θ + |d × â| sin θ. sin θ is computed to 4u. A wrong side at the boundary φ = θ costs |d|(1 − cos(φ − θ)) =
        // O(u²); the 16ε|d| added cover it and all roundings. Over radii between r and R the maximum is at one end.
        let d = axial_bounds(direction, DVec3::ZERO, self.axis);
        let size = length_up(direction);
        let cos = self.cos_half_angle;
        let along = if cos >= 0.0 { d.axial_high * cos } else { d.axial_low * cos };
        let cap =
            if d.axial_high >= cos * size { size } else { along + d.radial_high * self.sin_half_angle() };
        let cap = cap + 16.0 * f64::EPSILON * size;
        let over_radii = mul_up(self.outer_radius, cap).max(mul_up(self.inner_radius, cap));
        add_up(dot_up(direction, self.centre), over_radii)
    }

    /// Half-way along the axis between the ends of the hull.
    fn centre(&self) -> DVec3 {
        let cos = self.cos_half_angle;
        let low = cos * if cos >= 0.0 { self.inner_radius } else { self.outer_radius };
        // Halved first: the sum may overflow though the point does not.
        self.centre + self.axis * (0.5 * self.outer_radius + 0.5 * low)
    }
}

impl Bound for Shell {
    const NAME: &'static str = "shell";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        Shell::fit_mesh(points, &[])
    }

    fn fit_faces(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, FitError> {
        Shell::fit_mesh(points, triangles)
    }

    fn merge(&self, other: &Self) -> Self {
        if self.centre == other.centre {
            return merge_concentric(self, other);
        }
        let between = distance_bounds(self.centre, other.centre).1;
        let towards = unit(other.centre - self.centre).unwrap_or(DVec3::Z);
        let shift = (0.5 * (between + other.outer_radius - self.outer_radius)).clamp(0.0, between);
        let around = |centre: DVec3| {
            let [from_self, from_other] = [self.centre, other.centre].map(|c| distance_bounds(centre, c).1);
            let outer = add_up(from_self, self.outer_radius).max(add_up(from_other, other.outer_radius));
            let inner =
                (self.inner_radius - from_self).min(other.inner_radius - from_other).next_down().max(0.0);
            Shell { centre, inner_radius: inner, outer_radius: outer, axis: self.axis, cos_half_angle: -1.0 }
                .or_everything()
        };
        [self.centre, other.centre, self.centre + towards * shift]
            .map(around)
            .into_iter()
            .min_by(|a, b| a.measure().volume.total_cmp(&b.measure().volume))
            .unwrap_or(Shell::EVERYTHING)
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        // Every image point is within e of where the stored centre and axis say (e as for the cylinder). The e-neighbourhood
        // of a cone lies in the cone with the apex drawn back by e/sin θ; the radii then change by e + e/sin θ.
        let e = pose_error(a_from_b, length(self.centre), self.outer_radius);
        let centre = a_from_b.apply(self.centre);
        let axis = unit(a_from_b.rotate(self.axis)).unwrap_or(self.axis);
        if self.cos_half_angle <= -1.0 {
            let inner_radius = (self.inner_radius - 2.0 * e).max(0.0);
            let outer_radius = self.outer_radius + 2.0 * e;
            return Shell { centre, inner_radius, outer_radius, axis, cos_half_angle: -1.0 }.or_everything();
        }
        // A needle is opened a little first, so that sin θ > 0.
        let cos_half_angle = self.cos_half_angle.clamp(-1.0 + 1e-12, 1.0 - 1e-12);
        let sin = ((1.0 - cos_half_angle) * (1.0 + cos_half_angle)).sqrt();
        let back = 4.0 * e / sin;
        Shell {
            centre: centre - axis * back,
            inner_radius: (self.inner_radius - 2.0 * (e + back)).max(0.0),
            outer_radius: self.outer_radius + 2.0 * (e + back),
            axis,
            cos_half_angle: if self.cos_half_angle < -1.0 + 1e-12 { -1.0 } else { cos_half_angle },
        }
        .or_everything()
    }

    fn measure(&self) -> Measure {
        let (r, big, cos, sin) =
            (self.inner_radius, self.outer_radius, self.cos_half_angle, self.sin_half_angle());
        // Two points at most 2θ apart as seen from the centre; the farther two are both outside or one inside.
        let across = if cos <= 0.0 {
            2.0 * big
        } else {
            // Law of cosines in units of the outer radius.
            let (cos_double, share) = (2.0 * cos * cos - 1.0, if big > 0.0 { r / big } else { 0.0 });
            let squared = 1.0 + share * share - 2.0 * share * cos_double;
            big * (2.0 * sin).max(squared.max(0.0).sqrt())
        };
        Measure {
            volume: [(big, big), (big, r), (r, r)]
                .map(|(a, b)| product([2.0 * PI / 3.0, 1.0 - cos, big - r, a, b]))
                .iter()
                .sum(),
            surface: product([2.0 * PI, 1.0 - cos, big, big])
                + product([2.0 * PI, 1.0 - cos, r, r])
                + product([PI, sin, big - r, big + r]),
            diameter: across,
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("centre", self.centre.into()),
            ("inner_radius", self.inner_radius.into()),
            ("outer_radius", self.outer_radius.into()),
            ("axis", self.axis.into()),
            ("cos_half_angle", self.cos_half_angle.into()),
        ]
    }

    fn contains(&self, point: DVec3) -> bool {
        let (low, high) = distance_bounds(point, self.centre);
        let along = axial_bounds(point, self.centre, self.axis).axial_high;
        let least = self.cos_half_angle * (if self.cos_half_angle >= 0.0 { low } else { high });
        low <= self.outer_radius && high >= self.inner_radius && along >= least - 8.0 * f64::EPSILON * high
    }

    fn may_overlap(&self, other: &Self) -> bool {
        in_hollow(self, other) <= 0.0 && in_hollow(other, self) <= 0.0 && separation::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        separation::gap_below(self, other).max(in_hollow(self, other)).max(in_hollow(other, self))
    }
}

/// **Never more** than the distance between `guest` and the inner sphere of `host` around it; 0 or less when the guest may
/// come out of the hollow: every point of the guest is within |c₁ − c₂| + R of the host's centre.
fn in_hollow(host: &Shell, guest: &Shell) -> f64 {
    let farthest = add_up(distance_bounds(host.centre, guest.centre).1, guest.outer_radius);
    let gap = (host.inner_radius - farthest).next_down();
    if gap.is_nan() { 0.0 } else { gap }
}

/// Both shells in one about their common centre; the cone about the first axis that holds both cones.
fn merge_concentric(a: &Shell, b: &Shell) -> Shell {
    let half_angle = |s: &Shell| s.sin_half_angle().atan2(s.cos_half_angle);
    let between = length(a.axis.cross(b.axis)).atan2(a.axis.dot(b.axis));
    // One part in 1e14 covers the roundings of sines and arcs.
    let half = (half_angle(a).max(between + half_angle(b)) + 1e-14).min(PI);
    let cos = if half > 0.8 * PI { -1.0 } else { half.cos() - 1e-14 };
    Shell {
        centre: a.centre,
        inner_radius: a.inner_radius.min(b.inner_radius),
        outer_radius: a.outer_radius.max(b.outer_radius),
        axis: a.axis,
        cos_half_angle: if a.cos_half_angle <= -1.0 || b.cos_half_angle <= -1.0 {
            -1.0
        } else {
            cos.max(-1.0)
        },
    }
}
