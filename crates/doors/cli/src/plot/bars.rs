//! Values of several series side by side, one group a category.

use super::Spacing;
use super::axis::Axis;
use super::canvas::{Canvas, LEFT, RIGHT, colour};

/// A plot of bars.
pub(crate) struct Bars {
    pub(crate) title: String,
    pub(crate) y_label: String,
    pub(crate) spacing: Spacing,
    pub(crate) categories: Vec<String>,
    /// Name and one value a category of each series; NaN where there is none.
    pub(crate) series: Vec<(String, Vec<f64>)>,
}

impl Bars {
    pub(crate) fn svg(&self) -> String {
        let names: Vec<String> = self.series.iter().map(|(name, _)| name.clone()).collect();
        let mut canvas = Canvas::new(&self.title, if names.len() > 1 { &names } else { &[] });
        let values = self.series.iter().flat_map(|(_, values)| values.iter().copied());
        let up = Axis::around(values, self.spacing, canvas.bottom, canvas.top);
        canvas.upward(&up, &self.y_label);
        let room = (RIGHT - LEFT) / self.categories.len().max(1) as f64;
        let wide = (room * 0.8 / self.series.len().max(1) as f64).min(48.0);
        let group = wide * self.series.len() as f64;
        // Words that do not fit side by side go up and down in turn.
        let longest = self.categories.iter().map(|c| c.chars().count()).max().unwrap_or(0) as f64;
        let crowded = longest * 6.6 > room;
        for (c, category) in self.categories.iter().enumerate() {
            let middle = LEFT + room * (c as f64 + 0.5);
            for ((_, values), s) in self.series.iter().zip(0..) {
                let left = middle - group / 2.0 + wide * s as f64;
                if let Some(y) = values.get(c).and_then(|v| up.at(*v)) {
                    let top = y.min(canvas.bottom);
                    canvas.rectangle([left + 1.0, top], [left + wide - 1.0, canvas.bottom], colour(s));
                }
            }
            let drop = if crowded && c % 2 == 1 { 32.0 } else { 18.0 };
            canvas.text(middle, canvas.bottom + drop, "middle", 12.0, category, "");
        }
        canvas.baseline("");
        canvas.finish()
    }
}
