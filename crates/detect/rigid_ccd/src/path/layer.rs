//! Two solids that overlap in a thin layer alone: proof that no point of a surface gets deeper into the other body.

// The local interference I of two solids is the largest distance of a point of one surface, where it is inside the other body, from that
// body's surface. That it is at most D during a span of time is proven face by face, both ways round: each face is seen from the other
// body. Between two times its points are within a bow of where they would be if they went straight, so within the bow of the hull of its
// corners at both times, and whether that hull lies anywhere deeper than D is a question to the solid at rest (`Mesh::sunk`). Where the
// answer is not "no", time is halved. The earliest span is always looked at first, so all before it is proven.
//
// What that means for the bodies' insides: let c be a point of a body A deeper in it than D. At no time is the surface of B at c, for
// there it would be deeper in A than D. So c is in B at all times if it is in B at the first, and never else: what of a body lies deeper
// than D never comes into the other if it is not there at the start. In particular no body passes through another or gets to lie on one like
// itself, unless it is thinner than 2D. Bodies whose surfaces lie on each other all round at the start (`Region::is_coincident`), as those of
// the same body twice, have no interference and yet all in common: they must be told otherwise, before this is asked.

use super::kept::Kept;
use crate::budget::Budget;
use crate::course::UP;
use crate::leg::{Leg, Relative};
use crate::legs;
use crate::moving::MovingMesh;
use kontakt_answers::Side;
use kontakt_bounds::hausdorff::distance_to_triangle;
use kontakt_math::order::{ByRank, Ranked, Total};
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Motion};
use kontakt_mesh::{Location, Mesh, Sinking, Sunk};
use std::collections::BinaryHeap;

/// Most parts of what a face sweeps over that are looked at before time is halved.
const EFFORT: u64 = 4000;
/// Parts of the depth that points may leave their straight ways by.
const BOW: f64 = 0.125;

/// A body at rest and a moving one, both the borders of solids, and how deep their surfaces may lie in the other body.
pub(crate) struct Layer<'a> {
    /// The body at rest is A.
    meshes: [&'a Mesh; 2],
    leg: Leg<'a>,
    depth: f64,
}

/// A face during a span of time.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    side: Side,
    face: u32,
    start: f64,
    end: f64,
}

impl Ranked for Stretch {
    type Rank = Total;

    /// The earliest first.
    fn rank(&self) -> Total {
        Total(-self.start)
    }
}

