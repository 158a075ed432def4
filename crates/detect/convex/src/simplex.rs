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

    /// Whether it is a triangle.
    #[inline]
    pub fn is_face(&self) -> bool {
        self.count == 3
    }

    /// Whether it is a tetrahedron, that is, holds the origin.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.count == 4
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
    #[inline(always)]
    pub fn widen(&mut self, spot: Spot) -> DVec3 {
        let [a, b, c, _] = self.spots;
        match self.count {
            0 => self.set([spot], [1.0]),
            1 => self.on_segment(a, spot),
            2 => self.on_triangle(a, b, spot),
            _ => self.on_tetrahedron(a, b, c, spot),
        }
    }

    /// Becomes this face, with weights up to a common factor; returns the nearest point.
    #[inline(always)]
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
    #[inline(always)]
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
    #[inline(always)]
    fn on_triangle(&mut self, a: Spot, b: Spot, c: Spot) -> DVec3 {
        let (to_a, to_b) = (a.w - c.w, b.w - c.w);
        let normal = to_a.cross(to_b);
        let (weight_a, weight_b) = (normal.dot(to_b.cross(c.w)), normal.dot(c.w.cross(to_a)));
        let [p, q] = match (weight_a > 0.0, weight_b > 0.0) {
            (true, true) => {
                let weight_c = normal.dot(a.w.cross(b.w));
                if weight_c > 0.0 {
                    return self.set([a, b, c], [weight_a, weight_b, weight_c]);
                }
                // Not positive only by rounding: the new vertex is part of the answer.
                [a, b]
            }
            (true, false) => [a, c],
            (false, false) if squared_distance(a.w, c.w) < squared_distance(b.w, c.w) => [a, c],
            (false, _) => [b, c],
        };
        self.on_segment(p, q)
    }

    /// Of the tetrahedron with the newest vertex `d`.
    ///
    /// Only faces and edges at `d` are left. The nearest point is inside a face if the origin lies beyond its plane, on the side
    /// where the fourth vertex is not, and straight above it. It is inside an edge if the origin lies off both faces there, on
    /// that edge's side, and straight beside it. Beyond no face the origin is inside.
    #[inline(always)]
    fn on_tetrahedron(&mut self, a: Spot, b: Spot, c: Spot, d: Spot) -> DVec3 {
        let sides = [Side::new(a.w, d.w), Side::new(b.w, d.w), Side::new(c.w, d.w)];
        // Not by `map`: that calls a function that is compiled for any processor.
        let roof = |i: usize, k: usize| Roof::new(&sides[i], &sides[k], d.w);
        let faces = [roof(0, 1), roof(1, 2), roof(2, 0)];
        let volume = faces[0].normal.dot(sides[2].edge);
        let is_flat = volume.abs() <= 1e-9 * faces.iter().map(|face| face.height.abs()).sum::<f64>();
        let is_beyond = faces.each_ref().map(|face| face.height * volume > 0.0);
        let is_above =
            |face: usize| is_beyond[face] && faces[face].weights[0] > 0.0 && faces[face].weights[1] > 0.0;
        let is_beside = |side: usize| {
            faces[side].weights[1] <= 0.0
                && faces[(side + 2) % 3].weights[0] <= 0.0
                && sides[side].along > 0.0
        };
        let (ends, next) = ([a, b, c], [b, c, a]);
        if is_flat {
            self.on_triangles([[a, b], [b, c], [c, a]], d)
        } else if let Some(face) = (0..3).find(|&face| is_above(face)) {
            self.on_triangle(ends[face], next[face], d)
        } else if is_beyond == [false; 3] {
            self.set([a, b, c, d], volumes([a.w, b.w, c.w, d.w]))
        } else if let Some(side) = (0..3).find(|&side| is_beside(side)) {
            self.on_segment(ends[side], d)
        } else {
            self.on_triangles([[a, b], [b, c], [c, a]], d)
        }
    }

    /// Of triangles with the newest vertex `c`: the nearest one's.
    #[cold]
    #[inline(never)]
    fn on_triangles(&mut self, sides: [[Spot; 2]; 3], c: Spot) -> DVec3 {
        let mut best: Option<DVec3> = None;
        for [a, b] in sides {
            let mut other = *self;
            let nearest = other.on_triangle(a, b, c);
            if best.is_none_or(|best| nearest.length_squared() < best.length_squared()) {
                (*self, best) = (other, Some(nearest));
            }
        }
        best.unwrap_or(c.w)
    }
}

/// Squared distance of the origin from a segment.
#[inline(always)]
fn squared_distance(a: DVec3, b: DVec3) -> f64 {
    let edge = b - a;
    let t = (-a.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
    (a + t * edge).length_squared()
}

/// An edge of a tetrahedron from its newest vertex d.
struct Side {
    edge: DVec3,
    /// How far the origin lies along it, seen from d; up to a factor.
    along: f64,
    /// Across the edge and the way to the origin.
    across: DVec3,
}

impl Side {
    #[inline(always)]
    fn new(end: DVec3, d: DVec3) -> Side {
        let edge = end - d;
        Side { edge, along: -d.dot(edge), across: d.cross(edge) }
    }
}

/// A face of a tetrahedron between two edges from its newest vertex d.
struct Roof {
    normal: DVec3,
    /// Of d over the plane through the origin, along the normal.
    height: f64,
    /// Of the ends of both edges for the point of the plane nearest to the origin, up to a factor.
    weights: [f64; 2],
}

impl Roof {
    #[inline(always)]
    fn new(first: &Side, second: &Side, d: DVec3) -> Roof {
        let normal = first.edge.cross(second.edge);
        let weights = [-normal.dot(second.across), normal.dot(first.across)];
        Roof { normal, height: normal.dot(d), weights }
    }
}

/// The weights of the origin within a tetrahedron, up to a factor: the volumes it spans with the faces.
#[cold]
fn volumes([a, b, c, d]: [DVec3; 4]) -> [f64; 4] {
    let cd = c.cross(d);
    [b.dot(cd), -a.dot(cd), a.dot(b.cross(d)), -a.dot(b.cross(c))]
}
