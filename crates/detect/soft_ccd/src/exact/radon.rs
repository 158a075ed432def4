//! Four moving points as exact polynomials of time: when they lie in one plane, and how.
//!
//! With eᵢ = xᵢ − x₀ the points are coplanar when f = det(e₁, e₂, e₃) = 0, a cubic in t. Coplanar points have an affine
//! dependence Σλᵢxᵢ = 0, Σλᵢ = 0; the vectors λ₁ = e₂×e₃, λ₂ = e₃×e₁, λ₃ = e₁×e₂, λ₀ = −(λ₁+λ₂+λ₃) are then all parallel,
//! and each of their three coordinates is such a dependence (the same one up to a factor), quadratic in t.
//!
//! Claim: where f = 0 and a coordinate of the λ is not all zero, x₀ lies in the triangle x₁x₂x₃ iff λ₁, λ₂, λ₃ have no two
//! opposite signs; and the segments x₀x₁, x₂x₃ meet iff neither λ₀, λ₁ nor λ₂, λ₃ have opposite signs.
//! Proof: the points are not collinear (else all λ vanish), so the dependences form a line, spanned by this one. A common
//! point of the segments, or x₀ as a point of the triangle, is a dependence with such signs, thus this one up to its sign.
//! Conversely signs as stated, divided by the sum of one side (not zero: if it were, all on that side were zero by their equal
//! signs, then all on the other side, whose sum is the opposite), write one point as two convex combinations. ∎
//! Degenerate triangles and edges are no exception: nothing was assumed about them.

use super::instant::Instant;
use super::polynomial::{Cubic, Quadratic};
use super::whole::Whole;
use crate::Kind;
use crate::doubles::Weights;
use kontakt_math::Sign;
use std::cell::OnceCell;

type Linear<W> = [W; 2];
type MovingVector<W> = [Linear<W>; 3];

/// A point p and a segment, with the vectors from p to its ends.
struct Span<W> {
    point: usize,
    ends: [usize; 2],
    arms: [MovingVector<W>; 2],
}

impl<W> Span<W> {
    /// p and the chosen ends.
    fn carriers(&self, chosen: [bool; 2]) -> Carriers {
        let ends = self.ends.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        Carriers(ends.fold(1 << self.point, |set, (end, _)| set | 1 << end))
    }
}

/// The polynomials of one query.
pub(super) struct Radon<W> {
    kind: Kind,
    /// e₁, e₂, e₃ as linear functions of time.
    edges: [MovingVector<W>; 3],
    /// λ₁, λ₂, λ₃: by coordinate, then by point. λ₁ is there from the start, the others once they are asked for.
    first_weights: [Quadratic<W>; 3],
    other_weights: [OnceCell<[Quadratic<W>; 2]>; 3],
    /// All of them in doubles; only to choose by.
    rounded: Weights,
    /// f
    pub(super) volume: Cubic<W>,
}

/// Which points carry the contact: a set of indices 0..4 as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carriers(pub(crate) u8);

