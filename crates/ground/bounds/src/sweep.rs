//! Swept volumes: what a volume passes over during a motion, enclosed by sphere, axis-aligned or oriented box
//! (VR thesis 4.2.1, made conservative for every rotation angle).
//!
//! The thesis encloses the volume at start and end, or at the start enlarged by the longest displacement, taking the end
//! for the farthest place. Neither holds under rotation. Here the first gets a margin for how much a path bows out of
//! its chord, the second a bound over all times; both come certified from the motion.

mod placement;
mod sweepable;

pub use sweepable::Sweepable;

use crate::bound::Support;
use crate::outward::{product_up, sum_up};
use crate::sets::farthest_from;
use crate::volume::{Aabb, Obb, Sphere};
use kontakt_math::round::{add_down, add_up, length_up};
use kontakt_math::{DMat3, DVec3, IntervalVector, Motion};
use placement::Placement;

/// How the swept volume is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepWay {
    /// The hull of the volume at start and end, widened by the bow of the paths.
    StartEnd,
    /// The volume at the start, widened by the longest displacement.
    LongestDisplacement,
    /// The hull of the volume at the ends of so many equal spans of time (at least 1), widened by the bow within one.
    Stations(u16),
}

/// How an axis-aligned box is put around a swept volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxBy {
    /// Around the ball of the volume: cheap, and no margin for the volume turning about its own centre.
    Sphere,
    /// By projection of the volume itself.
    Projection,
}

/// Orientation of an oriented box around a swept volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepOrientation {
    /// The volume's own axes at the start.
    Start,
    /// The volume's own axes at the end.
    End,
    /// The volume's own axes half-way.
    Interpolated,
    /// First axis along the way of the volume's centre, as the thesis does for spheres.
    AlongTheWay,
}

/// Everything a volume passes over in a span of a motion, enclosed by the convex hull of a few placements of it and a margin.
/// A [`Support`] itself: it can be tested against any volume.
#[derive(Clone, Debug)]
pub struct Sweep<'a, V> {
    volume: &'a V,
    motion: &'a Motion,
    span: [f64; 2],
    placements: Vec<Placement<'a, V>>,
    /// Every point of the volume is at all times within this of the hull of the placements.
    margin: f64,
    /// The same for the centre of the volume's ball alone.
    centre_margin: f64,
    ball: Sphere,
}

