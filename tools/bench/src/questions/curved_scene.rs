//! What the questions about distances of curved bodies share: asking both, and finding out who is right where they differ.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, Effort, Outcome, hold};
use crate::data::curved::Actor;
use crate::occt::{self, CONFUSION, Found};
use crate::peer::Peer;
use crate::product::curved::{self, Solid, TOLERANCE};
use crate::report::{Fact, Ratio, Row, Time};
use kontakt::math::Pose;
use kontakt_curved::SurfaceDistance;

/// How far are two solids apart, the second moved?
pub(super) struct Pair {
    /// For people.
    pub(super) name: String,
    pub(super) a: Actor,
    pub(super) b: Actor,
    pub(super) by: Option<Pose>,
}

/// An answer of either.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Ours(Option<SurfaceDistance>),
    Theirs(Option<Found>),
}

impl Pair {
    /// The second where it is asked for.
    fn second(&self) -> Solid {
        self.by.map_or_else(|| self.b.solid.clone(), |by| self.b.solid.moved(&by))
    }

    fn ours(&self) -> (f64, Answer) {
        let second = self.second();
        let (seconds, found) = timed(|| curved::distance(&self.a.solid, &second));
        (seconds, Answer::Ours(found))
    }

    fn theirs(&self, peer: &mut Peer) -> (f64, Answer) {
        let found = occt::distance(peer, &self.a.name, &self.b.name, self.by.as_ref()).ok();
        (found.map_or(0.0, |found| found.seconds), Answer::Theirs(found))
    }

    /// What intervals may differ by.
    fn little(&self) -> f64 {
        CONFUSION + 1e-10 * self.a.solid.size.max(self.b.solid.size)
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE * self.a.solid.size.max(self.b.solid.size)
    }
}

/// An answer with its CPU seconds.
type Timed = (f64, Answer);

/// Mean time of a pair, and all answers.
fn all(answers: impl Iterator<Item = Timed>) -> (f64, Vec<Timed>) {
    let answers: Vec<Timed> = answers.collect();
    let sum: f64 = answers.iter().map(|(seconds, _)| seconds).sum();
    (sum / answers.len().max(1) as f64, answers)
}

/// The pair that took longest, where there are several.
fn slowest(pairs: &[Pair], answers: &[Timed]) -> String {
    let longest = pairs.iter().zip(answers).max_by(|x, y| x.1.0.total_cmp(&y.1.0));
    let shown = longest.filter(|_| pairs.len() > 1);
    shown.map_or("–".to_owned(), |(pair, (seconds, _))| format!("{:.1} ms, {}", 1e3 * seconds, pair.name))
}

/// Asks both about pairs; times are the mean of a pair.
pub(super) fn row(bench: &mut Bench, case: String, pairs: &[Pair], effort: Effort) -> Row {
    // What bodies make on their first question is in the cold times, not here.
    for pair in pairs {
        let _ = pair.ours();
    }
    let mut contenders: Vec<Contender<'_, Vec<Timed>>> =
        vec![Contender::new("kontakt", || Ok(all(pairs.iter().map(Pair::ours))))];
    if let Ok(peer) = &mut bench.peers.occt {
        contenders.push(Contender::new("OCCT", move || Ok(all(pairs.iter().map(|pair| pair.theirs(peer))))));
    }
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let ratio = Ratio::of(&times, "kontakt", "OCCT", Some(1.0));
    let facts = facts(bench, &case, pairs, &outcomes);
    Row { case, size: format!("{} pairs", pairs.len()), times, ratio, facts }
}

/// Counts over the pairs of a row.
#[derive(Default)]
struct Tally {
    agree: usize,
    inside: usize,
    ours_wrong: usize,
    theirs_wrong: usize,
    open: usize,
    silent: usize,
    wide: usize,
    widest: f64,
}

