//! Which bodies a segment can come near to: swept boxes against boxes.

use super::scene::{PathScene, Rule};
use kontakt_bounds::sweep::{BoxBy, Sweep, SweepWay};
use kontakt_bounds::{Aabb, Bound};
use kontakt_math::Motion;

/// Placements that a swept box is put around.
const STATIONS: u16 = 8;

/// Boxes around everything that the movers pass over during a segment.
#[derive(Clone, Debug)]
pub(crate) struct Swept {
    /// By mover; none where there was no time to look.
    each: Vec<Aabb>,
    all: Option<Aabb>,
    is_known: bool,
}

impl Swept {
    pub(crate) fn of(scene: &PathScene, motion: &Motion) -> Swept {
        // Both hold everything; the ball's does not grow when a body spins in place.
        let swept = |around: &Aabb| {
            let sweep = Sweep::new(around, motion, 0.0, 1.0, SweepWay::Stations(STATIONS));
            let (own, ball) = (sweep.aabb(BoxBy::Projection), sweep.aabb(BoxBy::Sphere));
            Aabb { min: own.min.max(ball.min), max: own.max.min(ball.max) }
        };
        let each: Vec<Aabb> = scene.movers.iter().map(|mover| swept(&mover.around)).collect();
        let all = each.iter().copied().reduce(|a, b| a.merge(&b));
        Swept { each, all, is_known: true }
    }

    /// Of a segment that there was no time to look at.
    pub(crate) fn unknown() -> Swept {
        Swept { each: Vec::new(), all: None, is_known: false }
    }

    /// Pairs of mover and body that boxes do not prove apart during the whole segment, by mover, then body; ignored ones
    /// left out. Of a segment that there was no time to look at, one pair stands for all: it is not proven free.
    pub(crate) fn near(&self, scene: &PathScene) -> Vec<[u32; 2]> {
        if !self.is_known {
            let movers = 0..scene.movers.len();
            let mut pairs = movers.flat_map(|mover| (0..scene.stills.len()).map(move |body| [mover, body]));
            let first = pairs.find(|&[mover, body]| scene.rule(mover, body) != Rule::Ignored);
            return first.map(|pair| pair.map(|index| index as u32)).into_iter().collect();
        }
        let Some(all) = &self.all else { return Vec::new() };
        let bodies: Vec<usize> =
            (0..scene.stills.len()).filter(|&body| !apart(all, &scene.stills[body].around)).collect();
        let mut near = Vec::new();
        for (mover, own) in self.each.iter().enumerate() {
            for &body in &bodies {
                if !apart(own, &scene.stills[body].around) && scene.rule(mover, body) != Rule::Ignored {
                    near.push([mover as u32, body as u32]);
                }
            }
        }
        near
    }

    /// **Never more** than the least distance of a mover and a body during the segment.
    pub(crate) fn gap_below(&self, scene: &PathScene, mover: usize, body: usize) -> f64 {
        let gap = self.each.get(mover).map_or(0.0, |own| own.gap_below(&scene.stills[body].around));
        if gap > 0.0 { gap } else { 0.0 }
    }
}

/// Whether a plane across an axis is between the boxes; never so for boxes with an end that is not a number.
fn apart(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmpgt(b.max).any() || b.min.cmpgt(a.max).any()
}
