//! Mixes of sizes and places, and few movers: whether the way that is chosen is the best.

use crate::bench::Bench;
use crate::contest::hold;
use crate::product::broad::{other, way};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::broad::Way;
use kontakt_lab_broad::{Crowd, Mix, Other};

/// Steps of a call.
const STEPS: usize = 33;
/// Of calls in which few move.
const FEW_STEPS: usize = 400;
const COUNT: usize = 20_000;
const RESTING: usize = 100_000;
const MOVERS: usize = 100;
/// What a step with few movers may take of one in which all move.
const SHARE: f64 = 0.02;

/// Every mix, all moving.
pub(super) fn mixes(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 20.0);
    let mut rows = Vec::new();
    for mix in Mix::ALL {
        if !bench.wants(mix.name()) {
            continue;
        }
        let crowd = || Crowd::new(mix, COUNT, COUNT, 1);
        let mut contenders = vec![
            way("kontakt", Way::Auto, crowd(), STEPS),
            way("rows", Way::Rows, crowd(), STEPS),
            way("tree", Way::Tree, crowd(), STEPS),
        ];
        for lab in [Other::HashGrid, Other::SweepAndPrune] {
            contenders.push(other(lab, crowd(), STEPS));
        }
        let outcomes = hold(contenders, effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let counts: Vec<Option<&usize>> = outcomes.iter().map(|outcome| outcome.answers.first()).collect();
        let same = counts.iter().all(|count| *count == counts[0]);
        let facts = vec![Fact::judged("pairs", counts[0].map_or("–".to_owned(), usize::to_string), same)];
        rows.push(Row {
            case: mix.name().into(),
            size: format!("{COUNT}"),
            ratio: best(&times),
            times,
            facts,
        });
    }
    Table {
        key: "mixes",
        title: "Mixes of sizes and places, all moving",
        target: "at most 1 x the best single way",
        notes: "kontakt chooses its way itself; rows and tree are its ways, the hash grid and sweep-and-prune are of the laboratory, behind the same kept pairs. A ratio a few per cent above 1 is \
                noise where the way chosen is the fastest one. A call is 33 steps, the time is the mean of one. All must find the same pairs.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

/// Few movers among many at rest.
pub(super) fn movers(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 20.0);
    let crowd = |movers: usize| Crowd::new(Mix::Even, RESTING, movers, 1);
    let contenders = vec![
        way("kontakt", Way::Auto, crowd(MOVERS), FEW_STEPS),
        way("all moving", Way::Auto, crowd(RESTING), STEPS),
        way("tree", Way::Tree, crowd(MOVERS), FEW_STEPS),
        other(Other::HashGrid, crowd(MOVERS), FEW_STEPS),
    ];
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let ratio = Ratio::of(&times, "kontakt", "all moving", Some(SHARE));
    let row =
        Row { case: format!("{MOVERS} movers"), size: format!("{RESTING}"), ratio, times, facts: Vec::new() };
    Table {
        key: "movers",
        title: "Few movers among many at rest",
        target: "less than 1/50 of a step in which all move",
        notes: "A hundred of 100,000 cubes move. Times are of a step with few movers, but for the column that says otherwise.",
        unit: Unit::Microseconds,
        effort,
        rows: vec![row],
    }
}

/// Against the fastest single way.
fn best(times: &[Time]) -> Option<Ratio> {
    let ways = times.iter().filter(|time| time.contender != "kontakt");
    let way = ways.filter_map(|time| Some((time, time.least?))).min_by(|a, b| a.1.total_cmp(&b.1))?.0;
    let mut ratio = Ratio::of(times, "kontakt", way.contender, Some(1.0))?;
    ratio.against = "best way";
    Some(ratio)
}
