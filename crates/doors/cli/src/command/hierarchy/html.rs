//! The levels as a page: plots drawn as SVG in the page itself, nothing loaded from elsewhere.

use super::info::{InfoReport, Seen};
use super::levels::{COLUMNS, short};
use kontakt::hierarchy::LevelMeasures;
use std::fmt::Write;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 58.0;
const BOTTOM: f64 = 34.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 12.0;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222;background:#fff}\
figure{display:inline-block;margin:0 1.2em 1.2em 0}figcaption{font-weight:600}\
svg text{font:11px system-ui,sans-serif;fill:#555}.grid{stroke:#ddd}.mean{stroke:#1463a5;fill:none;stroke-width:2}\
.max{stroke:#c4561a;fill:none;stroke-width:2;stroke-dasharray:5 3}.dot-mean{fill:#1463a5}.dot-max{fill:#c4561a}\
.inner{fill:#9dbfdd}.leaf{fill:#1463a5}table{border-collapse:collapse}td,th{padding:.15em .7em;text-align:right}\
th{border-bottom:1px solid #999}tr:nth-child(even){background:#f4f6f8}.bad{color:#b00020}.key span{margin-right:1.2em}\
@media(prefers-color-scheme:dark){body{background:#16181b;color:#ddd}svg text{fill:#aaa}.grid{stroke:#333}\
tr:nth-child(even){background:#1e2125}}";

/// The whole page.
pub(super) fn page(report: &InfoReport) -> String {
    let title = escape(&report.file);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head>\n\
         <body><h1>{title}</h1>\n"
    );
    report.bodies.iter().for_each(|body| page += &section(body));
    page + "</body></html>\n"
}

fn section(body: &Seen) -> String {
    let mut html = format!(
        "<h2>{}</h2>\n<p>{} triangles, {} vertices<br>",
        escape(&body.name),
        body.triangles,
        body.vertices
    );
    let _ = write!(html, "{}<br>{}<br>", escape(&body.built()), escape(&body.runtime()));
    let _ = match &body.flaw {
        None if body.valid.is_none() => {
            writeln!(html, "<span class=\"bad\">not checked: the time limit was reached</span></p>")
        }
        None => writeln!(html, "valid: every box encloses its triangles, exactly</p>"),
        Some(flaw) => writeln!(html, "<span class=\"bad\">not valid: {}</span></p>", escape(flaw)),
    };
    let levels = &body.facts.levels;
    if levels.is_empty() {
        return html;
    }
    html += "<p class=\"key\"><span style=\"color:#1463a5\">━ mean</span><span style=\"color:#c4561a\">╍ max</span>\
             all axes logarithmic, levels from the root (0) down</p>\n";
    html += &figure("nodes", &nodes_plot(levels));
    for (name, of) in COLUMNS {
        let means: Vec<(u32, f64)> = levels.iter().filter_map(|l| Some((l.depth, of(l)?.mean))).collect();
        let maxima: Vec<(u32, f64)> = levels.iter().filter_map(|l| Some((l.depth, of(l)?.max))).collect();
        if !means.is_empty() {
            html += &figure(name, &lines_plot(levels, &means, &maxima));
        }
    }
    html + &table(levels)
}

fn figure(name: &str, plot: &str) -> String {
    format!(
        "<figure><figcaption>{name}</figcaption><svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"{name} by level\">{plot}</svg></figure>\n"
    )
}

/// From levels and values to places in a plot.
struct Axes {
    levels: u32,
    /// Decades at the ends of the upright axis.
    low: i32,
    high: i32,
}

impl Axes {
    /// Whole decades around all positive values.
    fn around(levels: &[LevelMeasures], values: impl Iterator<Item = f64>) -> Axes {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(f64::log10);
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low <= high { (low.floor() as i32, high.ceil() as i32) } else { (0, 1) };
        Axes { levels: levels.len() as u32, low, high: high.max(low + 1) }
    }

    fn x(&self, depth: u32) -> f64 {
        LEFT + (f64::from(depth) + 0.5) * (WIDTH - LEFT - RIGHT) / f64::from(self.levels)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        let log = if value > 0.0 { value.log10().clamp(low, high) } else { low };
        TOP + (high - log) * (HEIGHT - TOP - BOTTOM) / (high - low)
    }

    fn grid(&self) -> String {
        let mut svg = String::new();
        let step = self.high.abs_diff(self.low).div_ceil(6).max(1) as usize;
        for decade in (self.low..=self.high).step_by(step) {
            let y = self.y(10_f64.powi(decade));
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                tick(decade)
            );
        }
        let every = self.levels.div_ceil(12).max(1) as usize;
        for depth in (0..self.levels).step_by(every) {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{depth}</text>",
                self.x(depth),
                HEIGHT - BOTTOM + 16.0
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">level</text>",
            WIDTH / 2.0,
            HEIGHT - 4.0
        );
        svg
    }
}

/// 10ⁿ as people write it.
fn tick(decade: i32) -> String {
    if (-3..=5).contains(&decade) { format!("{}", 10_f64.powi(decade)) } else { format!("1e{decade}") }
}

/// Bars of nodes, the share of leaves darker.
fn nodes_plot(levels: &[LevelMeasures]) -> String {
    let axes = Axes::around(levels, levels.iter().map(|level| level.nodes as f64).chain([1.0]));
    let mut svg = axes.grid();
    let width = 0.7 * (WIDTH - LEFT - RIGHT) / f64::from(axes.levels);
    for level in levels {
        for (class, count) in [("inner", level.nodes), ("leaf", level.leaves)] {
            if count > 0 {
                let y = axes.y(count as f64);
                let x = axes.x(level.depth) - width / 2.0;
                let height = (HEIGHT - BOTTOM - y).max(2.0);
                let _ = write!(
                    svg,
                    "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
                     <title>level {}: {} nodes, {} leaves</title></rect>",
                    HEIGHT - BOTTOM - height,
                    level.depth,
                    level.nodes,
                    level.leaves
                );
            }
        }
    }
    svg
}

/// Mean and maximum by level.
fn lines_plot(levels: &[LevelMeasures], means: &[(u32, f64)], maxima: &[(u32, f64)]) -> String {
    let axes = Axes::around(levels, means.iter().chain(maxima).map(|(_, value)| *value));
    let mut svg = axes.grid();
    for (class, values) in [("max", maxima), ("mean", means)] {
        let points: Vec<String> = values
            .iter()
            .map(|&(depth, value)| format!("{:.1},{:.1}", axes.x(depth), axes.y(value)))
            .collect();
        let _ = write!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
        for &(depth, value) in values {
            let _ = write!(
                svg,
                "<circle class=\"dot-{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>level {depth}: {class} {}</title></circle>",
                axes.x(depth),
                axes.y(value),
                short(value)
            );
        }
    }
    svg
}

fn table(levels: &[LevelMeasures]) -> String {
    let mut html = "<table><tr><th>level</th><th>nodes</th><th>leaves</th><th>triangles</th>".to_owned();
    let shown = || COLUMNS.iter().filter(|(_, of)| levels.iter().any(|level| of(level).is_some()));
    for (name, _) in shown() {
        let _ = write!(html, "<th>{name}: mean</th><th>max</th>");
    }
    html += "</tr>\n";
    for level in levels {
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            level.depth, level.nodes, level.leaves, level.triangles
        );
        for (_, of) in shown() {
            let _ = match of(level) {
                Some(both) => write!(html, "<td>{}</td><td>{}</td>", short(both.mean), short(both.max)),
                None => write!(html, "<td>–</td><td>–</td>"),
            };
        }
        html += "</tr>\n";
    }
    html + "</table>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
