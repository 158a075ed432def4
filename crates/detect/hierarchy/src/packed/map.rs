//! Where the packed coordinates of one hierarchy lie in those of another, and one node's axes in another's.

// Why images of boxes are enclosed (u = 2⁻²⁴; everything in A's packed units; B's axes: the same with the roles exchanged)
// Let aₖ be row k of A's axes exactly as stored. A point of B's child is x = s·R·(o_B + X·y) + t with |y − c| ≤ h by the promise of
// `WideNode` and X the inverse of B's axes, so
//   aₖ·(x − o_A) = s·(aₖ·R·X)·y + aₖ·(s·R·o_B + t − o_A) = m·y + τ.
// - X: axes·axesᵀ = I + F with |F| ≤ 2⁻²⁰ an entry, so X·y = axesᵀ·(y − F·y + …): replacing X by axesᵀ errs by at most
//   1.01·2⁻²⁰·√3·|y|₁ < 1.76·2⁻²⁰·|y|₁.
// - m: entries of R are rounded once; two products of 3 × 3 matrices with entries of rows of length 1 (+2⁻²⁰) add 3u·√3
//   each, together below 12u < 2⁻²⁰ an entry.
// - evaluating m·c and |m|·h: at most 4u·(|c|₁ + h₁) plus the last sum's u·|τ|.
// - τ: d = s·R·o_B + t − o_A in doubles, then rounded: u·|d|; the dot product with aₖ: 3u·|d|₁; and the error of the map.
// With |y|₁ ≤ |c|₁ + h₁ the radius grown by 2⁻¹⁸·s·(|c|₁ + h₁) + 2⁻²⁰·|d|₁ + 2·error has more than u·|end| to spare.
// Underflow errs by a few 2⁻¹⁴⁹, covered by 2⁻¹⁰⁰.

use super::WideNode;
use kontakt_math::{DMat3, DVec3};

/// 2⁻¹⁸
const GROW: f32 = 1.0 / 262_144.0;
/// 2⁻²⁰
const GROW_SHIFT: f32 = 1.0 / 1_048_576.0;
/// 2⁻¹⁰⁰
const TINY: f32 = 7.888_609e-31;

/// The map from B's packed coordinates to A's, y = `scale`·R·x + `shift`, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct PackedMap {
    /// Rotation, rounded.
    pub turn: DMat3,
    /// The same in single precision, `[row][column]`.
    turn_single: [[f32; 3]; 3],
    /// B's unit in A's, an exact power of two.
    pub scale: f64,
    /// Image of B's packed origin in A's packed coordinates.
    pub shift: DVec3,
    /// **Never too small**: how far images may be from the exact ones, in A's packed units, what less than 2⁻⁴⁵ an entry of `turn`
    /// does aside.
    pub error: f64,
}

/// A map into the axes of a node from those of another: y = `turn`·x + `shift`, and how far it may be wrong.
#[derive(Clone, Copy, Debug)]
pub struct IntoAxes {
    /// Scale included, `[row][column]`.
    pub turn: [[f32; 3]; 3],
    /// Image of the other node's origin.
    pub shift: [f32; 3],
    /// To be added to radii, beside `grow`·(|c|₁ + h₁).
    pub pad: f32,
    /// See `pad`.
    pub grow: f32,
}

impl PackedMap {
    /// Stands where nothing is known.
    pub const NONE: PackedMap = PackedMap {
        turn: DMat3::IDENTITY,
        turn_single: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        scale: 1.0,
        shift: DVec3::ZERO,
        error: 0.0,
    };

    /// From its parts.
    #[inline]
    pub fn new(turn: DMat3, scale: f64, shift: DVec3, error: f64) -> PackedMap {
        let rows = turn.transpose();
        let turn_single = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| row.to_array().map(|x| x as f32));
        PackedMap { turn, turn_single, scale, shift, error }
    }

    /// Both maps between the axes of two nodes: into A's and into B's. The interval [m·c + τ ± (|m|·h + `grow`·(|c|₁ + h₁) + `pad`)] on
    /// an axis encloses the exact image of a child with centre c and half extents h, with u·|end| to spare (u = 2⁻²⁴), as long as
    /// single precision holds all numbers.
    #[inline(always)]
    pub fn between(&self, a: &WideNode, b: &WideNode) -> (IntoAxes, IntoAxes) {
        let wide = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let offset = self.turn * (wide(b.origin) * self.scale) + (self.shift - wide(a.origin));
        let d = offset.to_array().map(|x| x as f32);
        let r = &self.turn_single;
        // Rows of A's axes turned into B's packed frame, and d likewise.
        let turned = |row: [f32; 3]| -> [f32; 3] {
            std::array::from_fn(|c| row[0] * r[0][c] + row[1] * r[1][c] + row[2] * r[2][c])
        };
        let dot = |x: [f32; 3], y: [f32; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let v = [turned(a.axes[0]), turned(a.axes[1]), turned(a.axes[2])];
        let d_in_b = turned(d);
        let m: [[f32; 3]; 3] = std::array::from_fn(|k| std::array::from_fn(|l| dot(v[k], b.axes[l])));
        let scale = self.scale as f32;
        let back = 1.0 / scale;
        let length = d[0].abs() + d[1].abs() + d[2].abs();
        let pad = GROW_SHIFT * length + 2.0 * self.error as f32 + TINY;
        let into_a = IntoAxes {
            turn: std::array::from_fn(|k| std::array::from_fn(|l| m[k][l] * scale)),
            shift: std::array::from_fn(|k| dot(a.axes[k], d)),
            pad,
            grow: GROW * scale,
        };
        let into_b = IntoAxes {
            turn: std::array::from_fn(|l| std::array::from_fn(|k| m[k][l] * back)),
            shift: std::array::from_fn(|l| -dot(b.axes[l], d_in_b) * back),
            pad: pad * back,
            grow: GROW * back,
        };
        (into_a, into_b)
    }
}
