//! A span of time with B's place in A's packed coordinates at both of its ends.

use crate::course::UP;
use crate::leg::{Leg, Relative};
use kontakt_hierarchy::{Packed, PackedMap, WideNode};
use kontakt_math::DVec3;
use kontakt_math::round::length_up;

/// Largest exponent of the ratio of sizes that single precision is asked to handle.
const MOST_RATIO: i32 = 50;
/// Largest distance, in units of A, that single precision is asked to handle.
const FARTHEST: f64 = (1_u64 << 60) as f64;

/// What does not change with time: sizes and origins of two packed hierarchies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    origin_a: DVec3,
    origin_b: DVec3,
    /// Units of A and of B in the bodies' own length, exact powers of two.
    pub(crate) unit_a: f64,
    pub(crate) unit_b: f64,
    /// B's unit in A's, exact.
    pub(crate) scale: f64,
    /// |x| of B's farthest point, rounded up.
    pub(crate) reach_b: f64,
}

impl Sizes {
    /// None where the sizes are beyond comparison or beyond doubles.
    pub(crate) fn of(a: &Packed, b: &Packed) -> Option<Sizes> {
        let ratio = b.exponent() - a.exponent();
        let (unit_a, unit_b) = (2.0_f64.powi(a.exponent()), 2.0_f64.powi(b.exponent()));
        let normal = |unit: f64| unit.is_normal() && (1.0 / unit).is_normal();
        if ratio.abs() > MOST_RATIO || !normal(unit_a) || !normal(unit_b) {
            return None;
        }
        // Packed coordinates are within ±1 a coordinate.
        let reach_b = (length_up(b.origin()) + 1.7321 * unit_b) * UP;
        Some(Sizes {
            origin_a: a.origin(),
            origin_b: b.origin(),
            unit_a,
            unit_b,
            scale: 2.0_f64.powi(ratio),
            reach_b,
        })
    }
}

/// The map from B's packed coordinates to A's at one time; none where single precision cannot hold it.
///
/// The image of the origin rounds beside `Relative`'s error by u·|offset| in the difference; the error of the turn acts on
/// points of B as well: `reach_b` is the farthest.
fn packed(relative: &Relative, sizes: &Sizes) -> Option<PackedMap> {
    let offset = relative.b_in_a(sizes.origin_b) - sizes.origin_a;
    let error = relative.error_within(sizes.reach_b) + f64::EPSILON * offset.abs().element_sum();
    let (shift, error) = (offset / sizes.unit_a, error / sizes.unit_a * UP);
    let near = shift.abs().max_element() < FARTHEST && error < 1.0 + sizes.scale;
    near.then(|| PackedMap::new(relative.turn, sizes.scale, shift, error))
}

/// A span of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    pub(crate) start: f64,
    pub(crate) end: f64,
    /// B seen from A at the ends.
    pub(crate) relative: [Relative; 2],
    /// For the boxes, at the ends; none where they are no help.
    pub(crate) sight: Option<[PackedMap; 2]>,
}

impl Slab {
    pub(crate) fn new(leg: &Leg, sizes: Option<&Sizes>, start: f64, end: f64) -> Slab {
        let relative = [leg.relative(start), leg.relative(end)];
        Slab::between(relative, sizes, start, end)
    }

    /// With both ends known already.
    pub(crate) fn between(relative: [Relative; 2], sizes: Option<&Sizes>, start: f64, end: f64) -> Slab {
        let sight =
            sizes.and_then(|sizes| Some([packed(&relative[0], sizes)?, packed(&relative[1], sizes)?]));
        Slab { start, end, relative, sight }
    }

    /// Length of the span, rounded up.
    pub(crate) fn span(&self) -> f64 {
        (self.end - self.start).next_up()
    }
}

/// A ball around the box of a child, in the body's frame; encloses it.
///
/// A point of the box is origin + X·y, X the inverse of axes that are orthonormal to 2⁻²⁰ an entry, |y − c| ≤ h: replacing X by
/// the transpose errs by less than 2⁻¹⁹·|y|₁ (see `sweep`), and the half extents' length by 2⁻¹⁹ of it.
pub(crate) fn ball_around(tree: &Packed, node: &WideNode, lane: usize) -> (DVec3, f64) {
    let of =
        |rows: &[[f32; 8]; 3]| DVec3::new(rows[0][lane].into(), rows[1][lane].into(), rows[2][lane].into());
    let (centre, half) = (of(&node.centre), of(&node.half));
    let axes = node.axes.map(|row| DVec3::from_array(row.map(f64::from)));
    let packed = DVec3::from_array(node.origin.map(f64::from))
        + axes[0] * centre.x
        + axes[1] * centre.y
        + axes[2] * centre.z;
    let slack = 2.0_f64.powi(-18) * (centre.abs().element_sum() + half.element_sum());
    let unit = 2.0_f64.powi(tree.exponent());
    let place = tree.origin() + packed * unit;
    let radius = (half.length() + slack) * unit
        + f64::EPSILON * 4.0 * (place.abs().element_sum() + tree.origin().abs().element_sum());
    (place, radius * UP)
}
