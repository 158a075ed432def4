//! Volumes about bodies at their places: of turned and shifted bodies, with what that rounds.

use super::{BallOptions, BoxOptions, Outline};
use crate::body::Body;
use kontakt_bounds::{Aabb, Bound as _, Obb, Sphere};
use kontakt_math::round::add_up;
use kontakt_math::{DMat3, DVec3, Pose};

/// Relative to the size, how near sides of boxes come to the surfaces.
const NEAR: f64 = 1e-9;

/// The outline of a body at its place.
#[derive(Debug)]
pub struct PlacedOutline<'a> {
    outline: Outline<'a>,
    pose: Pose,
    tolerance: f64,
    /// No point of it is farther from its own origin.
    farthest: f64,
}

/// A volume that holds the true surfaces for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosing<V> {
    /// It.
    pub volume: V,
    /// By which share it may be larger than the smallest of its kind, in radius or in volume; infinite where that is not known.
    pub gap: f64,
}

impl<'a> PlacedOutline<'a> {
    /// Of a body that a pose takes to its place.
    pub fn new(body: &'a Body, pose: Pose) -> PlacedOutline<'a> {
        let points = &body.tessellation().points;
        let farthest = points.iter().map(|x| x.length()).fold(0.0, f64::max) + body.deviation();
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let tolerance = NEAR * (high - low).length();
        PlacedOutline { outline: Outline::new(body), pose, tolerance, farthest }
    }

    /// The smallest ball.
    pub fn smallest_ball(&mut self, options: &BallOptions) -> Option<Enclosing<Sphere>> {
        let found = self.outline.smallest_ball(options)?;
        let Sphere { centre, radius } = found.outer;
        let volume = if self.pose == Pose::IDENTITY {
            found.outer
        } else {
            // The image of the centre is rounded.
            Sphere { centre: self.pose.apply(centre), radius: add_up(radius, self.pose.apply_error(centre)) }
        };
        let gap = if found.lower_radius > 0.0 {
            (volume.radius / found.lower_radius - 1.0).max(0.0).next_up()
        } else {
            f64::INFINITY
        };
        Some(Enclosing { volume, gap })
    }

    /// The box of least volume.
    pub fn smallest_box(&mut self, options: &BoxOptions) -> Option<Enclosing<Obb>> {
        let found = self.outline.smallest_box(options)?;
        let volume = if self.pose == Pose::IDENTITY {
            found.outer
        } else {
            self.around(self.pose.matrix() * found.outer.axes)?
        };
        Some(Enclosing { volume, gap: shortfall(found.lower_volume, volume.measure().volume) })
    }

    /// The axis-parallel box about all bodies: of each side the outermost.
    pub fn smallest_aabb(all: &mut [PlacedOutline<'_>]) -> Option<Enclosing<Aabb>> {
        let (mut ends, mut inner) = ([DVec3::ZERO; 2], [DVec3::ZERO; 2]);
        for axis in 0..3 {
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let mut way = DVec3::ZERO;
                way[axis] = sign;
                let found: Option<Vec<[f64; 2]>> = all.iter_mut().map(|one| one.along(way)).collect();
                let found = found?;
                let most = |k: usize| found.iter().map(|ends| ends[k]).fold(f64::NEG_INFINITY, f64::max);
                (ends[side][axis], inner[side][axis]) = (sign * most(1), sign * most(0));
            }
        }
        let volume = Aabb::new(ends[0], ends[1]).ok()?;
        let least = (inner[1] - inner[0]).max(DVec3::ZERO);
        Some(Enclosing { volume, gap: shortfall(least.x * least.y * least.z, volume.measure().volume) })
    }

    /// Never more, and never less, than the body's greatest extent along a unit vector.
    ///
    /// With x ↦ Rx + t it is that along Rᵀd, and d·t: Rᵀd and its use, and the sums, err by some ten roundings of the largest number.
    fn along(&mut self, way: DVec3) -> Option<[f64; 2]> {
        let own = self.pose.inverse().rotate(way);
        let found = self.outline.reach(own, self.tolerance)?;
        if self.pose == Pose::IDENTITY {
            return Some([found.lower, found.upper]);
        }
        let moved = way.dot(self.pose.translation());
        let off = 32.0 * f64::EPSILON * (self.farthest + self.pose.translation().length());
        Some([found.lower + moved - off, found.upper + moved + off])
    }

    /// The box with given axes.
    fn around(&mut self, axes: DMat3) -> Option<Obb> {
        let ways = [axes.x_axis, axes.y_axis, axes.z_axis].map(|way| [way, -way]).concat();
        let ends: Option<Vec<f64>> = ways.iter().map(|&way| self.along(way).map(|ends| ends[1])).collect();
        let ends = ends?;
        let end = |way: DVec3| ways.iter().position(|own| *own == way).map_or(f64::INFINITY, |at| ends[at]);
        Some(Obb::around(axes, end))
    }
}

/// By which share a volume may be larger than the least one.
fn shortfall(least: f64, volume: f64) -> f64 {
    if volume > 0.0 { (1.0 - least / volume).max(0.0).next_up() } else { 0.0 }
}
