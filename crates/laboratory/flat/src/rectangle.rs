//! Axis-aligned rectangle.

use crate::{FlatBound, FlatMeasure, FlatPose, FlatSupport, check_flat_points, lifted, polygon};
use kontakt_bounds::FitError;
use kontakt_bounds::bound::product;
use kontakt_math::round::{add_down, add_up, dot_up, length_down};
use kontakt_math::{DVec2, DVec3, U};

/// The rectangle {x : min ≤ x ≤ max}, componentwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// Least corner.
    pub min: DVec2,
    /// Greatest corner.
    pub max: DVec2,
}

impl Rectangle {
    /// The four corners, exactly, counter-clockwise.
    pub fn corners(&self) -> [DVec2; 4] {
        let (a, b) = (self.min, self.max);
        [a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)]
    }
}

impl FlatSupport for Rectangle {
    fn farthest(&self, direction: DVec2) -> DVec2 {
        DVec2::select(direction.cmplt(DVec2::ZERO), self.min, self.max)
    }

    fn reach(&self, direction: DVec2) -> f64 {
        dot_up(lifted(direction), lifted(self.farthest(direction)))
    }

    fn centre(&self) -> DVec2 {
        self.min * 0.5 + self.max * 0.5
    }
}

impl FlatBound for Rectangle {
    const NAME: &'static str = "rectangle";

    fn fit(points: &[DVec2]) -> Result<Self, FitError> {
        check_flat_points(points)?;
        let first = Rectangle { min: points[0], max: points[0] };
        Ok(points.iter().fold(first, |r, p| Rectangle { min: r.min.min(*p), max: r.max.max(*p) }))
    }

    fn merge(&self, other: &Self) -> Self {
        Rectangle { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Proof: the image of the set is the hull of the images of its corners; each of them is enclosed with the
    /// error of [`FlatPose::image`].
    fn transformed(&self, a_from_b: &FlatPose) -> Self {
        let images = self.corners().map(|c| a_from_b.image(c));
        let out = |f: fn(f64, f64) -> f64, pick: fn(f64, f64) -> f64, i: usize, sign: f64| {
            images
                .iter()
                .map(|(p, e)| if *e == 0.0 { p[i] } else { f(p[i], sign * e) })
                .reduce(pick)
                .unwrap_or(f64::NAN)
        };
        Rectangle {
            min: DVec2::new(out(add_down, f64::min, 0, -1.0), out(add_down, f64::min, 1, -1.0)),
            max: DVec2::new(out(add_up, f64::max, 0, 1.0), out(add_up, f64::max, 1, 1.0)),
        }
    }

    fn measure(&self) -> FlatMeasure {
        let w = (self.max * 0.5 - self.min * 0.5) * 2.0;
        FlatMeasure {
            area: product([w.x, w.y]),
            perimeter: 2.0 * w.x + 2.0 * w.y,
            diameter: polygon::length(w),
        }
    }

    fn contains(&self, point: DVec2) -> bool {
        self.min.cmple(point).all() && self.max.cmpge(point).all()
    }

    /// Exact: comparisons of stored numbers only.
    fn may_overlap(&self, other: &Self) -> bool {
        !(self.min.cmpgt(other.max).any() || other.min.cmpgt(self.max).any())
    }

    fn gap_below(&self, other: &Self) -> f64 {
        let apart = |low: f64, high: f64| if low > high { add_down(low, -high).max(0.0) } else { 0.0 };
        let gap = |i: usize| apart(other.min[i], self.max[i]).max(apart(self.min[i], other.max[i]));
        length_down(DVec3::new(gap(0), gap(1), 0.0))
    }
}

impl FlatPose {
    /// Image of a point and a bound of the error of both components.
    ///
    /// Proof: the turn errs by `turn_error`·(|x| + |y|) (underflow below the last term), the shift by u of its result,
    /// which is at most u·(1.01(|x| + |y|) + |t|).
    pub fn image(&self, point: DVec2) -> (DVec2, f64) {
        let size = point.x.abs() + point.y.abs();
        let shift = self.translation().abs().max_element();
        let rounding = if shift == 0.0 { 0.0 } else { U * (1.1 * size + shift) };
        let turn = if self.turn_error() == 0.0 { 0.0 } else { self.turn_error() * size + f64::from_bits(8) };
        (self.apply(point), (rounding + turn) * (1.0 + 8.0 * U))
    }
}
