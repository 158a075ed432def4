//! The levels of a hierarchy as a table with small bars, and as JSON.

use kontakt::hierarchy::{LevelMeasures, MeanMax};
use serde_json::{Value, json};
use std::io::{self, Write};

/// A measure of a level: its name and the way to it.
pub(super) type Column = (&'static str, fn(&LevelMeasures) -> Option<MeanMax>);

/// The measures there are, in the order shown.
pub(super) const COLUMNS: [Column; 4] = [
    ("diameter", |level| Some(level.diameter)),
    ("surface", |level| Some(level.surface)),
    ("volume", |level| Some(level.volume)),
    ("hausdorff", |level| level.hausdorff),
];

/// Columns of a bar.
const BAR: usize = 8;

/// One line a level. Bars compare the means of a column by their logarithms: a full bar is the largest, a tenth of a
/// full bar the smallest.
pub(super) fn write(levels: &[LevelMeasures], out: &mut dyn Write) -> io::Result<()> {
    let shown: Vec<&Column> =
        COLUMNS.iter().filter(|(_, of)| levels.iter().any(|l| of(l).is_some())).collect();
    let mut rows = vec![vec!["level".to_owned(), "nodes".to_owned(), String::new(), "leaves".to_owned()]];
    for (name, _) in &shown {
        rows[0].extend([format!("{name}: mean"), "max".to_owned(), String::new()]);
    }
    let scale = Scale::of(levels.iter().map(|level| level.nodes as f64));
    let scales: Vec<Scale> =
        shown.iter().map(|(_, of)| Scale::of(levels.iter().filter_map(of).map(|both| both.mean))).collect();
    for level in levels {
        let mut row = vec![
            level.depth.to_string(),
            level.nodes.to_string(),
            scale.bar(level.nodes as f64),
            level.leaves.to_string(),
        ];
        for ((_, of), scale) in shown.iter().zip(&scales) {
            match of(level) {
                Some(both) => row.extend([short(both.mean), short(both.max), scale.bar(both.mean)]),
                None => row.extend(["–".to_owned(), "–".to_owned(), String::new()]),
            }
        }
        rows.push(row);
    }
    align(&rows, out)
}

/// Numbers to the right, bars (columns without a heading) to the left.
fn align(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for row in rows {
        let padded = row.iter().enumerate().map(|(column, cell)| {
            let blank = " ".repeat(widths[column] - cell.chars().count());
            if rows[0][column].is_empty() { format!("  {cell}{blank}") } else { format!("  {blank}{cell}") }
        });
        writeln!(out, "{}", padded.collect::<String>().trim_end())?;
    }
    Ok(())
}

/// Four digits are enough to compare levels.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e5).contains(&size) => {
            let decimals = usize::try_from(3 - size.log10().floor() as i32).unwrap_or(0);
            format!("{value:.decimals$}")
        }
        _ => format!("{value:.2e}"),
    }
}

/// From a column's values to the lengths of bars.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(values: impl Iterator<Item = f64>) -> Scale {
        let start = Scale { low: f64::INFINITY, high: f64::NEG_INFINITY };
        values
            .filter(|value| *value > 0.0 && value.is_finite())
            .map(f64::log10)
            .fold(start, |scale, value| Scale { low: scale.low.min(value), high: scale.high.max(value) })
    }

    /// Between a tenth and all of a bar, in eighths of a letter; nothing for values that have no logarithm.
    fn bar(&self, value: f64) -> String {
        if !(value > 0.0 && value.is_finite()) {
            return String::new();
        }
        let range = self.high - self.low;
        let share = if range > 0.0 { (value.log10() - self.low) / range } else { 1.0 };
        let wanted = (0.1 + 0.9 * share.clamp(0.0, 1.0)) * (8 * BAR) as f64;
        let eighths = (1..=8 * BAR).rfind(|&eighths| eighths as f64 <= wanted + 0.5).unwrap_or(1);
        let part = ['\u{258f}', '\u{258e}', '\u{258d}', '\u{258c}', '\u{258b}', '\u{258a}', '\u{2589}'];
        let mut bar = "\u{2588}".repeat(eighths / 8);
        bar.extend((!eighths.is_multiple_of(8)).then(|| part[eighths % 8 - 1]));
        bar
    }
}

/// A level with the mean and maximum of each measure; `null` for one that was not taken.
pub(super) fn json(level: &LevelMeasures) -> Value {
    let both = |both: MeanMax| json!({ "mean": both.mean, "max": both.max });
    json!({
        "depth": level.depth,
        "nodes": level.nodes,
        "leaves": level.leaves,
        "triangles": level.triangles,
        "diameter": both(level.diameter),
        "surface": both(level.surface),
        "volume": both(level.volume),
        "hausdorff": level.hausdorff.map(both),
    })
}

#[cfg(test)]
mod tests {
    use super::{Scale, short};

    #[test]
    fn bars_grow_with_the_logarithm() {
        let scale = Scale::of([1.0, 100.0, 0.0].into_iter());
        let lengths = [1.0, 10.0, 100.0].map(|value| scale.bar(value).chars().count());
        assert_eq!(lengths, [1, 5, 8]);
        assert_eq!(scale.bar(0.0), "");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, 1.0, 123.456, 98765.4, 1e-9].map(short),
            ["0", "1.000", "123.5", "98765", "1.00e-9"]
        );
    }
}
