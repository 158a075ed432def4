//! All places where the distance from a point, or the extent in a direction, may have a local extremum on a curve or a surface.
//!
//! Places are stationary: the derivatives vanish there or may do so. **No extremum is missed**, with these exceptions, which are the
//! caller's to ask for: ends of a domain, which are edges or vertices of a body, and creases of a B-spline surface, knots repeated so
//! often that its first derivative jumps, which are edges as well. A place may be a saddle, or stationary only because a
//! parametrisation is singular there; the apex of a cone and the places where a torus meets its axis are always among them.

mod analytic;
mod on_curve;
mod ruled;
mod spline;
mod unknowns;

use crate::curve::Curve;
use crate::newton::{Known, Searched};
use crate::surface::Surface;
use kontakt_math::{DVec3, Interval, IntervalVector};

pub use crate::newton::Place;

/// What is to be extreme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The distance from a point.
    Distance(DVec3),
    /// How far a curve or a surface reaches in a direction of any length but zero.
    Extent(DVec3),
}

/// All stationary places.
#[derive(Clone, Debug, PartialEq)]
pub struct Extrema<const N: usize> {
    /// Ranges of the parameters, and whether there is exactly one stationary place in them. Of an angle a range begins in [0, 2π) and may
    /// go beyond 2π; where all angles are stationary it is a whole turn, and where a whole line is it is unbounded.
    pub places: Vec<Place<N>>,
    /// Whether places are as small as they can be; if not, the search was cut short, or the aim is not finite.
    pub complete: bool,
    /// How many boxes were looked at.
    pub boxes: usize,
}

impl<const N: usize> Extrema<N> {
    /// Of numbers that are not finite nothing is said.
    fn unknown() -> Extrema<N> {
        Extrema { places: Vec::new(), complete: false, boxes: 0 }
    }

    fn direct(places: Vec<Place<N>>) -> Extrema<N> {
        Extrema { places, complete: true, boxes: 0 }
    }
}

impl<const N: usize> From<Searched<N>> for Extrema<N> {
    fn from(searched: Searched<N>) -> Extrema<N> {
        Extrema { places: searched.places, complete: searched.complete, boxes: searched.boxes }
    }
}

impl Aim {
    fn is_finite(&self) -> bool {
        match self {
            Aim::Distance(p) | Aim::Extent(p) => p.is_finite(),
        }
    }

    /// What its derivatives are made of: half the square of the distance has the derivative (S − p)·S′, the extent d·S′.
    fn gradient(&self, point: IntervalVector) -> IntervalVector {
        match self {
            Aim::Distance(p) => point - IntervalVector::point(*p),
            Aim::Extent(d) => IntervalVector::point(*d),
        }
    }

    /// The mixed second derivative along two parameters: S′·S′ + (S − p)·S″, or d·S″.
    fn bend(&self, gradient: IntervalVector, first: [IntervalVector; 2], second: IntervalVector) -> Interval {
        match self {
            Aim::Distance(_) => first[0].dot(first[1]) + gradient.dot(second),
            Aim::Extent(_) => gradient.dot(second),
        }
    }
}

impl Curve {
    /// All places at which the distance from a point, or the extent in a direction, may have a local extremum inside of the domain; kinks
    /// of a B-spline are among them.
    pub fn extrema(&self, aim: Aim) -> Extrema<1> {
        match self {
            _ if !aim.is_finite() => Extrema::unknown(),
            Curve::Line { origin, direction } => on_curve::line(*origin, *direction, aim),
            Curve::Ellipse { frame, radii } => on_curve::ellipse(self, frame, *radii, aim),
            Curve::Nurbs(curve) => spline::on_curve(curve, aim),
        }
    }
}

impl Surface {
    /// All places at which the distance from a point, or the extent in a direction, may have a local extremum inside of the domain.
    pub fn extrema(&self, aim: Aim) -> Extrema<2> {
        match self {
            _ if !aim.is_finite() => Extrema::unknown(),
            Surface::Plane(frame) => analytic::plane(frame, aim),
            Surface::Sphere { frame, radius } => analytic::sphere(frame, *radius, aim),
            Surface::Torus { frame, major, minor } => analytic::torus(frame, [*major, *minor], aim),
            Surface::Cylinder { frame, radii } => analytic::cylinder(frame, *radii, aim),
            Surface::Cone { frame, radii, slope } => analytic::cone(frame, *radii, *slope, aim),
            Surface::Extrusion { curve, direction } => ruled::extrusion(self, curve, *direction, aim),
            Surface::Revolution { curve, frame } => ruled::revolution(self, curve, frame, aim),
            Surface::Nurbs(surface) => spline::on_surface(surface, aim),
        }
    }
}

fn place<const N: usize>(within: [Interval; N]) -> Place<N> {
    Place { within, known: Known::Nothing }
}

fn only_one<const N: usize>(within: [Interval; N]) -> Place<N> {
    Place { within, known: Known::One }
}
