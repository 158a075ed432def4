//! Values over a step or a parameter, one line a series.

use super::Spacing;
use super::axis::Axis;
use super::canvas::{Canvas, LEFT, RIGHT, colour};

/// A plot of lines.
pub(crate) struct Lines {
    pub(crate) title: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    pub(crate) spacing: Spacing,
    /// Whether every point gets a dot, and the x axis a mark at each: for few points.
    pub(crate) dots: bool,
    /// Name and points of each line.
    pub(crate) series: Vec<(String, Vec<[f64; 2]>)>,
}

impl Lines {
    pub(crate) fn svg(&self) -> String {
        let names: Vec<String> = self.series.iter().map(|(name, _)| name.clone()).collect();
        let mut canvas = Canvas::new(&self.title, &names);
        let all = || self.series.iter().flat_map(|(_, points)| points.iter().copied());
        let (low, high) = all()
            .map(|p| p[0])
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // Dots at the rim would be cut in half.
        let inset = if self.dots { 16.0 } else { 0.0 };
        let across = Axis::between(low, high, LEFT + inset, RIGHT - inset);
        let up = Axis::around(all().map(|p| p[1]), self.spacing, canvas.bottom, canvas.top);
        canvas.upward(&up, &self.y_label);
        canvas.baseline(&self.x_label);
        let marks = if self.dots { Axis::marks_at(all().map(|p| p[0])) } else { across.marks() };
        for (value, words) in marks {
            if let Some(x) = across.at(value) {
                canvas.line([x, canvas.bottom], [x, canvas.bottom + 5.0], "#222222", 1.2);
                canvas.text(x, canvas.bottom + 20.0, "middle", 12.0, &words, "");
            }
        }
        for ((_, points), i) in self.series.iter().zip(0..) {
            let places: Vec<[f64; 2]> =
                points.iter().filter_map(|p| Some([across.at(p[0])?, up.at(p[1])?])).collect();
            canvas.polyline(&places, colour(i));
            if self.dots {
                for place in &places {
                    canvas.dot(*place, colour(i));
                }
            }
        }
        canvas.finish()
    }
}
