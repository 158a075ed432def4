//! Parameters of points: those of the nearest point in plain doubles, and all of them with proof.

pub(crate) mod analytic;
mod descent;
mod near;
mod near_surface;
pub(crate) mod ruled;
mod spline;

use crate::curve::Curve;
use crate::newton::{Operator, Options, Split};
use crate::nurbs::NurbsSurface;
use crate::surface::Surface;
use kontakt_math::{DVec3, Interval};

/// A part of parameter space whose points may be within the asked distance of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preimage<const N: usize> {
    /// Ranges of the parameters. That of an angle begins in [0, 2π) and may go beyond 2π; a whole turn begins at zero.
    pub within: [Interval; N],
    /// Whether some parameters in there are proven to be within the distance.
    pub proven: bool,
}

/// All parameters of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Preimages<const N: usize> {
    /// **No parameters are missing**: outside of these places every point is farther off. At a seam there is a place on either side, at
    /// a pole one that runs all along it.
    pub places: Vec<Preimage<N>>,
    /// Whether places are as small as the distance allows; if not, the search was cut short.
    pub complete: bool,
    /// How many boxes were looked at.
    pub boxes: usize,
    /// How often the surface, or its derivatives, were evaluated.
    pub calls: usize,
}

impl<const N: usize> Preimages<N> {
    /// Known at once.
    fn direct(places: impl IntoIterator<Item = Preimage<N>>) -> Preimages<N> {
        Preimages { places: places.into_iter().collect(), complete: true, boxes: 0, calls: 0 }
    }
}

/// A point that is not at a pole takes a few boxes.
const OPTIONS: Options = Options { operator: Operator::MixedRows, split: Split::Steepest, boxes: 2000 };

impl NurbsSurface {
    /// As [`Surface::invert`], with a choice of the method; the number of boxes is that for one polynomial piece.
    pub fn invert_by(&self, point: DVec3, distance: f64, options: &Options) -> Preimages<2> {
        spline::on_surface(self, point, distance, options)
    }
}

/// Nothing is within a distance below zero, or of a point that is not finite.
fn is_sound(point: DVec3, distance: f64) -> bool {
    point.is_finite() && distance >= 0.0
}

impl Curve {
    /// All parameters of the curve's domain at which it is no farther than `distance` from a point.
    pub fn invert(&self, point: DVec3, distance: f64) -> Preimages<1> {
        if !is_sound(point, distance) {
            return Preimages::direct([]);
        }
        match self {
            Curve::Line { origin, direction } => {
                let place = analytic::on_line(*origin, *direction, point, distance);
                self.checked(Some(place), point, distance)
            }
            Curve::Ellipse { frame, radii } => {
                let place = analytic::on_ellipse(frame, *radii, point, distance);
                self.checked(place, point, distance)
            }
            Curve::Nurbs(curve) => spline::on_curve(curve, point, distance, &OPTIONS),
        }
    }

    /// A place with whether its middle is near enough; none where no point of it can be.
    fn checked(&self, place: Option<Interval>, point: DVec3, distance: f64) -> Preimages<1> {
        let gap = |t: Interval| {
            let [range, _] = self.range_over([t.lo(), t.hi()]);
            (range - kontakt_math::IntervalVector::point(point)).length()
        };
        Preimages::direct(place.filter(|&t| gap(t).lo() <= distance).map(|t| {
            let proven = gap(Interval::point(t.middle())).hi() <= distance;
            Preimage { within: [t], proven }
        }))
    }
}

impl Surface {
    /// All parameters of the surface's domain at which it is no farther than `distance` from a point. A sphere's second parameter runs from
    /// pole to pole.
    pub fn invert(&self, point: DVec3, distance: f64) -> Preimages<2> {
        if !is_sound(point, distance) {
            return Preimages::direct([]);
        }
        let places = match self {
            Surface::Plane(frame) => analytic::on_plane(frame, point, distance),
            Surface::Sphere { frame, radius } => analytic::on_sphere(frame, *radius, point, distance),
            Surface::Cylinder { frame, radii } => analytic::on_cone(frame, *radii, 0.0, point, distance),
            Surface::Cone { frame, radii, slope } => {
                analytic::on_cone(frame, *radii, *slope, point, distance)
            }
            Surface::Torus { frame, major, minor } => {
                analytic::on_torus(frame, [*major, *minor], point, distance)
            }
            Surface::Extrusion { .. } | Surface::Revolution { .. } => {
                return ruled::inverted(self, point, distance);
            }
            Surface::Nurbs(surface) => return surface.invert_by(point, distance, &OPTIONS),
        };
        Preimages::direct(places.into_iter().filter_map(|place| self.checked(place, point, distance)))
    }

    /// A place with whether its middle is near enough; none where no point of it can be.
    fn checked(&self, within: [Interval; 2], point: DVec3, distance: f64) -> Option<Preimage<2>> {
        let gap = |[u, v]: [Interval; 2]| {
            let [range, ..] = self.range_over([u.lo(), u.hi()], [v.lo(), v.hi()]);
            (range - kontakt_math::IntervalVector::point(point)).length()
        };
        (gap(within).lo() <= distance).then(|| {
            let proven = gap(within.map(|x| Interval::point(x.middle()))).hi() <= distance;
            Preimage { within, proven }
        })
    }
}
