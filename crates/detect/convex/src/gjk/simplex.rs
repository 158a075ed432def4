//! The point of a simplex nearest to the origin, in doubles.

use crate::difference::Spot;
use kontakt_math::DVec3;

/// Up to four vertices of the difference with the weights of the point nearest to the origin; all weights positive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simplex {
    spots: [Spot; 4],
    weights: [f64; 4],
    count: usize,
}

impl Simplex {
    /// A single vertex.
    #[inline]
    pub fn point(spot: Spot) -> Simplex {
        let mut spots = [Spot::default(); 4];
        spots[0] = spot;
        Simplex { spots, weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    /// The vertices.
    #[inline]
    pub fn spots(&self) -> &[Spot] {
        &self.spots[..self.count]
    }

    /// Their weights, which sum to 1.
    #[inline]
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.count]
    }

    /// Whether it is made of this vertex among others.
    #[inline]
    pub fn has(&self, spot: &Spot) -> bool {
        self.spots().iter().any(|own| own.same(spot))
    }

    /// Σ weight · value.
    #[inline]
    pub fn mix(&self, value: impl Fn(&Spot) -> DVec3) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (spot, weight) in self.spots().iter().zip(self.weights()) {
            sum += *weight * value(spot);
        }
        sum
    }

    /// The point nearest to the origin.
    #[inline]
    pub fn nearest(&self) -> DVec3 {
        self.mix(|spot| spot.w)
    }

    /// With one more vertex, cut down to the least face that holds the nearest point; whole when it holds the origin.
    #[inline]
    pub fn widened(&self, spot: Spot) -> Simplex {
        match *self.spots() {
            [a] => on_segment(a, spot),
            [a, b] => on_triangle(a, b, spot),
            [a, b, c] => on_tetrahedron(a, b, c, spot),
            _ => Simplex::point(spot),
        }
    }
}

/// A face with weights up to a common positive factor.
#[inline]
fn face<const N: usize>(from: [Spot; N], weights: [f64; N]) -> Simplex {
    let total: f64 = weights.iter().sum();
    let mut simplex = Simplex { count: N, ..Simplex::default() };
    for i in 0..N {
        simplex.spots[i] = from[i];
        simplex.weights[i] = weights[i] / total;
    }
    simplex
}

/// Of the segment; `b` is the newer vertex, and wins when it is the nearest.
#[inline]
fn on_segment(a: Spot, b: Spot) -> Simplex {
    let edge = b.w - a.w;
    let (weight_a, weight_b) = (b.w.dot(edge), -a.w.dot(edge));
    if weight_a <= 0.0 {
        Simplex::point(b)
    } else if weight_b <= 0.0 {
        Simplex::point(a)
    } else {
        face([a, b], [weight_a, weight_b])
    }
}

/// Of the triangle; `c` is the newest vertex, which the nearest face holds.
///
/// The weights of the plane's nearest point are the areas it spans with the edges, seen along the normal. One that
/// is not positive means that the nearest point lies on an edge: of those that hold `c` the nearer one wins.
#[inline]
fn on_triangle(a: Spot, b: Spot, c: Spot) -> Simplex {
    let normal = (a.w - c.w).cross(b.w - c.w);
    let weights = [normal.dot(b.w.cross(c.w)), normal.dot(c.w.cross(a.w)), normal.dot(a.w.cross(b.w))];
    if weights.iter().all(|w| *w > 0.0) {
        return face([a, b, c], weights);
    }
    nearer(on_segment(a, c), on_segment(b, c))
}

/// Of the tetrahedron; `d` is the newest vertex.
///
/// The weights of the origin are the volumes it spans with the faces. All of one sign: it is inside. Otherwise
/// the nearest of the three triangles that hold `d`.
#[inline]
fn on_tetrahedron(a: Spot, b: Spot, c: Spot, d: Spot) -> Simplex {
    let volume = |p: &Spot, q: &Spot, r: &Spot| p.w.dot(q.w.cross(r.w));
    let weights = [volume(&b, &c, &d), -volume(&a, &c, &d), volume(&a, &b, &d), -volume(&a, &b, &c)];
    if weights.iter().all(|w| *w > 0.0) || weights.iter().all(|w| *w < 0.0) {
        return face([a, b, c, d], weights);
    }
    nearer(nearer(on_triangle(a, b, d), on_triangle(b, c, d)), on_triangle(c, a, d))
}

#[inline]
fn nearer(one: Simplex, other: Simplex) -> Simplex {
    if other.nearest().length_squared() < one.nearest().length_squared() { other } else { one }
}
