//! The height of a facet over a place in the plane of contact, with certified bounds.

use super::clip::doubled_area;
use kontakt_answers::Range;
use kontakt_math::DVec2;

/// A facet as a piece of a plane (or a line) over the plane of contact.
pub(crate) struct Surface<'s> {
    /// Places of the corners, each with its height; as many of one as of the other, at least one.
    pub(crate) points: &'s [DVec2],
    pub(crate) heights: &'s [f64],
    /// **Never less** than the error of a corner's place and height.
    pub(crate) error: f64,
}

impl Surface<'_> {
    /// Bounds of the height over a place inside of the outline.
    ///
    /// The surface is flat, so its height is that of a mix of corners: never above the highest nor below the lowest. Closer bounds
    /// come from the two or three corners that span it best. Their weights are quotients of lengths or areas, off by at most
    /// (16u·s + 8e)·s/m for size s, corner error e and the measure m (squared length, or area) of those corners; times the range of heights
    /// this is the error, beside that of the heights themselves.
    pub(crate) fn height(&self, at: DVec2) -> Range {
        let lowest = self.heights.iter().copied().fold(f64::INFINITY, f64::min) - self.error;
        let highest = self.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) + self.error;
        let (found, error) = self.mixed(at);
        let lo = (found - error).clamp(lowest, highest);
        let hi = (found + error).clamp(lowest, highest);
        Range::new(lo, hi).or_else(|_| Range::new(lowest, highest)).unwrap_or(Range::ZERO)
    }

    /// The height by the corners that span the surface best, and its error; an infinite error where none do.
    fn mixed(&self, at: DVec2) -> (f64, f64) {
        let size = self.points.iter().chain([&at]).map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let range = |heights: &[f64]| {
            let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            most - heights.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let spread = range(self.heights) + 2.0 * self.error;
        let noise = 32.0 * f64::EPSILON * size + 8.0 * self.error;
        match self.points.len() {
            0 => (0.0, f64::INFINITY),
            1 => (self.heights[0], self.error),
            2 => {
                let along = self.points[1] - self.points[0];
                let share = (along.dot(at - self.points[0]) / along.length_squared()).clamp(0.0, 1.0);
                let height = self.heights[0] + (self.heights[1] - self.heights[0]) * share;
                let error = spread * noise / along.length() + 2.0 * self.error;
                if share.is_nan() { (height, f64::INFINITY) } else { (height, error) }
            }
            _ => {
                let [i, j, k] = self.widest_triangle();
                let corner = |c: usize| self.points[c];
                let area = doubled_area(&[corner(i), corner(j), corner(k)]);
                let weight_j = (at - corner(i)).perp_dot(corner(k) - corner(i)) / area;
                let weight_k = (corner(j) - corner(i)).perp_dot(at - corner(i)) / area;
                let rise = |c: usize| self.heights[c] - self.heights[i];
                let height = self.heights[i] + weight_j * rise(j) + weight_k * rise(k);
                let weights = 1.0 + 2.0 * weight_j.abs() + 2.0 * weight_k.abs();
                let error = 4.0 * spread * noise * size / area.abs() + weights * 2.0 * self.error;
                if height.is_nan() { (0.0, f64::INFINITY) } else { (height, error) }
            }
        }
    }

    /// The first corner and two neighbours that enclose the largest area with it.
    fn widest_triangle(&self) -> [usize; 3] {
        let area = |j: usize, k: usize| doubled_area(&[self.points[0], self.points[j], self.points[k]]).abs();
        let count = self.points.len();
        let mut best = [0, 1, 2];
        for j in 1..count {
            for k in j + 1..count {
                if area(j, k) > area(best[1], best[2]) {
                    best = [0, j, k];
                }
            }
        }
        best
    }
}
