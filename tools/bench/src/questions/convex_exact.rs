//! Are the answers about convex bodies right? Pairs of every kind against exact references.

use super::convex_kinds::shared_out;
use crate::bench::Bench;
use crate::contest::Effort;
use crate::product::convex::Pair;
use crate::report::{Fact, Row, Table, Unit};
use kontakt_convex::ConvexQuery;
use std::fmt::Write;
use testbodies::convex::{claim, side};
use testkit::convex::certify::faults;
use testkit::convex::pairs::{Family, Item, Mode, pair};
use testkit::convex::{Side, Truth, truth};

/// Pairs of the full run, and how many in a hundred are of each kind.
const PAIRS: u64 = 1_000_000;
const SHARES: [u64; 10] = [30, 20, 15, 15, 10, 2, 2, 2, 2, 2];
/// Complaints printed of each kind.
const SHOWN: usize = 5;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let pairs = bench.pairs.unwrap_or(if bench.quick { PAIRS / 100 } else { PAIRS });
    let first = bench.seed.wrapping_mul(pairs);
    let rows = shared_out(bench, pairs, SHARES)
        .map(|(family, mode, name, count)| Tally::of(family, mode, first..first + count).row(name))
        .collect();
    Table {
        key: "exact",
        title: "Convex bodies against exact references",
        target: "no wrong verdict, no bound without the truth, no NaN, no panic, nothing undecided",
        notes: "Each pair is asked for contact in both orders, for the verdict and for the distance; verdicts must be the exact ones and \
                equal, bounds must hold the truth, normals and points must be as good as claimed. Widest: largest width of \
                the certified bounds over the pair's size.",
        unit: Unit::Nanoseconds,
        effort: Effort { rounds: 1, burst: 1, seconds: 0.0 },
        rows,
    }
}

/// What was found about pairs of one kind.
#[derive(Default)]
struct Tally {
    asked: u64,
    without_reference: u64,
    sides: [u64; 4],
    wrong: u64,
    undecided: u64,
    panics: u64,
    /// Largest width of the bounds over the pair's size, and that pair's number.
    widest: (f64, u64),
}

impl Tally {
    fn of(family: Family, mode: Mode, numbers: std::ops::Range<u64>) -> Tally {
        let mut tally = Tally::default();
        let mut shown = 0;
        for number in numbers {
            let items = pair(family, mode, number);
            let complaint = tally.judge(number, &items);
            if !complaint.is_empty() && shown < SHOWN {
                shown += 1;
                println!("  {family:?} {mode:?} {number}: {complaint}\n    {items:?}");
            }
        }
        tally
    }

    /// Asks and judges; what is wrong in words.
    fn judge(&mut self, number: u64, items: &[Item; 2]) -> String {
        self.asked += 1;
        let bodies = [items[0].body(), items[1].body()];
        let Some(truth) = truth(&bodies[0], &bodies[1]) else {
            self.without_reference += 1;
            return String::new();
        };
        self.sides[truth.side as usize] += 1;
        let Ok((complaint, width, decided)) =
            std::panic::catch_unwind(|| complain(items, [&bodies[0], &bodies[1]], &truth))
        else {
            self.panics += 1;
            return "panic".to_owned();
        };
        if width > self.widest.0 {
            self.widest = (width, number);
        }
        if !decided {
            self.undecided += 1;
        }
        if !complaint.is_empty() {
            self.wrong += 1;
        }
        complaint
    }

    fn row(&self, name: &str) -> Row {
        let none = |column, count: u64| Fact::judged(column, count.to_string(), count == 0);
        let [apart, touching, overlapping, near] = self.sides;
        Row {
            case: name.to_owned(),
            size: format!("{} pairs", self.asked),
            facts: vec![
                Fact::plain("apart", apart.to_string()),
                Fact::plain("touching", touching.to_string()),
                Fact::plain("overlapping", overlapping.to_string()),
                Fact::plain("within rounding", near.to_string()),
                Fact::plain("no reference", self.without_reference.to_string()),
                none("wrong", self.wrong),
                none("undecided", self.undecided),
                none("panics", self.panics),
                Fact::plain("widest", format!("{:.1e}", self.widest.0)),
                Fact::plain("of pair", self.widest.1.to_string()),
            ],
            ..Row::default()
        }
    }
}

fn complain(items: &[Item; 2], [a, b]: [&testkit::convex::Body; 2], truth: &Truth) -> (String, f64, bool) {
    let pair = match Pair::of(items) {
        Ok(pair) => pair,
        Err(reason) => return (reason, 0.0, true),
    };
    let mut asker = ConvexQuery::new();
    let [first, second] = pair.placed(false);
    let answer = asker.contact(first, second);
    let mut complaint = faults(a, b, truth, &claim(&answer));
    let back = Truth { normal: truth.normal.map(|x| -x), ..*truth };
    let swapped = faults(b, a, &back, &claim(&asker.contact(second, first)));
    if !swapped.is_empty() {
        let _ = write!(complaint, "swapped: {swapped}");
    }
    let verdicts = [
        asker.intersect(first, second),
        asker.intersect(second, first),
        asker.distance(first, second).verdict,
    ];
    if verdicts.iter().any(|verdict| *verdict != answer.verdict) {
        let _ = write!(complaint, "{:?} by contact, {verdicts:?} by other questions; ", answer.verdict);
    }
    let size = |body: &testkit::convex::Body| {
        testkit::convex::Posed::of(body).reach + body.radii.iter().sum::<f64>()
    };
    let reach = size(a) + size(b);
    let decided: Option<Side> = side(answer.verdict);
    (complaint, answer.separation.width() / reach.max(f64::MIN_POSITIVE), decided.is_some())
}
