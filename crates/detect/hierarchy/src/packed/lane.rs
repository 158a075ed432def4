//! The box of one child in its node's axes, rounded outward.

use super::node::{Child, WIDTH, WideNode};
use super::vector::{Bounds, Vector};

/// Unit roundoff of single precision.
pub(crate) const UNIT: f32 = f32::EPSILON / 2.0;

/// Centre and half extents of a box that **encloses** every exact point whose computed coordinates are in `bounds`.
///
/// Proof, u = 2⁻²⁴. Let p be the exact packed coordinates of a vertex, p̃ the rounded ones, |p̃ⱼ − pⱼ| ≤ u/2·(1 + 2⁻²⁷)
/// (`Scale::pack`); a a row of the axes, |a| ≤ 1 + 2⁻²⁰, o the node's origin, q = p̃ − o.
/// 1. Rounding of p moves a·p by at most Σ|aⱼ|·u/2·(1 + 2⁻²⁷) ≤ √3·(1 + 2⁻²⁰)·u/2·(1 + 2⁻²⁷) < 0.87u.
/// 2. The computed y (`Turn`: one subtraction, one product and two sums on every path, no fusing) differs from a·q by
///    at most γ₄·Σ|aⱼqⱼ| ≤ 4.001u·|a||q| ≤ 4.01u·|q|, and 2⁻¹⁴⁷ for underflow.
/// 3. Axes orthonormal to 2⁻²⁰ give |q| ≤ |A·q|·(1 + 2⁻¹⁸), and by 2. |A·q| ≤ |ỹ| + 7u|q|, so |q| ≤ 1.001·|ỹ|; and
///    |ỹ| ≤ r = length of the vector of the largest |ỹₖ|.
///
/// So every exact coordinate is within 0.88u + 4.02u·r of the computed one, and pad = u + 5u·r is more, also after its
/// own few roundings. Then d = max(high − centre, centre − low) exactly gives fl(d) ≥ d(1 − u),
/// fl(fl(d) + pad) ≥ (d + pad)(1 − 2u), and times (1 + 4u), rounded, is at least d + pad: nothing underflows,
/// since pad ≥ u. A triangle is the hull of its vertices, so a box around those holds it.
#[inline(always)]
pub(crate) fn enclosure(bounds: Bounds) -> ([f32; 3], [f32; 3]) {
    let (low, high) = (bounds.low.xyz(), bounds.high.xyz());
    let far: [f32; 3] = std::array::from_fn(|k| low[k].abs().max(high[k].abs()));
    let reach = (far[0] * far[0] + far[1] * far[1] + far[2] * far[2]).sqrt();
    let pad = UNIT + 5.0 * UNIT * reach;
    let centre: [f32; 3] = std::array::from_fn(|k| 0.5 * low[k] + 0.5 * high[k]);
    let half = std::array::from_fn(|k| {
        let d = (high[k] - centre[k]).max(centre[k] - low[k]);
        (d + pad) * (1.0 + 4.0 * UNIT)
    });
    (centre, half)
}

/// From packed coordinates to a node's axes, operation by operation as the proof above counts them.
pub(crate) struct Turn {
    columns: [Vector; 3],
    origin: Vector,
}

impl Turn {
    #[inline(always)]
    pub(crate) fn new(axes: &[[f32; 3]; 3], origin: Vector) -> Turn {
        let columns = std::array::from_fn(|j| Vector::new([axes[0][j], axes[1][j], axes[2][j]]));
        Turn { columns, origin }
    }

    /// The box of a triangle in the axes.
    #[inline(always)]
    pub(crate) fn bounds(&self, corners: &[Vector; 3]) -> Bounds {
        let [c0, c1, c2] = self.columns;
        let turned = |p: Vector| {
            let [x, y, z] = (p - self.origin).xyz();
            c0 * x + c1 * y + c2 * z
        };
        // Written out: a map over the array is not always inlined.
        Bounds::of(&[turned(corners[0]), turned(corners[1]), turned(corners[2])])
    }
}

/// The axes of packed coordinates themselves.
pub(crate) const STRAIGHT: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl WideNode {
    /// A node without children.
    pub(crate) fn empty(axes: [[f32; 3]; 3], origin: [f32; 3]) -> WideNode {
        WideNode {
            centre: [[0.0; WIDTH]; 3],
            half: [[-1.0; WIDTH]; 3],
            axes,
            origin,
            child: [Child::Empty.encode(); WIDTH],
        }
    }

    /// Sets the box of a lane.
    #[inline(always)]
    pub(crate) fn set_box(&mut self, lane: usize, (centre, half): ([f32; 3], [f32; 3])) {
        for k in 0..3 {
            self.centre[k][lane] = centre[k];
            self.half[k][lane] = half[k];
        }
    }

    /// What the used lanes lead to, in order of the lanes.
    pub fn children(&self) -> impl Iterator<Item = Child> + '_ {
        self.child.iter().map(|&code| Child::decode(code)).take_while(|child| *child != Child::Empty)
    }
}
