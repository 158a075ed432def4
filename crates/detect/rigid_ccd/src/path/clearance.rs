//! The least distance on the way, segment by segment.

// MovingMesh the points of a body by at most r changes a distance by at most r, so over a span of time it is at least that at the middle less
// the mover's deviation from there. Spans are divided where this bound is least, all bodies of a segment together.

use super::judge::Question;
use super::near::Swept;
use super::report::Clearance;
use super::scene::{Mover, PathScene, Rule};
use super::segment::Segment;
use crate::asker::MotionQuery;
use crate::span::Span;
use kontakt_answers::Range;
use kontakt_bounds::sweep::Sweepable;
use kontakt_math::order::ByRank;
use std::collections::BinaryHeap;

/// When a search for the least distance may end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enough {
    /// The bounds are this close.
    pub(crate) width: f64,
    /// The lower bound is this share of the upper one.
    pub(crate) share: f64,
    /// Nothing below this matters: the least distance elsewhere is known to be at most this.
    pub(crate) known: f64,
    /// Most distances at rest.
    pub(crate) distances: u32,
}

/// **Certified** bounds of the least distance in a segment, and how many distances at rest they took; `None` where no pair is to
/// stay apart.
pub(crate) fn least(
    asker: &mut MotionQuery,
    scene: &PathScene,
    segment: &Segment,
    swept: &Swept,
    enough: &Enough,
) -> Option<(Clearance, u32)> {
    let mut found = Nearest { asker, scene, segment, asked: 0, best: None };
    let mut spans = found.begin(swept)?;
    let mut least = 0.0_f64;
    while let Some(ByRank(span)) = spans.pop() {
        least = span.least.max(0.0);
        let hi = found.hi();
        let Some(middle) = span.middle() else { break };
        let close = hi - least <= enough.width.max(0.0) || least >= enough.share * hi;
        let known = least >= enough.known - enough.width.max(0.0);
        // Ends for NaN too.
        if close || known || hi <= 0.0 || found.asked >= enough.distances {
            break;
        }
        spans.extend(found.divide(&span, middle).map(ByRank));
    }
    let (hi, pair, share) = found.best?;
    let range = Range::new(least.min(hi), hi).unwrap_or(Range::ZERO);
    let [mover, body] = pair.map(|index| index as usize);
    Some((Clearance { range, mover, body, time: segment.time(share) }, found.asked))
}

/// The nearest found so far.
struct Nearest<'a> {
    asker: &'a mut MotionQuery,
    scene: &'a PathScene<'a>,
    segment: &'a Segment,
    asked: u32,
    /// Distance rounded up, pair, share of the segment.
    best: Option<(f64, [u32; 2], f64)>,
}

impl Nearest<'_> {
    fn hi(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.0)
    }

    /// The distance at a share of the segment.
    fn distance(&mut self, pair: [u32; 2], share: f64) -> Range {
        let [mover, body] = pair.map(|index| index as usize);
        let question = Question { scene: self.scene, segment: self.segment, mover, body };
        let range = self.asker.distance_at(question.still(), question.moving(), share);
        self.asked += 1;
        if range.hi() < self.hi() {
            self.best = Some((range.hi(), pair, share));
        }
        range
    }

    /// The pair whose boxes are nearest, looked at at half time; and whole segments of all others that boxes do not prove to be
    /// farther than that.
    fn begin(&mut self, swept: &Swept) -> Option<BinaryHeap<ByRank<Span<[u32; 2]>>>> {
        let (scene, bodies) = (self.scene, self.scene.stills.len());
        let pairs = (0..scene.movers.len() * bodies).filter_map(|place| {
            let (mover, body) = (place / bodies, place % bodies);
            let counts = scene.rule(mover, body) == Rule::Apart;
            counts.then(|| ([mover as u32, body as u32], swept.gap_below(scene, mover, body)))
        });
        let mut gaps: Vec<([u32; 2], f64)> = pairs.collect();
        let nearest = gaps.iter().min_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)))?.0;
        let first = gaps.iter().find(|gap| gap.0 == nearest)?.1;
        let halves = self.divide(&Span::whole(first, nearest), 0.5);
        if self.best.is_none() {
            // Coordinates beyond the doubles.
            self.best = Some((f64::INFINITY, nearest, 0.5));
        }
        gaps.retain(|gap| gap.1 < self.hi() && gap.0 != nearest);
        let others = gaps.into_iter().map(|(pair, least)| Span::whole(least, pair));
        Some(others.chain(halves).map(ByRank).collect())
    }

    /// Both halves of a span, with what the distance at its middle tells about them.
    fn divide(&mut self, span: &Span<[u32; 2]>, middle: f64) -> [Span<[u32; 2]>; 2] {
        let distance = self.distance(span.whose, middle);
        let Mover { around, .. } = &self.scene.movers[span.whose[0] as usize];
        let ball = around.ball();
        let motion = self.segment.motion();
        span.halves(middle, distance, |start, end| {
            motion.deviation_bound(ball.centre, ball.radius, middle, start, end)
        })
    }
}
