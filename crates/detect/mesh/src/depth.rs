//! How deep two solids are in each other: the least length of a translation after which they have no common interior.
//!
//! **Upper end.** (1) For any direction n, moving B by h·n/|n|² with h = max n·A − min n·B brings B to the far side of a plane
//! that has all of A on its near side: the length h/|n| separates. (2) Any translation after which the exact classes of
//! [`relation`](crate::relation()) show no common interior separates; these are tried along promising directions.
//!
//! **Lower end.** If a ball of radius `r_A` about c lies in A and one of radius `r_B` about c in B, then after a translation τ of B
//! both balls are still in their bodies, and they have a common interior unless |τ| ≥ `r_A` + `r_B`. So every separating
//! translation is at least that long. A ball about c lies in a solid when c does and no face is nearer than its radius.

mod ball;
mod slide;

use crate::asker::Asker;
use crate::face::Between;
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::relation::Space;
use ball::Ball;
use kontakt_answers::Range;
use kontakt_math::{DVec3, Pose};
use slide::Slide;

/// How deep two solids are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// **Certified** bounds of the least translation that leaves no common interior.
    pub range: Range,
    /// A translation of B in the world that does so: about as long as the upper end.
    pub push: DVec3,
    /// A point deep inside both, in the world, to rounding: the centre of the balls that prove the lower end.
    pub deepest: DVec3,
}

impl Asker {
    /// The depth of two closed bodies whose interiors meet, with at most `effort` exact trials of translations beside the
    /// planes; `None` when one is open, or no point inside both was found and no direction separates within doubles.
    pub fn depth(&mut self, a: Placed, b: Placed, effort: u32) -> Option<Depth> {
        let pairs = self.all_pairs(a, b).to_vec();
        self.depth_of(a, b, &pairs, effort)
    }

    pub(crate) fn depth_of(
        &mut self,
        a: Placed,
        b: Placed,
        pairs: &[FacePair],
        effort: u32,
    ) -> Option<Depth> {
        if !(a.mesh.is_closed() && b.mesh.is_closed()) {
            return None;
        }
        let between = Between::new(a.pose, b.pose);
        let space = Space::new(between, a.mesh, b.mesh);
        let ball = Ball::largest(&space, pairs);
        let mut slides = slide::by_planes(&space, pairs, ball.as_ref());
        slides.sort_by(|x, y| x.length.total_cmp(&y.length));
        let mut best = *slides.first()?;
        let lo = ball.as_ref().map_or(0.0, |ball| ball.bound);
        let mut left = effort;
        for slide in ball.iter().filter_map(Ball::slide).chain(slides.iter().take(4).copied()) {
            self.shorten(a, b, slide, lo, &mut best, &mut left);
        }
        let range = Range::new(lo.min(best.length), best.length).ok()?;
        let push = a.pose.rotate(best.push);
        let deepest = a.pose.apply(ball.map_or(DVec3::ZERO, |ball| ball.centre));
        Some(Depth { range, push, deepest })
    }

    /// Tries translations of B along one direction, between the lower end and the best so far.
    fn shorten(&mut self, a: Placed, b: Placed, slide: Slide, lo: f64, best: &mut Slide, left: &mut u32) {
        const GAIN: f64 = 1e-6;
        let unit = slide.push / slide.push.length();
        if !unit.is_finite() {
            return;
        }
        // First the shortest that could work, a little longer than the lower end for rounding; then by halves.
        let mut short = lo;
        let mut next = (lo * (1.0 + 1e-12)).max(slide.length.min(best.length * 0.5) * 1e-12);
        if slide.length < best.length * (1.0 - 1e-12) {
            next = slide.length * (1.0 + 1e-12);
        }
        while *left > 0 && best.length - short > GAIN * best.length && next < best.length {
            *left -= 1;
            let world = a.pose.rotate(unit * next);
            match self.separates(a, b, world) {
                Some(length) if length < best.length => *best = Slide { push: unit * next, length },
                _ => short = short.max(next),
            }
            next = 0.5 * (short + best.length);
        }
    }

    /// The length of the translation that adding `push` to B's pose really is, rounded up, when the solids have no common
    /// interior after it.
    fn separates(&mut self, a: Placed, b: Placed, push: DVec3) -> Option<f64> {
        let place = b.pose.translation() + push;
        let pose = Pose::new(b.pose.given_rotation(), place).ok()?;
        if self.interiors_meet(a, Placed::new(b.mesh, pose)) {
            return None;
        }
        // The difference of the two translations rounds by u of itself, its length by a few u more.
        Some(kontakt_math::round::length_up(place - b.pose.translation()) * (1.0 + 4.0 * f64::EPSILON))
    }
}
