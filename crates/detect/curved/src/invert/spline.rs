//! Inversion of B-splines: interval Newton on every piece near the point.

use super::descent::over_parts;
use super::{Preimage, Preimages};
use crate::newton::{Cell, Options, System, search};
use crate::nurbs::net::Net;
use crate::nurbs::patch::Patch;
use crate::nurbs::{NurbsCurve, NurbsSurface};
use kontakt_math::{DVec3, Interval, IntervalVector};

/// w(S − p) = 0 to within the distance, parameters running through the unit square.
struct OnPatch {
    value: Net,
    slopes: [Net; 2],
    /// Never less than the distance times the weight.
    slack: f64,
    /// Values no wider than this are not narrowed further.
    small: f64,
}

impl OnPatch {
    fn new(patch: &Patch, point: DVec3, distance: f64) -> OnPatch {
        let value = patch.about(point);
        let slopes = [value.derivative(0, 1.0), value.derivative(1, 1.0)];
        let (_, weight) = value.hull();
        let slack = (Interval::point(distance) * Interval::point(weight.hi())).hi();
        // Rounding alone makes values as wide as the last term; below the middle one nothing is left to tell apart.
        let small = 16.0 * slack + 64.0 * value.greatest_error();
        OnPatch { value, slopes, slack, small }
    }

    fn values(&self, cell: [Interval; 2]) -> [Interval; 3] {
        let slack = Interval::new(-self.slack, self.slack);
        // |S − p| ≤ ε makes every coordinate of w(S − p) at most wε.
        if cell.iter().all(|x| x.lo() == x.hi()) {
            let [x, y, z, _] = self.value.at(cell.map(Interval::lo));
            return [x + slack, y + slack, z + slack];
        }
        let (range, _) = self.value.restricted(ends(cell)).hull();
        [range.x + slack, range.y + slack, range.z + slack]
    }

    fn slope(&self, along: usize, cell: [Interval; 2]) -> IntervalVector {
        self.slopes[along].restricted(ends(cell)).hull().0
    }
}

fn ends(cell: [Interval; 2]) -> [[f64; 2]; 2] {
    cell.map(|x| [x.lo(), x.hi()])
}

impl System<3, 2> for OnPatch {
    fn value(&self, x: &Cell<2>) -> [Interval; 3] {
        self.values(*x)
    }

    fn jacobian(&self, x: &Cell<2>) -> [[Interval; 2]; 3] {
        let [u, v] = [self.slope(0, *x), self.slope(1, *x)];
        [[u.x, v.x], [u.y, v.y], [u.z, v.z]]
    }

    fn is_small(&self, _: &Cell<2>, value: &[Interval; 3]) -> bool {
        value.iter().all(|value| value.width() <= self.small)
    }
}

impl System<3, 1> for OnPatch {
    fn value(&self, x: &Cell<1>) -> [Interval; 3] {
        self.values([x[0], Interval::ZERO])
    }

    fn jacobian(&self, x: &Cell<1>) -> [[Interval; 1]; 3] {
        let slope = self.slope(0, [x[0], Interval::ZERO]);
        [[slope.x], [slope.y], [slope.z]]
    }

    fn is_small(&self, _: &Cell<1>, value: &[Interval; 3]) -> bool {
        value.iter().all(|value| value.width() <= self.small)
    }
}

pub(super) fn on_surface(
    surface: &NurbsSurface,
    point: DVec3,
    distance: f64,
    options: &Options,
) -> Preimages<2> {
    let range = |[u, v]: [f64; 2]| surface.range_over([u, u], [v, v])[0];
    let near = |from| surface.descend(point, from).map(|found| found.at);
    on_pieces(surface.pieces(), (point, distance), options, range, near)
}

pub(super) fn on_curve(curve: &NurbsCurve, point: DVec3, distance: f64, options: &Options) -> Preimages<1> {
    let range = |[t]: [f64; 1]| curve.range_over([t, t])[0];
    let parts = curve.smooth_parts();
    let near = |[from]: [f64; 1]| over_parts(|t| curve.jet(t), point, from, &parts).map(|found| [found.at]);
    on_pieces(curve.pieces(), (point, distance), options, range, near)
}

/// All places of all pieces. Places of two pieces that touch, as at a knot, are one.
fn on_pieces<const N: usize>(
    pieces: &[Patch],
    (point, distance): (DVec3, f64),
    options: &Options,
    range: impl Fn([f64; N]) -> IntervalVector,
    near: impl Fn([f64; N]) -> Option<[f64; N]>,
) -> Preimages<N>
where
    OnPatch: System<3, N>,
{
    let target = IntervalVector::point(point);
    let mut found = Preimages { places: Vec::new(), complete: true, boxes: 0, calls: 0 };
    let reaches = |patch: &Patch| {
        let away = patch.reach() - target;
        let near = Interval::new(-distance, distance);
        [away.x, away.y, away.z].into_iter().all(|x| !x.intersect(near).is_empty())
    };
    let mut cells: Vec<Cell<N>> = Vec::new();
    for patch in pieces.iter().filter(|patch| reaches(patch)) {
        let system = OnPatch::new(patch, point, distance);
        let searched = search(&system, [Interval::new(0.0, 1.0); N], options);
        found.complete &= searched.complete;
        found.boxes += searched.boxes;
        found.calls += searched.calls;
        for place in searched.places {
            join(&mut cells, in_spans(&place.within, patch.spans()));
        }
    }
    let is_near = |at: [f64; N]| (range(at) - target).length().hi() <= distance;
    for within in cells {
        let middle = within.map(Interval::middle);
        // The middle will mostly do; else what plain descent makes of it.
        let better =
            || near(middle).map(|at| std::array::from_fn(|i| at[i].clamp(within[i].lo(), within[i].hi())));
        let proven = is_near(middle) || better().is_some_and(is_near);
        found.places.push(Preimage { within, proven });
    }
    found
}

/// From the unit square to the spans; never less.
fn in_spans<const N: usize>(cell: &Cell<N>, spans: [[f64; 2]; 2]) -> Cell<N> {
    std::array::from_fn(|i| {
        let [start, end] = spans[i].map(Interval::point);
        (start + cell[i] * (end - start)).intersect(Interval::new(spans[i][0], spans[i][1]))
    })
}

fn join<const N: usize>(cells: &mut Vec<Cell<N>>, mut cell: Cell<N>) {
    let touches = |a: &Cell<N>, b: &Cell<N>| (0..N).all(|i| !a[i].intersect(b[i]).is_empty());
    while let Some(at) = cells.iter().position(|other| touches(other, &cell)) {
        let other = cells.swap_remove(at);
        cell = std::array::from_fn(|i| cell[i].hull(other[i]));
    }
    cells.push(cell);
}
