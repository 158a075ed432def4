//! What the questions about moving bodies share: contenders and how their times compare with the certified ones.

use crate::bench::Bench;
use crate::contest::{Contender, Effort, Outcome, hold};
use crate::data::flights::Flights;
use crate::parry_moving::Bodies;
use crate::peer::number;
use crate::peers::Peers;
use crate::product;
use crate::questions::mesh_scene::numbers;
use crate::report::{Fact, Row, Time};
use kontakt::answers::{Impact, Initial};
use std::cell::RefCell;
use std::path::Path;
use testbodies::moving::flights::{Between, Flight};
use testbodies::moving::hunt::{Scene, contact_before};

/// The cases: B comes from `far` away and goes through the middle; or past it, `aside` of it.
pub(super) fn cases(far: f64, aside: f64) -> [Flight; 5] {
    let through = Flight { far, aside: 0.0, both: true, between: Between::Slerp };
    [
        through,
        Flight { both: false, ..through },
        Flight { aside, ..through },
        Flight { between: Between::Nlerp, ..through },
        Flight { between: Between::Screw, ..through },
    ]
}

/// Times of first contact of the first motions.
pub(super) type Answers = Vec<Option<f64>>;

/// The time of an answer of ours that counts as one: where its range ends.
fn ends(impacts: &[Impact]) -> Answers {
    impacts
        .iter()
        .map(|impact| if let Impact::Contact { time, .. } = impact { Some(time.hi()) } else { None })
        .collect()
}

/// How many motions peers are asked about.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub(super) parry: usize,
    pub(super) advance: usize,
    pub(super) naive: usize,
}

/// parry's bodies, unless the motions are none it knows; what fails is noted.
fn parry(bench: &mut Bench, flights: &Flights, counts: Counts) -> Option<Bodies> {
    let made = flights.plain.then(|| Bodies::of(flights, counts.parry))?;
    made.map_err(|reason| bench.skip(format!("parry, {}: {reason}", flights.name))).ok()
}

/// Contenders other than kontakt. `file` is where FCL reads and writes.
pub(super) fn peers<'a>(
    peers: &'a mut Peers,
    parry: Option<&'a Bodies>,
    flights: &'a Flights,
    counts: Counts,
    file: &'a Path,
) -> Vec<Contender<'a, Answers>> {
    let mut all: Vec<Contender<'a, Answers>> = Vec::new();
    if let Some(bodies) = parry {
        all.push(Contender::new("parry f64", move || {
            let (seconds, times) = bodies.times();
            Ok((seconds / bodies.len().max(1) as f64, times))
        }));
    }
    if !flights.plain {
        return all;
    }
    if let Ok(fcl) = &mut peers.fcl {
        let fcl = std::rc::Rc::new(RefCell::new(fcl));
        for (name, request, count) in
            [("FCL advancement", "advance", counts.advance), ("FCL 20 samples", "naive", counts.naive)]
        {
            let fcl = fcl.clone();
            all.push(Contender::new(name, move || {
                flights.write(file, count)?;
                let mut fcl = fcl.borrow_mut();
                fcl.ask(&format!("scene {}", file.display()))?;
                let answer = fcl.ask(&format!("{request} {}", file.display()))?;
                let bytes = std::fs::read(file).map_err(|problem| format!("answers of FCL: {problem}"))?;
                let times: Answers = numbers(&bytes).into_iter().map(|t| (t >= 0.0).then_some(t)).collect();
                Ok((number(&answer, "seconds")? / times.len().max(1) as f64, times))
            }));
        }
    }
    all
}

/// What is asked about the motions of a case.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// Width of the times asked for.
    pub(super) width: f64,
    /// Motions peers are asked about.
    pub(super) counts: Counts,
    /// Motions in which missed contacts are looked for.
    pub(super) sampled: usize,
}

/// Asks everybody about the motions of a case. `spread` makes a column of the seconds of kontakt's motions (median, 90th and
/// 99th percentile and maximum); there is no ratio yet.
pub(super) fn row(
    bench: &mut Bench,
    flights: &Flights,
    question: Question,
    effort: Effort,
    spread: impl Fn([f64; 4]) -> Fact,
) -> Row {
    let Question { width, counts, sampled } = question;
    let parry = if counts.parry > 0 { parry(bench, flights, counts) } else { None };
    let file = bench.scratch.path("flights");
    let mut all = Vec::new();
    if !bench.peers_only {
        all.push(Contender::new("kontakt", || {
            let (seconds, impacts) = product::moving::impacts(flights, width);
            Ok((seconds / impacts.len() as f64, ends(&impacts)))
        }));
    }
    all.extend(peers(&mut bench.peers, parry.as_ref(), flights, counts, &file));
    let outcomes = hold(all, effort);
    let times = outcomes.iter().map(Time::from).collect();
    let (_, truth) = product::moving::impacts(flights, width);
    let missed = sampled_misses(flights, &truth, sampled);
    let wide = widest(&truth);
    let mut facts = vec![
        spread(percentiles(product::moving::each(flights, width))),
        Fact::plain("verdicts", verdicts(&truth)),
        Fact::judged("widest", format!("{wide:.0e}"), wide <= 1.02 * width),
        Fact::judged("sampled misses", missed.to_string(), missed == 0),
    ];
    facts.extend(deviations(&outcomes, &truth));
    Row { case: flights.name.clone(), size: flights.size(), times, ratio: None, facts }
}

