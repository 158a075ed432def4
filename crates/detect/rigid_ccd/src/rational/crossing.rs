//! A corner on a face and two edges that cross, as signs of polynomials.

use super::mover::Seen;
use super::vector::{Vector, Way, along, cross, cross_with, dot, minus, scaled, sum};
use super::{Event, is_inner};
use kontakt_math::{AlgebraicNumber, Dyadic, ExactPolynomial, Sign};

/// A corner of one triangle on the other, which is at rest in the frame it is seen from.
pub(super) struct Incidence {
    /// Height above the plane, times the weight.
    height: ExactPolynomial,
    /// How far inside of the three edges, each times something positive.
    inner: [ExactPolynomial; 3],
}

impl Incidence {
    /// None for a face without area.
    pub(super) fn new(seen: &Seen, face: &[Vector; 3], corner: &Vector) -> Option<Incidence> {
        let edge = |i: usize| minus(&face[(i + 1) % 3], &face[i]);
        let normal = cross(&edge(0), &edge(1));
        if normal.iter().all(Dyadic::is_zero) {
            return None;
        }
        let place = seen.point(corner);
        // n·(x − c), times the weight.
        let above = |n: &Vector, c: &Vector| &along(n, &place) - &scaled(&seen.weight, &dot(n, c));
        let inner = [0, 1, 2].map(|i: usize| above(&cross(&normal, &edge(i)), &face[i]));
        Some(Incidence { height: above(&normal, &face[0]), inner })
    }
}

impl Event for Incidence {
    fn times(&self) -> Vec<&ExactPolynomial> {
        if self.height.is_zero() { self.inner.iter().collect() } else { vec![&self.height] }
    }

    fn holds(&self, time: &AlgebraicNumber) -> bool {
        time.sign_of(&self.height) == Sign::Zero && self.inner.iter().all(|p| is_inner(time.sign_of(p)))
    }
}

/// Two edges that cross and are not parallel; the first is at rest in the frame they are seen from.
pub(super) struct Crossing {
    /// Zero when the edges' lines lie in a plane: e·m′ + m·e′ for directions e and moments m.
    product: ExactPolynomial,
    /// e × e′.
    across: Way,
    /// e × (end − start of the first) for both ends of the second edge.
    of_second: [Way; 2],
    /// e′ × (end − start of the second) for both ends of the first edge.
    of_first: [Way; 2],
}

impl Crossing {
    pub(super) fn new(seen: &Seen, [[a, a_end], [b, b_end]]: [[&Vector; 2]; 2]) -> Crossing {
        let (e, f) = (minus(a_end, a), minus(b_end, b));
        let (direction, moment) = (seen.direction(&f), seen.moment(b, &f));
        let product = &along(&e, &moment) + &along(&cross(a, &e), &direction);
        let of_second = [b, b_end].map(|x| {
            let (place, start) = (seen.point(x), cross(&e, a));
            let turned = cross_with(&e, &place);
            [0, 1, 2].map(|i: usize| &turned[i] - &scaled(&seen.weight, &start[i]))
        });
        // e′ × (x − y) = e′ × x + y × e′, and y × e′ is the moment.
        let of_first = [a, a_end].map(|x| {
            let swung = cross_with(x, &direction);
            sum(&moment, &swung.map(|p| scaled(&p, &super::vector::exact(-1.0))))
        });
        Crossing { product, across: cross_with(&e, &direction), of_second, of_first }
    }
}

impl Event for Crossing {
    fn times(&self) -> Vec<&ExactPolynomial> {
        vec![&self.product]
    }

    /// In the common plane, seen along a coordinate that is not in it: the ends of either edge are not on one side of the other's line.
    fn holds(&self, time: &AlgebraicNumber) -> bool {
        if time.sign_of(&self.product) != Sign::Zero {
            return false;
        }
        let Some(k) = (0..3).find(|&k| time.sign_of(&self.across[k]) != Sign::Zero) else { return false };
        [&self.of_second, &self.of_first].into_iter().all(|ends| {
            let [x, y] = [time.sign_of(&ends[0][k]), time.sign_of(&ends[1][k])];
            x != y || x == Sign::Zero
        })
    }
}