fn facts(bench: &mut Bench, case: &str, pairs: &[Pair], outcomes: &[Outcome<Vec<Timed>>]) -> Vec<Fact> {
    let last = |k: usize| outcomes.get(k).and_then(|outcome| outcome.answers.last());
    let (Some(ours), Some(theirs)) = (last(0), last(1)) else { return Vec::new() };
    let mut tally = Tally::default();
    for (pair, ((_, ours), (_, theirs))) in pairs.iter().zip(ours.iter().zip(theirs)) {
        match (ours, theirs) {
            (Answer::Ours(Some(ours)), Answer::Theirs(Some(theirs))) => {
                let width = ours.range.hi() - ours.range.lo();
                tally.wide += usize::from(width > 3.0 * pair.tolerance());
                tally.widest = tally.widest.max(width / pair.a.solid.size.max(pair.b.solid.size));
                judge(bench, case, pair, ours, theirs, &mut tally);
            }
            _ => tally.silent += 1,
        }
    }
    let value = match (ours.first(), theirs.first()) {
        (Some((_, Answer::Ours(Some(ours)))), Some((_, Answer::Theirs(Some(theirs)))))
            if pairs.len() == 1 =>
        {
            format!("[{:.7}, {:.7}], {:.7}", ours.range.lo(), ours.range.hi(), theirs.value)
        }
        _ => "–".to_owned(),
    };
    vec![
        Fact::plain("kontakt, OCCT", value),
        Fact::plain("kontakt's slowest", slowest(pairs, ours)),
        Fact::plain("agree", tally.agree.to_string()),
        Fact::plain("one in the other", tally.inside.to_string()),
        Fact::judged("kontakt wrong", tally.ours_wrong.to_string(), tally.ours_wrong == 0),
        Fact::plain("OCCT wrong", tally.theirs_wrong.to_string()),
        Fact::judged("not decided who", tally.open.to_string(), tally.open == 0),
        Fact::judged("no answer", tally.silent.to_string(), tally.silent == 0),
        Fact::plain("too wide", tally.wide.to_string()),
        Fact::plain("widest / size", format!("{:.1e}", tally.widest)),
    ]
}

/// Who is right about a pair.
///
/// Points of both surfaces that are nearer than the other's answer refute it; whether they are of the surfaces OCCT is asked, point by point.
fn judge(
    bench: &mut Bench,
    case: &str,
    pair: &Pair,
    ours: &SurfaceDistance,
    theirs: &Found,
    tally: &mut Tally,
) {
    let little = pair.little();
    let too_far = theirs.value - ours.range.hi();
    let too_near = ours.range.lo() - theirs.value;
    if too_far <= little && too_near <= little {
        tally.agree += 1;
        return;
    }
    let points = if too_far > little { [ours.point_a, ours.point_b] } else { theirs.points };
    let off = off_surfaces(bench, pair, points);
    let excess = off.map_or(f64::INFINITY, |off| off[0] + off[1]);
    let reach = (points[0] - points[1]).length() + excess;
    let verdict = match off {
        Some(_) if too_far > little && reach < theirs.value - little => {
            tally.theirs_wrong += 1;
            "OCCT is too far: kontakt's points are nearer"
        }
        Some(_) if too_near > little && reach < ours.range.lo() - little => {
            tally.ours_wrong += 1;
            "kontakt is too far: OCCT's points are nearer"
        }
        Some(_) if too_near > little && theirs.value == 0.0 => {
            tally.inside += 1;
            return;
        }
        _ => {
            tally.open += 1;
            "not decided"
        }
    };
    let facts = vec![
        Fact::plain("kontakt", format!("[{:.9}, {:.9}]", ours.range.lo(), ours.range.hi())),
        Fact::plain("OCCT", format!("{:.9}", theirs.value)),
        Fact::plain("who is right", verdict),
        Fact::plain("points", format!("{:.6} {:.6}", points[0], points[1])),
        Fact::plain(
            "off the surfaces by",
            off.map_or("–".to_owned(), |off| format!("{:.1e} and {:.1e}", off[0], off[1])),
        ),
    ];
    let case = format!("{case}: {}", pair.name);
    bench.shelf.disputes.push(Row { case, facts, ..Row::default() });
}

fn off_surfaces(bench: &mut Bench, pair: &Pair, points: [kontakt::math::DVec3; 2]) -> Option<[f64; 2]> {
    let peer = bench.peers.occt.as_mut().ok()?;
    let of_a = occt::off(peer, &pair.a.name, points[0], None).ok()?;
    let of_b = occt::off(peer, &pair.b.name, points[1], pair.by.as_ref()).ok()?;
    Some([of_a, of_b])
}
