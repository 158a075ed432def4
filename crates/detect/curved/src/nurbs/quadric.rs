//! How far a B-spline may be from a quadric.

use super::net::Net;
use super::patch::Patch;
use super::{NurbsCurve, NurbsSurface};
use kontakt_math::DVec3;

/// Four linear forms of homogeneous coordinates, each with its sign: a quadric is the sum of their signed squares.
type Squares = [(f64, f64); 4];

impl NurbsSurface {
    /// **Never less** than |Q(x)| at any point of the surface, where Q(x) = Σ sᵢ fᵢ(x)² and `forms` gives the fᵢ and sᵢ from
    /// homogeneous coordinates (w x, w), in which the fᵢ are linear.
    pub(crate) fn quadric_bound(&self, forms: &dyn Fn([f64; 4]) -> Squares) -> f64 {
        bound(self.pieces(), forms)
    }
}

impl NurbsCurve {
    /// The same at any point of the curve.
    pub(crate) fn quadric_bound(&self, forms: &dyn Fn([f64; 4]) -> Squares) -> f64 {
        bound(self.pieces(), forms)
    }
}

/// A form of a Bézier net is a net of degree p; the product of two, in Bernstein form, is one of degree 2p, whose values are means of
/// its coefficients. Q(x) is that over w², and w is no less than the least weight.
fn bound(pieces: &[Patch], forms: &dyn Fn([f64; 4]) -> Squares) -> f64 {
    pieces.iter().map(|piece| piece_bound(piece.net(), piece.centre(), forms)).fold(0.0, f64::max)
}

fn piece_bound(net: &Net, centre: DVec3, forms: &dyn Fn([f64; 4]) -> Squares) -> f64 {
    let (degrees, values, error) = net.parts();
    let across = degrees[1] + 1;
    let squares: Vec<Squares> = values
        .iter()
        .map(|[x, y, z, w]| {
            let place = DVec3::new(*x, *y, *z) + centre * *w;
            forms([place.x, place.y, place.z, *w])
        })
        .collect();
    let weight = values.iter().map(|value| value[3]).fold(f64::INFINITY, f64::min) - error[3];
    // Every form is off by a few roundings of the largest number in it, the net's own error among them.
    let size = squares.iter().flatten().map(|(value, _)| value.abs()).fold(0.0, f64::max);
    let far = values.iter().map(|value| value[3]).fold(0.0, f64::max) * centre.length();
    let off = error[0]
        + error[1]
        + error[2]
        + error[3] * (1.0 + centre.length())
        + 32.0 * f64::EPSILON * (size + far);
    let most = products(degrees, across, &squares).into_iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    (most + 8.0 * off * (size + off)) / (weight * weight) * (1.0 + 1e-9)
}

/// Bernstein coefficients of the signed sum of squares: of bᵢ Bᵢⁿ · bⱼ Bⱼⁿ the part C(n, i) C(n, j) / C(2n, i + j) goes to i + j.
fn products([p, q]: [usize; 2], across: usize, squares: &[Squares]) -> Vec<f64> {
    let (rows, columns) = (shares(p), shares(q));
    let width = 2 * q + 1;
    let mut sums = vec![0.0; (2 * p + 1) * width];
    for i in 0..=p {
        for k in 0..=p {
            for j in 0..=q {
                for l in 0..=q {
                    let (one, other) = (&squares[i * across + j], &squares[k * across + l]);
                    let product: f64 = one.iter().zip(other).map(|((a, sign), (b, _))| sign * a * b).sum();
                    sums[(i + k) * width + j + l] +=
                        product * rows[i * (p + 1) + k] * columns[j * (q + 1) + l];
                }
            }
        }
    }
    sums
}

/// C(n, i) C(n, j) / C(2n, i + j) for all i and j.
fn shares(n: usize) -> Vec<f64> {
    let binomials = |n: usize| {
        let mut row = vec![1.0];
        for k in 0..n {
            row.push(row[k] * (n - k) as f64 / (k + 1) as f64);
        }
        row
    };
    let (half, whole) = (binomials(n), binomials(2 * n));
    (0..=n)
        .flat_map(|i| (0..=n).map(move |j| (i, j)))
        .map(|(i, j)| half[i] * half[j] / whole[i + j])
        .collect()
}
