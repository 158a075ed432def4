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

/// Triangles of a leaf of B in A's frame at both ends of a slab.
pub(crate) struct Moved {
    corners: [[[DVec3; 3]; 7]; 2],
    errors: [f64; 2],
}

impl Moved {
    pub(crate) fn new(slab: &Slab, triangles: impl Iterator<Item = [DVec3; 3]>) -> Moved {
        let mut corners = [[[DVec3::ZERO; 3]; 7]; 2];
        let mut far = 0.0_f64;
        for (place, triangle) in triangles.take(7).enumerate() {
            for (end, relative) in slab.relative.iter().enumerate() {
                corners[end][place] = triangle.map(|x| relative.b_in_a(x));
            }
            far = triangle.iter().fold(far, |far, x| far.max(length_up(*x)));
        }
        Moved { corners, errors: slab.relative.map(|relative| relative.error_within(far * UP)) }
    }

    /// What is left of the slab for a triangle of A and the one at a place; none if they are proven apart all the time. `bow`: bend and
    /// blur of B's points as in [`Ends`].
    pub(crate) fn rest(&self, a: [DVec3; 3], place: usize, bow: [f64; 2]) -> Option<Rest> {
        let ends = Ends::new(a, [self.corners[0][place], self.corners[1][place]], self.errors, bow);
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
