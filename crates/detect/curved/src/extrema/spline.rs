//! Extrema on B-splines: interval Newton on every piece.

use super::unknowns::{One, Two};
use super::{Aim, Extrema, place};
use crate::newton::{Cell, Known, Options, Place, search};
use crate::nurbs::net::Net;
use crate::nurbs::patch::{Jets, Patch};
use crate::nurbs::{NurbsCurve, NurbsSurface};
use kontakt_math::{DVec3, Interval, IntervalVector};

/// Parameters of a piece, which run through the unit interval, are narrowed to this.
const NARROW: f64 = 1e-9;

/// A piece counted from the point of the aim, which changes no derivative.
struct OnPatch {
    jets: Jets,
    aim: Aim,
    size: f64,
    /// The gradient as a Bernstein form of its own, times a power of the weight, and its derivatives: far tighter than products of
    /// ranges.
    form: Option<[Net; 3]>,
    /// Values of the form no larger than this are rounding: where a whole family is stationary there is nothing else.
    noise: f64,
}

impl OnPatch {
    fn new(patch: &Patch, aim: Aim) -> OnPatch {
        let (jets, aim) = match aim {
            Aim::Distance(p) => (patch.jets_about(p), Aim::Distance(DVec3::ZERO)),
            Aim::Extent(_) => (patch.jets_about(patch.spot()), aim),
        };
        let size = jets.size();
        OnPatch { jets, aim, size, form: None, noise: 0.0 }
    }

    /// Whether there can be anything stationary; if so, with the form made.
    fn prepared(mut self) -> Option<OnPatch> {
        let unit = [Interval::new(0.0, 1.0); 2];
        let [u, v] = self.gradient(&unit);
        if !(u.contains(0.0) && v.contains(0.0)) {
            return None;
        }
        let gradient = match self.aim {
            Aim::Distance(_) => self.jets.distance_gradient(),
            Aim::Extent(d) => self.jets.extent_gradient(d),
        };
        self.noise =
            gradient.as_ref().map_or(0.0, |net| 4.0 * net.restricted([[0.0, 1.0]; 2]).greatest_error());
        self.form = gradient.map(|net| {
            let [u, v] = [net.derivative(0, 1.0), net.derivative(1, 1.0)];
            [net, u, v]
        });
        Some(self)
    }

    fn gradient(&self, cell: &Cell<2>) -> [Interval; 2] {
        if let Some([net, ..]) = &self.form {
            if cell.iter().all(|x| x.lo() == x.hi()) {
                let [u, v, ..] = net.at(cell.map(Interval::lo));
                return [u, v];
            }
            let (range, _) = net.restricted(ends(cell)).hull();
            return [range.x, range.y];
        }
        let [point, du, dv] = self.jets.firsts(ends(cell));
        let gradient = self.aim.gradient(point);
        [gradient.dot(du), gradient.dot(dv)]
    }

    /// Derivatives of the gradient: a row a parameter it is of. The form's are not symmetric, as its factor varies.
    fn bends(&self, cell: &Cell<2>) -> [[Interval; 2]; 2] {
        if let Some([_, by_u, by_v]) = &self.form {
            let [(u, _), (v, _)] = [by_u, by_v].map(|net| net.restricted(ends(cell)).hull());
            return [[u.x, v.x], [u.y, v.y]];
        }
        let [point, du, dv, uu, uv, vv] = self.jets.seconds(ends(cell));
        let gradient = self.aim.gradient(point);
        let mixed = self.aim.bend(gradient, [du, dv], uv);
        [[self.aim.bend(gradient, [du, du], uu), mixed], [mixed, self.aim.bend(gradient, [dv, dv], vv)]]
    }

    /// Narrow, or narrow in space: at a pole all of a parameter is one point.
    fn is_small(&self, cell: &Cell<2>, value: &[Interval]) -> bool {
        let nothing = value.iter().all(|value| value.magnitude() <= self.noise);
        if nothing || cell.iter().all(|x| x.width() <= NARROW) {
            return true;
        }
        if cell.iter().all(|x| x.width() > NARROW) {
            return false;
        }
        let [range, ..] = self.jets.firsts(ends(cell));
        let wide = |x: IntervalVector| x.x.width().max(x.y.width()).max(x.z.width());
        wide(range) <= NARROW * self.size
    }
}

fn ends(cell: &Cell<2>) -> [[f64; 2]; 2] {
    cell.map(|x| [x.lo(), x.hi()])
}

pub(super) fn on_surface(surface: &NurbsSurface, aim: Aim) -> Extrema<2> {
    let mut found = Extrema::direct(Vec::new());
    for patch in surface.pieces() {
        let Some(on) = OnPatch::new(patch, aim).prepared() else { continue };
        let system = Two {
            gradient: |cell: &Cell<2>| on.gradient(cell),
            bends: |cell: &Cell<2>| on.bends(cell),
            small: |cell: &Cell<2>, value: &[Interval; 2]| on.is_small(cell, value),
        };
        let unit = Interval::new(0.0, 1.0);
        let searched = search(&system, [unit; 2], &Options { boxes: 2000, ..Options::default() });
        found.complete &= searched.complete;
        found.boxes += searched.boxes;
        for place in searched.places {
            join(&mut found.places, &place, patch.spans());
        }
    }
    found
}

/// With the kinks, where the curve need not be stationary.
pub(super) fn on_curve(curve: &NurbsCurve, aim: Aim) -> Extrema<1> {
    let mut found = Extrema::direct(Vec::new());
    for patch in curve.pieces() {
        let Some(on) = OnPatch::new(patch, aim).prepared() else { continue };
        let system = One {
            value: |t: Interval| on.gradient(&[t, Interval::ZERO])[0],
            slope: |t: Interval| on.bends(&[t, Interval::ZERO])[0][0],
            small: |t: Interval, value: Interval| on.is_small(&[t, Interval::ZERO], &[value]),
        };
        let searched =
            search(&system, [Interval::new(0.0, 1.0)], &Options { boxes: 2000, ..Options::default() });
        found.complete &= searched.complete;
        found.boxes += searched.boxes;
        for place in searched.places {
            join(&mut found.places, &place, patch.spans());
        }
    }
    let kinks = curve.smooth_parts();
    for kink in kinks.iter().skip(1).map(|part| Interval::point(part[0])) {
        join_cell(&mut found.places, place([kink]));
    }
    found
}

/// A place in the spline's own parameters. Two that touch, as at a knot, become one of which nothing is known.
fn join<const N: usize>(places: &mut Vec<Place<N>>, found: &Place<N>, spans: [[f64; 2]; 2]) {
    let within: Cell<N> = std::array::from_fn(|i| {
        let [start, end] = spans[i].map(Interval::point);
        (start + found.within[i] * (end - start)).intersect(Interval::new(spans[i][0], spans[i][1]))
    });
    join_cell(places, Place { within, known: found.known });
}

fn join_cell<const N: usize>(places: &mut Vec<Place<N>>, mut place: Place<N>) {
    let touches = |a: &Cell<N>, b: &Cell<N>| (0..N).all(|i| !a[i].intersect(b[i]).is_empty());
    while let Some(at) = places.iter().position(|other| touches(&other.within, &place.within)) {
        let other = places.swap_remove(at);
        let within = std::array::from_fn(|i| place.within[i].hull(other.within[i]));
        place = Place { within, known: Known::Nothing };
    }
    places.push(place);
}
