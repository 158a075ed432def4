//! The greatest value along a stretch of an edge.

use crate::brep::Edge;
use crate::curve::Curve;
use crate::enclosing::wave::Wave;
use crate::extrema::Aim;
use crate::frame::Frame;
use crate::sliver::Sliver;
use crate::stretch::Stretch;
use crate::tree::Block;
use kontakt_math::{DVec3, Interval, IntervalVector};

/// The greatest value, to rounding of the numbers in it, and where to look for it.
pub(super) struct Most {
    /// **Never less** than the greatest value, up to rounding.
    pub(super) upper: f64,
    pub(super) point: DVec3,
}

impl Most {
    fn of(aim: &Aim, point: DVec3) -> Most {
        Most { upper: aim.value(point), point }
    }

    fn max(self, other: Most) -> Most {
        if other.upper > self.upper { other } else { self }
    }
}

/// The greatest value along a stretch: exact on lines, circles and, along a direction, on ellipses.
pub(super) fn most_along(aim: &Aim, curve: &Curve, over: [f64; 2]) -> Most {
    match (curve, aim) {
        (Curve::Line { .. }, _) => ends(aim, curve, over),
        (Curve::Ellipse { frame, radii: [a, b] }, Aim::Extent(way)) => {
            let wave = Wave(a * way.dot(frame.x), b * way.dot(frame.y));
            Most::of(aim, curve.point(wave.most(over).1))
        }
        (Curve::Ellipse { frame, radii: [a, b] }, Aim::Distance(from)) if a == b => {
            Most::of(aim, curve.point(away(frame, *from).most(over).1))
        }
        (Curve::Ellipse { .. } | Curve::Nurbs(_), _) => bent(aim, curve, over),
    }
}

/// A point of a circle is the farther from a place, the less their directions from the axis agree.
fn away(frame: &Frame, from: DVec3) -> Wave {
    let local = frame.local(from);
    Wave(-local.x, -local.y)
}

fn ends(aim: &Aim, curve: &Curve, [from, to]: [f64; 2]) -> Most {
    Most::of(aim, curve.point(from)).max(Most::of(aim, curve.point(to)))
}

/// Of the ends and how far the stretch may be beyond its chord: the least of three bounds.
///
/// The one is the distance from the chord. The other looks along the aim only: with g the extent, or half the square of the distance, g is no
/// more than its linear interpolation and h²/8 · max(−g″). Edges that run square to the aim, or round a centre, need it: all
/// of their points are as good as the best one. The third is that of the B-spline's own coefficients.
fn bent(aim: &Aim, curve: &Curve, over: [f64; 2]) -> Most {
    let best = ends(aim, curve, over);
    let step = over[1] - over[0];
    let eighth = step * step / 8.0 * (1.0 + 1e-12);
    let wide = best.upper + aim.factor() * curve.sagitta(over[0], over[1]);
    let [point, slope, bend] = curve.second_range_over(over);
    let narrow = match aim {
        Aim::Extent(way) => best.upper + eighth * fall(IntervalVector::point(*way).dot(bend)),
        Aim::Distance(from) => {
            let second = slope.dot(slope) + (point - IntervalVector::point(*from)).dot(bend);
            (best.upper * best.upper + 2.0 * eighth * fall(second)).sqrt()
        }
    };
    let exact = match (aim, curve) {
        (Aim::Distance(from), Curve::Nurbs(nurbs)) => nurbs.most_distance(*from, over).unwrap_or(wide),
        _ => wide,
    };
    Most { upper: wide.min(exact).min(if narrow.is_nan() { wide } else { narrow }), ..best }
}

fn fall(second: Interval) -> f64 {
    if second.is_empty() { f64::INFINITY } else { (-second.lo()).max(0.0) }
}

/// A box about a stretch.
pub(super) fn block(curve: &Curve, over: [f64; 2]) -> Block {
    let side = |way: DVec3| most_along(&Aim::Extent(way), curve, over).upper;
    let high = DVec3::new(side(DVec3::X), side(DVec3::Y), side(DVec3::Z));
    let low = -DVec3::new(side(-DVec3::X), side(-DVec3::Y), side(-DVec3::Z));
    Block { middle: 0.5 * (low + high), half: 0.5 * (high - low) }
}

/// An edge in stretches along which no derivative jumps.
pub(super) fn smooth(edge: &Edge, index: u32) -> Vec<Stretch> {
    let [from, to] = edge.range;
    let inner: Vec<f64> = match &edge.curve {
        Curve::Nurbs(curve) => curve.breaks().iter().copied().filter(|&t| from < t && t < to).collect(),
        Curve::Line { .. } | Curve::Ellipse { .. } => Vec::new(),
    };
    let cuts: Vec<f64> = std::iter::once(from).chain(inner).chain([to]).collect();
    let part = |pair: &[f64]| Stretch { edge: index, from: pair[0], to: pair[1], sliver: Sliver::USUAL };
    cuts.windows(2).map(part).collect()
}
