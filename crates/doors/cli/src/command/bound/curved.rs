//! Volumes about the true surfaces of bodies with curved faces: what is fitted holds them, and both ends are certified.

use super::{Asked, Cloud, Fitted};
use crate::clock::Clock;
use crate::input::model::ModelBody;
use kontakt::bounds::{Aabb, AnyVolume, Bound as _, BoxMethod, Obb, Objective, Sphere, VolumeKind};
use kontakt::curved::{BallOptions, BoxOptions, Outline};
use kontakt::math::round::add_up;
use kontakt::math::{DMat3, DVec3, Pose};

/// Relative to the size, how near sides of boxes come to the surfaces.
const NEAR: f64 = 1e-9;

/// A volume about the true surfaces; none for kinds that have no search on them, for several bodies at once but for the axis-parallel box, and
/// where numbers overflow.
pub(super) fn fit(kind: &VolumeKind, cloud: &Cloud, asked: &Asked) -> Option<Fitted> {
    let clock = Clock::start();
    let (volume, gap) = match (kind.name, cloud.models.as_slice()) {
        ("sphere", [model]) => sphere(model)?,
        ("aabb", [_, ..]) => aabb(&cloud.models)?,
        ("obb", [model]) if asked.objective == Objective::Volume && asked.method == BoxMethod::default() => {
            obb(model, asked)?
        }
        _ => return None,
    };
    Some(Fitted {
        body: cloud.name.clone(),
        points: cloud.points.len(),
        kind: kind.name,
        method: "true surfaces",
        parameters: volume.parameters(),
        measure: volume.measure(),
        gap: if gap.is_finite() { Ok(gap) } else { Err("no lower bound could be proven") },
        seconds: clock.seconds(),
        deviation: 0.0,
    })
}

fn sphere(model: &ModelBody) -> Option<(AnyVolume, f64)> {
    let found = Outline::new(&model.body).smallest_ball(&BallOptions::default())?;
    let Sphere { centre, radius } = found.outer;
    let pose = model.given.pose;
    let moved = if pose == Pose::IDENTITY {
        found.outer
    } else {
        // The image of the centre is rounded.
        Sphere { centre: pose.apply(centre), radius: add_up(radius, pose.apply_error(centre)) }
    };
    let gap = if found.lower_radius > 0.0 {
        (moved.radius / found.lower_radius - 1.0).max(0.0).next_up()
    } else {
        f64::INFINITY
    };
    Some((moved.into(), gap))
}

/// The box about all bodies: of each side the outermost.
fn aabb(models: &[ModelBody]) -> Option<(AnyVolume, f64)> {
    let mut all: Vec<Reaches<'_>> = models.iter().map(Reaches::new).collect();
    let (mut ends, mut inner) = ([DVec3::ZERO; 2], [DVec3::ZERO; 2]);
    for axis in 0..3 {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let mut way = DVec3::ZERO;
            way[axis] = sign;
            let found: Option<Vec<[f64; 2]>> = all.iter_mut().map(|one| one.along(way)).collect();
            let most = |k: usize| {
                found.as_ref().map(|all| all.iter().map(|ends| ends[k]).fold(f64::NEG_INFINITY, f64::max))
            };
            (ends[side][axis], inner[side][axis]) = (sign * most(1)?, sign * most(0)?);
        }
    }
    let outer = Aabb::new(ends[0], ends[1]).ok()?;
    let least = (inner[1] - inner[0]).max(DVec3::ZERO);
    let gap = shortfall(least.x * least.y * least.z, outer.measure().volume);
    Some((outer.into(), gap))
}

fn obb(model: &ModelBody, asked: &Asked) -> Option<(AnyVolume, f64)> {
    let defaults = BoxOptions::default();
    let options = BoxOptions {
        gap: asked.gap.unwrap_or(defaults.gap),
        time_limit: asked.deadline.left().unwrap_or(defaults.time_limit),
        ..defaults
    };
    let mut reaches = Reaches::new(model);
    let found = reaches.outline.smallest_box(&options)?;
    let outer = if model.given.pose == Pose::IDENTITY {
        found.outer
    } else {
        let turned = model.given.pose.matrix() * found.outer.axes;
        reaches.around(turned)?
    };
    let gap = shortfall(found.lower_volume, outer.measure().volume);
    Some((outer.into(), gap))
}

/// By which share a volume may be larger than the least one.
fn shortfall(least: f64, volume: f64) -> f64 {
    if volume > 0.0 { (1.0 - least / volume).max(0.0).next_up() } else { 0.0 }
}

/// How far a body reaches where its file puts it.
struct Reaches<'a> {
    outline: Outline<'a>,
    pose: Pose,
    tolerance: f64,
    /// No point of it is farther from its own origin.
    farthest: f64,
}

impl<'a> Reaches<'a> {
    fn new(model: &'a ModelBody) -> Reaches<'a> {
        let points = &model.body.tessellation().points;
        let farthest = points.iter().map(|x| x.length()).fold(0.0, f64::max) + model.body.deviation();
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let tolerance = NEAR * (high - low).length();
        Reaches { outline: Outline::new(&model.body), pose: model.given.pose, tolerance, farthest }
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
