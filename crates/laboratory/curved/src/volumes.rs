//! Tables 3.1 to 3.3: the smallest ball and the smallest box of a scene by local search, as functions of a centre or of three angles.

use crate::local::{Descended, anneal, nelder_mead, powell};
use crate::midpoint::{Bounded, smallest_ball};
use fastrand::Rng;
use kontakt_curved::{Extents, Outline};
use kontakt_math::{DMat3, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A way to descend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The thesis' downhill simplex.
    Simplex,
    /// Powell's directions.
    Powell,
    /// Simulated annealing.
    Annealing,
}

impl Way {
    fn descend(self, f: impl FnMut(DVec3) -> f64, start: DVec3, size: f64, random: &mut Rng) -> Descended {
        match self {
            Way::Simplex => nelder_mead(f, start, size),
            Way::Powell => powell(f, start, size),
            Way::Annealing => anneal(f, start, size, random),
        }
    }
}

/// The radius of the ball about the body, as a function of its centre: function (3.4). From a place within the axis-parallel box.
pub fn ball(outline: &mut Outline, extents: &Extents, way: Way, random: &mut Rng) -> Descended {
    let (low, wide) = (extents.outer.min, extents.outer.widths());
    let start = low + wide * DVec3::new(random.f64(), random.f64(), random.f64());
    let tolerance = 1e-11 * wide.max_element();
    let radius =
        |centre: DVec3| outline.farthest(centre, tolerance).map_or(f64::INFINITY, |found| found.upper);
    way.descend(radius, start, 0.1 * wide.max_element(), random)
}

/// The same by branch and bound with the midpoint test.
pub fn ball_by_midpoints(outline: &mut Outline, extents: &Extents, gap: f64, most: usize) -> Bounded {
    let wide = extents.outer.widths();
    let tolerance = 1e-11 * wide.max_element();
    let radius =
        |centre: DVec3| outline.farthest(centre, tolerance).map_or(f64::INFINITY, |found| found.upper);
    smallest_ball(radius, extents.outer.min, extents.outer.max, gap, most)
}

/// The volume of the box about the body as a function of three angles: function (3.10). The thesis' ranges of ±π/4 leave out orientations:
/// the second angle goes to ±π/2.
pub fn cuboid(outline: &mut Outline, extents: &Extents, way: Way, random: &mut Rng) -> Descended {
    let mut within = |most: f64| most * (2.0 * random.f64() - 1.0);
    let start = DVec3::new(within(FRAC_PI_4), within(FRAC_PI_2), within(FRAC_PI_4));
    let tolerance = 1e-11 * extents.outer.widths().max_element();
    let volume = |angles: DVec3| volume_at(outline, angles, tolerance);
    way.descend(volume, start, 0.2, random)
}

fn volume_at(outline: &mut Outline, angles: DVec3, tolerance: f64) -> f64 {
    let axes = DMat3::from_rotation_z(angles.x)
        * DMat3::from_rotation_y(angles.y)
        * DMat3::from_rotation_x(angles.z);
    let mut width = |way: DVec3| {
        let (one, other) = (outline.reach(way, tolerance), outline.reach(-way, tolerance));
        one.zip(other).map_or(f64::INFINITY, |(one, other)| one.upper + other.upper)
    };
    width(axes.x_axis) * width(axes.y_axis) * width(axes.z_axis)
}
