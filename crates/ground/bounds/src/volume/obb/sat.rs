//! Separating-axis tests of two oriented boxes, in doubles, with one proven error term for all fifteen axes.

// What is computed
// Columns aᵢ, bⱼ; half extents e, f; t = c_B − c_A; Rᵢⱼ = aᵢ·bⱼ; Tᵢ = aᵢ·t. With {i,k,l} and {j,m,n} cyclic the
// boxes are apart if for one axis |t·L| exceeds r_A + r_B:
//
// | axis L | \|t·L\| | r_A | r_B |
// |---|---|---|---|
// | aᵢ | \|Tᵢ\| | eᵢ | Σⱼ fⱼ\|Rᵢⱼ\| |
// | bⱼ | \|Σᵢ TᵢRᵢⱼ\| | Σᵢ eᵢ\|Rᵢⱼ\| | fⱼ |
// | aᵢ×bⱼ | \|T_l R_kj − T_k R_lj\| | e_k\|R_lj\| + e_l\|R_kj\| | f_m\|R_in\| + f_n\|R_im\| |
//
// Why "apart" is proven (u = 2⁻⁵³, S = |t|₁ + Σe + Σf)
// 1. *Orthonormal stand-ins.* Let AᵀA = I + G, |G| ≤ γ ≤ 32u (`SquareObb`). The polar decomposition A = Q(I + E) has
//    ‖E‖ ≤ ½·1.01·‖G‖ ≤ 1.52γ ≤ 49u. So each column aᵢ is within α = 49u of the column qᵢ of an orthogonal Q, and
//    the exact set {c + A s} = {c + Q(s + E s)} lies in the box with axes Q and extents h + 49u·Σh. The
//    table holds exactly for two such boxes (handedness only changes signs inside |·|).
// 2. *Rounding of inputs.* t errs by u|t|. R errs by ε_R ≤ 2.01α + 3.1u ≤ 102u against q·p, and T by
//    ε_T ≤ (α + 4.1u)|t| ≤ 54u|t|.
// 3. *Worst axis* is bⱼ: √3·1.01(ε_T + ε_R|t|) ≤ 274u|t| for |t·L|; ε_R(Σe) + 49u(Σe + Σf)·√3 for the radii, at most
//    187u·(Σe + Σf); evaluation 12u·S. The axes aᵢ×bⱼ: 1.43(ε_T + ε_R|t|) ≤ 224u|t|, radii 102u + 1.42·49u ≤ 172u,
//    evaluation 12u·S. Together below 290u·S on every axis.
// 4. 320u·S (and 2⁻¹⁰⁶⁰ for underflow) therefore covers all errors and the rounding of S itself: a computed excess
//    above it means a positive exact excess. Where anything overflows the comparison is false: "maybe".
//
// Near-parallel edges need no special case: their table row tends to 0 > 0 with the same absolute error.

use super::{Obb, SquareObb, columns};
use kontakt_math::DVec3;

const U: f64 = f64::EPSILON / 2.0;
const ERROR: f64 = 320.0 * U;
/// Bound of |R − R*|, step 2 above.
const ROTATION_ERROR: f64 = 102.0 * U;
/// 2⁻¹⁰⁶⁰.
const UNDERFLOW: f64 = f64::from_bits(1 << 14);

/// The second box as seen from the first, with the error term of the pair.
struct Relative {
    /// `r[i][j]` is `aᵢ·bⱼ`.
    r: [[f64; 3]; 3],
    /// |r|.
    abs: [[f64; 3]; 3],
    /// `t[i]` is `aᵢ·(c_B − c_A)`.
    t: [f64; 3],
    e: [f64; 3],
    f: [f64; 3],
    error: f64,
}

impl Relative {
    /// Centres, extents and the error term; the rows of R and T follow one by one (`turn_row`).
    #[inline(always)]
    fn start(a: &Obb, b: &Obb, shift: DVec3) -> Relative {
        let size = shift.abs().element_sum() + (a.half_extents.element_sum() + b.half_extents.element_sum());
        Relative {
            r: [[0.0; 3]; 3],
            abs: [[0.0; 3]; 3],
            t: [0.0; 3],
            e: a.half_extents.to_array(),
            f: b.half_extents.to_array(),
            error: size * ERROR + UNDERFLOW,
        }
    }

    #[inline(always)]
    fn turn_row(&mut self, i: usize, axis: DVec3, b: &Obb, shift: DVec3) {
        let row = [axis.dot(b.axes.x_axis), axis.dot(b.axes.y_axis), axis.dot(b.axes.z_axis)];
        self.r[i] = row;
        self.abs[i] = [row[0].abs(), row[1].abs(), row[2].abs()];
        self.t[i] = axis.dot(shift);
    }

