//! The three objectives as functions of a box's widths, and their lower bounds over cells.

use crate::bound::Objective;
use kontakt_math::{DMat3, DVec3};

/// Lanes of a bound: one a corner of a cell.
pub(super) const CORNERS: usize = 8;

/// What an objective makes of three widths; the value searched for (no constant factors, no root).
///
/// Volume: w₁w₂w₃. Surface: w₁w₂ + w₂w₃ + w₃w₁. Diameter: w₁² + w₂² + w₃².
#[inline(always)]
pub(super) fn cost(objective: Objective, [a, b, c]: [f64; 3]) -> f64 {
    match objective {
        Objective::Volume => a * b * c,
        Objective::Surface => a * b + b * c + c * a,
        Objective::Diameter => a * a + b * b + c * c,
    }
}

/// How fast the cost grows with each width, up to a common factor.
#[inline(always)]
pub(super) fn slopes(objective: Objective, [a, b, c]: [f64; 3]) -> [f64; 3] {
    match objective {
        // The share 1/w; a width of nothing would make it infinite.
        Objective::Volume => [a, b, c].map(|w| 1.0 / w.max(1e-300)),
        Objective::Surface => [b + c, c + a, a + b],
        Objective::Diameter => [a, b, c],
    }
}

/// Lengths of the spans along the axes they belong to.
#[inline(always)]
pub(super) fn widths(axes: &DMat3, spans: &[DVec3; 3]) -> [f64; 3] {
    [axes.x_axis.dot(spans[0]), axes.y_axis.dot(spans[1]), axes.z_axis.dot(spans[2])]
}

/// Degree of homogeneity of [`cost`].
pub(super) fn degree(objective: Objective) -> i32 {
    if objective == Objective::Volume { 3 } else { 2 }
}

/// From the searched value to what [`crate::Measure`] calls it.
pub(super) fn reported(objective: Objective, cost: f64) -> f64 {
    match objective {
        Objective::Volume => cost,
        Objective::Surface => 2.0 * cost,
        Objective::Diameter => cost.max(0.0).sqrt(),
    }
}

/// A lower bound of the cost over a convex polytope on which each width is at least an affine function, given by
/// its values at the polytope's corners; `centre` are any three numbers that are not negative.
///
/// Where all values are positive, w₁w₂w₃ is log-concave and w₁w₂ + w₂w₃ + w₃w₁ has a concave root (it is the
/// second elementary symmetric polynomial), so as functions of affine widths both take their least value at a
/// corner; and both grow with each width. When only two widths are known to be positive, their product alone bounds
/// the surface. The sum of squares is convex: it lies above its tangent at `centre`, Σcᵢ(2wᵢ − cᵢ), which is affine
/// and grows with each width.
#[inline(always)]
pub(super) fn least_cost(objective: Objective, widths: &[[f64; CORNERS]; 3], centre: [f64; 3]) -> f64 {
    let thinnest = [0, 1, 2].map(|i| least(widths[i]));
    let solid = thinnest[0] > 0.0 && thinnest[1] > 0.0 && thinnest[2] > 0.0;
    let at_corners = |value: fn([f64; 3], [f64; 3]) -> f64| {
        let mut out = [0.0; CORNERS];
        for (k, out) in out.iter_mut().enumerate() {
            *out = value([widths[0][k], widths[1][k], widths[2][k]], centre);
        }
        least(out)
    };
    match objective {
        Objective::Volume if solid => at_corners(|[a, b, c], _| a * b * c),
        Objective::Surface if solid => at_corners(|[a, b, c], _| a * b + b * c + c * a),
        Objective::Surface if thinnest[0] > 0.0 && thinnest[1] > 0.0 => at_corners(|[a, b, _], _| a * b),
        Objective::Surface if thinnest[1] > 0.0 && thinnest[2] > 0.0 => at_corners(|[_, b, c], _| b * c),
        Objective::Surface if thinnest[2] > 0.0 && thinnest[0] > 0.0 => at_corners(|[a, _, c], _| c * a),
        Objective::Volume | Objective::Surface => f64::NEG_INFINITY,
        Objective::Diameter => at_corners(|[a, b, c], [ca, cb, cc]| {
            ca * (2.0 * a - ca) + cb * (2.0 * b - cb) + cc * (2.0 * c - cc)
        }),
    }
}

/// The least of the values.
#[inline(always)]
fn least(values: [f64; CORNERS]) -> f64 {
    let mut least = values[0];
    for value in values {
        least = if value < least { value } else { least };
    }
    least
}
