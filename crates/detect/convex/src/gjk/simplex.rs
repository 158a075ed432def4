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

    /// These vertices with these weights, of which the first four count.
    pub fn weighted(parts: impl Iterator<Item = (Spot, f64)>) -> Simplex {
        let mut simplex = Simplex::default();
        for (spot, weight) in parts.take(4) {
            (simplex.spots[simplex.count], simplex.weights[simplex.count]) = (spot, weight);
            simplex.count += 1;
        }
        simplex
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

    /// Takes in one more vertex and cuts down to the least face that holds the nearest point, which it returns; stays whole
    /// when it holds the origin.
    ///
    /// The new vertex must lie nearer to the origin than the plane across the old nearest point. Then the new nearest face
    /// holds it, and fewer cases are left.
    #[inline]
    pub fn widen(&mut self, spot: Spot) -> DVec3 {
        match *self.spots() {
            [a] => self.on_segment(a, spot),
            [a, b] => self.on_triangle(a, b, spot),
            [a, b, c] => self.on_tetrahedron(a, b, c, spot),
            _ => self.set([spot], [1.0]),
        }
    }

    /// Becomes this face, with weights up to a common factor; returns the nearest point.
    #[inline]
    fn set<const N: usize>(&mut self, spots: [Spot; N], weights: [f64; N]) -> DVec3 {
        let scale = 1.0 / weights.iter().sum::<f64>();
        let mut nearest = DVec3::ZERO;
        for i in 0..N {
            self.spots[i] = spots[i];
            self.weights[i] = weights[i] * scale;
            nearest += self.weights[i] * spots[i].w;
        }
        self.count = N;
        nearest
    }

    /// Of the segment with the newest vertex `b`.
    #[inline]
    fn on_segment(&mut self, a: Spot, b: Spot) -> DVec3 {
        let edge = b.w - a.w;
        let (weight_a, weight_b) = (b.w.dot(edge), -a.w.dot(edge));
        if weight_a <= 0.0 {
            self.set([b], [1.0])
        } else if weight_b <= 0.0 {
            self.set([a], [1.0])
        } else {
            self.set([a, b], [weight_a, weight_b])
        }
    }

    /// Of the triangle with the newest vertex `c`.
    ///
    /// The weights of the plane's nearest point are the areas it spans with the edges, seen along the normal. A negative one
    /// means that the origin lies beyond that edge. Beyond both edges that hold `c`, the nearer one wins.
    #[inline]
    fn on_triangle(&mut self, a: Spot, b: Spot, c: Spot) -> DVec3 {
        let (to_a, to_b) = (a.w - c.w, b.w - c.w);
        let normal = to_a.cross(to_b);
        let (weight_a, weight_b) = (normal.dot(to_b.cross(c.w)), normal.dot(c.w.cross(to_a)));
        match (weight_a > 0.0, weight_b > 0.0) {
            (true, true) => {
                let weight_c = normal.dot(a.w.cross(b.w));
                // Not positive only by rounding: the new vertex is part of the answer.
                if weight_c > 0.0 {
                    self.set([a, b, c], [weight_a, weight_b, weight_c])
                } else {
                    self.on_segment(a, b)
                }
            }
            (true, false) => self.on_segment(a, c),
            (false, true) => self.on_segment(b, c),
            (false, false) => {
                let mut other = *self;
                let (nearest, other_nearest) = (self.on_segment(a, c), other.on_segment(b, c));
                if other_nearest.length_squared() < nearest.length_squared() {
                    *self = other;
                    other_nearest
                } else {
                    nearest
                }
            }
        }
    }

    /// Of the tetrahedron with the newest vertex `d`.
    ///
    /// The weights of the origin are the volumes it spans with the faces. One whose sign is not that of the whole means that
    /// the origin lies beyond that face; the nearest point is on such a face, and there is hardly ever more than one. When there
    /// is none, the origin is inside. A tetrahedron so flat that the sign of the whole is a matter of rounding (four corners of
    /// one facet, as boxes have them) is nowhere inside, and all faces are tried.
    fn on_tetrahedron(&mut self, a: Spot, b: Spot, c: Spot, d: Spot) -> DVec3 {
        let cd = c.w.cross(d.w);
        let weights = [b.w.dot(cd), -a.w.dot(cd), a.w.dot(b.w.cross(d.w)), -a.w.dot(b.w.cross(c.w))];
        let whole: f64 = weights.iter().sum();
        let is_flat = whole.abs() <= 1e-9 * weights.iter().map(|weight| weight.abs()).sum::<f64>();
        let mut best: Option<DVec3> = None;
        for (weight, [p, q]) in weights.into_iter().zip([[b, c], [a, c], [a, b]]) {
            if weight * whole > 0.0 && !is_flat {
                continue;
            }
            best = Some(match best {
                None => self.on_triangle(p, q, d),
                Some(known) => self.or_triangle(known, [p, q, d]),
            });
        }
        best.unwrap_or_else(|| self.set([a, b, c, d], weights))
    }

    /// Becomes the face of this triangle if its nearest point is nearer than the one known.
    #[cold]
    fn or_triangle(&mut self, known: DVec3, [a, b, c]: [Spot; 3]) -> DVec3 {
        let mut other = *self;
        let nearest = other.on_triangle(a, b, c);
        if nearest.length_squared() < known.length_squared() {
            *self = other;
            nearest
        } else {
            known
        }
    }
}