impl<'a> Layer<'a> {
    /// None for motions of several pieces.
    pub(crate) fn new(still: MovingMesh<'a>, moving: MovingMesh<'a>, depth: f64) -> Option<Layer<'a>> {
        let pieces = matches!(moving.motion, Motion::Path(_));
        let leg = (!pieces).then(|| legs::leg(still, moving, [0.0, 1.0]))?;
        Some(Layer { meshes: [still.mesh, moving.mesh], leg, depth })
    }

    /// How long from a time on no surface lies deeper in the other body.
    pub(crate) fn kept_from(&self, start: f64, tolerance: f64, budget: &mut Budget) -> Kept {
        let mut open: BinaryHeap<ByRank<Stretch>> = self.all(start, 1.0).map(ByRank).collect();
        let mut exceeded: Option<f64> = None;
        while let Some(ByRank(next)) = open.pop() {
            let end = exceeded.map_or(next.end, |by| next.end.min(by));
            if exceeded.is_some_and(|by| by <= next.start) {
                break;
            }
            let stretch = Stretch { end, ..next };
            let found = if budget.is_spent() { Sunk::Open } else { self.look(&stretch, budget) };
            if let Sunk::Deeper(point) = found {
                exceeded = self.first_exceeding(&stretch, point).or(exceeded);
            }
            if found == Sunk::Within {
                continue;
            }
            let middle = 0.5 * (stretch.start + stretch.end);
            let narrow = stretch.end - stretch.start <= tolerance || middle <= stretch.start;
            if narrow || middle >= stretch.end || budget.is_spent() {
                return Kept { until: stretch.start, exceeded };
            }
            open.push(ByRank(Stretch { end: middle, ..stretch }));
            open.push(ByRank(Stretch { start: middle, ..stretch }));
        }
        Kept { until: exceeded.unwrap_or(1.0), exceeded }
    }

    /// Whether **proven**, at one time, that no surface lies deeper in the other body.
    pub(crate) fn is_kept_at(&self, time: f64, budget: &mut Budget) -> bool {
        self.all(time, time).all(|stretch| !budget.is_spent() && self.look(&stretch, budget) == Sunk::Within)
    }

    /// All faces of both bodies.
    fn all(&self, start: f64, end: f64) -> impl Iterator<Item = Stretch> {
        let count = |mesh: &Mesh| mesh.faces().triangles().len() as u32;
        let [still, moving] = self.meshes.map(count);
        let of = move |side: Side, count: u32| (0..count).map(move |face| Stretch { side, face, start, end });
        of(Side::B, moving).chain(of(Side::A, still))
    }

    /// Whether what a face sweeps over lies deeper in the other body.
    fn look(&self, stretch: &Stretch, budget: &mut Budget) -> Sunk {
        let own = self.corners(stretch);
        let seen = [stretch.start, stretch.end].map(|t| seen(stretch.side, own, &self.leg.relative(t)));
        let blur = (self.bow(stretch, own) + seen[0].1.max(seen[1].1)) * UP;
        if blur.is_nan() || blur > BOW * self.depth {
            return Sunk::Open;
        }
        let points = [seen[0].0, seen[1].0].concat();
        let mut effort = EFFORT;
        let sinking = Sinking { points: &points, blur, depth: self.depth };
        let found = self.other(stretch.side).sunk(&sinking, &mut effort);
        // Of some microseconds each.
        budget.spend(4 + 4 * (EFFORT - effort));
        found
    }

    fn corners(&self, stretch: &Stretch) -> [DVec3; 3] {
        self.meshes[stretch.side as usize].faces().triangle_points(stretch.face as usize)
    }

    fn other(&self, side: Side) -> &'a Mesh {
        self.meshes[side.other() as usize]
    }

    /// **Never too small**: how far a point of a face, seen from the other body, is from its straight way.
    fn bow(&self, stretch: &Stretch, own: [DVec3; 3]) -> f64 {
        let span = (stretch.end - stretch.start) * UP;
        if span <= 0.0 {
            return 0.0;
        }
        let first = self.leg.relative(stretch.start);
        let times = [stretch.start, stretch.end];
        let centre = own.iter().sum::<DVec3>() / 3.0;
        let radius = own.iter().map(|x| length_up(*x - centre)).fold(0.0, f64::max) * UP;
        let (bend, blur) = match stretch.side {
            Side::A => (
                self.leg.bend_of_a(centre, radius, &first, span),
                self.leg.blur_of_a(centre, radius, &first, times),
            ),
            Side::B => (
                self.leg.bend_of_b(centre, radius, &first, span),
                self.leg.blur_of_b(centre, radius, &first, times),
            ),
        };
        (bend.bow(span) + blur) * UP
    }

    /// The first of three times of a stretch at which the face is **proven** to be too deep, beside a point that the swept hull has.
    fn first_exceeding(&self, stretch: &Stretch, point: DVec3) -> Option<f64> {
        let middle = 0.5 * (stretch.start + stretch.end);
        let mut times = [stretch.start, middle, stretch.end].into_iter();
        times.find(|&t| self.exceeds_at(stretch, point, t))
    }

    /// Whether the point of a face nearest to another is **proven** to be too deep at a time.
    ///
    /// Proof: the place found is within a few roundings of the face as seen, and that within its error of the face itself. No
    /// face of the other body is nearer than its distance, so all points nearer than that are inside if the place is.
    fn exceeds_at(&self, stretch: &Stretch, point: DVec3, t: f64) -> bool {
        let (seen, error) = seen(stretch.side, self.corners(stretch), &self.leg.relative(t));
        let place = distance_to_triangle(point, seen).place;
        let size = seen.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        let doubt = (error + 64.0 * f64::EPSILON * size) * UP;
        let mesh = self.other(stretch.side);
        let deep = mesh.nearest(place).is_some_and(|near| near.distance.lo() > (self.depth + doubt) * UP);
        deep && mesh.inside(place).verdict == Location::Inside
    }
}

/// Points of a body in the other's frame, and a bound of their error that is **never too small**.
fn seen(side: Side, own: [DVec3; 3], relative: &Relative) -> ([DVec3; 3], f64) {
    let far = |x: DVec3| match side {
        Side::A => length_up(x - relative.shift) * UP,
        Side::B => length_up(x),
    };
    let farthest = own.into_iter().map(far).fold(0.0, f64::max);
    let seen = own.map(|x| match side {
        Side::A => relative.a_in_b(x),
        Side::B => relative.b_in_a(x),
    });
    (seen, relative.error_within(farthest))
}
