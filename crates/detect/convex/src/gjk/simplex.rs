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
    ///
    /// The new vertex must lie nearer to the origin than the plane across the old nearest point. Then the new nearest face
    /// holds it, and fewer cases are left.
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

/// A face with weights up to a common factor.
#[inline]
fn face<const N: usize>(from: [Spot; N], weights: [f64; N]) -> Simplex {
    let scale = 1.0 / weights.iter().sum::<f64>();
    let mut simplex = Simplex { count: N, ..Simplex::default() };
    for i in 0..N {
        simplex.spots[i] = from[i];
        simplex.weights[i] = weights[i] * scale;
    }
    simplex
}

/// Of the segment with the newest vertex `b`.
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

/// Of the triangle with the newest vertex `c`.
///
/// The weights of the plane's nearest point are the areas it spans with the edges, seen along the normal. A negative one means
/// that the origin lies beyond that edge. Beyond both edges that hold `c`, the nearer one wins.
#[inline]
fn on_triangle(a: Spot, b: Spot, c: Spot) -> Simplex {
    let (to_a, to_b) = (a.w - c.w, b.w - c.w);
    let normal = to_a.cross(to_b);
    let (weight_a, weight_b) = (normal.dot(to_b.cross(c.w)), normal.dot(c.w.cross(to_a)));
    match (weight_a > 0.0, weight_b > 0.0) {
        (true, true) => {
            let weight_c = normal.dot(a.w.cross(b.w));
            // Not positive only by rounding: the new vertex is part of the answer.
            if weight_c > 0.0 { face([a, b, c], [weight_a, weight_b, weight_c]) } else { on_segment(a, b) }
        }
        (true, false) => on_segment(a, c),
        (false, true) => on_segment(b, c),
        (false, false) => nearer(on_segment(a, c), on_segment(b, c)),
    }
}

/// Of the tetrahedron with the newest vertex `d`.
///
/// The weights of the origin are the volumes it spans with the faces. One whose sign is not that of the whole means that the
/// origin lies beyond that face; the nearest point is on such a face, and there is hardly ever more than one. When there is none, the
/// origin is inside.
#[inline]
fn on_tetrahedron(a: Spot, b: Spot, c: Spot, d: Spot) -> Simplex {
    let (bc, cd) = (b.w.cross(c.w), c.w.cross(d.w));
    let weights = [b.w.dot(cd), -a.w.dot(cd), a.w.dot(b.w.cross(d.w)), -a.w.dot(bc)];
    let whole: f64 = weights.iter().sum();
    let mut best: Option<Simplex> = None;
    for (weight, [p, q]) in weights.into_iter().zip([[b, c], [a, c], [a, b]]) {
        if !(weight * whole > 0.0) {
            let candidate = on_triangle(p, q, d);
            best = Some(best.map_or(candidate, |known| nearer(known, candidate)));
        }
    }
    best.unwrap_or_else(|| face([a, b, c, d], weights))
}

#[inline]
fn nearer(one: Simplex, other: Simplex) -> Simplex {
    if other.nearest().length_squared() < one.nearest().length_squared() { other } else { one }
}
