//! Oriented rectangle: least area by rotating calipers, overlap by four separating axes.

use crate::{
    FlatBound, FlatHull, FlatMeasure, FlatPose, FlatSupport, Rectangle, check_flat_points, lifted, polygon,
};
use kontakt_bounds::FitError;
use kontakt_bounds::bound::product;
use kontakt_math::round::{add_down, add_up, dot_down, dot_error, dot_up, length_up, mul_up};
use kontakt_math::{DVec2, U};

/// The set {c + s·a + t·a⊥ : |s| ≤ h₀, |t| ≤ h₁}, a⊥ = (−a.y, a.x): the second axis is exactly perpendicular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedRectangle {
    /// Centre.
    pub centre: DVec2,
    /// First axis, of unit length to rounding.
    pub axis: DVec2,
    /// Half of the edge lengths, none negative.
    pub half_extents: DVec2,
}

/// Never less than ||a|² − 1|.
fn defect(axis: DVec2) -> f64 {
    (axis.length_squared() - 1.0).abs() + 4.0 * U
}

impl OrientedRectangle {
    /// The rectangle along a unit axis (within 10⁻⁶) around the points. **Each point lies in the exact set**, and
    /// |a·(p − c)| ≤ h₀, |a⊥·(p − c)| ≤ h₁ hold in doubles too.
    ///
    /// Proof: the coordinates of p are y/|a|² with y = (a·(p − c), a⊥·(p − c)), at most |y|(1 + 1.01·defect) in size.
    /// The computed y err by 4u of the sum of absolute products; 10u is added, for any order of evaluation.
    pub fn enclosing(axis: DVec2, points: &[DVec2]) -> Result<OrientedRectangle, FitError> {
        check_flat_points(points)?;
        let defect = defect(axis);
        if defect.is_nan() || defect > 1e-6 {
            return Err(FitError::Parameter { what: format!("rectangle axis {axis} is not a unit vector") });
        }
        let (along, across, start) = (axis, axis.perp(), points[0]);
        let (mut low, mut high) = (DVec2::ZERO, DVec2::ZERO);
        for p in points {
            let y = DVec2::new(along.dot(*p - start), across.dot(*p - start));
            low = low.min(y);
            high = high.max(y);
        }
        let middle = low * 0.5 + high * 0.5;
        let centre = start + along * middle.x + across * middle.y;
        let (mut reach, mut far) = (DVec2::ZERO, DVec2::ZERO);
        for p in points {
            let d = *p - centre;
            far = far.max(d.abs());
            let y = |a: DVec2| a.dot(d).abs() + a.abs().dot(d.abs()) * (10.0 * U);
            reach = reach.max(DVec2::new(y(along), y(across)));
        }
        // One product may underflow to 0, but not both: only where both are is the exact value 0 too.
        let out = |y: f64| (y * (1.0 + 1.02 * defect)) * (1.0 + 4.0 * U) + f64::from_bits(64);
        let half_extents = if reach == DVec2::ZERO { DVec2::ZERO } else { reach.map(out) };
        // `max` drops NaN, but that comes only from coordinates whose differences or their sum overflow.
        if !(half_extents.is_finite() && centre.is_finite() && far.element_sum().is_finite()) {
            return Err(FitError::Parameter { what: "points are too far apart for a double".to_owned() });
        }
        Ok(OrientedRectangle { centre, axis, half_extents })
    }

    /// The rectangle along a unit axis around everything whose `reach` is given; proof as in `enclosing`.
    fn around(axis: DVec2, reach: impl Fn(DVec2) -> f64) -> OrientedRectangle {
        let axes = [axis, axis.perp()];
        let ends = axes.map(|a| (-reach(-a), reach(a)));
        let middle = ends.map(|(low, high)| low * 0.5 + high * 0.5);
        let centre = axes[0] * middle[0] + axes[1] * middle[1];
        let half = |i: usize| {
            let above = add_up(ends[i].1, -dot_down(lifted(axes[i]), lifted(centre)));
            let below = add_up(dot_up(lifted(axes[i]), lifted(centre)), -ends[i].0);
            mul_up(above.max(below).max(0.0), 1.0 + 1.02 * defect(axis))
        };
        OrientedRectangle { centre, axis, half_extents: DVec2::new(half(0), half(1)) }
    }

    /// The four corners, rounded to nearest, counter-clockwise.
    pub fn corners(&self) -> [DVec2; 4] {
        let (a, b) = (self.axis * self.half_extents.x, self.axis.perp() * self.half_extents.y);
        [self.centre - a - b, self.centre + a - b, self.centre + a + b, self.centre - a + b]
    }

    /// Never less than the largest d·(x − c) over the set.
    fn radius(&self, d: DVec2) -> f64 {
        let along = |a: DVec2, h: f64| {
            if h == 0.0 {
                0.0
            } else {
                mul_up((d.dot(a).abs() + dot_error(lifted(d), lifted(a))).next_up(), h)
            }
        };
        let (p, q) = (along(self.axis, self.half_extents.x), along(self.axis.perp(), self.half_extents.y));
        if p == 0.0 && q == 0.0 { 0.0 } else { add_up(p, q) }
    }

    /// **Never more** than the gap of the projections on `d`, as a multiple of |d|; negative if they meet.
    /// The difference of the centres errs by u a component, hence the second `dot_error`.
    fn gap_along(&self, other: &OrientedRectangle, d: DVec2) -> f64 {
        let shift = lifted(other.centre - self.centre);
        let error = dot_error(lifted(d), shift);
        let between = shift.dot(lifted(d)).abs() - 2.0 * error;
        add_down(between.next_down(), -add_up(self.radius(d), other.radius(d)))
    }
}

