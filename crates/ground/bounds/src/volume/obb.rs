//! Oriented box. Canonical form: centre, three axes (matrix columns), half extents.

mod fit;
mod quaternion;
mod sat;
mod square;
mod two_axes;
mod views;

pub use quaternion::QuaternionObb;
pub use square::SquareObb;
pub use two_axes::TwoAxesObb;
pub use views::{ObbPlane, ObbSlab};

use super::aabb::{Aabb, box_measure};
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points};
use crate::turn::Turn;
use kontakt_math::round::{add_up, dot_down, dot_error, dot_up, length_up, mul_up};
use kontakt_math::{DMat3, DVec3, Pose, U};

/// Axes farther than this from orthonormal are refused by constructors.
const LOOSEST_DEFECT: f64 = 1e-6;

/// The set {c + Σ sᵢ aᵢ : |sᵢ| ≤ hᵢ}: a box whose axes `aᵢ` (columns of `axes`) are orthonormal to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Centre.
    pub centre: DVec3,
    /// Columns are the box's axes, right-handed, orthonormal to rounding.
    pub axes: DMat3,
    /// Half of the edge lengths, none negative.
    pub half_extents: DVec3,
}

impl Obb {
    /// A box from finite numbers, axes orthonormal within 10⁻⁶ (kept as given) and extents that are not negative.
    pub fn new(centre: DVec3, axes: DMat3, half_extents: DVec3) -> Result<Obb, FitError> {
        check_axes(&axes)?;
        if !centre.is_finite() || !half_extents.is_finite() || half_extents.cmplt(DVec3::ZERO).any() {
            return Err(FitError::Parameter {
                what: format!(
                    "box with centre {centre} and half extents {half_extents}: not finite or negative"
                ),
            });
        }
        Ok(Obb { centre, axes, half_extents })
    }

    /// The box with the given axes around the points, centred between their extremes. **Each point lies in the
    /// exact set**, and the plain test |aᵢ·(p − c)| ≤ hᵢ in doubles holds too.
    ///
    /// Proof. Let `AᵀA = I + G` with |G| ≤ γ. For p = c + A s and y = Aᵀ(p − c) exactly, s = (I + G)⁻¹ y, so
    /// |sᵢ| ≤ |yᵢ| + 1.01·γ·Σ|yⱼ|. The computed yᵢ err by at most 5u·Σ|aₖ||pₖ − cₖ| (difference u, dot product
    /// 3u); twice that is added, once for the exact value and once for any other order of evaluation.
    pub fn enclosing(axes: DMat3, points: &[DVec3]) -> Result<Obb, FitError> {
        check_points(points)?;
        let defect = check_axes(&axes)?;
        let columns = columns(&axes);
        let reference = points[0];
        let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
        for p in points {
            let y = axes.transpose() * (*p - reference);
            low = low.min(y);
            high = high.max(y);
        }
        let centre = reference + axes * (low * 0.5 + high * 0.5);
        let (mut reach, mut far) = (DVec3::ZERO, DVec3::ZERO);
        for p in points {
            let d = *p - centre;
            far = far.max(d.abs());
            for (i, a) in columns.iter().enumerate() {
                let y = a.dot(d).abs() + a.abs().dot(d.abs()) * (10.0 * U);
                reach[i] = reach[i].max(y);
            }
        }
        let sum = reach.element_sum();
        let half_extents = reach.map(|y| {
            let out = (y + sum * (1.02 * defect)) * (1.0 + 4.0 * U) + f64::from_bits(64);
            // Along coordinate axes nothing underflows: y = 0 says that all points have the centre's coordinate.
            if sum == 0.0 || (defect == 0.0 && y == 0.0) { 0.0 } else { out }
        });
        // `max` drops NaN, but that comes only from coordinates whose differences or their sum overflow.
        if !(half_extents.is_finite() && centre.is_finite() && far.element_sum().is_finite()) {
            return Err(FitError::Parameter { what: "points are too far apart for a double".to_owned() });
        }
        Ok(Obb { centre, axes, half_extents })
    }

