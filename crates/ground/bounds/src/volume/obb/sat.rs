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
use kontakt_math::{DVec3, U};

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
        Relative {
            r: [[0.0; 3]; 3],
            abs: [[0.0; 3]; 3],
            t: [0.0; 3],
            e: a.half_extents.to_array(),
            f: b.half_extents.to_array(),
            error: error_term(a, b, shift),
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

    /// Whether a face axis of either box proves the two disjoint; one branch for all six.
    #[inline(always)]
    fn apart_by_faces(&self) -> bool {
        let on_a = largest(self.on_face_a(0), self.on_face_a(1), self.on_face_a(2));
        let on_b = largest(self.on_face_b(0), self.on_face_b(1), self.on_face_b(2));
        larger(on_a, on_b) > self.error
    }

    /// Whether the point of A nearest to the centre of B lies in B. Then the two share it, to rounding.
    #[inline(always)]
    fn share_a_point(&self) -> bool {
        let beyond = |i: usize| self.t[i] - smaller(larger(self.t[i], -self.e[i]), self.e[i]);
        let d = [beyond(0), beyond(1), beyond(2)];
        let inside =
            |j: usize| (d[0] * self.r[0][j] + d[1] * self.r[1][j] + d[2] * self.r[2][j]).abs() <= self.f[j];
        inside(0) & inside(1) & inside(2)
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
        (0..3).any(|i| largest(self.on_edges(i, 0), self.on_edges(i, 1), self.on_edges(i, 2)) > self.error)
    }
}

/// The larger number by one comparison; the second where one is NaN. `f64::max` takes five instructions for its NaN rule,
/// of no use here: NaN exceeds no error term, and the answer is "maybe".
#[inline(always)]
fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

#[inline(always)]
fn smaller(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

#[inline(always)]
fn largest(x: f64, y: f64, z: f64) -> f64 {
    larger(larger(x, y), z)
}

#[inline(always)]
fn smallest(v: DVec3) -> f64 {
    smaller(smaller(v.x, v.y), v.z)
}

/// Squared distance of `place` (from the centre, in the common axes) from a box.
#[inline(always)]
fn squared_distance(obb: &Obb, place: DVec3) -> f64 {
    let [a, b, c] = columns(&obb.axes);
    let beyond = |axis: DVec3, half: f64| larger(axis.dot(place).abs() - half, 0.0);
    let half = obb.half_extents;
    DVec3::new(beyond(a, half.x), beyond(b, half.y), beyond(c, half.z)).length_squared()
}

/// Whether the balls around both prove the boxes disjoint: computed squares err by at most 6u relative (shift u a
/// component, products and sums 3u) and by a few units of underflow, so the factor and the last term suffice. Where
/// squares overflow the axes decide.
#[inline(always)]
fn apart_by_balls(a: &SquareObb, b: &SquareObb) -> bool {
    let reach = a.radius() + b.radius();
    let squared = (b.as_obb().centre - a.as_obb().centre).length_squared();
    squared < f64::INFINITY && squared > reach * reach * (1.0 + 16.0 * U) + UNDERFLOW
}

/// What each box says of the balls around and inside the other, before the rotation between them is known: whether they
/// may overlap, or `None`.
///
/// "Overlap" where the centre of one box is closer to the other box than the ball inside its own faces reaches: they
/// share a point, to rounding. It saves most overlapping pairs from asking all axes for nothing. (Strictly closer, so that
/// squares that overflow or vanish both say nothing.)
///
/// "Apart" where it is farther than the ball around it reaches. With `error` = 320u·S, S = |t|₁ + Σe + Σf, each computed
/// excess over an extent errs by 54u|t| (step 2 above) + 49u·Σh (step 1) + 2u·S, their length by less than
/// 182u·S, squares by 8u relative and by a few units of underflow. Where squares overflow the axes decide.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "one branch each: the comparisons are cheaper than guessing them wrong"
)]
#[inline(always)]
fn by_box_and_ball(a: &SquareObb, b: &SquareObb) -> Option<bool> {
    let (radius_a, radius_b) = (a.radius(), b.radius());
    let (a, b) = (a.as_obb(), b.as_obb());
    let shift = b.centre - a.centre;
    let (from_a, from_b) = (squared_distance(a, shift), squared_distance(b, shift));
    let (inner_a, inner_b) = (smallest(a.half_extents), smallest(b.half_extents));
    if (from_a < inner_b * inner_b) | (from_b < inner_a * inner_a) {
        return Some(true);
    }
    let error = error_term(a, b, shift);
    let (outer_a, outer_b) = (radius_a + error, radius_b + error);
    let farther =
        |squared: f64, reach: f64| (squared > reach * reach + UNDERFLOW) & (squared < f64::INFINITY);
    (farther(from_a, outer_b) | farther(from_b, outer_a)).then_some(false)
}

/// 320u·S and the share of underflow, step 4 above.
#[inline(always)]
fn error_term(a: &Obb, b: &Obb, shift: DVec3) -> f64 {
    let size = shift.abs().element_sum() + (a.half_extents.element_sum() + b.half_extents.element_sum());
    size * ERROR + UNDERFLOW
}

impl SquareObb {
    /// All fifteen axes. `false` is a proof that the boxes are disjoint; see the proof at the head of this file.
    #[inline]
    pub fn may_overlap(&self, other: &SquareObb) -> bool {
        if apart_by_balls(self, other) {
            return false;
        }
        if let Some(answer) = by_box_and_ball(self, other) {
            return answer;
        }
        let relative = Relative::new(self, other);
        !relative.apart_by_faces() && (relative.share_a_point() || !relative.apart_by_edges())
    }

    /// The six face axes only, after the balls around both. `false` is a proof that the boxes are disjoint.
    #[inline]
    pub fn may_overlap_by_faces(&self, other: &SquareObb) -> bool {
        !apart_by_balls(self, other) && !Relative::new(self, other).apart_by_faces()
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