/// How a contender's times compare with the certified ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deviations {
    pub(super) asked: usize,
    /// Contacts called free.
    pub(super) missed: usize,
    /// Free motions called in contact.
    pub(super) false_alarms: usize,
    /// How far times are after the certified contact, or before the motion is proven free, at most.
    pub(super) late: f64,
    pub(super) early: f64,
}

impl Deviations {
    pub(super) fn of(answers: &Answers, truth: &[Impact]) -> Deviations {
        let mut found = Deviations::default();
        for (answer, truth) in answers.iter().zip(truth) {
            match (answer, truth) {
                (_, Impact::Undecided { .. } | Impact::Contact { initial: Initial::Overlapping, .. }) => {
                    continue;
                }
                (None, Impact::Contact { .. }) => found.missed += 1,
                (Some(_), Impact::Free { .. }) => found.false_alarms += 1,
                (Some(t), Impact::Contact { time, .. }) => {
                    found.late = found.late.max(t - time.hi());
                    found.early = found.early.max(time.lo() - t);
                }
                (None, Impact::Free { .. }) => {}
            }
            found.asked += 1;
        }
        found
    }

    pub(super) fn and(self, other: Deviations) -> Deviations {
        Deviations {
            asked: self.asked + other.asked,
            missed: self.missed + other.missed,
            false_alarms: self.false_alarms + other.false_alarms,
            late: self.late.max(other.late),
            early: self.early.max(other.early),
        }
    }

    /// "1 missed, 0 false of 98; late 1e-9, early 2e-4".
    pub(super) fn words(&self) -> String {
        format!(
            "{} missed, {} false of {}; late {:.0e}, early {:.0e}",
            self.missed, self.false_alarms, self.asked, self.late, self.early
        )
    }
}

/// One column a peer.
fn deviations(outcomes: &[Outcome<Answers>], truth: &[Impact]) -> Vec<Fact> {
    let column = |name: &str| match name {
        "parry f64" => "parry f64 against certified",
        "FCL advancement" => "FCL advancement against certified",
        _ => "FCL 20 samples against certified",
    };
    outcomes
        .iter()
        .filter(|outcome| outcome.name != "kontakt")
        .filter_map(|outcome| {
            let answers = outcome.answers.last()?;
            Some(Fact::plain(column(outcome.name), Deviations::of(answers, truth).words()))
        })
        .collect()
}

/// Motions among the first `count` with a contact, found by sampling, before the time reported.
fn sampled_misses(flights: &Flights, truth: &[Impact], count: usize) -> usize {
    let mut at_rest = kontakt::mesh::MeshQuery::new();
    let [a, b] = &flights.bodies;
    let mut missed = |(motions, impact): (&[kontakt::math::Motion; 2], &Impact)| {
        let until = match impact {
            Impact::Free { .. } => 2.0,
            Impact::Contact { initial: Initial::Overlapping, .. } => return false,
            _ => impact.free_until(),
        };
        let scene = Scene { a: (a, motions[0].clone()), b: (b, motions[1].clone()) };
        contact_before(&scene, until, &mut at_rest).is_some()
    };
    flights.motions.iter().zip(truth).take(count).filter(|pair| missed(*pair)).count()
}

/// How many are in contact, free and undecided.
fn verdicts(truth: &[Impact]) -> String {
    let count = |of: fn(&Impact) -> bool| truth.iter().filter(|impact| of(impact)).count();
    format!(
        "{}/{}/{}",
        count(|impact| matches!(impact, Impact::Contact { .. })),
        count(|impact| matches!(impact, Impact::Free { .. })),
        count(|impact| matches!(impact, Impact::Undecided { .. }))
    )
}

/// Widest time reported.
fn widest(truth: &[Impact]) -> f64 {
    truth
        .iter()
        .filter_map(
            |impact| if let Impact::Contact { time, .. } = impact { Some(time.width()) } else { None },
        )
        .fold(0.0, f64::max)
}

/// Median, 90th and 99th percentile and maximum.
fn percentiles(mut seconds: Vec<f64>) -> [f64; 4] {
    seconds.sort_by(f64::total_cmp);
    let last = seconds.len().saturating_sub(1);
    [last / 2, last * 9 / 10, last * 99 / 100, last].map(|i| seconds.get(i).copied().unwrap_or(0.0))
}