    /// Everything at once.
    #[inline(always)]
    fn new(a: &SquareObb, b: &SquareObb) -> Relative {
        let (a, b) = (a.as_obb(), b.as_obb());
        let shift = b.centre - a.centre;
        let mut relative = Relative::start(a, b, shift);
        for (i, axis) in columns(&a.axes).into_iter().enumerate() {
            relative.turn_row(i, axis, b, shift);
        }
        relative
    }

    /// Everything, or `None` as soon as the enclosing balls or a face axis of either box prove the two disjoint.
    ///
    /// The balls: computed squares err by at most 6u relative (shift u a component, products and sums 3u) and by a few
    /// units of underflow, so the factor and the last term suffice. Where squares overflow the axes decide.
    #[inline(always)]
    fn unless_apart_by_faces(a: &SquareObb, b: &SquareObb) -> Option<Relative> {
        let reach = a.radius() + b.radius();
        let (a, b) = (a.as_obb(), b.as_obb());
        let shift = b.centre - a.centre;
        let squared = shift.length_squared();
        if squared < f64::INFINITY && squared > reach * reach * (1.0 + 16.0 * U) + UNDERFLOW {
            return None;
        }
        let mut relative = Relative::start(a, b, shift);
        for (i, axis) in columns(&a.axes).into_iter().enumerate() {
            relative.turn_row(i, axis, b, shift);
            if relative.on_face_a(i) > relative.error {
                return None;
            }
        }
        for j in 0..3 {
            if relative.on_face_b(j) > relative.error {
                return None;
            }
        }
        Some(relative)
    }

    /// Excess of |t·L| over both radii on the axis aᵢ.
    #[inline(always)]
    fn on_face_a(&self, i: usize) -> f64 {
        let m = &self.abs[i];
        self.t[i].abs() - (self.e[i] + (self.f[0] * m[0] + self.f[1] * m[1] + self.f[2] * m[2]))
    }

    /// The same on bⱼ.
    #[inline(always)]
    fn on_face_b(&self, j: usize) -> f64 {
        let along = self.t[0] * self.r[0][j] + self.t[1] * self.r[1][j] + self.t[2] * self.r[2][j];
        let m = &self.abs;
        along.abs() - (self.f[j] + (self.e[0] * m[0][j] + self.e[1] * m[1][j] + self.e[2] * m[2][j]))
    }

    /// The same on aᵢ×bⱼ, which is not a unit vector.
    #[inline(always)]
    fn on_edges(&self, i: usize, j: usize) -> f64 {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        let (m, n) = ((j + 1) % 3, (j + 2) % 3);
        let along = self.t[l] * self.r[k][j] - self.t[k] * self.r[l][j];
        let radius_a = self.e[k] * self.abs[l][j] + self.e[l] * self.abs[k][j];
        let radius_b = self.f[m] * self.abs[i][n] + self.f[n] * self.abs[i][m];
        along.abs() - (radius_a + radius_b)
    }

    /// Never less than |aᵢ×bⱼ| of the orthonormal stand-ins: the root of `R_kj² + R_lj²`, each with its error.
    fn edge_length_up(&self, i: usize, j: usize) -> f64 {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        let (x, y) = (self.abs[k][j] + ROTATION_ERROR, self.abs[l][j] + ROTATION_ERROR);
        (x * x + y * y).sqrt() * (1.0 + 8.0 * U)
    }

    /// Row by row: one branch for three axes costs less than three.
    #[inline(always)]
    fn apart_by_edges(&self) -> bool {
        (0..3).any(|i| self.on_edges(i, 0).max(self.on_edges(i, 1)).max(self.on_edges(i, 2)) > self.error)
    }
}

impl SquareObb {
    /// All fifteen axes. `false` is a proof that the boxes are disjoint; see the proof at the head of this file.
    #[inline]
    pub fn may_overlap(&self, other: &SquareObb) -> bool {
        Relative::unless_apart_by_faces(self, other).is_some_and(|relative| !relative.apart_by_edges())
    }

    /// The six face axes only. `false` is a proof that the boxes are disjoint.
    #[inline]
    pub fn may_overlap_by_faces(&self, other: &SquareObb) -> bool {
        Relative::unless_apart_by_faces(self, other).is_some()
    }

    /// **Never more** than the exact distance: the largest gap over the fifteen axes, each divided by an upper
    /// bound of the axis's length (1 for face axes, whose orthonormal stand-ins are unit vectors).
    pub fn gap_below(&self, other: &SquareObb) -> f64 {
        let relative = Relative::new(self, other);
        let certain = |excess: f64| (excess - relative.error).next_down();
        let mut gap = 0.0_f64;
        for i in 0..3 {
            gap = gap.max(certain(relative.on_face_a(i))).max(certain(relative.on_face_b(i)));
            for j in 0..3 {
                let excess = certain(relative.on_edges(i, j));
                if excess > 0.0 {
                    gap = gap.max((excess / relative.edge_length_up(i, j)).next_down());
                }
            }
        }
        if gap.is_finite() { gap } else { 0.0 }
    }
}