/// The edge direction of the hull along which the enclosing rectangle has least area, by rotating calipers.
fn best_axis(hull: &FlatHull) -> DVec2 {
    let p = hull.corners();
    let n = p.len();
    let unit = |i: usize| {
        let edge = p[(i + 1) % n] * 0.5 - p[i] * 0.5;
        (edge / edge.abs().max_element()).normalize()
    };
    if n < 3 {
        return if n == 2 { unit(0) } else { DVec2::X };
    }
    // Largest corner size, so that areas do not overflow.
    let scale = p.iter().map(|q| (*q - p[0]).abs().max_element()).fold(0.0, f64::max);
    let at = |i: usize| (p[i % n] - p[0]) / scale;
    let (mut best, mut least) = (DVec2::X, (f64::INFINITY, f64::INFINITY));
    let (mut right, mut top, mut left) = (1, 1, 1);
    for i in 0..n {
        let (u, v) = (unit(i), unit(i).perp());
        let advance = |from: usize, d: DVec2| {
            let mut k = from.max(i + 1);
            while k < i + n && d.dot(at(k + 1)) > d.dot(at(k)) {
                k += 1;
            }
            k
        };
        right = advance(right, u);
        top = advance(top.max(right), v);
        left = advance(left.max(top), -u);
        let width = u.dot(at(right) - at(left));
        let height = v.dot(at(top) - at(i));
        let size = (width * height, width + height);
        if size < least {
            (best, least) = (u, size);
        }
    }
    best
}

impl FlatSupport for OrientedRectangle {
    fn farthest(&self, direction: DVec2) -> DVec2 {
        let side = |a: DVec2, h: f64| if direction.dot(a) < 0.0 { -a * h } else { a * h };
        self.centre + side(self.axis, self.half_extents.x) + side(self.axis.perp(), self.half_extents.y)
    }

    fn reach(&self, direction: DVec2) -> f64 {
        let (at, radius) = (dot_up(lifted(direction), lifted(self.centre)), self.radius(direction));
        let reach = if radius == 0.0 { at } else { add_up(at, radius) };
        if reach.is_nan() { f64::INFINITY } else { reach }
    }

    fn centre(&self) -> DVec2 {
        self.centre
    }
}

impl FlatBound for OrientedRectangle {
    const NAME: &'static str = "oriented rectangle";

    /// Least area over all orientations: a least rectangle has a side along an edge of the hull
    /// (Freeman and Shapira 1975), and all edges are tried. Compared with the upright one for safety.
    fn fit(points: &[DVec2]) -> Result<Self, FitError> {
        check_flat_points(points)?;
        let hull = FlatHull::fit(points)?;
        let tilted = OrientedRectangle::enclosing(best_axis(&hull), points)?;
        let upright = OrientedRectangle::enclosing(DVec2::X, points)?;
        let size = |r: &OrientedRectangle| (r.measure().area, r.measure().perimeter);
        Ok(if size(&tilted) < size(&upright) { tilted } else { upright })
    }

    /// The smaller of the rectangles around both along either's axis.
    fn merge(&self, other: &Self) -> Self {
        let around = |axis| OrientedRectangle::around(axis, |d| self.reach(d).max(other.reach(d)));
        let (first, second) = (around(self.axis), around(other.axis));
        if second.measure().area < first.measure().area { second } else { first }
    }

    /// Proof as for the oriented box: a centre off by Δc and an axis off by Δa move points by at most
    /// |Δc| + Δa·Σh. The new axis, normalised, is within ||a| − 1| + 16u of the exact image.
    fn transformed(&self, a_from_b: &FlatPose) -> Self {
        let (centre, error) = a_from_b.image(self.centre);
        if a_from_b.turn_error() == 0.0 {
            let grow = 2.0 * error;
            let half_extents =
                if grow == 0.0 { self.half_extents } else { self.half_extents.map(|h| add_up(h, grow)) };
            return OrientedRectangle { centre, axis: a_from_b.rotate(self.axis), half_extents };
        }
        let axis = a_from_b.rotate(self.axis).normalize();
        let axis_error = defect(self.axis) + 32.0 * U;
        let grow = 1.02 * (1.5 * error + self.half_extents.element_sum() * axis_error);
        OrientedRectangle { centre, axis, half_extents: self.half_extents.map(|h| add_up(h, grow)) }
    }

    fn measure(&self) -> FlatMeasure {
        let w = self.half_extents * 2.0;
        FlatMeasure {
            area: product([w.x, w.y]),
            perimeter: 2.0 * w.x + 2.0 * w.y,
            diameter: polygon::length(w),
        }
    }

    fn contains(&self, point: DVec2) -> bool {
        let at = OrientedRectangle { centre: point, axis: self.axis, half_extents: DVec2::ZERO };
        self.may_overlap(&at)
    }

    /// Four axes: exact up to rounding.
    fn may_overlap(&self, other: &Self) -> bool {
        let axes = [self.axis, self.axis.perp(), other.axis, other.axis.perp()];
        !axes.into_iter().any(|d| self.gap_along(other, d) > 0.0)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        [self.axis, self.axis.perp(), other.axis, other.axis.perp()]
            .into_iter()
            .map(|d| (self.gap_along(other, d), d))
            .filter(|(gap, _)| *gap > 0.0 && gap.is_finite())
            .map(|(gap, d)| (gap / length_up(lifted(d))).next_down())
            .fold(0.0, f64::max)
    }
}

impl From<&Rectangle> for OrientedRectangle {
    /// Encloses the rectangle: only the centre is rounded.
    fn from(r: &Rectangle) -> Self {
        OrientedRectangle::around(DVec2::X, |d| r.reach(d))
    }
}
