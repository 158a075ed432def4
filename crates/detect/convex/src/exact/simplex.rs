//! The point of a simplex nearest to the origin, in exact numbers.

use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair};
use crate::simplex::Simplex;
use kontakt_math::exact_vector::{Vector, add, cross, dot, is_zero, neg, scale, sub};
use kontakt_math::{Dyadic, Sign};

/// A vertex of the difference, in exact numbers.
#[derive(Clone, Debug)]
pub(crate) struct ExactSpot {
    /// Its place, times the scene's weight.
    pub(crate) place: Vector,
    /// Vertex of A and vertex of B.
    pub(crate) pair: [u32; 2],
}

/// The point of a simplex nearest to the origin: Σ wᵢ·placeᵢ / Σ wᵢ over affinely independent vertices.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    /// The vertices of the least face that holds it.
    pub(crate) spots: Vec<ExactSpot>,
    /// Their weights, all positive.
    pub(crate) weights: Vec<Dyadic>,
    /// The sum of the weights.
    pub(crate) total: Dyadic,
    /// From the origin towards the point, of some length; zero when the point is the origin.
    pub(crate) direction: Vector,
}

impl Nearest {
    /// That of a single point.
    pub(crate) fn point(spot: ExactSpot) -> Nearest {
        let direction = spot.place.clone();
        let one = kontakt_math::exact_vector::exact(1.0);
        Nearest { spots: vec![spot], weights: vec![one.clone()], total: one, direction }
    }

    /// Σ wᵢ·placeᵢ: the point times `total`.
    pub(crate) fn weighted_place(&self) -> Vector {
        let mut sum = [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO];
        for (spot, weight) in self.spots.iter().zip(&self.weights) {
            sum = add(&sum, &scale(weight, &spot.place));
        }
        sum
    }

    /// The same in doubles.
    pub(crate) fn rounded<A: Corners, B: Corners>(&self, pair: &Pair<'_, A, B>) -> Simplex {
        let spot = |[a, b]: [u32; 2]| pair.spot(a, b);
        let parts = self.spots.iter().zip(&self.weights);
        Simplex::weighted(parts.map(|(own, weight)| (spot(own.pair), weight.quotient(&self.total))))
    }

    /// How far `place` lies behind the plane through the nearest point across `direction`: negative when it is nearer to the
    /// origin than the plane.
    pub(crate) fn beyond(&self, place: &Vector) -> Sign {
        dot(&self.direction, &sub(place, &self.spots[0].place)).sign()
    }

    /// The nearest point of the simplex widened by `spot`, which must lie before the plane across `direction`.
    ///
    /// Such a vertex is affinely independent of the others (all of them lie in the plane), and belongs to the new least
    /// face (else the old nearest point would still be the nearest). Of the at most eight faces that hold it exactly one is
    /// the answer: the one whose own nearest point has positive weights, with all other vertices beyond its plane.
    pub(crate) fn widened(mut self, spot: ExactSpot) -> Nearest {
        self.spots.push(spot);
        let count = self.spots.len();
        let newest = 1_usize << (count - 1);
        for others in (0..newest).rev() {
            let face = others | newest;
            if let Some(nearest) = self.on_face(face) {
                return nearest;
            }
        }
        // Not reached, as the proof above says; the newest vertex alone is a point of the simplex all the same.
        Nearest::point(self.spots.swap_remove(count - 1))
    }

    /// The nearest point of all when it lies inside the face of these vertices (a bit set).
    fn on_face(&self, face: usize) -> Option<Nearest> {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..self.spots.len()).partition(|i| face >> i & 1 == 1);
        let spots: Vec<ExactSpot> = inside.iter().map(|&i| self.spots[i].clone()).collect();
        let places: Vec<&Vector> = spots.iter().map(|spot| &spot.place).collect();
        let (weights, direction) = weights_and_direction(&places);
        let total = weights.iter().fold(Dyadic::ZERO, |sum, w| &sum + w);
        // The signs of all weights turn with the orientation of a tetrahedron.
        let (weights, total) = if total.sign() == Sign::Negative {
            (weights.into_iter().map(|w| -w).collect(), -total)
        } else {
            (weights, total)
        };
        if weights.iter().any(|w| w.sign() != Sign::Positive) {
            return None;
        }
        let nearest = Nearest { spots, weights, total, direction };
        let all_beyond = outside.iter().all(|&i| nearest.beyond(&self.spots[i].place) != Sign::Negative);
        all_beyond.then_some(nearest)
    }
}

/// Weights of the point of the affine hull nearest to the origin, up to a common factor, and a vector from the origin
/// towards that point.
fn weights_and_direction(places: &[&Vector]) -> (Vec<Dyadic>, Vector) {
    match places {
        [p, q] => {
            let edge = sub(q, p);
            let weights = vec![dot(q, &edge), -dot(p, &edge)];
            let direction = add(&scale(&weights[0], p), &scale(&weights[1], q));
            (weights, direction)
        }
        [p, q, r] => {
            // The nearest point of the plane is n(n·p)/n²; its weights are the areas it spans with the edges, seen along n.
            let n = cross(&sub(q, p), &sub(r, p));
            let weight = |a: &Vector, b: &Vector| dot(&n, &cross(a, b));
            let direction = match dot(&n, p).sign() {
                Sign::Positive => n.clone(),
                Sign::Negative => neg(&n),
                Sign::Zero => [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO],
            };
            (vec![weight(q, r), weight(r, p), weight(p, q)], direction)
        }
        [p, q, r, s] => {
            // The origin itself; its weights are the volumes it spans with the faces.
            let volume = |a: &Vector, b: &Vector, c: &Vector| dot(a, &cross(b, c));
            let weights = vec![volume(q, r, s), -volume(p, r, s), volume(p, q, s), -volume(p, q, r)];
            (weights, [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO])
        }
        [p, ..] => (vec![kontakt_math::exact_vector::exact(1.0)], (*p).clone()),
        [] => (Vec::new(), [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO]),
    }
}

/// Whether the origin is the nearest point.
pub(crate) fn holds_origin(nearest: &Nearest) -> bool {
    is_zero(&nearest.direction)
}
