//! Cone, whole or truncated, as a bounding volume. Canonical form: base centre, axis, height, radii at base and top.

use super::axial::{
    AxialBounds, Disc, axial_bounds, checked_axis, checked_point, checked_size, length, outward, pose_error,
};
use super::cylinder::Cylinder;
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points, product};
use crate::search::{
    candidate_axes, extreme_points, frame_along, normalised, outline, pattern_search, smallest_circle,
    tilted, unit,
};
use crate::separation;
use kontakt_math::round::{add_up, dot_up, length_up, mul_up};
use kontakt_math::{DVec2, DVec3, Pose};
use std::f64::consts::PI;

/// The convex hull of two coaxial discs: {b + s·â + y : 0 ≤ s ≤ h, y ⟂ â, |y| ≤ r₀ + (r₁ − r₀)s/h} with â the exact direction
/// of the stored axis. One radius 0: a cone with apex. Height 0: a disc with the larger radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    base: DVec3,
    axis: DVec3,
    height: f64,
    base_radius: f64,
    top_radius: f64,
}

impl Cone {
    /// A cone; the axis points from base to top and need not be unit (it is normalised); sizes may be zero but not negative.
    pub fn new(
        base: DVec3,
        axis: DVec3,
        height: f64,
        base_radius: f64,
        top_radius: f64,
    ) -> Result<Cone, FitError> {
        Ok(Cone {
            base: checked_point("cone", "base", base)?,
            axis: checked_axis("cone", axis)?,
            height: checked_size("cone", "height", height)?,
            base_radius: checked_size("cone", "base radius", base_radius)?,
            top_radius: checked_size("cone", "top radius", top_radius)?,
        })
    }

    /// Centre of the base disc.
    pub fn base(&self) -> DVec3 {
        self.base
    }

    /// From base to top, unit to rounding.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Distance of base and top.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Radius at the base.
    pub fn base_radius(&self) -> f64 {
        self.base_radius
    }

    /// Radius at the top.
    pub fn top_radius(&self) -> f64 {
        self.top_radius
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Cone = Cone {
        base: DVec3::new(0.0, 0.0, f64::NEG_INFINITY),
        axis: DVec3::Z,
        height: f64::INFINITY,
        base_radius: f64::INFINITY,
        top_radius: f64::INFINITY,
    };

    fn discs(&self) -> [Disc; 2] {
        [(0.0, self.base_radius), (self.height, self.top_radius)]
            .map(|(along, radius)| Disc::along(self.base, self.axis, along, radius))
    }

    /// Radius at `along`, to within 4ε of the larger radius; exact where both radii are equal.
    fn radius_at(&self, along: f64) -> f64 {
        if self.base_radius == self.top_radius || self.height == 0.0 {
            return self.base_radius.max(self.top_radius);
        }
        let t = (along / self.height).clamp(0.0, 1.0);
        self.base_radius * (1.0 - t) + self.top_radius * t
    }

    fn radius_error(&self) -> f64 {
        if self.base_radius == self.top_radius {
            0.0
        } else {
            4.0 * f64::EPSILON * self.base_radius.max(self.top_radius)
        }
    }

    /// How much both radii must grow for these coordinates to be inside for certain (0 or less: they are), or `None`
    /// when they are beyond base or top.
    fn missing_radius(&self, bounds: &AxialBounds) -> Option<f64> {
        if !(bounds.axial_low >= 0.0 && bounds.axial_high <= self.height) {
            return None;
        }
        // The radius is linear along the axis: its least value over an interval is at one of the ends.
        let least =
            self.radius_at(bounds.axial_low).min(self.radius_at(bounds.axial_high)) - self.radius_error();
        // The sign of a difference of doubles is exact.
        Some(bounds.radial_high - least)
    }

    /// A cone on this axis that holds all discs, **certified** by [`Cone::missing_radius`]; radii as small as the
    /// volume asks for. Falls back to equal radii, whose proof cannot fail.
    fn around(discs: &[Disc], on_axis: DVec3, axis: DVec3) -> Result<Cone, FitError> {
        let low = discs.iter().fold(f64::INFINITY, |low, disc| low.min(disc.bounds(on_axis, axis).axial_low));
        let mut margin = 4.0 * f64::EPSILON * (length_up(on_axis) + low.abs()) + f64::from_bits(64);
        let mut base = on_axis + axis * low;
        // The base is rounded; step back until every disc is certainly above it (once or twice in practice).
        for _ in 0..64 {
            let lowest =
                discs.iter().fold(f64::INFINITY, |low, disc| low.min(disc.bounds(base, axis).axial_low));
            if lowest >= 0.0 || lowest.is_nan() {
                break;
            }
            base -= axis * (margin - lowest);
            margin *= 2.0;
        }
        let bounds: Vec<AxialBounds> = discs.iter().map(|disc| disc.bounds(base, axis)).collect();
        let height = bounds.iter().fold(0.0_f64, |height, b| height.max(b.axial_high));
        let widest = bounds.iter().fold(0.0_f64, |radius, b| radius.max(b.radial_high));
        let profile: Vec<DVec2> = bounds
            .iter()
            .flat_map(|b| [b.axial_low, b.axial_high].map(|s| DVec2::new(s / height, b.radial_high / widest)))
            .filter(|p| p.is_finite())
            .collect();
        let (base_radius, top_radius) = best_radii(&profile);
        let even = Cone::new(base, axis, height, widest, widest).map(|found| Cone { axis, ..found })?;
        let mut cone = Cone { base_radius: base_radius * widest, top_radius: top_radius * widest, ..even };
        for _ in 0..16 {
            let missing =
                bounds.iter().try_fold(0.0_f64, |worst, b| Some(worst.max(cone.missing_radius(b)?)));
            match missing {
                Some(0.0) => {
                    return Ok(if cone.measure().volume <= even.measure().volume { cone } else { even });
                }
                Some(more) if more.is_finite() => {
                    cone.base_radius = grown(cone.base_radius, more);
                    cone.top_radius = grown(cone.top_radius, more);
                }
                _ => break,
            }
        }
        if bounds.iter().all(|b| even.missing_radius(b).is_some_and(|more| more <= 0.0)) {
            return Ok(even);
        }
        Err(FitError::Parameter { what: "cone: the points span more than doubles can hold".to_string() })
    }
}

/// A radius enlarged by a little more than `more`, and by some roundings at least.
fn grown(radius: f64, more: f64) -> f64 {
    (radius + 1.5 * more) * (1.0 + 4.0 * f64::EPSILON) + f64::from_bits(1)
}

/// Radii (at 0 and 1) of the line above all (along, around) in [0,1]² with the least r₀² + r₀r₁ + r₁².
///
/// For a given r₀ the least r₁ is a maximum of linear functions of r₀, and the sum is convex in r₀: golden section.
fn best_radii(profile: &[DVec2]) -> (f64, f64) {
    let shape = upper_outline(profile);
    let least_base = shape.iter().filter(|p| p.x <= 0.0).fold(0.0_f64, |r, p| r.max(p.y));
    let top_for = |base: f64| {
        shape.iter().filter(|p| p.x > 0.0).fold(0.0_f64, |top, p| top.max((p.y - base * (1.0 - p.x)) / p.x))
    };
    let cost = |base: f64| {
        let top = top_for(base);
        base * base + base * top + top * top
    };
    let (mut low, mut high) = (least_base, 3.0_f64.max(least_base));
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..80 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if cost(a) <= cost(b) {
            high = b;
        } else {
            low = a;
        }
    }
    let base = [low, 0.5 * (low + high), least_base]
        .into_iter()
        .fold(high, |best, r| if cost(r) < cost(best) { r } else { best });
    (base, top_for(base))
}