impl<W: Whole> Radon<W> {
    /// From the points at t = 0 and at t = 1, and their weights in doubles.
    pub(super) fn new(kind: Kind, start: &[[W; 3]; 4], end: &[[W; 3]; 4], rounded: Weights) -> Radon<W> {
        let edges: [MovingVector<W>; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                let at_start = start[i + 1][k].minus(&start[0][k]);
                let at_end = end[i + 1][k].minus(&end[0][k]);
                let slope = at_end.minus(&at_start);
                [at_start, slope]
            })
        });
        let first_weights: [Quadratic<W>; 3] = std::array::from_fn(|k| weight(&edges, 0, k));
        let mut volume: Cubic<W> = std::array::from_fn(|_| W::zero());
        for (k, weight) in first_weights.iter().enumerate() {
            let [at_start, slope] = &edges[0][k];
            for (power, w) in weight.iter().enumerate() {
                volume[power] = volume[power].plus(&w.times(at_start));
                volume[power + 1] = volume[power + 1].plus(&w.times(slope));
            }
        }
        Radon { kind, edges, first_weights, other_weights: Default::default(), rounded, volume }
    }

    /// λ₁, λ₂, λ₃ along a coordinate axis.
    fn weights(&self, k: usize) -> [&Quadratic<W>; 3] {
        let others = || [weight(&self.edges, 1, k), weight(&self.edges, 2, k)];
        let [second, third] = self.other_weights[k].get_or_init(others);
        [&self.first_weights[k], second, third]
    }

    /// Whether the bodies meet at an instant at which the four points are coplanar, and which points carry the contact.
    pub(super) fn contact_at(&self, time: &Instant<W>) -> Option<Carriers> {
        for k in self.clearest_axes(time) {
            let weights = self.weights(k);
            let mut signs = [Sign::Zero; 4];
            for (sign, weight) in signs[1..].iter_mut().zip(weights) {
                *sign = time.sign_of(weight);
            }
            if signs == [Sign::Zero; 4] {
                continue;
            }
            if self.kind == Kind::EdgeEdge {
                if opposite(signs[2], signs[3]) {
                    return None;
                }
                signs[0] = time.sign_of(&sum(weights)).opposite();
            }
            return carriers(self.kind, signs);
        }
        self.collinear_contact_at(time)
    }

    /// The coordinate axes, those first along which the weights are large at an instant: any will do (see above), but where
    /// all weights are nearly zero their signs are hard to tell.
    fn clearest_axes(&self, time: &Instant<W>) -> [usize; 3] {
        let (lo, hi) = time.bracket();
        let t = 0.5 * (lo + hi);
        let value = |[a, b, c]: [f64; 3]| (a * (1.0 - t) + 2.0 * b * t) * (1.0 - t) + c * t * t;
        let sizes = self.rounded.coefficients.map(|weights| weights.map(value).iter().map(|x| x.abs()).sum());
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| f64::total_cmp(&sizes[j], &sizes[i]));
        axes
    }

    /// The same when all four points lie on one line.
    fn collinear_contact_at(&self, time: &Instant<W>) -> Option<Carriers> {
        for span in self.spans() {
            match time.sign_of(&dot(&span.arms[0], &span.arms[1])) {
                Sign::Positive => {}
                Sign::Negative => return Some(span.carriers([true, true])),
                // p coincides with an end, or with both.
                Sign::Zero => {
                    let at_first = time.sign_of(&dot(&span.arms[0], &span.arms[0])) == Sign::Zero;
                    return Some(span.carriers([at_first, !at_first]));
                }
            }
        }
        None
    }

    /// Points p and segments xᵢxⱼ such that collinear bodies meet iff one of the p lies in its segment, which is iff
    /// (xᵢ − p)·(xⱼ − p) is not positive.
    fn spans(&self) -> Vec<Span<W>> {
        let [a, b, c] = &self.edges;
        let minus = |x: &MovingVector<W>, p: &MovingVector<W>| -> MovingVector<W> {
            std::array::from_fn(|k| std::array::from_fn(|i| x[k][i].minus(&p[k][i])))
        };
        let origin: MovingVector<W> = std::array::from_fn(|_| std::array::from_fn(|_| W::zero()));
        let points = [&origin, a, b, c];
        let span = |&(point, ends): &(usize, [usize; 2])| Span {
            point,
            ends,
            arms: ends.map(|end| minus(points[end], points[point])),
        };
        let list: &[(usize, [usize; 2])] = match self.kind {
            Kind::VertexFace => &[(0, [1, 2]), (0, [2, 3]), (0, [3, 1])],
            Kind::EdgeEdge => &[(0, [2, 3]), (1, [2, 3]), (2, [0, 1]), (3, [0, 1])],
        };
        list.iter().map(span).collect()
    }

    /// Every quadratic whose sign the contact depends on.
    pub(super) fn all_quadratics(&self) -> Vec<Quadratic<W>> {
        let weights = [0, 1, 2].map(|k| self.weights(k));
        let mut all: Vec<Quadratic<W>> = weights.iter().flatten().copied().cloned().collect();
        if self.kind == Kind::EdgeEdge {
            all.extend(weights.map(sum));
        }
        all.extend(self.spans().iter().map(|span| dot(&span.arms[0], &span.arms[1])));
        all
    }
}

/// The carriers when the signs of a dependence, not all zero, say contact.
pub(crate) fn carriers(kind: Kind, signs: [Sign; 4]) -> Option<Carriers> {
    let meets = match kind {
        Kind::VertexFace => {
            !(opposite(signs[1], signs[2]) || opposite(signs[2], signs[3]) || opposite(signs[3], signs[1]))
        }
        Kind::EdgeEdge => !(opposite(signs[0], signs[1]) || opposite(signs[2], signs[3])),
    };
    let vertex = u8::from(kind == Kind::VertexFace);
    let carry = |set: u8, i: usize| set | u8::from(signs[i] != Sign::Zero) << i;
    meets.then(|| Carriers((0..4).fold(vertex, carry)))
}

fn opposite(a: Sign, b: Sign) -> bool {
    a.times(b) == Sign::Negative
}

/// λᵢ₊₁ along axis k.
fn weight<W: Whole>(edges: &[MovingVector<W>; 3], i: usize, k: usize) -> Quadratic<W> {
    let (a, b) = (&edges[(i + 1) % 3], &edges[(i + 2) % 3]);
    let (x, y) = ((k + 1) % 3, (k + 2) % 3);
    minus(&product(&a[x], &b[y]), &product(&a[y], &b[x]))
}

fn sum<W: Whole>([a, b, c]: [&Quadratic<W>; 3]) -> Quadratic<W> {
    plus(&plus(a, b), c)
}

fn product<W: Whole>(a: &Linear<W>, b: &Linear<W>) -> Quadratic<W> {
    [a[0].times(&b[0]), a[0].times(&b[1]).plus(&a[1].times(&b[0])), a[1].times(&b[1])]
}

fn plus<W: Whole>(a: &Quadratic<W>, b: &Quadratic<W>) -> Quadratic<W> {
    std::array::from_fn(|i| a[i].plus(&b[i]))
}

fn minus<W: Whole>(a: &Quadratic<W>, b: &Quadratic<W>) -> Quadratic<W> {
    std::array::from_fn(|i| a[i].minus(&b[i]))
}

fn dot<W: Whole>(a: &MovingVector<W>, b: &MovingVector<W>) -> Quadratic<W> {
    let [x, y, z]: [Quadratic<W>; 3] = std::array::from_fn(|k| product(&a[k], &b[k]));
    plus(&plus(&x, &y), &z)
}
