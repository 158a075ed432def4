//! Curves as files give them, and the stretch of one that an edge is.

use super::loss::Why;
use super::nearest::nearest;
use super::shift::Shift;
use super::spline::Spline;
use kontakt_curved::{Curve, Frame};
use kontakt_math::DVec3;
use std::f64::consts::TAU;

/// A curve in space before its ends are known.
#[derive(Clone, Debug)]
pub(crate) enum Track {
    /// `origin + t · direction`.
    Line { origin: DVec3, direction: DVec3 },
    /// `origin + a cos t · x + b sin t · y`.
    Ellipse { frame: Frame, radii: [f64; 2] },
    /// `origin + f (t² · x + 2 t · y)`.
    Parabola { frame: Frame, focal: f64 },
    /// `origin + a cosh t · x + b sinh t · y`.
    Hyperbola { frame: Frame, radii: [f64; 2] },
    /// A rational B-spline.
    Spline(Spline),
}

/// What an edge lies on.
pub(crate) struct Stretch {
    pub(crate) curve: Curve,
    /// Ascending.
    pub(crate) range: [f64; 2],
    /// Whether the curve runs from the second of the places to the first, against what was asked for.
    pub(crate) swapped: bool,
    /// How far the places are from the ends of the range.
    pub(crate) gap: f64,
}

impl Track {
    /// Checks its numbers.
    pub(crate) fn sound(self) -> Result<Track, Why> {
        let above_zero = |sizes: &[f64]| sizes.iter().all(|&size| size.is_finite() && size > 0.0);
        let right = match &self {
            Track::Line { origin, direction } => {
                let length = direction.length();
                origin.is_finite() && length.is_finite() && length > 0.0
            }
            Track::Ellipse { radii, .. } | Track::Hyperbola { radii, .. } => above_zero(radii),
            Track::Parabola { focal, .. } => above_zero(&[*focal]),
            Track::Spline(_) => true,
        };
        if right { Ok(self) } else { Err(Why::Size) }
    }

    /// The same curve run through the other way.
    pub(crate) fn reversed(self) -> Track {
        let turned = |frame: Frame| Frame { y: -frame.y, z: -frame.z, ..frame };
        match self {
            Track::Line { origin, direction } => Track::Line { origin, direction: -direction },
            Track::Ellipse { frame, radii } => Track::Ellipse { frame: turned(frame), radii },
            Track::Parabola { frame, focal } => Track::Parabola { frame: turned(frame), focal },
            Track::Hyperbola { frame, radii } => Track::Hyperbola { frame: turned(frame), radii },
            Track::Spline(spline) => Track::Spline(spline.reversed()),
        }
    }

    pub(crate) fn moved(self, shift: &Shift) -> Track {
        let grown = |radii: [f64; 2]| radii.map(|radius| radius * shift.scale);
        match self {
            Track::Line { origin, direction } => Track::Line {
                origin: shift.point(origin),
                direction: shift.direction(direction) * shift.scale,
            },
            Track::Ellipse { frame, radii } => {
                Track::Ellipse { frame: shift.frame(&frame), radii: grown(radii) }
            }
            Track::Parabola { frame, focal } => {
                Track::Parabola { frame: shift.frame(&frame), focal: focal * shift.scale }
            }
            Track::Hyperbola { frame, radii } => {
                Track::Hyperbola { frame: shift.frame(&frame), radii: grown(radii) }
            }
            Track::Spline(spline) => Track::Spline(spline.moved(shift)),
        }
    }

    /// The curve without ends, for surfaces that sweep it.
    pub(crate) fn whole(self) -> Result<Curve, Why> {
        match self {
            Track::Line { origin, direction } => Ok(Curve::Line { origin, direction }),
            Track::Ellipse { frame, radii } => Ok(Curve::Ellipse { frame, radii }),
            Track::Spline(spline) => Ok(Curve::Nurbs(spline.curve()?)),
            Track::Parabola { .. } | Track::Hyperbola { .. } => Err(Why::Unbounded),
        }
    }

    /// The parameter of a point of a parabola or hyperbola.
    pub(crate) fn conic_parameter(&self, point: DVec3) -> Option<f64> {
        match self {
            Track::Parabola { frame, focal } => Some(frame.local(point).y / (2.0 * focal)),
            Track::Hyperbola { frame, radii } => Some((frame.local(point).y / radii[1]).asinh()),
            _ => None,
        }
    }

