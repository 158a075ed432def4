//! How dragging begins: never inside, perhaps in touch; what touches is lifted off.

use crate::drag::Drag;
use crate::error::DragError;
use crate::near::{Plane, Sight};
use crate::rows::Aim;
use crate::spot::Spot;
use crate::step::Step;
use kontakt_answers::{Impact, Initial};
use kontakt_convex::Verdict;
use kontakt_math::{Motion, Pose};
use kontakt_pair::{Moving, Placed, Query, together};
use kontakt_rigid_ccd::MotionOptions;

impl Drag {
    /// Checks that the body overlaps nothing where it starts, and looks around.
    pub(crate) fn begin(&mut self) -> Result<(), DragError> {
        let mut query = Query::new();
        let own = Placed::new(&self.proxy.body, self.pose);
        let centre = self.pose.apply(self.proxy.centre);
        for obstacle in &self.obstacles {
            if !obstacle.may_be_within(
                0.0,
                centre,
                self.proxy.radius + self.pose.apply_error(self.proxy.centre),
            ) {
                continue;
            }
            let name = || obstacle.given.name.clone();
            match query.intersect(own, Placed::new(&obstacle.given.body, obstacle.given.pose)) {
                Verdict::Separate | Verdict::Touching => {}
                Verdict::Overlapping => return Err(DragError::StartsInside { obstacle: name() }),
                Verdict::Undecided => {
                    let problem = "it is nearer than the bounds are exact";
                    return Err(DragError::StartUnclear { obstacle: name(), problem });
                }
            }
        }
        let least = 2.0 * self.keep;
        let Drag { around, proxy, obstacles, askers, .. } = self;
        if !around.gather(proxy, obstacles, askers, self.pose, (least, least, usize::MAX)) {
            return Err(DragError::NoSize);
        }
        self.is_proven = around.is_free();
        let close = around.near.iter().zip(&around.clear).find(|(_, clear)| **clear <= 0.0);
        let Some((near, _)) = close else { return Ok(()) };
        let obstacle = &obstacles[near.obstacle as usize];
        if together([proxy.body.deviation(), obstacle.given.body.deviation()]) > 0.0 {
            let problem =
                "it is nearer than triangles are to the true surfaces; a smaller deviation may help";
            return Err(DragError::StartUnclear { obstacle: obstacle.given.name.clone(), problem });
        }
        Ok(())
    }

    /// Moves a body that touches, or is as near as rounding, away from all it touches by what is kept; whether that is proven free.
    pub(crate) fn lift_off(&mut self) -> bool {
        for turning in [false, true] {
            if turning && !self.options.turning {
                break;
            }
            let Some(step) = self.way_off(turning) else { continue };
            for share in [1.0, 0.25, 0.0625] {
                let end = step.scaled(share).after(&self.pose, self.proxy.centre);
                if self.leaves(end) {
                    self.pose = end;
                    self.sample_mut().pieces.push(end);
                    let Drag { around, proxy, obstacles, askers, .. } = self;
                    let least = 2.0 * self.keep;
                    let known = around.gather(proxy, obstacles, askers, end, (least, least, usize::MAX));
                    self.is_proven = known && around.is_free();
                    return self.is_proven;
                }
            }
        }
        false
    }

    /// The least step that takes every pair too near apart.
    fn way_off(&mut self, turning: bool) -> Option<Step> {
        let Drag { proxy, around, askers, rows, keep, .. } = self;
        let spot = Spot::new(proxy, &around.anchor, self.pose);
        let sight = Sight { proxy, others: &around.others, from: &spot, to: &spot };
        rows.clear(around.near.len());
        for (pair, near) in around.near.iter().enumerate() {
            if around.clear[pair] < *keep {
                let (_, plane): (bool, Plane) = near.search(&sight, &mut askers.convex, |_, _| false);
                rows.take((pair, near), &plane, &sight, &mut askers.convex, 4.0 * *keep);
            }
        }
        rows.settle(usize::MAX, *keep);
        let step = rows.solve(proxy, &spot, &Step::NONE, Aim { keep: 2.0 * *keep, push: true, turning });
        (proxy.reach(&step) > 0.0).then_some(step)
    }

    /// Whether the way to a pose is **proven** free of all obstacles, but for touching them at its beginning.
    fn leaves(&self, end: Pose) -> bool {
        let Ok(motion) = Motion::slerp(self.pose, end, self.proxy.centre) else { return false };
        let way = motion.displacement_bound(self.proxy.centre, self.proxy.radius, 0.0, 1.0);
        let centre = self.pose.apply(self.proxy.centre);
        let reach = self.proxy.radius + self.pose.apply_error(self.proxy.centre);
        let (mut query, options) =
            (Query::new(), MotionOptions { most_work: 200_000, ..MotionOptions::default() });
        self.obstacles.iter().all(|obstacle| {
            if !obstacle.may_be_within(way, centre, reach) {
                return true;
            }
            let rest = Motion::Rest(obstacle.given.pose);
            let (own, other) =
                (Moving::new(&self.proxy.body, &motion), Moving::new(&obstacle.given.body, &rest));
            let impact = query.first_contact(own, other, &options);
            matches!(impact, Impact::Free { initial } if initial != Initial::Overlapping)
        })
    }
}
