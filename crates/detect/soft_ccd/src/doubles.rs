//! A query in plain doubles with proven error bounds: the Bernstein coefficients of its polynomials over [0, 1].
//!
//! Symbols: u = 2⁻⁵³; eᵢ = xᵢ − x₀ exactly, êᵢ its rounded value, |ê − e| ≤ u|e| per coordinate (differences of doubles never
//! lose more, not even near underflow); Mᵢ the largest |ê| of edge i over coordinates and both ends of time. All Mᵢ lie in
//! [2⁻²⁰⁰, 2²⁰⁰], else the query is left to the exact stage: then nothing overflows, and errors of underflowing products
//! (2⁻¹⁰⁷⁵ each, times at most 2²⁰⁰) are nothing beside u·M·M ≥ 2⁻⁴⁵³ and u·M·M·M ≥ 2⁻⁶⁵³.
//!
//! Each bound counts the roundings on the longest way of a product into the sum, times the number of products, with room for
//! the second order of u and for the rounding of the bound itself (all below 1 %).

use crate::{Kind, Query};
use kontakt_math::U;

/// Coefficients of a weight: 4 roundings (2 differences, product, sum) × 2 products at the ends; 5 × 4 / 2 in the middle,
/// where the two cross products are added and halved exactly. At most 10u·MM; 12 taken.
const WEIGHT_ERROR: f64 = 12.0 * U;
/// Coefficients of the volume. At the ends 3 differences, 2 products, 1 + 2 sums = 8 roundings × 6 products = 48u·MMM. Between
/// them 3 differences, 2 products, 1 + 1 + 2 + 1 sums, 2 for the third = 12 roundings × 18 products / 3 = 72u·MMM; 80 taken.
const VOLUME_ERROR: f64 = 80.0 * U;
/// Values of the volume by the Bernstein form at t: a combination with weights of sum 1, each term with at most 10 roundings,
/// of coefficients of size ≤ 6·MMM: 60u·MMM beside the coefficients' own errors. 80 + 60, and 160 taken.
const VOLUME_VALUE_ERROR: f64 = 160.0 * U;
/// Values of a weight by its blossom at (x, y): at most 7 roundings of coefficients of size ≤ 2·MM: 14u·MM, and 12u of theirs;
/// 32 taken.
const WEIGHT_VALUE_ERROR: f64 = 32.0 * U;
/// d·ê: 4 roundings (difference, product, two sums) × 3 products of size ≤ |d|∞·M: 12u; 14 taken.
const REACH_ERROR: f64 = 14.0 * U;

pub(crate) const LEAST: f64 = f64::from_bits((1023 - 200) << 52);
pub(crate) const MOST: f64 = f64::from_bits((1023 + 200) << 52);

/// The filter's error constants, relative to products of sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    /// Of coefficients of the volume.
    pub(crate) volume: f64,
    /// Of reaches along a direction.
    pub(crate) reach: f64,
    /// Of coefficients of a weight.
    pub(crate) weight: f64,
}

impl Margins {
    /// The ones proven above. Others are for tests that show that these are needed.
    pub(crate) const PROVEN: Margins =
        Margins { volume: VOLUME_ERROR, reach: REACH_ERROR, weight: WEIGHT_VALUE_ERROR };
}

// What the counts above demand at least: a smaller constant does not compile.
const _: () = assert!(VOLUME_ERROR >= 72.0 * U && VOLUME_VALUE_ERROR >= VOLUME_ERROR + 60.0 * U);
const _: () = assert!(WEIGHT_ERROR >= 10.0 * U && WEIGHT_VALUE_ERROR >= WEIGHT_ERROR + 18.0 * U);
const _: () = assert!(REACH_ERROR >= 12.0 * U);

/// Rounded edges of a query at both ends of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubles {
    pub(crate) kind: Kind,
    /// ê₁, ê₂, ê₃ at t = 0 and at t = 1.
    pub(crate) edges: [[[f64; 3]; 3]; 2],
    /// M₁, M₂, M₃
    pub(crate) sizes: [f64; 3],
}

/// A cubic over [0, 1] in Bernstein form: every coefficient is within `error` of the exact one, every value within
/// `value_error`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume {
    pub(crate) coefficients: [f64; 4],
    pub(crate) error: f64,
    pub(crate) value_error: f64,
}

/// The quadratics λ₁, λ₂, λ₃ of one coordinate in Bernstein form, and what blossoms of each may be off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// By coordinate, point 1 to 3, coefficient.
    pub(crate) coefficients: [[[f64; 3]; 3]; 3],
    /// By point.
    pub(crate) value_errors: [f64; 3],
}

