//! How deep two solids are in each other: the least length of a translation after which they have no common interior.
//!
//! **Convex** bodies (see `outline`) have the depth of their hulls, which the convex kernel knows to a few roundings.
//!
//! **Upper end** of others. (1) A translation that separates the hulls separates the bodies. (2) Any translation after which the exact
//! classes of [`relation`](crate::relation()) show no common interior separates; these are tried along promising directions.
//!
//! (3) The way out of convex parts, where bodies are taken apart into few (`parts`, `escape`).
//!
//! **Lower end.** (1) No way out of the convex parts is shorter than their shortest. (2) If a ball of radius `r_A` about c lies in A and one of radius `r_B` about c in B, then after a translation τ of B
//! both balls are still in their bodies, and they have a common interior unless |τ| ≥ `r_A` + `r_B`. So every separating
//! translation is at least that long. A ball about c lies in a solid when c does and no face is nearer than its radius.
//!
//! **The same bounds** for any order of the bodies and any numbering of their vertices and faces, and to a billionth for any
//! place: all that a search starts from and chooses by is a set of points or a number that depends on the points alone
//! (`order`, `scene`, `sample`), and numbers that differ by roundings count as equal.

mod ball;
mod escape;
mod order;
mod outline;
mod parts;
mod sample;
mod scene;
mod slide;
mod wall;

use crate::asker::MeshQuery;
use crate::face_pair::FacePair;
use crate::mesh::{Part, PlacedMesh};
use ball::Ball;
use kontakt_answers::Range;
use kontakt_convex as convex;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{DVec3, Pose};
use kontakt_schedule::Deadline;
use order::in_other_order;
use parts::parts;
use scene::Scene;
use slide::Slide;

pub(crate) use outline::outline;

/// How deep two solids are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// **Certified** bounds of the least translation that leaves no common interior.
    pub range: Range,
    /// A translation of B in the world that does so: about as long as the upper end.
    pub push: DVec3,
    /// A point inside both, in the world, to rounding, far from the faces of both: the best that a short search finds.
    pub deepest: DVec3,
}

/// Bounds this near to each other, in parts of themselves, are left as they are.
const NARROW: f64 = 1e-9;

impl MeshQuery {
    /// The depth of two closed bodies whose interiors meet, with at most `effort` exact trials of translations beside the
    /// planes; `None` when one is open or has no volume, or beyond the range of doubles. Once the query's deadline has passed, what is
    /// certified by then.
    pub fn depth(&mut self, a: PlacedMesh, b: PlacedMesh, effort: u32) -> Option<Depth> {
        let pairs = self.all_pairs(a, b).to_vec();
        self.depth_of(a, b, &pairs, effort, self.deadline)
    }

    /// The same with the pairs of faces that meet at hand. Once the deadline has passed, what is certified by then.
    pub(crate) fn depth_of(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        pairs: &[FacePair],
        effort: u32,
        deadline: Deadline,
    ) -> Option<Depth> {
        if !(a.mesh.is_closed() && b.mesh.is_closed()) {
            return None;
        }
        if !in_other_order(a, b) {
            return self.ordered_depth(a, b, pairs, effort, deadline);
        }
        let pairs: Vec<FacePair> = pairs.iter().map(|pair| FacePair { a: pair.b, b: pair.a }).collect();
        let found = self.ordered_depth(b, a, &pairs, effort, deadline)?;
        Some(Depth { push: -found.push, ..found })
    }

    fn ordered_depth(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        pairs: &[FacePair],
        effort: u32,
        deadline: Deadline,
    ) -> Option<Depth> {
        let scene = Scene::new(a, b)?;
        let [outline_a, outline_b] = [scene.a, scene.b].map(|mesh| outline(mesh));
        let (outline_a, outline_b) = (outline_a?, outline_b?);
        let hulls = convex::ConvexQuery::new().contact(
            convex::PlacedShape::new(&outline_a.hull, Pose::IDENTITY),
            convex::PlacedShape::new(&outline_b.hull, scene.pose),
        );
        let depth = hulls.depth();
        let mut best = Slide { push: hulls.normal * depth.hi(), length: depth.hi() };
        let (space, witness) = (scene.space(), (hulls.point_a + hulls.point_b) * 0.5);
        let mut lo = depth.lo();
        let mut ball = None;
        if !(outline_a.convex && outline_b.convex) {
            lo = 0.0;
            // The way out of parts takes milliseconds: too long for those who ask along a whole path.
            if effort > 0 {
                let parts =
                    [(scene.a, outline_a), (scene.b, outline_b)].map(|(mesh, outline)| parts(mesh, outline));
                lo = self.along_way_out(&scene, parts, &mut best, deadline);
            }
            if best.length - lo > NARROW * best.length {
                ball = Ball::largest(&space, pairs, deadline);
                lo = ball.map_or(0.0, |ball| ball.bound).max(lo).min(best.length);
                let mut left = effort;
                for slide in slide::promising(&space, [outline_a, outline_b], hulls.normal, pairs) {
                    self.shorten(&scene, slide, lo, &mut best, &mut left, deadline);
                }
            }
        }
        let ball = ball.or_else(|| Ball::near(&space, witness, deadline));
        let mut hi = best.length;
        if scene.slack > 0.0 {
            (lo, hi) = (add_down(lo, -scene.slack).max(0.0), add_up(hi, scene.slack));
        }
        let deepest = scene.to_world(ball.map_or(witness, |ball| ball.centre));
        Some(Depth { range: Range::new(lo, hi).ok()?, push: scene.direction(best.push), deepest })
    }

    /// A lower bound from the convex parts of the bodies; the way out of them is tried.
    fn along_way_out(
        &mut self,
        scene: &Scene,
        parts: [&[Part]; 2],
        best: &mut Slide,
        deadline: Deadline,
    ) -> f64 {
        let Some(way) = escape::way_out(&scene.space(), parts[0], parts[1], best.length, deadline) else {
            return 0.0;
        };
        for push in way.pushes.into_iter().flatten() {
            match self.separates(scene, push) {
                Some(length) if length < best.length => {
                    *best = Slide { push, length };
                    break;
                }
                _ => {}
            }
        }
        way.bound.min(best.length)
    }

    /// Tries translations of B along one direction, between the lower end and the best so far.
    fn shorten(
        &mut self,
        scene: &Scene,
        slide: Slide,
        lo: f64,
        best: &mut Slide,
        left: &mut u32,
        deadline: Deadline,
    ) {
        const GAIN: f64 = 1e-6;
        /// A trial that would just touch must not depend on roundings.
        const LONGER: f64 = 1.0 + 1e-10;
        let unit = slide.push / slide.push.length();
        if !unit.is_finite() {
            return;
        }
        // First the shortest that could work; then by halves.
        let mut short = lo;
        let mut next = if slide.length * LONGER < best.length { slide.length } else { lo };
        while *left > 0
            && best.length - short > GAIN * best.length
            && next > 0.0
            && next * LONGER < best.length
            && !deadline.has_passed()
        {
            *left -= 1;
            let push = unit * (next * LONGER);
            match self.separates(scene, push) {
                Some(length) if length < best.length => *best = Slide { push, length },
                _ => short = short.max(next),
            }
            next = 0.5 * (short + best.length);
        }
    }

    /// The length of a translation, rounded up, when the solids have no common interior after it.
    fn separates(&mut self, scene: &Scene, push: DVec3) -> Option<f64> {
        let (moved, length) = scene.moved(push)?;
        (!self.interiors_meet(PlacedMesh::at_rest(scene.a), moved)).then_some(length)
    }
}