    /// A stretch of a parabola or hyperbola as one rational quadratic; other curves as they are.
    ///
    /// With m = (s+t)/2 and d = (t−s)/2 the tangents at s and t of a hyperbola meet in (a cosh m · x + b sinh m · y) / cosh d, whose
    /// weight is cosh d; those of a parabola in f (s t · x + (s+t) · y).
    pub(crate) fn cut(self, s: f64, t: f64) -> Result<Track, Why> {
        let (start, middle, end, weight) = match &self {
            Track::Parabola { frame, focal: f } => {
                let at = |t: f64| frame.point(f * t * t, 2.0 * f * t, 0.0);
                (at(s), frame.point(f * s * t, f * (s + t), 0.0), at(t), 1.0)
            }
            Track::Hyperbola { frame, radii: [a, b] } => {
                let at = |t: f64, by: f64| frame.point(a * t.cosh() / by, b * t.sinh() / by, 0.0);
                let weight = (0.5 * (t - s)).cosh();
                (at(s, 1.0), at(0.5 * (s + t), weight), at(t, 1.0), weight)
            }
            _ => return Ok(self),
        };
        if !(s < t && weight.is_finite()) {
            return Err(Why::Stretch);
        }
        Ok(Track::Spline(Spline {
            degree: 2,
            knots: vec![s, s, s, t, t, t],
            points: vec![start, middle, end],
            weights: (weight != 1.0).then(|| vec![1.0, weight, 1.0]),
        }))
    }

    /// The stretch from one place to another, or once round where `round` says that both are one vertex.
    pub(crate) fn between(self, from: DVec3, to: DVec3, round: bool) -> Result<Stretch, Why> {
        let (curve, range) = match self {
            Track::Line { origin, direction } => {
                let square = direction.length_squared();
                let at = |point: DVec3| (point - origin).dot(direction) / square;
                (Curve::Line { origin, direction }, [at(from), at(to)])
            }
            Track::Ellipse { frame, radii } => {
                let range = turn(&frame, radii, from, to, round);
                return finished(Curve::Ellipse { frame, radii }, range, from, to);
            }
            Track::Spline(spline) => return along(&spline, from, to, round),
            Track::Parabola { .. } | Track::Hyperbola { .. } => {
                let at = |point| self.conic_parameter(point).unwrap_or(f64::NAN);
                let range = [at(from), at(to)];
                let cut = self.cut(range[0].min(range[1]), range[0].max(range[1]))?;
                (cut.whole()?, range)
            }
        };
        if round || range[0] == range[1] {
            return Err(Why::Collapsed);
        }
        finished(curve, range, from, to)
    }
}

/// Angles from one place to another, counterclockwise.
fn turn(frame: &Frame, radii: [f64; 2], from: DVec3, to: DVec3, round: bool) -> [f64; 2] {
    let at = |point: DVec3| {
        let local = frame.local(point);
        (local.y / radii[1]).atan2(local.x / radii[0])
    };
    let (start, mut end) = (at(from), at(to));
    if round || (from - to).length() <= 1e-9 * radii[0].max(radii[1]) {
        return [start, start + TAU];
    }
    if end <= start {
        end += TAU;
    }
    [start, end]
}

/// Puts a range in order and measures its ends.
fn finished(curve: Curve, [s, t]: [f64; 2], from: DVec3, to: DVec3) -> Result<Stretch, Why> {
    if !(s.is_finite() && t.is_finite()) {
        return Err(Why::NotFinite);
    }
    let gap = (curve.point(s) - from).length().max((curve.point(t) - to).length());
    let swapped = t < s;
    Ok(Stretch { curve, range: if swapped { [t, s] } else { [s, t] }, swapped, gap })
}

/// A stretch of a B-spline. One that closes on itself and is passed beyond its seam is begun elsewhere.
fn along(spline: &Spline, from: DVec3, to: DVec3, round: bool) -> Result<Stretch, Why> {
    let curve = spline.clone().curve()?;
    let [a, b] = curve.domain();
    let ends = [curve.jet(a).point, curve.jet(b).point];
    let size = curve.points().iter().map(|&point| (point - ends[0]).abs().max_element()).fold(0.0, f64::max);
    let near = |p: DVec3, q: DVec3, part: f64| (p - q).length() <= part * size;
    let closes = near(ends[0], ends[1], 1e-6);
    let place = |point: DVec3, first: bool| {
        let [here, there] = if first { [0, 1] } else { [1, 0] };
        let at_end = near(point, ends[here], 1e-7) || (closes && near(point, ends[there], 1e-7));
        if at_end { [a, b][here] } else { nearest(&curve, &spline.knots, point).0 }
    };
    if round {
        if near(from, ends[0], 1e-3) && near(from, ends[1], 1e-3) {
            return finished(Curve::Nurbs(curve), [a, b], from, to);
        }
        if !closes {
            return Err(if near(from, ends[0], 1.0) { Why::Stretch } else { Why::Collapsed });
        }
        return begun(spline, nearest(&curve, &spline.knots, from).0, None, from, to);
    }
    let (s, t) = (place(from, true), place(to, false));
    if s == t {
        return Err(if (from - to).length() <= 1e-6 * size { Why::Collapsed } else { Why::Stretch });
    }
    if s > t && closes {
        return begun(spline, s, Some(t + (b - a)), from, to);
    }
    finished(Curve::Nurbs(curve), [s, t], from, to)
}

/// A closed B-spline from `s` once round, or to `t`.
fn begun(spline: &Spline, s: f64, t: Option<f64>, from: DVec3, to: DVec3) -> Result<Stretch, Why> {
    let curve = spline.begun_at(s).ok_or(Why::Stretch)?.curve()?;
    let [a, b] = curve.domain();
    finished(Curve::Nurbs(curve), [a, t.unwrap_or(b).min(b)], from, to)
}
