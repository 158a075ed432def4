//! The sheet of a plot: frame, marks, words, legend.

use super::COLOURS;
use super::axis::Axis;
use std::fmt::Write;

pub(super) const WIDTH: f64 = 760.0;
pub(super) const LEFT: f64 = 70.0;
pub(super) const RIGHT: f64 = 740.0;
const TOP: f64 = 44.0;
/// Height of the drawing area.
const TALL: f64 = 280.0;
/// Room of a legend entry beside its words.
const SWATCH: f64 = 30.0;
/// Width of a letter of the legend, on the safe side.
const LETTER: f64 = 6.6;

/// SVG text under construction.
pub(super) struct Canvas {
    body: String,
    /// Upper and lower end of the drawing area.
    pub(super) top: f64,
    pub(super) bottom: f64,
    height: f64,
}

impl Canvas {
    /// A sheet with its title and a legend of so many rows as the words need.
    pub(super) fn new(title: &str, legend: &[String]) -> Canvas {
        let mut places = Vec::new();
        let (mut x, mut row) = (LEFT, 0.0);
        for words in legend {
            let wide = SWATCH + LETTER * words.chars().count() as f64 + 14.0;
            if x + wide > RIGHT && x > LEFT {
                (x, row) = (LEFT, row + 1.0);
            }
            places.push((x, row));
            x += wide;
        }
        let top = TOP + 18.0 * (row + 1.0) - if legend.is_empty() { 18.0 } else { 0.0 };
        let mut canvas = Canvas { body: String::new(), top, bottom: top + TALL, height: top + TALL + 58.0 };
        canvas.text(LEFT, 22.0, "start", 15.0, title, "font-weight=\"bold\"");
        for ((words, (x, row)), i) in legend.iter().zip(places).zip(0..) {
            let y = TOP + 18.0 * row;
            canvas.line([x, y - 4.0], [x + 20.0, y - 4.0], colour(i), 3.0);
            canvas.text(x + 25.0, y, "start", 12.0, words, "");
        }
        canvas
    }

    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            from[0], from[1], to[0], to[1]
        );
    }

    pub(super) fn polyline(&mut self, points: &[[f64; 2]], colour: &str) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>",
            list.join(" ")
        );
    }

    /// Segments in one go.
    pub(super) fn segments(&mut self, segments: impl Iterator<Item = [[f64; 2]; 2]>, colour: &str) {
        let mut ways = String::new();
        for [a, b] in segments {
            let _ = write!(ways, "M{:.1} {:.1}L{:.1} {:.1}", a[0], a[1], b[0], b[1]);
        }
        if !ways.is_empty() {
            let _ = writeln!(
                self.body,
                "<path d=\"{ways}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\" stroke-linecap=\"round\"/>"
            );
        }
    }

    /// A filled triangle, its rim in its own colour so that no gap is seen between neighbours.
    pub(super) fn triangle(&mut self, [a, b, c]: [[f64; 2]; 3], colour: &str) {
        let _ = writeln!(
            self.body,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\".4\"/>",
            a[0], a[1], b[0], b[1], c[0], c[1]
        );
    }

    pub(super) fn dot(&mut self, at: [f64; 2], colour: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\" fill=\"{colour}\"/>",
            at[0], at[1]
        );
    }

    pub(super) fn rectangle(&mut self, low: [f64; 2], high: [f64; 2], colour: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
            low[0],
            low[1],
            (high[0] - low[0]).max(0.5),
            (high[1] - low[1]).max(0.5)
        );
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: &str, size: f64, words: &str, more: &str) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"#222222\" {more}>{words}</text>"
        );
    }

    /// Grid lines and words along the y axis.
    pub(super) fn upward(&mut self, axis: &Axis, label: &str) {
        for (value, words) in axis.marks() {
            if let Some(y) = axis.at(value) {
                self.line([LEFT, y], [RIGHT, y], "#dddddd", 1.0);
                self.text(LEFT - 8.0, y + 4.0, "end", 12.0, &words, "");
            }
        }
        let middle = f64::midpoint(self.top, self.bottom);
        self.text(18.0, middle, "middle", 12.0, label, &format!("transform=\"rotate(-90 18 {middle:.1})\""));
    }

    /// The line below the drawing and its words.
    pub(super) fn baseline(&mut self, label: &str) {
        self.line([LEFT, self.bottom], [RIGHT, self.bottom], "#222222", 1.2);
        self.below(label);
    }

    /// Words below the drawing.
    pub(super) fn below(&mut self, label: &str) {
        self.text(f64::midpoint(LEFT, RIGHT), self.bottom + 42.0, "middle", 12.0, label, "");
    }

    pub(super) fn finish(self) -> String {
        let Canvas { body, height, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" \
             height=\"{height:.0}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }
}

pub(super) fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}
