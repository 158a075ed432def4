//! Do all methods say the same about the same convex bodies?

use super::convex_kinds::shared_out;
use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::Effort;
use crate::product::convex::{Pair, certified_methods, opinions};
use crate::report::{Fact, Row, Table, Unit};
use kontakt_convex::{Answer, ConvexQuery, Verdict};
use std::fmt::Write;
use testbodies::convex::side;
use testkit::convex::pairs::{Family, Item, Mode, pair};

/// Pairs of a usual run; the full run of 10⁸ is made in pieces with `--seed` and `--pairs`.
const PAIRS: u64 = 1_000_000;
/// Each made pair of shapes is asked about at this many relative places.
const PLACES: u64 = 50;
/// How many pairs in a hundred are of each kind.
const SHARES: [u64; 10] = [28, 20, 20, 20, 0, 3, 3, 3, 3, 0];
/// EPA and MPR, which round, are held to their verdict from this part of the size on.
const CLEAR: f64 = 1e-9;
/// Complaints printed of each kind.
const SHOWN: usize = 3;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let pairs = bench.pairs.unwrap_or(if bench.quick { PAIRS / 100 } else { PAIRS });
    let first = bench.seed.wrapping_mul(1 << 40);
    let rows = shared_out(bench, pairs, SHARES)
        .map(|(family, mode, name, count)| {
            let shapes = first..first + count / PLACES;
            let (seconds, tally) = timed(|| Tally::of(family, mode, shapes));
            tally.row(name, seconds)
        })
        .collect();
    Table {
        key: "agreement",
        title: "Convex bodies: agreement of the methods",
        target: "no two verdicts differ, no two certified bounds exclude each other",
        notes: "Default and iterative method, both orders of the bodies, and the three questions of the default method about each pair; EPA and MPR, which \
                speak in plain doubles, against the certified verdict where bodies are apart or overlap by more than 1e-9 of their size. Piece N of the run of 10⁸ pairs \
                is `agreement --pairs 1000000 --seed N`.",
        unit: Unit::Nanoseconds,
        effort: Effort { rounds: 1, burst: 1, seconds: 0.0 },
        rows,
    }
}

#[derive(Default)]
struct Tally {
    asked: u64,
    contradictions: u64,
    undecided: u64,
    /// Verdicts of EPA and MPR against the certified one where that is clear, and where they gave up.
    opposed: [u64; 2],
    gave_up: [u64; 2],
}

impl Tally {
    fn of(family: Family, mode: Mode, numbers: std::ops::Range<u64>) -> Tally {
        let mut tally = Tally::default();
        let mut shown = 0;
        let mut askers: Vec<(&'static str, ConvexQuery)> = certified_methods()
            .into_iter()
            .map(|(name, method)| (name, ConvexQuery::with_method(method)))
            .collect();
        for number in numbers {
            let mut items = pair(family, mode, number);
            for place in 0..PLACES {
                let complaint = tally.judge(&mut askers, &items);
                if !complaint.is_empty() && shown < SHOWN {
                    shown += 1;
                    println!("  {family:?} {mode:?} {number}, place {place}: {complaint}\n    {items:?}");
                }
                wander(&mut items, mode, place);
            }
        }
        tally
    }

    fn judge(&mut self, askers: &mut [(&'static str, ConvexQuery)], items: &[Item; 2]) -> String {
        self.asked += 1;
        let pair = match Pair::of(items) {
            Ok(pair) => pair,
            Err(reason) => return reason,
        };
        let mut complaint = String::new();
        let [a, b] = pair.placed(false);
        let mut reference: Option<Answer> = None;
        for (name, asker) in askers.iter_mut() {
            for swapped in [false, true] {
                let [a, b] = pair.placed(swapped);
                let answer = asker.contact(a, b);
                let Some(reference) = reference else {
                    reference = Some(answer);
                    continue;
                };
                let apart = answer.separation.hi() < reference.separation.lo()
                    || reference.separation.hi() < answer.separation.lo();
                if apart || side(answer.verdict) != side(reference.verdict) {
                    let _ = write!(
                        complaint,
                        "{name}{} says {:?} {:?}, default {:?} {:?}; ",
                        if swapped { " swapped" } else { "" },
                        answer.verdict,
                        answer.separation,
                        reference.verdict,
                        reference.separation
                    );
                }
            }
        }
        let Some(reference) = reference else { return complaint };
        if reference.verdict == Verdict::Undecided {
            self.undecided += 1;
        }
        if let Some((_, asker)) = askers.first_mut() {
            let others = [asker.intersect(a, b), asker.intersect(b, a), asker.distance(a, b).verdict];
            if others.iter().any(|verdict| *verdict != reference.verdict) {
                let _ =
                    write!(complaint, "{:?} by contact, {others:?} by other questions; ", reference.verdict);
            }
        }
        if !complaint.is_empty() {
            self.contradictions += 1;
        }
        let clear =
            reference.separation.lo().abs().min(reference.separation.hi().abs()) > CLEAR * size(items);
        for (k, opinion) in opinions(&pair).into_iter().enumerate() {
            let Some(opinion) = opinion else {
                self.gave_up[k] += 1;
                continue;
            };
            let opposed = (opinion == Verdict::Separate) != (reference.verdict == Verdict::Separate);
            if clear && opposed {
                self.opposed[k] += 1;
                let name = ["EPA", "MPR"][k];
                let _ = write!(complaint, "{name} says {opinion:?}, default {:?}; ", reference.separation);
            }
        }
        complaint
    }

    fn row(&self, name: &str, seconds: f64) -> Row {
        let none = |column, count: u64| Fact::judged(column, count.to_string(), count == 0);
        Row {
            case: name.to_owned(),
            size: format!("{} pairs", self.asked),
            facts: vec![
                none("contradictions", self.contradictions),
                none("undecided by default", self.undecided),
                none("EPA against it", self.opposed[0]),
                Fact::plain("EPA gave up", self.gave_up[0].to_string()),
                none("MPR against it", self.opposed[1]),
                Fact::plain("MPR gave up", self.gave_up[1].to_string()),
                Fact::plain("µs a pair", format!("{:.1}", 1e6 * seconds / self.asked.max(1) as f64)),
            ],
            ..Row::default()
        }
    }
}

/// About how long the bodies and their places are.
fn size(items: &[Item; 2]) -> f64 {
    items.iter().map(|item| testkit::convex::Posed::of(&item.body()).reach + item.margin).sum()
}

/// The next place: a step for the second body, whole numbers where all numbers are whole.
fn wander(items: &mut [Item; 2], mode: Mode, place: u64) {
    let way = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][(place % 3) as usize];
    let back = if (place / 3).is_multiple_of(2) { 1.0 } else { -1.0 };
    let size =
        items[1].translation.iter().chain(&items[0].translation).fold(0.0, |most: f64, x| most.max(x.abs()));
    let step = match mode {
        Mode::Grid => (place % 4) as f64,
        _ => 0.37 * size.max(1e-3) * (0.2 + (place % 7) as f64 / 7.0),
    };
    for (place, along) in items[1].translation.iter_mut().zip(way) {
        *place += back * step * along;
    }
}
