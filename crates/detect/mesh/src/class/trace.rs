//! The marks that other faces leave in the plane of one face.

use crate::space::{Homogeneous, Space, Spot, crossing, plane_through};
use kontakt_math::{Dyadic, Sign};

/// A face with an area, its plane, and the axis along which it is looked at: the view keeps an area.
pub(crate) struct View {
    pub(crate) corners: [Spot; 3],
    pub(crate) axis: usize,
    plane: Homogeneous,
}

/// A segment in the plane of a [`View`].
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    pub(crate) ends: [Spot; 2],
}

/// What a triangle has in common with the plane of a [`View`].
pub(crate) struct Mark {
    /// Nothing, a segment (without length for a single point), or the triangle's edges when it lies in the plane.
    pub(crate) segments: Vec<[Spot; 2]>,
    /// Whether it lies in the plane.
    pub(crate) flat: bool,
}

/// The edges of a triangle.
pub(crate) fn rim(corners: &[Spot; 3]) -> [[Spot; 2]; 3] {
    std::array::from_fn(|k| [corners[k].clone(), corners[(k + 1) % 3].clone()])
}

/// Whether a segment has no length.
pub(crate) fn is_point(space: &Space, ends: &[Spot; 2]) -> bool {
    (0..3).all(|k| space.compare(k, &ends[0], &ends[1]).is_eq())
}

impl View {
    /// `None` when the face has no area.
    pub(crate) fn new(space: &Space, corners: [Spot; 3]) -> Option<View> {
        let [a, b, c] = &corners;
        let rough = (b.near.middle() - a.near.middle()).cross(c.near.middle() - a.near.middle()).abs();
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| rough[j].total_cmp(&rough[i]));
        let axis = axes.into_iter().find(|&axis| space.turn(axis, a, b, c) != Sign::Zero)?;
        let [p, q, r] = [a, b, c].map(|spot| space.exact(spot));
        let plane = plane_through(&p, &q, &r);
        Some(View { corners, axis, plane })
    }

    /// The point of the plane whose view is (x, y), both as numerator and positive denominator.
    ///
    /// The plane's coefficient along the axis is not zero, because the view keeps an area.
    pub(crate) fn lift(&self, x: &[Dyadic; 2], y: &[Dyadic; 2]) -> Spot {
        let (i, j, k) = ((self.axis + 1) % 3, (self.axis + 2) % 3, self.axis);
        let (across, up, weight) = (&x[0] * &y[1], &y[0] * &x[1], &x[1] * &y[1]);
        let slope = &self.plane[k];
        let sum = &(&self.plane[i] * &across) + &(&self.plane[j] * &up);
        let mut place = [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO, &weight * slope];
        place[i] = &across * slope;
        place[j] = &up * slope;
        place[k] = -(&sum + &(&self.plane[3] * &weight));
        Spot::made(place)
    }

    /// The segments that a triangle leaves in the plane and that pass through the inside of the face; single points too, as
    /// segments without length, so that no sample is taken there.
    pub(crate) fn traces(&self, space: &Space, other: &[Spot; 3], into: &mut Vec<Trace>) {
        let kept = |ends: &[Spot; 2]| is_point(space, ends) || self.passes_inside(space, &ends[0], &ends[1]);
        let segments = self.mark(space, other).segments.into_iter();
        into.extend(segments.filter(kept).map(|ends| Trace { ends }));
    }

    /// What a triangle has in common with the plane.
    pub(crate) fn mark(&self, space: &Space, other: &[Spot; 3]) -> Mark {
        let [a, b, c] = &self.corners;
        let sides = [0, 1, 2].map(|k: usize| space.orient(a, b, c, &other[k]));
        if sides[0] != Sign::Zero && sides.iter().all(|side| *side == sides[0]) {
            return Mark { segments: Vec::new(), flat: false };
        }
        if sides == [Sign::Zero; 3] {
            return Mark { segments: rim(other).to_vec(), flat: true };
        }
        // Otherwise the triangle meets the plane in one segment (or a point): between corners on the plane and
        // crossings of edges.
        let mut met = Vec::with_capacity(3);
        for k in 0..3 {
            let next = (k + 1) % 3;
            if sides[k] == Sign::Zero {
                met.push(other[k].clone());
            } else if sides[k].times(sides[next]) == Sign::Negative {
                met.push(crossing(&self.plane, &space.exact(&other[k]), &space.exact(&other[next])));
            }
        }
        let ends = met.first().zip(met.last()).map(|(from, to)| [from.clone(), to.clone()]);
        Mark { segments: ends.into_iter().collect(), flat: false }
    }

    /// Whether a segment of the plane has a point strictly inside the face. A segment and an open triangle are disjoint
    /// exactly when the line of an edge of either separates them (in the closed sense for the segment): convex sets in
    /// the plane.
    pub(crate) fn passes_inside(&self, space: &Space, from: &Spot, to: &Spot) -> bool {
        let [a, b, c] = &self.corners;
        let inner = space.turn(self.axis, a, b, c);
        for (v, w) in [(a, b), (b, c), (c, a)] {
            let outside = |spot: &Spot| space.turn(self.axis, v, w, spot) != inner;
            if outside(from) && outside(to) {
                return false;
            }
        }
        let sides = [a, b, c].map(|spot| space.turn(self.axis, from, to, spot));
        sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative)
    }
}
