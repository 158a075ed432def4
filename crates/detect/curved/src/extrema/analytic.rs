//! Extrema on planes, quadrics and tori, in closed form but for the elliptic ones, which leave one unknown.

use super::on_curve::{NARROW, about, both, round};
use super::{Aim, Extrema, only_one, place};
use crate::frame::Frame;
use crate::invert::analytic::{angle, begun, turn};
use crate::newton::{Cell, Known, Options, Place, System, search};
use kontakt_math::trigonometry::{cos, half_pi, sin};
use kontakt_math::{DVec3, Interval, IntervalVector};

fn products(frame: &Frame, d: DVec3) -> [Interval; 3] {
    [frame.x, frame.y, frame.z].map(|axis| IntervalVector::point(axis).dot(IntervalVector::point(d)))
}

fn hypot(x: Interval, y: Interval) -> Interval {
    (x.square() + y.square()).sqrt()
}

pub(super) fn plane(frame: &Frame, aim: Aim) -> Extrema<2> {
    let places = match aim {
        Aim::Distance(p) => {
            let [u, v, _] = about(frame, p, 0.0);
            vec![only_one([u, v])]
        }
        // Level or not at all.
        Aim::Extent(d) => {
            let [x, y, _] = products(frame, d);
            if x.contains(0.0) && y.contains(0.0) { vec![place([Interval::ENTIRE; 2])] } else { Vec::new() }
        }
    };
    Extrema::direct(places)
}

/// Towards a point or a direction, and opposite.
pub(super) fn sphere(frame: &Frame, radius: f64, aim: Aim) -> Extrema<2> {
    let [x, y, z] = match aim {
        Aim::Distance(p) => about(frame, p, radius),
        Aim::Extent(d) => products(frame, d),
    };
    let quarter = Interval::new(-half_pi().hi(), half_pi().hi());
    let v = angle(hypot(x, y), z).map(|v| v.intersect(quarter));
    let places = match (both(x, y), v) {
        (Some([u, opposite]), Some(v)) => vec![only_one([u, v]), only_one([opposite, -v])],
        // Above a pole, where u is any.
        (None, Some(v)) => vec![place([turn(), v]), place([turn(), -v])],
        (_, None) => vec![place([turn(), quarter])],
    };
    Extrema::direct(places)
}

/// Across: towards the point, and away from it; then on either circle of the tube the same. Every normal that is met twice makes four.
pub(super) fn torus(frame: &Frame, [major, minor]: [f64; 2], aim: Aim) -> Extrema<2> {
    let ([x, y, z], core) = match aim {
        Aim::Distance(p) => (about(frame, p, major + minor), Interval::point(major)),
        // A direction is a point too far off for the circle of centres to matter.
        Aim::Extent(d) => (products(frame, d), Interval::ZERO),
    };
    let across = hypot(x, y);
    let on_circle = |reach: Interval, u: Interval, known: Known| -> Vec<Place<2>> {
        match both(reach - core, z) {
            Some(both) => both.map(|v| Place { within: [u, v], known }).to_vec(),
            None => vec![place([u, turn()])],
        }
    };
    let mut places = match both(x, y) {
        Some([near, far]) => {
            [on_circle(across, near, Known::One), on_circle(-across, far, Known::One)].concat()
        }
        None => on_circle(across.hull(-across), turn(), Known::Nothing),
    };
    places.extend(apexes([major, minor]).map(|v| place([turn(), v])));
    Extrema::direct(places)
}

/// Where R + r cos v may be zero: two places, one where the tube just touches the axis.
fn apexes([major, minor]: [f64; 2]) -> impl Iterator<Item = Interval> {
    let cos = -Interval::point(major) / Interval::point(minor);
    let sin = (Interval::ONE - cos.square()).max(Interval::ZERO).sqrt();
    let reaches = cos.hi() >= -1.0;
    let sides = [sin, -sin].into_iter().filter(move |_| reaches);
    sides.filter_map(move |sin| angle(cos, sin)).map(begun)
}

/// At the point's height what the ellipse there has; of an extent only square to the axis, and then whole lines.
pub(super) fn cylinder(frame: &Frame, [a, b]: [f64; 2], aim: Aim) -> Extrema<2> {
    match aim {
        Aim::Extent(d) => {
            let [x, y, z] = products(frame, d);
            if !z.contains(0.0) {
                return Extrema::direct(Vec::new());
            }
            let [x, y] = [x * Interval::point(a), y * Interval::point(b)];
            let lines = both(x, y).map_or_else(|| vec![turn()], |both| both.to_vec());
            Extrema::direct(lines.into_iter().map(|u| place([u, Interval::ENTIRE])).collect())
        }
        Aim::Distance(p) if a == b => {
            let [x, y, z] = about(frame, p, a);
            let places = match both(x, y) {
                Some(both) => both.map(|u| only_one([u, z])).to_vec(),
                None => vec![place([turn(), z])],
            };
            Extrema::direct(places)
        }
        Aim::Distance(p) => elliptic_cylinder(frame, [a, b], p),
    }
}