impl Doubles {
    #[inline]
    pub(crate) fn new(query: &Query) -> Doubles {
        let edges = [query.start(), query.end()].map(|x| {
            let origin = x[0];
            [x[1] - origin, x[2] - origin, x[3] - origin].map(|e| e.to_array())
        });
        let size = |i: usize| {
            let [a, b] = [edges[0][i], edges[1][i]];
            let largest = |e: [f64; 3]| e[0].abs().max(e[1].abs()).max(e[2].abs());
            largest(a).max(largest(b))
        };
        Doubles { kind: query.kind(), edges, sizes: [size(0), size(1), size(2)] }
    }

    /// True where the error bounds hold.
    #[inline]
    pub(crate) fn in_range(&self) -> bool {
        self.sizes.iter().all(|m| (LEAST..=MOST).contains(m))
    }

    /// True when a coordinate axis separates the bodies at every time. Exact for all finite doubles that do not overflow in a
    /// difference: rounding is monotone, so strict order of rounded differences is order of the exact ones; and a coordinate is
    /// linear in time, so order at both ends is order throughout.
    #[inline]
    pub(crate) fn apart_on_an_axis(&self) -> bool {
        (0..3).any(|k| {
            let [low, high] = [f64::min as fn(f64, f64) -> f64, f64::max].map(|pick| {
                [0, 1].map(|end| {
                    let [a, b, c] = self.edges[end].map(|e| e[k]);
                    match self.kind {
                        Kind::VertexFace => [pick(pick(a, b), c), 0.0],
                        Kind::EdgeEdge => [pick(b, c), pick(0.0, a)],
                    }
                })
            });
            // Body B above body A at both ends of time, or below.
            (low[0][0] > high[0][1] && low[1][0] > high[1][1])
                || (high[0][0] < low[0][1] && high[1][0] < low[1][1])
        })
    }

    /// The volume f = det(e₁, e₂, e₃).
    #[inline]
    pub(crate) fn volume(&self, weights: &Weights) -> Volume {
        let [[start, ..], [end, ..]] = &self.edges;
        let dot = |e: &[f64; 3], coefficient: usize| {
            let w = |k: usize| weights.coefficients[k][0][coefficient];
            e[0] * w(0) + e[1] * w(1) + e[2] * w(2)
        };
        // Product of the linear e₁ and the quadratic λ₁ in Bernstein form.
        let third = 1.0 / 3.0;
        let coefficients = [
            dot(start, 0),
            (dot(end, 0) + 2.0 * dot(start, 1)) * third,
            (2.0 * dot(end, 1) + dot(start, 2)) * third,
            dot(end, 2),
        ];
        let size = self.sizes[0] * self.sizes[1] * self.sizes[2];
        Volume { coefficients, error: VOLUME_ERROR * size, value_error: VOLUME_VALUE_ERROR * size }
    }

    /// λ₁, λ₂, λ₃.
    #[inline]
    pub(crate) fn weights(&self) -> Weights {
        let mut coefficients = [[[0.0; 3]; 3]; 3];
        for i in 0..3 {
            let (a, b) = ((i + 1) % 3, (i + 2) % 3);
            for (k, weights) in coefficients.iter_mut().enumerate() {
                let (x, y) = ((k + 1) % 3, (k + 2) % 3);
                let cross = |s: usize, e: usize| {
                    self.edges[s][a][x] * self.edges[e][b][y] - self.edges[s][a][y] * self.edges[e][b][x]
                };
                weights[i] = [cross(0, 0), 0.5 * (cross(0, 1) + cross(1, 0)), cross(1, 1)];
            }
        }
        let [m1, m2, m3] = self.sizes;
        let products = [m2 * m3, m3 * m1, m1 * m2];
        Weights { coefficients, value_errors: products.map(|m| WEIGHT_VALUE_ERROR * m) }
    }
}

impl Volume {
    /// True when the volume is proven to have no root in [0, 1]: the points are never coplanar.
    #[inline]
    pub(crate) fn never_zero(&self) -> bool {
        let b = &self.coefficients;
        let least = b[0].min(b[1]).min(b[2].min(b[3]));
        let most = b[0].max(b[1]).max(b[2].max(b[3]));
        least > self.error || most < -self.error
    }

    /// The value at t, within `value_error`.
    #[inline]
    pub(crate) fn value(&self, t: f64) -> f64 {
        let [a, b, c, d] = self.coefficients;
        let s = 1.0 - t;
        ((a * s + 3.0 * b * t) * s + 3.0 * c * t * t) * s + d * t * t * t
    }

    /// The derivative at t, rounded.
    #[inline]
    pub(crate) fn slope(&self, t: f64) -> f64 {
        let [a, b, c, d] = self.coefficients;
        let s = 1.0 - t;
        3.0 * (((b - a) * s + 2.0 * (c - b) * t) * s + (d - c) * t * t)
    }
}
