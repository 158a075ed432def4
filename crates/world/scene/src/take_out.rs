//! A straight way out for some bodies of a scene, proven free, or what holds them on every way that was tried.

use crate::cylinders::{cylinder_axes, parallel};
use crate::exceptions::Exceptions;
use crate::path::{PathError, check_path};
use crate::scene::Scene;
use crate::way::Way;
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;
use kontakt_rigid_ccd::path::{PathOptions, PathReport, PathVerdict, Segment, SegmentReport, Watch};

/// Where a way that is tried comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Along {
    /// One of the six directions of the coordinate axes.
    Axis,
    /// The axis of cylinders on the bodies that are taken out, either way.
    Cylinder,
}

/// What to try.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakeOutOptions {
    /// How far to go; where it is not given, until the bodies are clear of the box around all others.
    pub distance: Option<f64>,
    /// Try every way, even after a free one.
    pub all: bool,
    /// Tolerances and limits of each check.
    pub path: PathOptions,
}

/// A way that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Unit direction.
    pub direction: DVec3,
    /// Where it comes from.
    pub along: Along,
    /// How far it goes.
    pub distance: f64,
    /// The one segment of the check; its times are distances along the way.
    pub segment: SegmentReport,
    /// Whether the check came to its end.
    pub complete: bool,
}

impl Tried {
    /// Whether it is proven free.
    pub fn is_free(&self) -> bool {
        self.segment.verdict == PathVerdict::Free
    }

    /// The bodies that stop it first, by their places behind the movers: those that may be met before any is proven to be. The earliest
    /// comes first.
    pub fn held_by(&self) -> Vec<usize> {
        let mut held: Vec<_> =
            self.segment.findings.iter().filter(|finding| finding.verdict != PathVerdict::Free).collect();
        held.sort_by(|x, y| x.time.lo().total_cmp(&y.time.lo()).then(x.body.cmp(&y.body)));
        let stop = held.iter().map(|finding| finding.time.hi()).fold(f64::INFINITY, f64::min);
        let mut bodies = Vec::new();
        for finding in held.into_iter().filter(|finding| finding.time.lo() <= stop) {
            if !bodies.contains(&finding.body) {
                bodies.push(finding.body);
            }
        }
        bodies
    }
}

/// All that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeOut {
    /// In order; the first free one is the last, unless all were asked for.
    pub tried: Vec<Tried>,
    /// Pairs looked at on each.
    pub pairs: usize,
}

impl TakeOut {
    /// The first way that is proven free.
    pub fn free(&self) -> Option<&Tried> {
        self.tried.iter().find(|tried| tried.is_free())
    }
}

/// Tries to take the first `movers` bodies of a scene out of the others, straight: along the six directions of the axes, then along the axes
/// of the movers' cylinders. A touch at the start that is left at once does not count; sliding in touch does.
pub fn take_out(
    scene: &Scene,
    movers: usize,
    exceptions: &Exceptions,
    options: &TakeOutOptions,
    watch: &dyn Watch,
) -> Result<TakeOut, PathError> {
    let (moving, still) = scene.boxes(movers);
    let mut found = TakeOut { tried: Vec::new(), pairs: 0 };
    for (along, direction) in directions(scene, movers) {
        let distance = options.distance.unwrap_or_else(|| clear_after(&moving, &still, direction));
        let segments = Way::straight(direction * distance).segments()?;
        let (pairs, report) = check_path(scene, movers, &segments, exceptions, &options.path, watch)?;
        found.pairs = pairs;
        found.tried.extend(tried(direction, along, &segments, report));
        if found.free().is_some() && !options.all {
            break;
        }
    }
    Ok(found)
}

fn tried(direction: DVec3, along: Along, segments: &[Segment], report: PathReport) -> Option<Tried> {
    let distance = segments.last()?.times()[1];
    let complete = report.complete;
    let segment = report.segments.into_iter().next()?;
    Some(Tried { direction, along, distance, segment, complete })
}

/// The ways to try.
fn directions(scene: &Scene, movers: usize) -> Vec<(Along, DVec3)> {
    // Closer to an axis than this, a cylinder's axis is that one, told by rounded vertices.
    const SAME: f64 = 1e-6;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    // Taken from zero, so that no -0 comes of it.
    let both = |along: Along| move |axis: DVec3| [(along, axis), (along, DVec3::ZERO - axis)];
    let mut ways: Vec<_> = axes.into_iter().flat_map(both(Along::Axis)).collect();
    let surfaces = scene.bodies().iter().take(movers).filter_map(|body| Some((body, body.body.surface()?)));
    for (body, mesh) in surfaces {
        for axis in cylinder_axes(mesh.faces()) {
            let axis = body.pose.rotate(axis);
            if !ways.iter().any(|(_, known)| parallel(*known, axis, SAME)) {
                ways.extend(both(Along::Cylinder)(axis));
            }
        }
    }
    ways
}

/// How far a box goes along a unit direction until it is clear of another one, and a little farther: a touch at the end would count.
fn clear_after(moving: &Aabb, still: &Aabb, direction: DVec3) -> f64 {
    const FARTHER: f64 = 0.01;
    let out = |axis: usize| match direction[axis] {
        d if d > 0.0 => (still.max[axis] - moving.min[axis]) / d,
        d if d < 0.0 => (still.min[axis] - moving.max[axis]) / d,
        _ => f64::INFINITY,
    };
    let clear = (0..3).map(out).fold(f64::INFINITY, f64::min).max(0.0);
    let size = (moving.max - moving.min).length().max((still.max - still.min).length());
    clear + FARTHER * if size > 0.0 { size } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_clear_once_one_side_is() {
        let unit = |at: DVec3| Aabb { min: at, max: at + DVec3::ONE };
        let (moving, still) = (unit(DVec3::ZERO), unit(DVec3::new(0.5, 0.0, 0.0)));
        let more = 0.01 * 3.0_f64.sqrt();
        let far = |direction| clear_after(&moving, &still, direction) - more;
        assert!((far(DVec3::X) - 1.5).abs() < 1e-12);
        assert!((far(-DVec3::X) - 0.5).abs() < 1e-12);
        assert!((far(DVec3::new(0.6, 0.8, 0.0)) - 1.25).abs() < 1e-12, "out by y first");
    }
}