/// ((C − p) off the axis)·C′ = 0 in the angle alone.
fn elliptic_cylinder(frame: &Frame, radii: [f64; 2], p: DVec3) -> Extrema<2> {
    let axis = IntervalVector::point(frame.z);
    let off = |x: IntervalVector| x - axis.scale(x.dot(axis) / axis.length_squared());
    let from = IntervalVector::point(p) - IntervalVector::point(frame.origin);
    let around = |u: Interval| outline(frame, radii, u);
    let value = |u: Interval| {
        let [out, along] = around(u);
        off(out - from).dot(along)
    };
    let slope = |u: Interval| {
        let [out, along] = around(u);
        off(along).dot(along) - off(out - from).dot(out)
    };
    let searched = round(value, slope);
    let height = |u: Interval| (from - around(u)[0]).dot(axis) / axis.length_squared();
    lifted(&searched, height)
}

/// Angles with what they make of the other parameter.
pub(super) fn lifted(
    searched: &crate::newton::Searched<1>,
    other: impl Fn(Interval) -> Interval,
) -> Extrema<2> {
    let up = |place: &Place<1>| {
        let u = place.within[0];
        Place { within: [u, other(u)], known: place.known }
    };
    Extrema {
        places: searched.places.iter().map(up).collect(),
        complete: searched.complete,
        boxes: searched.boxes,
    }
}

/// a cos u x + b sin u y and its derivative; its second derivative is minus itself.
fn outline(frame: &Frame, [a, b]: [f64; 2], u: Interval) -> [IntervalVector; 2] {
    let [x, y] = [frame.x, frame.y].map(IntervalVector::point);
    let [a, b] = [a, b].map(Interval::point);
    let (sin, cos) = (sin(u), cos(u));
    [x.scale(a * cos) + y.scale(b * sin), y.scale(b * cos) - x.scale(a * sin)]
}

/// S = apex + λG(u) with G = (a cos u x + b sin u y)s + z. On each line λ = q·G/G², q counted from the apex; between lines
/// (q·G)(G·G′) = (q·G′)G², λ eliminated. Of a circular cone the left side is zero and the lines are those through the point's angle and
/// opposite. The apex is always kept: it is an extremum of a nappe. An extent is level along a line only if d·G = d·G′ = 0.
pub(super) fn cone(frame: &Frame, radii: [f64; 2], slope: f64, aim: Aim) -> Extrema<2> {
    let growth = Interval::point(slope) / Interval::point(radii[0]);
    let apex = -(Interval::ONE / growth);
    let axis = IntervalVector::point(frame.z);
    let line = |u: Interval| {
        let [out, along] = outline(frame, radii, u);
        [out.scale(growth) + axis, along.scale(growth), out.scale(-growth)]
    };
    let mut found = match aim {
        Aim::Extent(d) => level_lines(IntervalVector::point(d), &line),
        Aim::Distance(p) => {
            let from = IntervalVector::point(p) - IntervalVector::point(frame.origin) - axis.scale(apex);
            let along = |u: Interval| {
                let [g, ..] = line(u);
                apex + from.dot(g) / g.length_squared()
            };
            if radii[0] == radii[1] {
                let reach = 4.0 * from.length().hi().min(f64::MAX);
                let [x, y, _] = about(frame, p, reach);
                let places = match both(x, y) {
                    Some(both) => both.map(|u| only_one([u, along(u)])).to_vec(),
                    None => vec![place([turn(), along(turn())])],
                };
                Extrema::direct(places)
            } else {
                let value = |u: Interval| {
                    let [g, g1, _] = line(u);
                    from.dot(g) * g.dot(g1) - from.dot(g1) * g.length_squared()
                };
                let slope = |u: Interval| {
                    let [g, g1, g2] = line(u);
                    from.dot(g) * (g1.length_squared() + g.dot(g2))
                        - from.dot(g1) * g.dot(g1)
                        - from.dot(g2) * g.length_squared()
                };
                lifted(&round(value, slope), along)
            }
        }
    };
    found.places.push(place([turn(), apex]));
    found
}

/// Lines along which a direction is level: those where both products may be zero.
fn level_lines(d: IntervalVector, line: &impl Fn(Interval) -> [IntervalVector; 3]) -> Extrema<2> {
    let searched = search(&Level { d, line }, [turn()], &Options { boxes: 2000, ..Options::default() });
    let mut level = lifted(&searched, |_| Interval::ENTIRE);
    level.places.iter_mut().for_each(|place| place.known = Known::Nothing);
    level
}

/// d·G = d·G′ = 0: two equations for one angle, mostly without a solution.
struct Level<'a, F> {
    d: IntervalVector,
    line: &'a F,
}

impl<F: Fn(Interval) -> [IntervalVector; 3]> System<2, 1> for Level<'_, F> {
    fn value(&self, x: &Cell<1>) -> [Interval; 2] {
        let [g, g1, _] = (self.line)(x[0]);
        [self.d.dot(g), self.d.dot(g1)]
    }

    fn jacobian(&self, x: &Cell<1>) -> [[Interval; 1]; 2] {
        let [_, g1, g2] = (self.line)(x[0]);
        [[self.d.dot(g1)], [self.d.dot(g2)]]
    }

    fn is_small(&self, x: &Cell<1>, _: &[Interval; 2]) -> bool {
        x[0].width() <= NARROW
    }
}
