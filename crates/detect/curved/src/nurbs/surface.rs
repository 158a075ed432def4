//! A rational B-spline surface.

use super::knots::Knots;
use super::{Homogeneous, NurbsError};
use crate::surface::SurfaceJet;
use kontakt_math::DVec3;

/// A rational B-spline surface; weights are above zero.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsSurface {
    u: Knots,
    v: Knots,
    /// Row by row: all of the second parameter for the first value of the first one, and so on.
    points: Vec<DVec3>,
    /// Empty where all are one.
    weights: Vec<f64>,
}

impl NurbsSurface {
    /// From degrees, all knots with their repetitions, rows of control points (a row has one index along u), and rows of weights (or
    /// none).
    pub fn new(
        degrees: [usize; 2],
        knots: [Vec<f64>; 2],
        rows: &[Vec<DVec3>],
        weights: Option<&[Vec<f64>]>,
    ) -> Result<NurbsSurface, NurbsError> {
        let across = rows.first().map_or(0, Vec::len);
        let [u, v] = knots;
        let ragged = rows.iter().any(|row| row.len() != across)
            || weights.is_some_and(|weights| {
                weights.len() != rows.len() || weights.iter().any(|row| row.len() != across)
            });
        if ragged {
            return Err(NurbsError::Ragged);
        }
        let u = Knots::new(degrees[0], u, rows.len())?;
        let v = Knots::new(degrees[1], v, across)?;
        let points = rows.concat();
        let weights = super::checked(&points, weights.map(<[_]>::concat))?;
        Ok(NurbsSurface { u, v, points, weights })
    }

    /// Where the parameters run: that of u, that of v.
    pub fn domain(&self) -> [[f64; 2]; 2] {
        [self.u.domain(), self.v.domain()]
    }

    /// Degrees along u and v.
    pub fn degrees(&self) -> [usize; 2] {
        [self.u.degree(), self.v.degree()]
    }

    /// Control points, row by row.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Point and derivatives; outside of the domain the nearest piece goes on.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let [span_u, span_v] = [self.u.span(u), self.v.span(v)];
        let basis_u = self.u.basis(span_u, u);
        let basis_v = self.v.basis(span_v, v);
        let across = self.v.points();
        // [value, du, dv, duu, duv, dvv]
        let mut sums = [Homogeneous::ZERO; 6];
        for (i, bu) in basis_u.iter().enumerate() {
            let row = (span_u - self.u.degree() + i) * across + span_v - self.v.degree();
            for (j, bv) in basis_v.iter().enumerate() {
                let weight = self.weights.get(row + j).copied().unwrap_or(1.0);
                let factors = [
                    bu[0] * bv[0],
                    bu[1] * bv[0],
                    bu[0] * bv[1],
                    bu[2] * bv[0],
                    bu[1] * bv[1],
                    bu[0] * bv[2],
                ];
                for (sum, factor) in sums.iter_mut().zip(factors) {
                    sum.add(self.points[row + j], weight * factor);
                }
            }
        }
        let [a, au, av, auu, auv, avv] = sums;
        let w = a.weight;
        let point = a.point / w;
        let du = (au.point - point * au.weight) / w;
        let dv = (av.point - point * av.weight) / w;
        SurfaceJet {
            point,
            du,
            dv,
            duu: (auu.point - du * (2.0 * au.weight) - point * auu.weight) / w,
            duv: (auv.point - dv * au.weight - du * av.weight - point * auv.weight) / w,
            dvv: (avv.point - dv * (2.0 * av.weight) - point * avv.weight) / w,
        }
    }
}
