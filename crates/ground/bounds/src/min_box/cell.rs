//! A cell of orientations and what no box in it can fall below.
//!
//! Orientations are rotations R(r) with the Rodrigues vector r = tan(θ/2)·axis; the box's axes are the columns. A
//! cell is an axis-parallel box of vectors r around r₀. Seen from its centre, R(r) = R(ρ)·R(r₀) with
//! ρ = (d + r₀×d) / (1 + r₀·(r₀ + d)), d = r − r₀. This map is projective, with a positive denominator in the
//! domain searched, so the cell becomes a convex polytope of vectors ρ with the images of its corners as corners.
//!
//! For an axis u and a vector s between two points of the body, the width along R(ρ)u is at least
//! R(ρ)u·s = (a + 2ρ·b + q) / (1 + ρ²) with a = u·s, b = u×s, q = 2(ρ·u)(ρ·s) − aρ². Write s = au + t, t ⊥ u:
//! q = a((ρ·u)² − ρ⊥²) + 2(ρ·u)(ρ·t) ≥ −(|a| max ρ⊥² + 2 max|ρ·u| max|ρ·t|). All maxima are over corners (of convex
//! functions). So the width is at least an affine function of ρ divided by 1 + max ρ².

use super::cost::{CORNERS, degree, least_cost};
use crate::bound::Objective;
use kontakt_math::{DMat3, DVec3, U};

/// A box of Rodrigues vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) centre: DVec3,
    pub(super) half: DVec3,
}

/// The rotation with this Rodrigues vector.
#[inline(always)]
pub(super) fn rotation(r: DVec3) -> DMat3 {
    let square = r.length_squared();
    let (s, d) = (2.0 / (1.0 + square), 1.0 - square);
    let [x, y, z] = r.to_array();
    DMat3::from_cols(
        DVec3::new(d + 2.0 * x * x, 2.0 * (x * y + z), 2.0 * (x * z - y)) * (s * 0.5),
        DVec3::new(2.0 * (x * y - z), d + 2.0 * y * y, 2.0 * (y * z + x)) * (s * 0.5),
        DVec3::new(2.0 * (x * z + y), 2.0 * (y * z - x), d + 2.0 * z * z) * (s * 0.5),
    )
}

/// The corners of a cell as relative rotations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    rho: [[f64; CORNERS]; 3],
    /// max ρ².
    pub(super) square: f64,
}

impl Corners {
    #[inline(always)]
    pub(super) fn of(cell: &Cell) -> Corners {
        let (r, h) = (cell.centre, cell.half);
        let base = 1.0 + r.length_squared();
        let [mut x, mut y, mut z] = [[0.0; CORNERS]; 3];
        let mut square = 0.0_f64;
        for (k, ((x, y), z)) in x.iter_mut().zip(&mut y).zip(&mut z).enumerate() {
            let sign = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
            let d = DVec3::new(sign(1) * h.x, sign(2) * h.y, sign(4) * h.z);
            let v = (d + r.cross(d)) / (base + r.dot(d));
            (*x, *y, *z) = (v.x, v.y, v.z);
            square = square.max(v.length_squared());
        }
        Corners { rho: [x, y, z], square }
    }

    /// v·ρ at each corner.
    #[inline(always)]
    fn dots(&self, v: DVec3) -> [f64; CORNERS] {
        let mut out = [0.0; CORNERS];
        for (k, out) in out.iter_mut().enumerate() {
            *out = v.x * self.rho[0][k] + v.y * self.rho[1][k] + v.z * self.rho[2][k];
        }
        out
    }

    /// How far each axis can move, squared: |R(ρ)u − u|² = 4|ρ×u|²/(1 + ρ²) ≤ 4 max ρ⊥².
    #[inline(always)]
    pub(super) fn moves(&self, axes: &DMat3) -> [f64; 3] {
        let mut moves = [0.0; 3];
        for (i, moves) in moves.iter_mut().enumerate() {
            let along = self.dots(axes.col(i));
            for (k, along) in along.iter().enumerate() {
                let perpendicular = self.corner(k).length_squared() - along * along;
                *moves = if 4.0 * perpendicular > *moves { 4.0 * perpendicular } else { *moves };
            }
        }
        moves
    }

    /// The relative rotation at corner k.
    #[inline(always)]
    pub(super) fn corner(&self, k: usize) -> DVec3 {
        DVec3::new(self.rho[0][k], self.rho[1][k], self.rho[2][k])
    }

    /// Lower bounds of (1 + max ρ²) · width along the turned axis, at the corners, from the vector `s`.
    ///
    /// Rounding, in units of u = 2⁻⁵³, for points in local coordinates (each within ±1/2, wrong by ≤ 1/2) that were
    /// then turned by a matrix wrong by ≤ 11: a point is off by ≤ 0.9 + (4√3 + 11)·0.9 < 18, two by 36. A vector mixed from others is off the exact combination by ≤ 3√3 each time, at most eight
    /// times: 42. An axis is off by ≤ 11, so u·s by 11|s|, and the dot product adds 3|s|. ρ is off by ≤ 8|ρ| and
    /// b = u×s by ≤ 15|s|, so 2ρ·b by ≤ (2·8 + 2·3 + 2·15)|ρ||s|; q by ≤ 12ρ²|s| with |ρ| < 1. Together at most
    /// 78 + 14|s| + 64|ρ||s|; the difference to what is subtracted covers the products of the cost (6u relative).
    #[inline(always)]
    pub(super) fn width_bounds(&self, u: DVec3, s: DVec3) -> [f64; CORNERS] {
        let a = u.dot(s);
        let t = s - u * a;
        let (along, aside, turn) = (self.dots(u), self.dots(t), self.dots(u.cross(s)));
        let (mut axial, mut lateral, mut across) = (0.0_f64, 0.0_f64, 0.0_f64);
        for k in 0..CORNERS {
            let square = self.rho[0][k] * self.rho[0][k]
                + self.rho[1][k] * self.rho[1][k]
                + self.rho[2][k] * self.rho[2][k];
            let perpendicular = square - along[k] * along[k];
            axial = if along[k].abs() > axial { along[k].abs() } else { axial };
            lateral = if aside[k].abs() > lateral { aside[k].abs() } else { lateral };
            across = if perpendicular > across { perpendicular } else { across };
        }
        let rounding = U * (96.0 + (32.0 + 80.0 * self.square.sqrt()) * s.length());
        let constant = a - a.abs() * across - 2.0 * axial * lateral - rounding;
        let mut out = [0.0; CORNERS];
        for k in 0..CORNERS {
            out[k] = constant + 2.0 * turn[k];
        }
        out
    }

    /// No box with an orientation in the cell costs less.
    #[inline(always)]
    pub(super) fn bound(&self, objective: Objective, widths: &[[f64; CORNERS]; 3], centre: [f64; 3]) -> f64 {
        let least = least_cost(objective, widths, centre);
        let shrink = 1.0 + self.square;
        let square = shrink * shrink;
        let divisor = if degree(objective) == 3 { square * shrink } else { square };
        if least > 0.0 { least / divisor * (1.0 - 16.0 * U) } else { least }
    }
}
