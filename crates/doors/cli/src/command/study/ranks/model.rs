//! What a step would take on far more ranks than there are here: a model, from what was measured here and a network that is assumed.

use super::scene::Measured;
use crate::command::study::page::{Cell, Page, Table};
use crate::plot::{Lines, Spacing};

/// A network as clusters have it: seconds a message, and a byte.
const LATENCY: f64 = 2e-6;
const PER_BYTE: f64 = 1e-10;
/// Neighbours of a part of space within a pile.
const NEIGHBOURS: f64 = 26.0;
const RANKS: [f64; 6] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5];
/// Balls a rank.
const SIZES: [f64; 3] = [1e3, 1e4, 1e5];

const WORDS: &str = "\
**This is a model, not a measurement.** It takes from the last run of the growing pile what a ball costs in a step, how many calls a step has and how many bytes go out for a copy; a network of 2 µs a message and 10 GB/s is assumed. \
A rank with n balls has 26 neighbours and copies in proportion to n to the power of 2/3. An exchange takes 26 messages and its bytes; a gather log₂ of the ranks messages and the bytes of all ranks. \
Contacts per ball, balance and clocks are taken to be as here; what a network does when all talk at once is not in it.";

/// The section; the point for the summary.
pub(super) fn section(page: &mut Page, weak: &[Measured]) -> String {
    page.heading("A model of many ranks");
    page.words(WORDS);
    let Some(measured) = weak.iter().rfind(|run| run.ranks > 1).copied() else {
        return "No model: there was only one rank.".into();
    };
    let model = Model::of(&measured);
    let mut table = Table::new(
        "Model: a step, growing pile",
        [
            "balls a rank",
            "ranks",
            "solving, ms",
            "neighbours, ms",
            "gathers, ms",
            "step, ms",
            "efficiency, %",
        ],
    );
    let mut series = Vec::new();
    let mut at_most = String::new();
    for size in SIZES {
        let mut line = Vec::new();
        for ranks in RANKS {
            let [solving, talking, gathers] = model.step(size, ranks);
            let step = solving + talking + gathers;
            let efficiency = 100.0 * solving / step;
            line.push([ranks.log10(), efficiency]);
            if size == SIZES[1] && ranks == RANKS[3] {
                at_most = format!("{efficiency:.0} % at 10³ ranks");
            }
            if size == SIZES[1] && ranks == RANKS[5] {
                at_most = format!("{at_most}, {efficiency:.0} % at 10⁵");
            }
            table.row(vec![
                Cell::Number(size, 0),
                Cell::Number(ranks, 0),
                Cell::Number(1e3 * solving, 3),
                Cell::Number(1e3 * talking, 3),
                Cell::Number(1e3 * gathers, 3),
                Cell::Number(1e3 * step, 3),
                Cell::Number(efficiency, 1),
            ]);
        }
        series.push((format!("{size:.0} balls a rank"), line));
    }
    page.table(table);
    let lines = Lines {
        title: "Model: efficiency of a growing pile".into(),
        x_label: "power of ten of the ranks".into(),
        y_label: "%".into(),
        spacing: Spacing::Even,
        dots: true,
        series,
    };
    page.figure("model", "Model: efficiency of a growing pile on many ranks", lines.svg());
    format!(
        "By a model (not measured): 10 000 balls a rank have an efficiency of {at_most}; beyond some thousand ranks the gathers that find out who writes to whom are what a step waits for, and have to become lists of neighbours."
    )
}

struct Model {
    per_ball: f64,
    exchanges: f64,
    gathers: f64,
    /// Given to a gather by a rank.
    given: f64,
    bytes_per_copy: f64,
    /// Copies over the power 2/3 of the balls.
    copies: f64,
}

impl Model {
    fn of(run: &Measured) -> Model {
        let each = run.balls as f64 / run.ranks as f64;
        // Blocks in a row have two neighbours at most; a part within a pile has six sides instead.
        let sides = 6.0 / 2.0;
        Model {
            per_ball: run.total / run.balls as f64,
            exchanges: run.calls - run.gathers,
            gathers: run.gathers,
            given: run.gathered / run.gathers.max(1.0),
            bytes_per_copy: run.bytes / (run.copies.max(1) as f64),
            copies: sides * run.copies as f64 / each.powf(2.0 / 3.0),
        }
    }

    /// Solving, talking with neighbours, gathers.
    fn step(&self, size: f64, ranks: f64) -> [f64; 3] {
        let solving = self.per_ball * size;
        if ranks <= 1.0 {
            return [solving, 0.0, 0.0];
        }
        let neighbours = NEIGHBOURS.min(ranks - 1.0);
        let bytes = self.bytes_per_copy * self.copies * size.powf(2.0 / 3.0);
        let talking = self.exchanges * neighbours * LATENCY + bytes * PER_BYTE;
        let gathers = self.gathers * (ranks.log2() * LATENCY + ranks * self.given * PER_BYTE);
        [solving, talking, gathers]
    }
}
