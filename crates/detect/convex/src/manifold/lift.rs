//! The height of a facet over a place in the plane of contact, with certified bounds.

use super::clip::{Outline, Seen};
use kontakt_answers::Range;
use kontakt_math::DVec2;

/// A facet as a piece of a plane (or a line, or a point) over the plane of contact.
///
/// The surface is flat, so its height over a place of the outline is that of a mix of corners: never above the highest nor below the
/// lowest. Closer bounds come from the two or three corners that span it best. Their weights are quotients of lengths or areas;
/// with size s, corner error e and measure m (the length, or the doubled area over s) of those corners they are off by at most
/// (16u·s + 4e)/m each. Times the range of heights this is the error, beside that of the heights themselves.
pub(crate) struct Surface<'s> {
    corners: &'s [Seen],
    /// The corners that span it.
    span: [usize; 3],
    /// Doubled area of the span, or squared length of an edge; 0 for a point.
    measure: f64,
    lowest: f64,
    highest: f64,
    /// Error of a weight.
    weight_error: f64,
    /// **Never less** than the error of a corner's place and height.
    error: f64,
}

impl<'s> Surface<'s> {
    /// Over an outline whose corners are off by at most `error` in place and height.
    pub(crate) fn new(outline: &'s Outline, error: f64) -> Surface<'s> {
        let corners = outline.corners.as_slice();
        let heights = || corners.iter().map(|corner| corner.height);
        let size = corners.iter().map(|corner| corner.at.abs().max_element()).fold(0.0, f64::max);
        let span = widest_triangle(corners);
        let measure = match corners {
            [] | [_] => 0.0,
            [one, other] => one.at.distance_squared(other.at),
            _ => doubled_area(corners, span),
        };
        let noise = 64.0 * f64::EPSILON * size + 16.0 * error;
        let reach = if corners.len() == 2 { measure.sqrt() } else { measure.abs() / (2.0 * size) };
        Surface {
            corners,
            span,
            measure,
            lowest: heights().fold(f64::INFINITY, f64::min) - error,
            highest: heights().fold(f64::NEG_INFINITY, f64::max) + error,
            weight_error: noise / reach,
            error,
        }
    }

    /// Bounds of the height over a place inside of the outline.
    pub(crate) fn height(&self, at: DVec2) -> Range {
        let (found, error) = self.mixed(at);
        let lo = (found - error).clamp(self.lowest, self.highest);
        let hi = (found + error).clamp(self.lowest, self.highest);
        // NaN where nothing spans the surface.
        Range::new(lo, hi).or_else(|_| Range::new(self.lowest, self.highest)).unwrap_or(Range::ZERO)
    }

    /// The height by the corners that span the surface best, and its error.
    fn mixed(&self, at: DVec2) -> (f64, f64) {
        let spread = (self.highest - self.lowest) * self.weight_error;
        match self.corners {
            [] => (f64::NAN, f64::NAN),
            [only] => (only.height, self.error),
            [one, other] => {
                let share = (other.at - one.at).dot(at - one.at) / self.measure;
                let share = if share.is_nan() { share } else { share.clamp(0.0, 1.0) };
                (one.height + (other.height - one.height) * share, spread + 2.0 * self.error)
            }
            _ => {
                let [one, two, three] = self.span.map(|k| self.corners[k]);
                let (to_two, to_three, here) = (two.at - one.at, three.at - one.at, at - one.at);
                let weight_two = here.perp_dot(to_three) / self.measure;
                let weight_three = to_two.perp_dot(here) / self.measure;
                let height = one.height
                    + weight_two * (two.height - one.height)
                    + weight_three * (three.height - one.height);
                let weights = 1.0 + 2.0 * weight_two.abs() + 2.0 * weight_three.abs();
                (height, weights * (2.0 * spread + 2.0 * self.error))
            }
        }
    }
}

fn doubled_area(corners: &[Seen], [i, j, k]: [usize; 3]) -> f64 {
    (corners[j].at - corners[i].at).perp_dot(corners[k].at - corners[i].at)
}

/// The first corner and two others that enclose the largest area with it; of fewer than three corners nothing useful.
fn widest_triangle(corners: &[Seen]) -> [usize; 3] {
    let mut best = [0, 1, 2];
    if corners.len() > 3 {
        for j in 1..corners.len() {
            for k in j + 1..corners.len() {
                if doubled_area(corners, [0, j, k]).abs() > doubled_area(corners, best).abs() {
                    best = [0, j, k];
                }
            }
        }
    }
    best
}