/// Upper convex hull, left to right.
fn upper_outline(profile: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = profile.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<DVec2> = Vec::new();
    for p in sorted {
        while let [.., a, b] = hull[..] {
            if (b - a).perp_dot(p - a) < 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(p);
    }
    hull
}

/// Cost of the best cone about the axis through `on_axis`, for points in the unit ball; see the cylinder's.
fn cost(points: &[DVec3], on_axis: DVec3, axis: DVec3) -> f64 {
    const THICKNESS: f64 = 1e-7;
    let coordinates = points.iter().map(|p| {
        let w = *p - on_axis;
        let along = w.dot(axis);
        DVec2::new(along, (w - axis * along).length())
    });
    let profile: Vec<DVec2> = coordinates.collect();
    let (low, high) =
        profile.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.x), h.max(p.x)));
    let height = high - low + THICKNESS;
    let relative: Vec<DVec2> = profile.iter().map(|p| DVec2::new((p.x - low) / height, p.y)).collect();
    let (r0, r1) = best_radii(&relative);
    let (r0, r1) = (r0 + THICKNESS, r1 + THICKNESS);
    height * (r0 * r0 + r0 * r1 + r1 * r1)
}

impl Support for Cone {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = direction.dot(self.axis);
        let outward = outward(direction, self.axis).unwrap_or(DVec3::ZERO);
        let around = direction.dot(outward);
        if self.height * along + self.top_radius * around > self.base_radius * around {
            self.base + self.axis * self.height + outward * self.top_radius
        } else {
            self.base + outward * self.base_radius
        }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        // max d·x = d·b + max(r₀|d × â|, h d·â + r₁|d × â|), each term upward.
        let d = axial_bounds(direction, DVec3::ZERO, self.axis);
        let base = mul_up(self.base_radius, d.radial_high);
        let top = add_up(mul_up(self.height, d.axial_high), mul_up(self.top_radius, d.radial_high));
        add_up(dot_up(direction, self.base), base.max(top))
    }

    fn centre(&self) -> DVec3 {
        self.base + self.axis * (0.5 * self.height)
    }
}

