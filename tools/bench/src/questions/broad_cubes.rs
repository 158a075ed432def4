//! Many moving cubes: update and all pairs.

use crate::bench::Bench;
use crate::contest::hold;
use crate::parry_broad::{Upkeep, contender};
use crate::product::broad::way;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::broad::Way;
use kontakt_lab_broad::{Crowd, Mix};

const COUNTS: [usize; 3] = [10_000, 100_000, 1_000_000];
/// Growth from one count to the next that passes.
const GROWTH: f64 = 11.5;
/// Steps of a call.
const STEPS: usize = 33;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 30.0);
    let mut rows = Vec::new();
    let mut last: Option<(usize, f64)> = None;
    for count in COUNTS {
        let case = format!("{count} cubes");
        if !bench.wants(&case) {
            continue;
        }
        let crowd = || Crowd::new(Mix::Even, count, count, 1);
        let mut contenders = Vec::new();
        if !bench.peers_only {
            contenders.push(way("kontakt", Way::Auto, crowd(), STEPS));
        }
        contenders.push(contender("parry, refit", Upkeep::Refit, crowd(), STEPS));
        contenders.push(contender("parry, margins", Upkeep::Margin, crowd(), STEPS));
        if count < 1_000_000 {
            contenders.push(contender("parry, rebuilt", Upkeep::Rebuild, crowd(), STEPS));
        }
        let outcomes = hold(contenders, effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let mut facts =
            vec![Fact::plain("pairs", pairs(outcomes.iter().map(|outcome| outcome.answers.first())))];
        let ours = times.iter().find(|time| time.contender == "kontakt").and_then(|time| time.least);
        if let (Some(ours), Some((before, then))) = (ours, last)
            && count == 10 * before
        {
            let growth = ours / then;
            let judged = count == 1_000_000;
            let shown = format!("{growth:.1}");
            facts.push(if judged {
                Fact::judged("ten times as many", shown, growth <= GROWTH)
            } else {
                Fact::plain("ten times as many", shown)
            });
        }
        last = ours.map(|ours| (count, ours));
        rows.push(Row { case, size: format!("{count}"), ratio: best(&times), times, facts });
    }
    Table {
        key: "cubes",
        title: "Many moving cubes",
        target: "at most 0.5 of the best peer; ten times as many cubes, from 10⁵ to 10⁶, at most 11.5 times as long",
        notes: "Cubes of side 0.5 to 1.5, two apart in the mean, each moving by up to 0.1 along each axis in a step; between walls. A call is 33 steps, the \
                time is the mean of a step: telling where all boxes are, and a list of all pairs (kontakt: sorted, with the new and the lost, exact in doubles; parry: single \
                precision, which may differ in a few). kontakt looks all boxes up at every eleventh step or so, which is in the mean. parry: its tree refit and optimised a little \
                each step, all pairs looked for; with margins of 0.2 (not tuned) and kept pairs, as rapier does; built anew. Broad phases of FCL, coal and Bullet are not set up as peers here; in \
                the project's reference runs they took longer than parry's. The driver with margins misses about 1 % of the pairs (see their numbers), which was not looked into: its time is for information, and it is not the fastest.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

/// Pairs found by each, or by all.
fn pairs<'a>(counts: impl Iterator<Item = Option<&'a usize>>) -> String {
    let mut counts: Vec<usize> = counts.flatten().copied().collect();
    counts.dedup();
    counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" / ")
}

/// Against the fastest peer.
fn best(times: &[Time]) -> Option<Ratio> {
    let peers = times.iter().filter(|time| time.contender != "kontakt");
    let peer = peers.filter_map(|time| Some((time, time.least?))).min_by(|a, b| a.1.total_cmp(&b.1))?.0;
    let mut ratio = Ratio::of(times, "kontakt", peer.contender, Some(0.5))?;
    ratio.against = "best peer";
    Some(ratio)
}
