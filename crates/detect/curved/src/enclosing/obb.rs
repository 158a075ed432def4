//! The smallest box in any orientation.
//!
//! The smallest box of some points of the body has no more volume than the body's, and a box with the same axes about the whole body no
//! less: its sides are the body's certified reaches. Their points join the others, and so on. Where boxes with other axes are as good as
//! the best, as about bodies of revolution, points pull the bounds up one orientation at a time: reaches at turned axes are
//! added then, ever more of them, and the gap that is left when rounds or time run out is reported.

use crate::enclosing::outline::Outline;
use kontakt_bounds::bound::Bound;
use kontakt_bounds::volume::Obb;
use kontakt_bounds::{BoxMethod, BoxRequest, smallest_box};
use kontakt_math::{DMat3, DVec3};
use kontakt_schedule::Deadline;
use std::time::Duration;

/// What is asked of a smallest box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxOptions {
    /// Relative gap of the volumes at which to stop.
    pub gap: f64,
    /// Most rounds.
    pub most_rounds: usize,
    /// Longest time, after which the gap is what it is.
    pub time_limit: Duration,
}

impl Default for BoxOptions {
    fn default() -> BoxOptions {
        BoxOptions { gap: 1e-6, most_rounds: 60, time_limit: Duration::from_secs(10) }
    }
}

/// A small box about a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnclosingBox {
    /// Holds every boundary within the model's gaps.
    pub outer: Obb,
    /// **Never less** than its volume.
    pub upper_volume: f64,
    /// **Never more** than the volume of any box about such a boundary.
    pub lower_volume: f64,
    /// Times a smallest box of points was made.
    pub rounds: usize,
    /// Points that it was made of last.
    pub points: usize,
}

impl EnclosingBox {
    /// **Proven**: no box has less than 1 − gap times the volume.
    pub fn gap(&self) -> f64 {
        if self.upper_volume > 0.0 {
            (1.0 - self.lower_volume / self.upper_volume).max(0.0).next_up()
        } else {
            0.0
        }
    }
}

impl Outline<'_> {
    /// The smallest box. `None` where numbers overflow.
    pub fn smallest_box(&mut self, options: &BoxOptions) -> Option<EnclosingBox> {
        let deadline = Deadline::after(options.time_limit);
        let mut set = Set { tolerance: 0.0, ..Set::default() };
        let first = set.around(self, DMat3::IDENTITY)?;
        set.tolerance = 1e-2
            * options.gap
            * first.half_extents.min_element().max(1e-6 * first.half_extents.max_element());
        set.diameter = 2.0 * first.half_extents.length();
        set.around_sphere(self)?;
        let mut best = EnclosingBox {
            outer: first,
            upper_volume: volume(&first),
            lower_volume: 0.0,
            rounds: 0,
            points: set.points.len(),
        };
        for round in 1..=options.most_rounds {
            if deadline.has_passed() {
                break;
            }
            let request = BoxRequest {
                method: BoxMethod::Fast,
                target_gap: 0.3 * options.gap,
                time_limit: deadline.left(),
                certify: best.gap() < 1e-2 || round % 4 == 0,
                ..BoxRequest::default()
            };
            let inner = smallest_box(&set.points, &request).ok()?;
            let lower = inner.gap.map_or(0.0, |gap| set.lowered(inner.value * (1.0 - gap)));
            best.lower_volume = best.lower_volume.max(lower);
            let outer = set.around(self, inner.obb.axes)?;
            if volume(&outer) < best.upper_volume {
                (best.outer, best.upper_volume) = (outer, volume(&outer));
            }
            (best.rounds, best.points) = (round, set.points.len());
            // What gaps take from below and add above stays.
            let halves = best.outer.half_extents;
            let enough = options.gap + 4.0 * self.gap() * (1.0 / halves.x + 1.0 / halves.y + 1.0 / halves.z);
            if best.gap() <= enough {
                break;
            }
            set.around_turned(self, inner.obb.axes, round)?;
        }
        Some(best)
    }
}

/// The volume, rounded up.
fn volume(obb: &Obb) -> f64 {
    obb.measure().volume * (1.0 + 8.0 * f64::EPSILON)
}

/// Points of the body.
#[derive(Default)]
struct Set {
    points: Vec<DVec3>,
    /// No point is farther from the body.
    off: f64,
    /// No two points of the body are farther apart.
    diameter: f64,
    tolerance: f64,
}

impl Set {
    /// How far the body reaches; the point joins the others.
    fn reach(&mut self, outline: &mut Outline, way: DVec3) -> Option<f64> {
        let found = outline.reach(way, self.tolerance)?;
        if !self.points.contains(&found.point) {
            self.points.push(found.point);
            self.off = self.off.max(found.off);
        }
        Some(found.upper)
    }

    /// The box with given axes about the body.
    fn around(&mut self, outline: &mut Outline, axes: DMat3) -> Option<Obb> {
        let ways = [axes.x_axis, -axes.x_axis, axes.y_axis, -axes.y_axis, axes.z_axis, -axes.z_axis];
        let mut ends = [0.0; 6];
        for (end, way) in ends.iter_mut().zip(ways) {
            *end = self.reach(outline, way)?;
        }
        let end = |way: DVec3| {
            ways.iter().zip(ends).find(|(own, _)| **own == way).map_or(f64::INFINITY, |found| found.1)
        };
        Some(Obb::around(axes, end))
    }

    /// Reaches all round.
    fn around_sphere(&mut self, outline: &mut Outline) -> Option<()> {
        for way in spread(128) {
            self.reach(outline, way)?;
        }
        Some(())
    }

    /// Reaches along the axes turned about each other, at ever more angles.
    fn around_turned(&mut self, outline: &mut Outline, axes: DMat3, round: usize) -> Option<()> {
        let count = (8 * round).min(256);
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            for k in 0..count {
                // Angles of one round are between those of others.
                let share =
                    (k as f64 + 0.618_034 * round as f64).fract() / count as f64 + k as f64 / count as f64;
                let (sin, cos) = (std::f64::consts::TAU * share).sin_cos();
                self.reach(outline, axes.col(one) * cos + axes.col(other) * sin)?;
            }
        }
        Some(())
    }

    /// A bound for boxes about the points, as one for boxes about the body: grown by what points may be off, a box about the body holds
    /// the points. None of its sides w is longer than the diameter D, so w ≥ V / D² and it grows by no more than 1 + 2 off D² / V each way.
    fn lowered(&self, volume: f64) -> f64 {
        let least = 0.5 * volume / (self.diameter * self.diameter);
        let growth = 1.0 + 2.0 * self.off / least;
        if growth > 1.2 { 0.0 } else { volume / (growth * growth * growth) * (1.0 - 8.0 * f64::EPSILON) }
    }
}

/// Directions spread evenly over the sphere (a spiral).
fn spread(count: u32) -> impl Iterator<Item = DVec3> {
    const GOLDEN: f64 = 2.399_963_229_728_653;
    (0..count).map(move |k| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
        let (sin, cos) = (GOLDEN * f64::from(k)).sin_cos();
        let out = (1.0 - z * z).sqrt();
        DVec3::new(out * cos, out * sin, z)
    })
}
