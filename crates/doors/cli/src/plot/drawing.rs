//! A drawing to one scale: segments in groups of a colour, as a cut through bodies gives them.

use super::canvas::{Canvas, LEFT, RIGHT, colour};

/// Segments shorter than this on the sheet are not seen.
const SEEN: f64 = 0.15;

/// A drawing.
pub(crate) struct Drawing {
    pub(crate) title: String,
    /// What the drawing shows, below it.
    pub(crate) label: String,
    /// Name and segments of each group.
    pub(crate) groups: Vec<(String, Vec<[[f64; 2]; 2]>)>,
}

impl Drawing {
    pub(crate) fn svg(&self) -> String {
        let names: Vec<String> = self.groups.iter().map(|(name, _)| name.clone()).collect();
        let mut canvas = Canvas::new(&self.title, &names);
        let points = || self.groups.iter().flat_map(|(_, segments)| segments.iter().flatten());
        let start = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let (low, high) = points().fold(start, |(low, high), p| {
            ([low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])])
        });
        let size = [high[0] - low[0], high[1] - low[1]];
        let scale = f64::min((RIGHT - LEFT) / size[0], (canvas.bottom - canvas.top) / size[1]);
        if scale.is_finite() && scale > 0.0 {
            let middle = [f64::midpoint(low[0], high[0]), f64::midpoint(low[1], high[1])];
            let sheet = [f64::midpoint(LEFT, RIGHT), f64::midpoint(canvas.top, canvas.bottom)];
            let place =
                |p: [f64; 2]| [sheet[0] + scale * (p[0] - middle[0]), sheet[1] - scale * (p[1] - middle[1])];
            for ((_, segments), i) in self.groups.iter().zip(0..) {
                let placed = segments.iter().map(|segment| segment.map(place));
                let long = |[a, b]: &[[f64; 2]; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) > SEEN;
                canvas.segments(placed.filter(long), colour(i));
            }
        }
        canvas.below(&self.label);
        canvas.finish()
    }
}