impl Bound for Cone {
    const NAME: &'static str = "cone";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        check_points(points)?;
        let points = &extreme_points(points);
        let (scaled, middle, size) = normalised(&outline(points));
        let mut starts: Vec<(f64, DVec3, DVec3)> = candidate_axes(&scaled)
            .into_iter()
            .map(|axis| {
                let frame = frame_along(axis);
                let flat: Vec<DVec2> = scaled.iter().map(|p| (frame.transpose() * *p).truncate()).collect();
                let on_axis = frame * smallest_circle(&flat).0.extend(0.0);
                (cost(&scaled, on_axis, axis), on_axis, axis)
            })
            .collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let searched = starts.iter().take(2).map(|&(_, on_axis, axis)| {
            let (x, y) = axis.any_orthonormal_pair();
            let place = |p: &[f64]| (on_axis + x * p[2] + y * p[3], tilted(axis, DVec2::new(p[0], p[1])));
            let (best, least) = pattern_search(&[0.0; 4], 0.1, 1e-7, |p| {
                let (on_axis, axis) = place(p);
                cost(&scaled, on_axis, axis)
            });
            let (on_axis, axis) = place(&best);
            (least, on_axis, axis)
        });
        let best = searched.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, DVec3::ZERO, DVec3::Z));
        let discs: Vec<Disc> = points.iter().map(|p| Disc::point(*p)).collect();
        Cone::around(&discs, middle + best.1 * size, best.2).map_err(|_| FitError::too_large(Cone::NAME))
    }

    fn merge(&self, other: &Self) -> Self {
        let discs: Vec<Disc> = self.discs().into_iter().chain(other.discs()).collect();
        let samples: Vec<DVec3> = discs.iter().flat_map(Disc::samples).collect();
        let mut lines = vec![(self.base, self.axis), (other.base, other.axis)];
        lines.extend(unit(other.centre() - self.centre()).map(|axis| (self.centre(), axis)));
        lines.extend(Cone::fit(&samples).ok().map(|fitted| (fitted.base, fitted.axis)));
        lines.extend(Cylinder::fit(&samples).ok().map(|fitted| (fitted.middle(), fitted.axis())));
        let candidates =
            lines.into_iter().filter_map(|(on_axis, axis)| Cone::around(&discs, on_axis, axis).ok());
        // Empty only when the union overflows.
        candidates
            .min_by(|a, b| a.measure().volume.total_cmp(&b.measure().volume))
            .unwrap_or(Cone::EVERYTHING)
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        // As for the cylinder, both coordinates of a point's image are off by at most `pad`. The cone is lengthened by pad
        // at both ends, which changes the relative height of a point by at most 2·pad/(h + 2·pad), hence its permitted
        // radius by that times |r₁ − r₀|: added to both radii together with pad.
        let axis = unit(a_from_b.rotate(self.axis)).unwrap_or(self.axis);
        let widest = self.base_radius.max(self.top_radius);
        let diagonal = length(DVec3::new(self.height, widest, 0.0)).next_up();
        let pad = 2.0 * pose_error(a_from_b, length(self.base), diagonal);
        let base = a_from_b.apply(self.base) - axis * pad;
        let taper = (self.top_radius - self.base_radius).abs();
        let lengthened = self.height + 2.0 * pad;
        let wider = if lengthened > 0.0 { pad + (2.0 * pad * taper / lengthened).next_up() } else { pad };
        let image = Cone {
            base,
            axis,
            height: lengthened.next_up(),
            base_radius: add_up(self.base_radius, wider),
            top_radius: add_up(self.top_radius, wider),
        };
        let sizes = [image.height, image.base_radius, image.top_radius];
        if image.base.is_finite() && sizes.into_iter().all(f64::is_finite) { image } else { Cone::EVERYTHING }
    }

    fn measure(&self) -> Measure {
        let (h, r0, r1) = (self.height, self.base_radius, self.top_radius);
        let slant = length(DVec3::new(h, r1 - r0, 0.0));
        let across = length(DVec3::new(h, r0 + r1, 0.0));
        Measure {
            volume: [(r0, r0), (r0, r1), (r1, r1)].map(|(a, b)| product([PI / 3.0, h, a, b])).iter().sum(),
            surface: PI * (r0 * r0 + r1 * r1 + product([r0 + r1, slant])),
            diameter: across.max(2.0 * r0.max(r1)),
        }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("base", self.base.into()),
            ("axis", self.axis.into()),
            ("height", self.height.into()),
            ("base_radius", self.base_radius.into()),
            ("top_radius", self.top_radius.into()),
        ]
    }

    fn contains(&self, point: DVec3) -> bool {
        let bounds = axial_bounds(point, self.base, self.axis);
        // Linear along the axis: the largest radius over the interval is at one of its ends.
        let radius = self.radius_at(bounds.axial_low).max(self.radius_at(bounds.axial_high));
        bounds.axial_low <= self.height
            && bounds.axial_high >= 0.0
            && bounds.radial_low <= (radius + self.radius_error()).next_up()
    }

    fn may_overlap(&self, other: &Self) -> bool {
        separation::may_overlap(self, other)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        separation::gap_below(self, other)
    }
}
