//! Extrema on extrusions and surfaces of revolution.

use super::analytic::lifted;
use super::on_curve::round;
use super::unknowns::Two;
use super::{Aim, Extrema, place};
use crate::curve::Curve;
use crate::frame::Frame;
use crate::invert::analytic::turn;
use crate::invert::ruled::{curve_range, extrusion_box};
use crate::newton::{Cell, Options, Place, search};
use crate::surface::Surface;
use kontakt_math::{DVec3, Interval, IntervalVector};

const NARROW: f64 = 1e-9;

/// An extent is level along the direction or not at all, and then wherever the curve's is. The distance is searched for in both
/// parameters.
pub(super) fn extrusion(surface: &Surface, curve: &Curve, direction: DVec3, aim: Aim) -> Extrema<2> {
    let way = IntervalVector::point(direction);
    match aim {
        Aim::Extent(d) => {
            if !IntervalVector::point(d).dot(way).contains(0.0) {
                return Extrema::direct(Vec::new());
            }
            let along = curve.extrema(aim);
            let line = |place_on: &Place<1>| place([place_on.within[0], Interval::ENTIRE]);
            Extrema {
                places: along.places.iter().map(line).collect(),
                complete: along.complete,
                boxes: along.boxes,
            }
        }
        Aim::Distance(p) => by_pieces(surface, curve, |surface, curve| {
            searched(surface, extrusion_box(curve, direction, IntervalVector::point(p), 0.0), aim)
        }),
    }
}

pub(super) fn revolution(surface: &Surface, curve: &Curve, frame: &Frame, aim: Aim) -> Extrema<2> {
    let origin = IntervalVector::point(frame.origin);
    let reach = match (aim, curve) {
        // On a line turned round, the nearest place is no farther along than the point and the line's own start are off the origin.
        (Aim::Distance(p), _) => (IntervalVector::point(p) - origin).length(),
        (Aim::Extent(d), Curve::Line { .. }) => return turned_line(surface, d),
        (Aim::Extent(_), Curve::Ellipse { .. } | Curve::Nurbs(_)) => Interval::ZERO,
    };
    let range = |curve: &Curve| curve_range(curve, origin, reach);
    by_pieces(surface, curve, |surface, curve| searched(surface, [turn(), range(curve)], aim))
}

/// A line turned round: the direction is level along it, d·Sv = 0, at angles that do not depend on v; there d·Su is linear in v.
fn turned_line(surface: &Surface, d: DVec3) -> Extrema<2> {
    let d = IntervalVector::point(d);
    let over = |u: Interval| surface.second_range_over([u.lo(), u.hi()], [0.0; 2]);
    let level = round(|u| d.dot(over(u)[2]), |u| d.dot(over(u)[4]));
    lifted(&level, |u| {
        let [_, du, _, _, duv, _] = over(u);
        -d.dot(du) / d.dot(duv)
    })
}

/// Each polynomial piece of a curve for itself: the gradient may jump where they meet, and Newton's method knows only smooth ones.
fn by_pieces(
    surface: &Surface,
    curve: &Curve,
    search: impl Fn(&Surface, &Curve) -> Extrema<2>,
) -> Extrema<2> {
    let Curve::Nurbs(spline) = curve else { return search(surface, curve) };
    let mut found = Extrema::direct(Vec::new());
    for piece in spline.split_pieces() {
        let curve = Curve::Nurbs(piece);
        let part = search(&surface.swept_from(curve.clone()), &curve);
        found.complete &= part.complete;
        found.boxes += part.boxes;
        found.places.extend(part.places);
    }
    found
}

impl Surface {
    /// The same sweep of another curve.
    fn swept_from(&self, curve: Curve) -> Surface {
        let curve = Box::new(curve);
        match self {
            Surface::Extrusion { direction, .. } => Surface::Extrusion { curve, direction: *direction },
            Surface::Revolution { frame, .. } => Surface::Revolution { curve, frame: *frame },
            _ => self.clone(),
        }
    }
}

fn searched(surface: &Surface, start: Cell<2>, aim: Aim) -> Extrema<2> {
    let ends = |x: &Cell<2>| x.map(|x| [x.lo(), x.hi()]);
    let gradient = |x: &Cell<2>| {
        let [u, v] = ends(x);
        let [point, du, dv] = surface.range_over(u, v);
        let gradient = aim.gradient(point);
        [gradient.dot(du), gradient.dot(dv)]
    };
    let bends = |x: &Cell<2>| {
        let [u, v] = ends(x);
        let [point, du, dv, uu, uv, vv] = surface.second_range_over(u, v);
        let gradient = aim.gradient(point);
        let mixed = aim.bend(gradient, [du, dv], uv);
        [[aim.bend(gradient, [du, du], uu), mixed], [mixed, aim.bend(gradient, [dv, dv], vv)]]
    };
    let small =
        |x: &Cell<2>, _: &[Interval; 2]| x.iter().all(|x| x.width() <= NARROW * x.magnitude().max(1.0));
    let system = Two { gradient, bends, small };
    search(&system, start, &Options { boxes: 4000, ..Options::default() }).into()
}