    /// The box with the given axes around everything whose `reach` is given. The axes must be
    /// orthonormal within 10⁻⁶; the proof is that of [`enclosing`](Self::enclosing) with
    /// yᵢ = max over the set of |aᵢ·x − aᵢ·c|, rounded outward.
    pub fn around(axes: DMat3, reach: impl Fn(DVec3) -> f64) -> Obb {
        let columns = columns(&axes);
        let ends = columns.map(|a| (-reach(-a), reach(a)));
        let middle = DVec3::from_array(ends.map(|(low, high)| low * 0.5 + high * 0.5));
        let centre = axes * middle;
        let y: [f64; 3] = std::array::from_fn(|i| {
            let (low, high) = ends[i];
            let above = add_up(high, -dot_down(columns[i], centre));
            let below = add_up(dot_up(columns[i], centre), -low);
            above.max(below).max(0.0)
        });
        let slack = 1.02 * defect(&axes) * y.iter().sum::<f64>();
        Obb { centre, axes, half_extents: DVec3::from_array(y.map(|y| add_up(y, slack))) }.or_everything()
    }

    /// All of space: what a union or an image too large for doubles becomes.
    const EVERYTHING: Obb = Obb { centre: DVec3::ZERO, axes: DMat3::IDENTITY, half_extents: DVec3::INFINITY };

    fn or_everything(self) -> Obb {
        if self.centre.is_finite() && self.half_extents.is_finite() { self } else { Obb::EVERYTHING }
    }

    /// The same set as an oriented box: exact but for the rounding of the centre, which the extents absorb.
    pub fn from_aabb(aabb: &Aabb) -> Obb {
        let form = super::aabb::CentreRadiusAabb::from(aabb);
        Obb { centre: form.centre, axes: DMat3::IDENTITY, half_extents: form.radius }
    }

    /// The axis-aligned box around this one, rounded outward.
    pub fn to_aabb(&self) -> Aabb {
        let up = |d: DVec3| self.reach(d);
        Aabb {
            min: DVec3::new(-up(DVec3::NEG_X), -up(DVec3::NEG_Y), -up(DVec3::NEG_Z)),
            max: DVec3::new(up(DVec3::X), up(DVec3::Y), up(DVec3::Z)),
        }
    }

    /// The pre-test with the six face axes only: cheaper, with more "maybe". `false` is a proof of disjointness.
    pub fn may_overlap_by_faces(&self, other: &Obb) -> bool {
        SquareObb::of(self).may_overlap_by_faces(&SquareObb::of(other))
    }
}

impl Support for Obb {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let signs = (self.axes.transpose() * direction).map(|x| if x < 0.0 { -1.0 } else { 1.0 });
        self.centre + self.axes * (self.half_extents * signs)
    }

    /// max d·x = d·c + Σ hᵢ|d·aᵢ| exactly, for any axes; every term is rounded up.
    fn reach(&self, direction: DVec3) -> f64 {
        let along = |a: DVec3, h: f64| {
            let d = direction.dot(a).abs() + dot_error(direction, a);
            if h == 0.0 { 0.0 } else { mul_up(d.next_up(), h) }
        };
        let [a, b, c] = columns(&self.axes);
        let h = self.half_extents;
        let sum = add_up(add_up(along(a, h.x), along(b, h.y)), along(c, h.z));
        let reach = if sum == 0.0 {
            dot_up(direction, self.centre)
        } else {
            add_up(dot_up(direction, self.centre), sum)
        };
        if reach.is_nan() { f64::INFINITY } else { reach }
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }
}