impl<'a, V: Sweepable> Sweep<'a, V> {
    /// The sweep of `volume` (body coordinates) for t in [t0, t1], in world coordinates.
    pub fn new(volume: &'a V, motion: &'a Motion, t0: f64, t1: f64, way: SweepWay) -> Sweep<'a, V> {
        let ball = volume.ball();
        let bow = |radius: f64, from: f64, to: f64| motion.bow_bound(ball.centre, radius, from, to);
        let (times, margin, centre_margin) = match way {
            SweepWay::StartEnd => (vec![t0, t1], bow(ball.radius, t0, t1), bow(0.0, t0, t1)),
            SweepWay::LongestDisplacement => {
                let moved = |radius: f64| motion.deviation_bound(ball.centre, radius, t0, t0, t1);
                (vec![t0], moved(ball.radius), moved(0.0))
            }
            SweepWay::Stations(count) => {
                let count = count.max(1);
                let share = |i: u16| f64::from(i) / f64::from(count);
                let times: Vec<f64> = (0..=count).map(|i| t0 * (1.0 - share(i)) + t1 * share(i)).collect();
                let widest =
                    |radius: f64| times.windows(2).map(|w| bow(radius, w[0], w[1])).fold(0.0, f64::max);
                let margins = (widest(ball.radius), widest(0.0));
                (times, margins.0, margins.1)
            }
        };
        let placements = times.iter().map(|t| Placement::new(volume, motion.enclosure_at(*t))).collect();
        Sweep { volume, motion, span: [t0, t1], placements, margin, centre_margin, ball }
    }

    /// A ball around everything passed over.
    ///
    /// Proof: a ball turned about its centre is the same ball, so only the centre's path counts: it stays within
    /// `centre_margin` of the hull of the centre's stations, the hull within the farthest of them from any chosen middle.
    pub fn sphere(&self) -> Sphere {
        let stations = self.centre_stations();
        let ends = [stations.first(), stations.last()].map(|s| s.map_or(DVec3::ZERO, IntervalVector::middle));
        let centre = ends[0] * 0.5 + ends[1] * 0.5;
        let farthest = stations.iter().map(|s| s.farthest_from(centre)).fold(0.0, f64::max);
        Sphere { centre, radius: add_up(add_up(farthest, self.ball.radius), self.centre_margin) }
    }

    /// An axis-aligned box around everything passed over, rounded outward.
    pub fn aabb(&self, by: BoxBy) -> Aabb {
        match by {
            BoxBy::Projection => Aabb {
                min: -DVec3::new(
                    self.reach(DVec3::NEG_X),
                    self.reach(DVec3::NEG_Y),
                    self.reach(DVec3::NEG_Z),
                ),
                max: DVec3::new(self.reach(DVec3::X), self.reach(DVec3::Y), self.reach(DVec3::Z)),
            },
            BoxBy::Sphere => {
                let padding = add_up(self.ball.radius, self.centre_margin);
                let mut min = DVec3::splat(f64::INFINITY);
                let mut max = DVec3::splat(f64::NEG_INFINITY);
                for station in self.centre_stations() {
                    min = min.min(DVec3::new(station.x.lo(), station.y.lo(), station.z.lo()));
                    max = max.max(DVec3::new(station.x.hi(), station.y.hi(), station.z.hi()));
                }
                Aabb { min: min.map(|x| add_down(x, -padding)), max: max.map(|x| add_up(x, padding)) }
            }
        }
    }

    /// An oriented box around everything passed over.
    pub fn obb(&self, orientation: SweepOrientation) -> Obb {
        let [t0, t1] = self.span;
        let own = |t: f64| self.motion.pose_at(t).matrix() * self.volume.own_axes();
        let axes = match orientation {
            SweepOrientation::Start => own(t0),
            SweepOrientation::End => own(t1),
            SweepOrientation::Interpolated => own(0.5 * t0 + 0.5 * t1),
            SweepOrientation::AlongTheWay => self.way_axes(),
        };
        Obb::around(axes, |direction| self.reach(direction))
    }

    /// A frame whose first axis is the way of the ball's centre from the first to the last time; any when it does not move.
    fn way_axes(&self) -> DMat3 {
        let [from, to] = self.span.map(|t| self.motion.pose_at(t).apply(self.ball.centre));
        match crate::search::unit(to - from) {
            Some(along) => {
                let frame = crate::search::frame_along(along);
                DMat3::from_cols(frame.z_axis, frame.x_axis, frame.y_axis)
            }
            None => DMat3::IDENTITY,
        }
    }

    fn centre_stations(&self) -> Vec<IntervalVector> {
        let centre = IntervalVector::point(self.ball.centre);
        self.placements.iter().map(|placement| placement.pose().apply(centre)).collect()
    }
}

impl<V: Sweepable> Support for Sweep<'_, V> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let ends: Vec<DVec3> =
            self.placements.iter().map(|placement| placement.farthest(direction)).collect();
        let farthest = crate::probe::farthest_of(&ends, direction);
        match crate::search::unit(direction) {
            Some(outward) => farthest + outward * self.margin,
            None => farthest,
        }
    }

    /// Proof: at any time each point of the volume is within `margin` of a point of the hull of its own places at the
    /// stations, hence of the hull of the placements, whose reach is the largest of theirs.
    fn reach(&self, direction: DVec3) -> f64 {
        let stations = self.placements.iter().map(|p| p.reach(direction)).fold(f64::NEG_INFINITY, f64::max);
        sum_up(stations, product_up(self.margin, length_up(direction)))
    }

    fn centre(&self) -> DVec3 {
        self.motion.pose_at(0.5 * self.span[0] + 0.5 * self.span[1]).apply(self.volume.centre())
    }
}

/// A ball around any set, about its centre: at most √3 times larger than need be.
pub(crate) fn ball_around<S: Support>(set: &S) -> Sphere {
    let centre = set.centre();
    Sphere { centre, radius: farthest_from(set, centre) }
}
