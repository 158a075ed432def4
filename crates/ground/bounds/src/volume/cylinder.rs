//! Finite cylinder about any axis. Canonical form: centre, axis, half length, radius.

use super::axial::{
    Disc, axial_bounds, checked_axis, checked_point, checked_size, length, outward, pose_error,
};
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points, product};
use crate::search::{
    candidate_axes, extreme_points, frame_along, normalised, outline, pattern_search, smallest_circle,
    tilted, unit,
};
use crate::separation;
use kontakt_math::round::{add_up, dot_up, mul_up};
use kontakt_math::{DVec2, DVec3, Pose};
use std::f64::consts::PI;

/// The set {c + s·â + y : |s| ≤ h, y ⟂ â, |y| ≤ r} with â the exact direction of the stored axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    centre: DVec3,
    axis: DVec3,
    half_length: f64,
    radius: f64,
}

impl Cylinder {
    /// A cylinder; the axis need not be unit (it is normalised), sizes may be zero but not negative.
    pub fn new(centre: DVec3, axis: DVec3, half_length: f64, radius: f64) -> Result<Cylinder, FitError> {
        Ok(Cylinder {
            centre: checked_point("cylinder", "centre", centre)?,
            axis: checked_axis("cylinder", axis)?,
            half_length: checked_size("cylinder", "half length", half_length)?,
            radius: checked_size("cylinder", "radius", radius)?,
        })
    }

    /// Centre.
    pub fn middle(&self) -> DVec3 {
        self.centre
    }

    /// Axis, unit to rounding.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Half of the height.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// Radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Cylinder =
        Cylinder { centre: DVec3::ZERO, axis: DVec3::Z, half_length: f64::INFINITY, radius: f64::INFINITY };

    fn discs(&self) -> [Disc; 2] {
        [-self.half_length, self.half_length]
            .map(|along| Disc::along(self.centre, self.axis, along, self.radius))
    }

    /// The tightest cylinder with this axis and centre line that holds all discs, **certified**: extents are upper
    /// bounds from [`Disc::bounds`] with respect to the centre as stored.
    fn around(discs: &[Disc], on_axis: DVec3, axis: DVec3) -> Result<Cylinder, FitError> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for disc in discs {
            let bounds = disc.bounds(on_axis, axis);
            low = low.min(bounds.axial_low);
            high = high.max(bounds.axial_high);
        }
        let centre = on_axis + axis * (0.5 * low + 0.5 * high);
        let (mut half_length, mut radius) = (0.0_f64, 0.0_f64);
        for disc in discs {
            let bounds = disc.bounds(centre, axis);
            half_length = half_length.max(bounds.axial_high).max(-bounds.axial_low);
            radius = radius.max(bounds.radial_high);
        }
        Cylinder::new(centre, axis, half_length, radius).map(|found| Cylinder { axis, ..found })
    }

    /// The best of the axes by volume, each with the smallest circle around the discs' samples.
    fn best_around(discs: &[Disc], axes: impl IntoIterator<Item = DVec3>) -> Result<Cylinder, FitError> {
        let samples: Vec<DVec3> = discs.iter().flat_map(Disc::samples).collect();
        let (unit_samples, middle, size) = normalised(&samples);
        let mut best: Option<Cylinder> = None;
        for axis in axes {
            let frame = frame_along(axis);
            let flat: Vec<DVec2> = unit_samples.iter().map(|p| (frame.transpose() * *p).truncate()).collect();
            let (circle, _) = smallest_circle(&flat);
            let on_axis = middle + frame * circle.extend(0.0) * size;
            let found = Cylinder::around(discs, on_axis, axis)?;
            if best.is_none_or(|b| found.measure().volume < b.measure().volume) {
                best = Some(found);
            }
        }
        best.ok_or(FitError::Empty)
    }
}

/// Half length and radius of the cylinder about `axis` (and its centre in the plane), for points in the unit ball.
fn extents(points: &[DVec3], axis: DVec3) -> (DVec2, f64, f64) {
    let frame = frame_along(axis).transpose();
    let turned: Vec<DVec3> = points.iter().map(|p| frame * *p).collect();
    let flat: Vec<DVec2> = turned.iter().map(|p| p.truncate()).collect();
    let (centre, radius) = smallest_circle(&flat);
    let (low, high) =
        turned.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.z), h.max(p.z)));
    (centre, 0.5 * (high - low), radius)
}

/// Volume with a little of everything, so that flat sets, whose volume is 0 in every position, are fitted well too.
fn cost(half_length: f64, radius: f64) -> f64 {
    const THICKNESS: f64 = 1e-7;
    (half_length + THICKNESS) * (radius + THICKNESS) * (radius + THICKNESS)
}

