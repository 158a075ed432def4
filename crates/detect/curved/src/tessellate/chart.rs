//! How a face's parameters are laid out in the plane where it is triangulated.

use super::FaceProblem;
use super::border::Border;
use super::domain::Domain;
use crate::surface::Surface;
use std::f64::consts::TAU;

/// Rings end at this distance from the middle, where they do not begin there.
const OUTER: f64 = 3.0;

/// A map from parameters to the plane.
#[derive(Clone, Copy, Debug)]
pub(super) enum Chart {
    /// As they are, weighed so that Delaunay triangles are near to the surface.
    Flat { scale: [f64; 2], middle: [f64; 2] },
    /// Around the origin, for faces whose borders run around their surface: no seam is needed.
    Ring {
        /// The parameter that runs around, and its period.
        around: usize,
        period: f64,
        /// The other parameter where the ring begins, and how fast the distance from the middle grows with it.
        low: f64,
        growth: f64,
        /// The distance from the middle there: zero where a pole is in the face.
        inner: f64,
    },
}

impl Chart {
    pub(super) fn position(&self, at: [f64; 2]) -> [f64; 2] {
        match *self {
            Chart::Flat { scale, middle } => std::array::from_fn(|k| (at[k] - middle[k]) * scale[k]),
            Chart::Ring { around, period, low, growth, inner } => {
                let out = inner + (at[1 - around] - low) * growth;
                // What is a pole but for rounding is the middle itself.
                let out = if out.abs() < 1e-9 { 0.0 } else { out };
                let (sin, cos) = (at[around] / period * TAU).sin_cos();
                [out * cos, out * sin]
            }
        }
    }

    pub(super) fn parameters(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        match *self {
            Chart::Flat { scale, middle } => [x / scale[0] + middle[0], y / scale[1] + middle[1]],
            Chart::Ring { around, period, low, growth, inner } => {
                let angle = y.atan2(x) / TAU * period;
                let other = low + (x.hypot(y) - inner) / growth;
                if around == 0 { [angle, other] } else { [other, angle] }
            }
        }
    }

    /// Whether parameters of neighbours may differ by periods.
    pub(super) fn is_ring(&self) -> bool {
        matches!(self, Chart::Ring { .. })
    }

    /// The pole in the middle of a ring, if it is one.
    pub(super) fn pole(&self) -> Option<[f64; 2]> {
        match *self {
            Chart::Ring { around, low, inner: 0.0, .. } => {
                Some(if around == 0 { [0.0, low] } else { [low, 0.0] })
            }
            _ => None,
        }
    }

    /// Lays out a face: flat where its borders close, as a ring where some run around.
    pub(super) fn new(domain: &Domain, borders: &mut [Border], outward: bool) -> Result<Chart, FaceProblem> {
        let runs = |k: usize| borders.iter().any(|border| border.winding[k] != 0);
        match (runs(0), runs(1)) {
            (false, false) => Ok(flat(domain, borders)),
            (true, false) => ring(domain, borders, 0, outward),
            (false, true) => ring(domain, borders, 1, outward),
            (true, true) => Err(FaceProblem::Winding),
        }
    }
}