impl Bound for Obb {
    const NAME: &'static str = "obb";

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        fit::quick_fit(points)
    }

    /// The smaller of the boxes around both in either's axes.
    fn merge(&self, other: &Self) -> Self {
        let (a, b) = (SquareObb::of(self), SquareObb::of(other));
        let around = |axes| Obb::around(axes, |d| a.as_obb().reach(d).max(b.as_obb().reach(d)));
        let (first, second) = (around(a.as_obb().axes), around(b.as_obb().axes));
        if second.measure().volume < first.measure().volume { second } else { first }
    }

    /// Proof. A point of the exact image is c* + Σ sᵢ a*ᵢ, where c* and a*ᵢ differ from the rounded c' and a'ᵢ by
    /// Δc and Δaᵢ. In the new axes its coordinates are s + A'⁻¹(Δc + Σ sᵢΔaᵢ); A' is orthonormal within 10⁻⁶, so
    /// |A'⁻¹v| ≤ 1.01|v|, and the extents grow by at most 1.01(|Δc| + Σ hᵢ|Δaᵢ|).
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let square = SquareObb::of(self).into_obb();
        let turn = Turn::of(a_from_b);
        let (centre, centre_error) = turn.image(square.centre);
        let axes = turn.matrix * square.axes;
        // Each entry of the product: a matrix error times |a|₁ ≤ 1.8, and a three-term sum.
        let axis_error = if turn.error == 0.0 { 0.0 } else { 2.0 * (1.8 * turn.error + 8.0 * U) };
        let slack = if centre_error == DVec3::ZERO { 0.0 } else { length_up(centre_error) };
        let grow = 1.02 * (slack + square.half_extents.element_sum() * axis_error);
        let half_extents =
            if grow == 0.0 { square.half_extents } else { square.half_extents.map(|h| add_up(h, grow)) };
        SquareObb::of(&Obb { centre, axes, half_extents }.or_everything()).into_obb()
    }

    fn measure(&self) -> Measure {
        box_measure(self.half_extents)
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("centre", self.centre.into()),
            ("axes", Parameter::Vectors(columns(&self.axes).to_vec())),
            ("half_extents", self.half_extents.into()),
        ]
    }

    /// A point of the set satisfies aᵢ·p ≤ max aᵢ·x over the set for every axis and its opposite.
    fn contains(&self, point: DVec3) -> bool {
        let offset = point - self.centre;
        let at_origin = Obb { centre: DVec3::ZERO, ..*self };
        columns(&self.axes).into_iter().all(|a| {
            // fl(p − c) errs by u a component: at most u·Σ|aₖ||pₖ − cₖ| along the axis.
            let error = dot_error(a, offset);
            dot_down(a, offset) - error <= at_origin.reach(a)
                && dot_up(a, offset) + error >= -at_origin.reach(-a)
        })
    }

    fn may_overlap(&self, other: &Self) -> bool {
        SquareObb::of(self).may_overlap(&SquareObb::of(other))
    }

    fn gap_below(&self, other: &Self) -> f64 {
        SquareObb::of(self).gap_below(&SquareObb::of(other))
    }
}

/// Columns of a matrix.
pub(crate) fn columns(matrix: &DMat3) -> [DVec3; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}

/// Never less than the largest entry of `|AᵀA − I|`: how far the axes are from orthonormal.
pub(crate) fn defect(axes: &DMat3) -> f64 {
    let [a, b, c] = columns(axes);
    let lengths = (a.dot(a) - 1.0).abs().max((b.dot(b) - 1.0).abs()).max((c.dot(c) - 1.0).abs());
    let angles = a.dot(b).abs().max(b.dot(c).abs()).max(c.dot(a).abs());
    // NaN must not be lost in `max`.
    let size = (a.abs() + b.abs() + c.abs()).element_sum();
    if !size.is_finite() || size > 16.0 {
        return f64::INFINITY;
    }
    let largest = lengths.max(angles);
    // Coordinate axes, in any order and sense, are orthonormal exactly.
    let is_whole = |v: &DVec3| v.to_array().iter().all(|x| x.fract() == 0.0);
    if largest == 0.0 && columns(axes).iter().all(is_whole) {
        return 0.0;
    }
    // Dot products of vectors of length ≤ 1 + γ err by 4u(1 + γ)², the difference with 1 by another u.
    largest + 6.0 * U * (1.0 + largest) * (1.0 + largest)
}

/// The defect, or an error that says the axes are not orthonormal.
fn check_axes(axes: &DMat3) -> Result<f64, FitError> {
    let defect = defect(axes);
    if defect.is_nan() || defect > LOOSEST_DEFECT {
        return Err(FitError::Parameter {
            what: format!("box axes are not orthonormal: off by {defect:e}, at most 1e-6 is allowed"),
        });
    }
    Ok(defect)
}
