//! The box of one child in its node's axes, rounded outward.

use super::node::{Child, WIDTH, WideNode};

/// Unit roundoff of single precision.
pub(crate) const UNIT: f32 = f32::EPSILON / 2.0;

/// Bounds of computed coordinates in a node's axes; empty when low > high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LaneBox {
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
}

impl LaneBox {
    pub(crate) const EMPTY: LaneBox = LaneBox { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// Grows to hold a point.
    #[inline(always)]
    pub(crate) fn include(&mut self, y: [f32; 3]) {
        for k in 0..3 {
            self.low[k] = self.low[k].min(y[k]);
            self.high[k] = self.high[k].max(y[k]);
        }
    }

    /// Grows to hold another box.
    #[inline(always)]
    pub(crate) fn join(&mut self, other: &LaneBox) {
        for k in 0..3 {
            self.low[k] = self.low[k].min(other.low[k]);
            self.high[k] = self.high[k].max(other.high[k]);
        }
    }

    /// Centre and half extents of a box that **encloses** every exact point whose computed coordinates are in this one.
    ///
    /// Proof, u = 2⁻²⁴. Let p be the exact packed coordinates of a vertex, p̃ the rounded ones, |p̃ⱼ − pⱼ| ≤ u/2·(1 + 2⁻²⁷)
    /// (`Scale::pack`); a a row of the axes, |a| ≤ 1 + 2⁻²⁰, o the node's origin, q = p̃ − o.
    /// 1. Rounding of p moves a·p by at most Σ|aⱼ|·u/2·(1 + 2⁻²⁷) ≤ √3·(1 + 2⁻²⁰)·u/2·(1 + 2⁻²⁷) < 0.87u.
    /// 2. The computed y (`in_axes`: one subtraction, one product and two sums on every path, no fusing) differs from a·q by
    ///    at most γ₄·Σ|aⱼqⱼ| ≤ 4.001u·|a||q| ≤ 4.01u·|q|, and 2⁻¹⁴⁷ for underflow.
    /// 3. Axes orthonormal to 2⁻²⁰ give |q| ≤ |A·q|·(1 + 2⁻¹⁸), and by 2. |A·q| ≤ |ỹ| + 7u|q|, so |q| ≤ 1.001·|ỹ|; and
    ///    |ỹ| ≤ r = length of the vector of the largest |ỹₖ|.
    ///
    /// So every exact coordinate is within 0.88u + 4.02u·r of the computed one, and pad = u + 5u·r is more, also after its
    /// own few roundings. Then d = max(high − centre, centre − low) exactly gives fl(d) ≥ d(1 − u),
    /// fl(fl(d) + pad) ≥ (d + pad)(1 − 2u), and times (1 + 4u), rounded, is at least d + pad: nothing underflows,
    /// since pad ≥ u. A triangle is the hull of its vertices, so a box around those holds it.
    #[inline(always)]
    pub(crate) fn enclosure(&self) -> ([f32; 3], [f32; 3]) {
        let far: [f32; 3] = std::array::from_fn(|k| self.low[k].abs().max(self.high[k].abs()));
        let reach = (far[0] * far[0] + far[1] * far[1] + far[2] * far[2]).sqrt();
        self.enclosure_with(UNIT + 5.0 * UNIT * reach)
    }

    /// The same with any `pad` ≥ u that covers the distance of exact from computed coordinates.
    #[inline(always)]
    pub(crate) fn enclosure_with(&self, pad: f32) -> ([f32; 3], [f32; 3]) {
        let centre: [f32; 3] = std::array::from_fn(|k| 0.5 * self.low[k] + 0.5 * self.high[k]);
        let half = std::array::from_fn(|k| {
            let d = (self.high[k] - centre[k]).max(centre[k] - self.low[k]);
            (d + pad) * (1.0 + 4.0 * UNIT)
        });
        (centre, half)
    }
}

/// Coordinates of a packed point in axes, as the proof above counts them.
#[inline(always)]
pub(crate) fn in_axes(axes: &[[f32; 3]; 3], origin: &[f32; 3], p: [f32; 3]) -> [f32; 3] {
    let q = [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
    std::array::from_fn(|k| axes[k][0] * q[0] + axes[k][1] * q[1] + axes[k][2] * q[2])
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