fn extent(borders: &[Border], k: usize) -> [f64; 2] {
    let values = borders.iter().flat_map(|border| border.corners.iter().map(|corner| corner.at[k]));
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

fn flat(domain: &Domain, borders: &mut [Border]) -> Chart {
    gather(domain, borders);
    let [u, v] = [extent(borders, 0), extent(borders, 1)];
    let scale = weights(domain, u, v);
    Chart::Flat { scale, middle: [0.5 * (u[0] + u[1]), 0.5 * (v[0] + v[1])] }
}

/// Weighs parameters by how fast the surface turns along them: a step of one unit then deviates equally far along u and v. Along a
/// straight parameter a step may be long, but not without end, else all triangles would be slivers.
fn weights(domain: &Domain, u: [f64; 2], v: [f64; 2]) -> [f64; 2] {
    const LEAST: f64 = 0.02;
    let [h, k] = [u[1] - u[0], v[1] - v[0]];
    let even = [1.0 / h.max(f64::MIN_POSITIVE), 1.0 / k.max(f64::MIN_POSITIVE)];
    let Domain::Surface { surface, .. } = domain else {
        return even.map(|_| 1.0 / h.max(k).max(f64::MIN_POSITIVE));
    };
    if let Surface::Plane(_) = surface {
        return [1.0 / h.max(k).max(f64::MIN_POSITIVE); 2];
    }
    let bounds = domain.bounds_over(u, v);
    let turn = [bounds.uu.sqrt() * h, bounds.vv.sqrt() * k];
    let most = turn[0].max(turn[1]);
    if !(most > 0.0 && most.is_finite()) {
        return even;
    }
    std::array::from_fn(|axis| even[axis] * (turn[axis] / most).max(LEAST))
}

/// Moves loops by periods into the one that encloses them.
fn gather(domain: &Domain, borders: &mut [Border]) {
    let periods = domain.periods();
    let Some(outer) = (0..borders.len())
        .max_by(|&a, &b| borders[a].area([1.0; 2]).abs().total_cmp(&borders[b].area([1.0; 2]).abs()))
    else {
        return;
    };
    borders.swap(0, outer);
    let Some((outer, others)) = borders.split_first_mut() else { return };
    let steps = |k: usize| periods[k].map_or(vec![0.0], |period| vec![0.0, period, -period]);
    for border in others {
        let Some(at) = border.corners.first().map(|corner| corner.at) else { continue };
        let shifts = steps(0).into_iter().flat_map(|du| steps(1).into_iter().map(move |dv| [du, dv]));
        let inside = |shift: &[f64; 2]| outer.encloses([at[0] + shift[0], at[1] + shift[1]]);
        if let Some(shift) = shifts.into_iter().find(inside) {
            border.shift(shift);
        }
    }
}

fn ring(domain: &Domain, borders: &mut [Border], around: usize, outward: bool) -> Result<Chart, FaceProblem> {
    let Some(period) = domain.periods()[around] else {
        return Err(FaceProblem::Unbounded);
    };
    let across = 1 - around;
    let total: i64 = borders.iter().map(|border| border.winding[around]).sum();
    // The face lies to the left of a border, seen from outside: of one that runs along +u towards +v, of one along +v towards −u.
    let upward = (around == 0) == outward;
    if total != 0 {
        let pole = pole(domain, around, (total > 0) == upward).ok_or(FaceProblem::Unbounded)?;
        let [low, high] = extent(borders, across);
        let reach = if (high - pole).abs() > (low - pole).abs() { high - pole } else { low - pole };
        return Ok(Chart::Ring { around, period, low: pole, growth: OUTER / reach, inner: 0.0 });
    }
    if let Some(other) = domain.periods()[across] {
        raise_upper(borders, around, upward, other);
    }
    let [low, high] = extent(borders, across);
    let growth = (OUTER - 1.0) / (high - low).max(f64::MIN_POSITIVE);
    Ok(Chart::Ring { around, period, low, growth, inner: 1.0 })
}

/// On a torus, of two borders that run around the face lies between the lower and the upper one: the upper is the next above.
fn raise_upper(borders: &mut [Border], around: usize, upward: bool, period: f64) {
    let across = 1 - around;
    let is_lower = |border: &Border| (border.winding[around] > 0) == upward;
    let level = |border: &Border| border.corners.first().map_or(0.0, |corner| corner.at[across]);
    let Some(base) = borders.iter().filter(|b| b.winding[around] != 0 && is_lower(b)).map(level).next()
    else {
        return;
    };
    for border in borders {
        let mut at = level(border);
        let mut by = ((base - at) / period).ceil() * period;
        at += by;
        if border.winding[around] != 0 && !is_lower(border) && at <= base + 1e-9 * period {
            by += period;
        }
        if border.winding[around] != 0 && is_lower(border) {
            by = 0.0;
        }
        let mut shift = [0.0; 2];
        shift[across] = by;
        border.shift(shift);
    }
}

/// Where the surface shrinks to a point along the other parameter, above or below.
fn pole(domain: &Domain, around: usize, above: bool) -> Option<f64> {
    let Domain::Surface { surface, .. } = domain else { return None };
    if let Surface::Cone { radii, slope, .. } = surface {
        return (around == 0).then(|| -radii[0] / slope);
    }
    let range = match surface {
        Surface::Nurbs(nurbs) => nurbs.domain()[1 - around],
        Surface::Revolution { curve, .. } if around == 0 => curve.domain(),
        _ => return None,
    };
    let end = range[usize::from(above)];
    let place = |share: f64| {
        let along = domain.periods()[around].unwrap_or(0.0) * share;
        domain.point(if around == 0 { [along, end] } else { [end, along] })
    };
    let (one, other) = (place(0.1), place(0.6));
    let size = one.abs().max_element();
    ((one - other).length() <= 1e-6 * (1.0 + size)).then_some(end)
}
