//! Two leaves during a slab: which pairs of their triangles may meet, and when.

use crate::course::UP;
use crate::slab::Slab;
use crate::triangles::{Ends, Rest};
use kontakt_math::DVec3;
use kontakt_math::round::length_up;

/// A run of slots of a packed tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// A box around points.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    low: DVec3,
    high: DVec3,
}

impl Around {
    const NOTHING: Around = Around { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    pub(crate) fn of(points: &[DVec3]) -> Around {
        points
            .iter()
            .fold(Around::NOTHING, |around, x| Around { low: around.low.min(*x), high: around.high.max(*x) })
    }

    fn with(&self, other: &Around) -> Around {
        Around { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// A box that is larger by so much on every side, **never less**; of NaN one without end.
    fn grown(&self, by: f64) -> Around {
        let by = if by.is_nan() { f64::INFINITY } else { by };
        // A sum rounds by half a unit in its last place; twice as much is taken.
        let up = |x: DVec3| {
            let sum = x + by;
            sum + sum.abs() * f64::EPSILON
        };
        Around { low: -up(-self.low), high: up(self.high) }
    }
}

/// Triangles of a leaf of B in A's frame at both ends of a slab.
pub(crate) struct Moved {
    corners: [[[DVec3; 3]; 7]; 2],
    errors: [f64; 2],
    /// Bend and blur of B's points as in [`Ends`].
    bow: [f64; 2],
    /// Around each triangle all the time.
    around: [Around; 7],
}

impl Moved {
    /// Proof for the boxes: between the ends a corner is off the straight way between its places there by no more than an eighth of
    /// the bend and the blur, at the ends by the errors (whose sum is taken: it is NaN if one of them is).
    pub(crate) fn new(slab: &Slab, triangles: impl Iterator<Item = [DVec3; 3]>, bow: [f64; 2]) -> Moved {
        let mut corners = [[[DVec3::ZERO; 3]; 7]; 2];
        let mut around = [Around::NOTHING; 7];
        let mut far = 0.0_f64;
        for (place, triangle) in triangles.take(7).enumerate() {
            for (end, relative) in slab.relative.iter().enumerate() {
                corners[end][place] = triangle.map(|x| relative.b_in_a(x));
            }
            far = triangle.iter().fold(far, |far, x| far.max(length_up(*x)));
            around[place] = Around::of(&corners[0][place]).with(&Around::of(&corners[1][place]));
        }
        let errors = slab.relative.map(|relative| relative.error_within(far * UP));
        let off = (0.125 * bow[0] + bow[1] + errors[0] + errors[1]) * UP;
        Moved { corners, errors, bow, around: around.map(|around| around.grown(off)) }
    }

    /// Whether the triangle at a place may come to a box in A's frame: `false` is a proof that it does not during the slab.
    #[inline]
    pub(crate) fn may_reach(&self, place: usize, other: &Around) -> bool {
        let own = &self.around[place];
        !(own.low.cmpgt(other.high).any() || other.low.cmpgt(own.high).any())
    }

    /// What is left of the slab for a triangle of A and the one at a place; none if they are proven apart all the time.
    pub(crate) fn rest(&self, a: [DVec3; 3], place: usize) -> Option<Rest> {
        let ends = Ends::new(a, [self.corners[0][place], self.corners[1][place]], self.errors, self.bow);
        let mut rest = Rest { from: 0.0, to: 1.0 };
        let [p, q, r] = ends.a;
        let [x, y, z] = ends.b[0];
        let centre = |t: &[DVec3; 3]| t[0] + t[1] + t[2];
        let between = centre(&ends.b[0]) + centre(&ends.b[1]) - 2.0 * centre(&ends.a);
        for axis in [(q - p).cross(r - p), (y - x).cross(z - x), between] {
            ends.cut(&mut rest, axis);
            if rest.from >= 1.0 || rest.from > rest.to {
                return None;
            }
        }
        Some(rest)
    }
}
