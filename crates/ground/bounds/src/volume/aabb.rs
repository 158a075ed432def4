//! Axis-aligned box. Canonical form: least and greatest corner.

mod centre_radius;
mod min_widths;
mod passage;

pub use centre_radius::CentreRadiusAabb;
pub use min_widths::MinWidthsAabb;
pub use passage::Passage;

use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points, product};
use crate::turn::Turn;
use kontakt_math::round::{add_down, add_up, dot_up, length_down};
use kontakt_math::{DVec3, Pose, U};

/// The box {x : min ≤ x ≤ max}, componentwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The box between two corners that are finite and in order.
    pub fn new(min: DVec3, max: DVec3) -> Result<Aabb, FitError> {
        if !min.is_finite() || !max.is_finite() || !min.cmple(max).all() {
            return Err(FitError::Parameter {
                what: format!("box corners {min} and {max} are not finite and in order"),
            });
        }
        Ok(Aabb { min, max })
    }

    /// Edge lengths, rounded to nearest.
    pub fn widths(&self) -> DVec3 {
        self.max - self.min
    }

    /// The eight corners, exactly; bit i of the index chooses `max` on axis i.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f64, high: f64| if i & bit == 0 { low } else { high };
            DVec3::new(
                pick(1, self.min.x, self.max.x),
                pick(2, self.min.y, self.max.y),
                pick(4, self.min.z, self.max.z),
            )
        })
    }

    /// **Never more** than the exact distance of the point from the box; 0 inside.
    pub fn gap_to_point_below(&self, point: DVec3) -> f64 {
        self.gap_below(&Aabb { min: point, max: point })
    }

    /// The common part, exactly; `None` when the boxes are disjoint.
    pub fn intersection(&self, other: &Aabb) -> Option<Aabb> {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        min.cmple(max).all().then_some(Aabb { min, max })
    }

    /// Whether `other` lies in this box, exactly.
    pub fn encloses(&self, other: &Aabb) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// The box grown on all sides by `margin` ≥ 0, rounded outward.
    #[must_use]
    pub fn inflated(&self, margin: f64) -> Aabb {
        Aabb { min: self.min.map(|x| add_down(x, -margin)), max: self.max.map(|x| add_up(x, margin)) }
    }
}

impl Support for Aabb {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        DVec3::select(direction.cmplt(DVec3::ZERO), self.min, self.max)
    }

    /// The maximum is taken at the corner that `farthest` picks, which is exact; only the product is rounded.
    fn reach(&self, direction: DVec3) -> f64 {
        dot_up(direction, self.farthest(direction))
    }

    fn centre(&self) -> DVec3 {
        self.min * 0.5 + self.max * 0.5
    }
}

impl Bound for Aabb {
    const NAME: &'static str = "aabb";
    const IS_LEAST: bool = true;

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        check_points(points)?;
        let first = Aabb { min: points[0], max: points[0] };
        Ok(points.iter().fold(first, |b, p| Aabb { min: b.min.min(*p), max: b.max.max(*p) }))
    }

    fn merge(&self, other: &Self) -> Self {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Proof: the greatest value of row i is `t_i + Σ_j max(R*_ij x_j)` over the edges' ends; with |R* − R| ≤ δ each
    /// maximum grows by at most `δ·max|x_j|`. Products and sums err by at most 4u of the sum s of absolute values
    /// (plus underflow, 64·2⁻¹⁰⁷⁴); 6u leaves room for the rounding of the bound, and the last step is outward.
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let far = self.min.abs().max(self.max.abs());
        let (mut low, mut high) = (turn.translation, turn.translation);
        for (column, (a, b)) in [turn.matrix.x_axis, turn.matrix.y_axis, turn.matrix.z_axis]
            .into_iter()
            .zip(self.min.to_array().into_iter().zip(self.max.to_array()))
        {
            low += (column * a).min(column * b);
            high += (column * a).max(column * b);
        }
        if turn.error == 0.0 && turn.translation == DVec3::ZERO {
            return Aabb { min: low, max: high };
        }
        let s = turn.abs_matrix() * far + turn.translation.abs();
        let slack = if turn.error == 0.0 {
            // One rounding a component, that of the shift.
            DVec3::ZERO
        } else {
            s * (6.0 * U)
                + DVec3::splat(turn.error * far.element_sum() * (1.0 + 16.0 * U) + f64::from_bits(64))
        };
        let out =
            |a: DVec3, f: fn(f64, f64) -> f64, b: DVec3| DVec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
        Aabb { min: out(low, outward_down, slack), max: out(high, outward_up, slack) }
    }

    fn measure(&self) -> Measure {
        box_measure(self.max * 0.5 - self.min * 0.5)
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("min", self.min.into()), ("max", self.max.into())]
    }

    fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && self.max.cmpge(point).all()
    }

    /// Exact: comparisons of stored numbers only.
    fn may_overlap(&self, other: &Self) -> bool {
        !(self.min.cmpgt(other.max).any() || other.min.cmpgt(self.max).any())
    }

    fn gap_below(&self, other: &Self) -> f64 {
        let apart = |low: f64, high: f64| if low > high { add_down(low, -high).max(0.0) } else { 0.0 };
        let gap = |i: usize| apart(other.min[i], self.max[i]).max(apart(self.min[i], other.max[i]));
        length_down(DVec3::new(gap(0), gap(1), gap(2)))
    }
}

/// Never less than the exact `a + slack`, and finite overflow becomes infinity.
fn outward_up(a: f64, slack: f64) -> f64 {
    let sum = (a + slack).next_up();
    if sum.is_nan() { f64::INFINITY } else { sum }
}

/// Never more than the exact `a − slack`.
fn outward_down(a: f64, slack: f64) -> f64 {
    -outward_up(-a, slack)
}

/// Volume, surface and diameter of a box of the given half extents, to nearest. The smallest and the largest
/// width meet first, so that 0 · 10³⁰⁰ · 10³⁰⁰ is 0 and not NaN.
pub(crate) fn box_measure(half_extents: DVec3) -> Measure {
    let mut w = (half_extents * 2.0).to_array();
    w.sort_by(f64::total_cmp);
    let longest = w[2];
    let diameter = if longest > 0.0 && longest.is_finite() {
        DVec3::from_array(w.map(|x| x / longest)).length() * longest
    } else {
        longest
    };
    let [a, b, c] = w;
    Measure {
        volume: product(w),
        surface: product([2.0, a, b]) + product([2.0, a, c]) + product([2.0, b, c]),
        diameter,
    }
}
