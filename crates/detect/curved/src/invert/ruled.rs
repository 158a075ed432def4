//! Inversion of extrusions and surfaces of revolution: interval Newton over a box that holds all there is.

use super::analytic::turn;
use super::{Preimage, Preimages};
use crate::curve::Curve;
use crate::newton::{Cell, Options, System, search};
use crate::surface::Surface;
use kontakt_math::{DVec3, Interval, IntervalVector};

struct OnSurface<'a> {
    surface: &'a Surface,
    point: IntervalVector,
    distance: f64,
    small: f64,
}

fn over(surface: &Surface, x: &Cell<2>) -> [IntervalVector; 3] {
    surface.range_over([x[0].lo(), x[0].hi()], [x[1].lo(), x[1].hi()])
}

impl System<3, 2> for OnSurface<'_> {
    fn value(&self, x: &Cell<2>) -> [Interval; 3] {
        let [range, ..] = over(self.surface, x);
        let (away, slack) = (range - self.point, Interval::new(-self.distance, self.distance));
        [away.x + slack, away.y + slack, away.z + slack]
    }

    fn jacobian(&self, x: &Cell<2>) -> [[Interval; 2]; 3] {
        let [_, u, v] = over(self.surface, x);
        [[u.x, v.x], [u.y, v.y], [u.z, v.z]]
    }

    fn is_small(&self, _: &Cell<2>, value: &[Interval; 3]) -> bool {
        value.iter().all(|value| value.width() <= self.small)
    }
}

pub(super) fn inverted(surface: &Surface, point: DVec3, distance: f64) -> Preimages<2> {
    let none = Preimages { places: Vec::new(), complete: true, boxes: 0, calls: 0 };
    let target = IntervalVector::point(point);
    let start = match surface {
        Surface::Extrusion { curve, direction } => extrusion_box(curve, *direction, target, distance),
        Surface::Revolution { curve, frame } => {
            let origin = IntervalVector::point(frame.origin);
            // A turn keeps the distance from the origin.
            let reach = (target - origin).length() + Interval::point(distance);
            [turn(), curve_range(curve, origin, reach)]
        }
        _ => return none,
    };
    let size = target.length().hi();
    let small = 16.0 * distance + 1e-13 * size + f64::MIN_POSITIVE;
    let system = OnSurface { surface, point: target, distance, small };
    let searched = search(&system, start, &Options { boxes: 4000, ..Options::default() });
    let proven = |within: &Cell<2>| {
        let [range, ..] = over(surface, &within.map(|x| Interval::point(x.middle())));
        (range - target).length().hi() <= distance
    };
    let places =
        searched.places.iter().map(|place| Preimage { within: place.within, proven: proven(&place.within) });
    let places = places.collect();
    Preimages { places, complete: searched.complete, boxes: searched.boxes, calls: searched.calls }
}

/// Parameters of a curve at which it may be within `reach` of a point: all of a closed curve's, all of a spline's domain.
pub(crate) fn curve_range(curve: &Curve, from: IntervalVector, reach: Interval) -> Interval {
    match curve {
        Curve::Line { origin, direction } => {
            let way = IntervalVector::point(*direction);
            let off = (IntervalVector::point(*origin) - from).length() + reach;
            let by = (off / way.length()).hi();
            Interval::new(-by, by)
        }
        Curve::Ellipse { .. } => turn(),
        Curve::Nurbs(curve) => {
            let [lo, hi] = curve.domain();
            Interval::new(lo, hi)
        }
    }
}

/// v = (p − C(u))·d/d² to within the distance. Of a line the normal equations of both parameters, by Cramer's rule.
pub(crate) fn extrusion_box(
    curve: &Curve,
    direction: DVec3,
    target: IntervalVector,
    distance: f64,
) -> Cell<2> {
    let way = IntervalVector::point(direction);
    let widened = |x: Interval, along: IntervalVector| {
        let by = (Interval::point(distance) * along.length()).hi();
        x + Interval::new(-by, by)
    };
    if let Curve::Line { origin, direction } = curve {
        let line = IntervalVector::point(*direction);
        let from = target - IntervalVector::point(*origin);
        let [a, b, c] = [line.length_squared(), line.dot(way), way.length_squared()];
        let [p, q] = [widened(from.dot(line), line), widened(from.dot(way), way)];
        // The determinant is |line × way|².
        let det = line.cross(way).length_squared();
        return [(p * c - q * b) / det, (q * a - p * b) / det];
    }
    let u = curve_range(curve, target, Interval::ZERO);
    let [range, _] = curve.range_over([u.lo(), u.hi()]);
    [u, widened((target - range).dot(way), way) / way.length_squared()]
}