impl Support for Cylinder {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = direction.dot(self.axis);
        let end = self.centre + self.axis * self.half_length.copysign(along);
        match outward(direction, self.axis) {
            Some(outward) => end + outward * self.radius,
            None => end,
        }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        // max d·x = d·c + h|d·â| + r|d × â|, each term upward.
        let d = axial_bounds(direction, DVec3::ZERO, self.axis);
        let along = mul_up(self.half_length, d.axial_high.max(-d.axial_low));
        let around = mul_up(self.radius, d.radial_high);
        add_up(dot_up(direction, self.centre), add_up(along, around))
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }
}

impl Bound for Cylinder {
    const NAME: &'static str = "cylinder";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        check_points(points)?;
        let points = &extreme_points(points);
        let mut shape = outline(points);
        let (scaled, _, _) = normalised(&shape);
        let mut starts: Vec<(f64, DVec3)> = candidate_axes(&scaled)
            .into_iter()
            .map(|axis| {
                let (_, half_length, radius) = extents(&scaled, axis);
                (cost(half_length, radius), axis)
            })
            .collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let axes: Vec<DVec3> = starts
            .iter()
            .take(3)
            .map(|(_, axis)| {
                let (tilt, _) = pattern_search(&[0.0, 0.0], 0.2, 1e-8, |tilt| {
                    let (_, half_length, radius) = extents(&scaled, tilted(*axis, DVec2::from_slice(tilt)));
                    cost(half_length, radius)
                });
                tilted(*axis, DVec2::from_slice(&tilt))
            })
            .chain(starts.iter().map(|(_, axis)| *axis))
            .collect();
        let discs: Vec<Disc> = points.iter().map(|p| Disc::point(*p)).collect();
        let mut best =
            Cylinder::best_around(&shape.iter().map(|p| Disc::point(*p)).collect::<Vec<_>>(), axes)
                .map_err(|_| FitError::too_large(Cylinder::NAME))?;
        // The outline may miss a point that decides the circle: take the worst one in, a few times.
        for _ in 0..4 {
            let outside = points.iter().map(|p| (axial_bounds(*p, best.centre, best.axis).radial_high, *p));
            let Some((distance, worst)) = outside.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            if distance <= best.radius {
                break;
            }
            shape.push(worst);
            best = Cylinder::best_around(
                &shape.iter().map(|p| Disc::point(*p)).collect::<Vec<_>>(),
                [best.axis],
            )?;
        }
        Cylinder::around(&discs, best.centre, best.axis).map_err(|_| FitError::too_large(Cylinder::NAME))
    }

    fn merge(&self, other: &Self) -> Self {
        let discs: Vec<Disc> = self.discs().into_iter().chain(other.discs()).collect();
        let sum = self.axis + other.axis * 1.0_f64.copysign(self.axis.dot(other.axis));
        let axes = [Some(self.axis), Some(other.axis), unit(other.centre - self.centre), unit(sum)];
        // Fails only when the union overflows.
        Cylinder::best_around(&discs, axes.into_iter().flatten()).unwrap_or(Cylinder::EVERYTHING)
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        // Image of c + w, |w| ≤ D: the stored centre is off by at most e₁, the stored axis by an angle of at most e₂, so both
        // coordinates of w change by at most e₁ + e₂·D: `pose_error`.
        let centre = a_from_b.apply(self.centre);
        let axis = unit(a_from_b.rotate(self.axis)).unwrap_or(self.axis);
        let diagonal = length(DVec3::new(self.half_length, self.radius, 0.0)).next_up();
        let pad = pose_error(a_from_b, length(self.centre), diagonal);
        let (half_length, radius) = (add_up(self.half_length, pad), add_up(self.radius, pad));
        if centre.is_finite() && half_length.is_finite() && radius.is_finite() {
            Cylinder { centre, axis, half_length, radius }
        } else {
            Cylinder::EVERYTHING
        }
    }

    fn measure(&self) -> Measure {
        let (h, r) = (self.half_length, self.radius);
        Measure {
            volume: product([2.0 * PI, r, r, h]),
            surface: product([2.0 * PI, r, r + 2.0 * h]),
            diameter: 2.0 * length(DVec3::new(h, r, 0.0)),
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("centre", self.centre.into()),
            ("axis", self.axis.into()),
            ("half_length", self.half_length.into()),
            ("radius", self.radius.into()),
        ]
    }

    fn contains(&self, point: DVec3) -> bool {
        let bounds = axial_bounds(point, self.centre, self.axis);
        bounds.axial_low <= self.half_length
            && bounds.axial_high >= -self.half_length
            && bounds.radial_low <= self.radius
    }

    fn may_overlap(&self, other: &Self) -> bool {
        separation::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        separation::gap_below(self, other)
    }
}
