//! A study as it is put together: words, tables and figures, written as Markdown with SVG files beside it.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Word(String),
    /// A number and the decimals that are shown.
    Number(f64, usize),
}

impl Cell {
    fn shown(&self) -> String {
        match self {
            Cell::Word(word) => word.clone(),
            Cell::Number(value, decimals) if value.is_finite() => grouped(&format!("{value:.decimals$}")),
            Cell::Number(..) => "–".to_owned(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Word(word) => word.clone().into(),
            Cell::Number(value, _) => json!(value),
        }
    }
}

/// Thousands apart by a thin gap, so that long counts can be read.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut shown = sign.to_owned();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            shown.push('\u{202f}');
        }
        shown.push(digit);
    }
    if let Some(rest) = rest {
        shown.push('.');
        shown.push_str(rest);
    }
    shown
}

impl From<&str> for Cell {
    fn from(word: &str) -> Cell {
        Cell::Word(word.to_owned())
    }
}

impl From<String> for Cell {
    fn from(word: String) -> Cell {
        Cell::Word(word)
    }
}

/// A table with its title.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) title: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new<const N: usize>(title: impl Into<String>, columns: [&str; N]) -> Table {
        Table { title: title.into(), columns: columns.map(String::from).to_vec(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    fn markdown(&self, out: &mut String) {
        let numeric = |c: usize| self.rows.iter().any(|row| matches!(row.get(c), Some(Cell::Number(..))));
        let _ = writeln!(out, "**{}**\n\n| {} |", self.title, self.columns.join(" | "));
        let rule: Vec<&str> =
            (0..self.columns.len()).map(|c| if numeric(c) { "--:" } else { "---" }).collect();
        let _ = writeln!(out, "|{}|", rule.join("|"));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::shown).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out.push('\n');
    }

    pub(super) fn json(&self) -> Value {
        let rows: Vec<Vec<Value>> =
            self.rows.iter().map(|row| row.iter().map(Cell::json).collect()).collect();
        json!({ "title": self.title, "columns": self.columns, "rows": rows })
    }
}

enum Block {
    Heading(String),
    Words(String),
    /// Words in a fixed width, as they stand.
    Sketch(String),
    Table(Table),
    /// Name of the file without its ending, what it shows, and the SVG text.
    Figure {
        name: String,
        caption: String,
        svg: String,
    },
}

/// A study.
pub(super) struct Page {
    pub(super) name: &'static str,
    title: String,
    /// What came out, in front of everything else.
    summary: String,
    blocks: Vec<Block>,
}

impl Page {
    pub(super) fn new(name: &'static str, title: &str) -> Page {
        Page { name, title: title.to_owned(), summary: String::new(), blocks: Vec::new() }
    }

    /// What came out, as points.
    pub(super) fn summary(&mut self, points: &[String]) {
        self.summary.clear();
        for point in points {
            let _ = writeln!(self.summary, "- {point}");
        }
    }

    pub(super) fn sketch(&mut self, sketch: &str) {
        self.blocks.push(Block::Sketch(sketch.to_owned()));
    }

    pub(super) fn heading(&mut self, words: &str) {
        self.blocks.push(Block::Heading(words.to_owned()));
    }

    pub(super) fn words(&mut self, words: impl Into<String>) {
        self.blocks.push(Block::Words(words.into()));
    }

    pub(super) fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    pub(super) fn figure(&mut self, name: &str, caption: &str, svg: String) {
        self.blocks.push(Block::Figure { name: name.to_owned(), caption: caption.to_owned(), svg });
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The row of a table with the least number in a column: its first cell, and the number. Columns of one name: the first.
    pub(super) fn least(&self, title: &str, column: &str) -> Option<(String, f64)> {
        let table = self.tables().find(|table| table.title == title)?;
        let column = table.columns.iter().position(|name| name == column)?;
        let number = |row: &Vec<Cell>| match row.get(column) {
            Some(Cell::Number(value, _)) if value.is_finite() => Some((row.first()?.shown(), *value)),
            _ => None,
        };
        table.rows.iter().filter_map(number).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    pub(super) fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.title);
        if !self.summary.is_empty() {
            let _ = writeln!(out, "**In short**\n\n{}", self.summary);
        }
        for block in &self.blocks {
            match block {
                Block::Heading(words) => {
                    let _ = writeln!(out, "## {words}\n");
                }
                Block::Words(words) => {
                    let _ = writeln!(out, "{words}\n");
                }
                Block::Sketch(sketch) => {
                    let _ = writeln!(out, "```text\n{}\n```\n", sketch.trim_end());
                }
                Block::Table(table) => table.markdown(&mut out),
                Block::Figure { name, caption, .. } => {
                    let _ = writeln!(out, "![{caption}]({}/{name}.svg)\n", self.name);
                }
            }
        }
        out.trim_end().to_owned() + "\n"
    }

    /// Writes `NAME.md` and the figures in `NAME/` below the folder; gives the files' names.
    pub(super) fn write(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let figures = folder.join(self.name);
        std::fs::create_dir_all(&figures)?;
        let mut files = Vec::new();
        for block in &self.blocks {
            if let Block::Figure { name, svg, .. } = block {
                let path = figures.join(format!("{name}.svg"));
                std::fs::write(&path, svg)?;
                files.push(path);
            }
        }
        let path = folder.join(format!("{}.md", self.name));
        std::fs::write(&path, self.markdown())?;
        files.push(path);
        Ok(files)
    }
}
