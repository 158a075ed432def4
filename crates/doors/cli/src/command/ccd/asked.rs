//! Asking about every query, with the times.

use crate::args::{Ccd, MESH_METHODS};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::timing::{Lap, SecondsPerQuery, reading_cost};
use kontakt::answers::Range;
use kontakt::io::MovingQuery;
use kontakt::schedule::Deadline;
use kontakt::soft_ccd::{
    FirstContact, Nearness, Query, Stage, Verdict, first_contact, first_contact_exactly, first_within,
};
use kontakt_lab_motion::soft;
use serde_json::{Value, json};

/// Queries asked in vain first, so that code and data are in place when the clock starts.
const WARM_UP: usize = 256;
/// Queries between two looks at the deadline.
const BLOCK: usize = 256;
/// How much more than the separation asked about may be called within, relative to it.
const SLACK: f64 = 1e-6;

/// How to decide.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Certified { width: f64 },
    Exact { width: f64 },
    Separation { distance: f64 },
    Laboratory(soft::Method),
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Free(Option<Stage>),
    Contact(FirstContact, Stage),
    Within { time: Range, excess: f64 },
    Guess(f64),
}

impl Way {
    pub(super) fn new(ccd: &Ccd) -> Result<Way, Failure> {
        let width = ccd.width;
        if MESH_METHODS.contains(&ccd.method.as_str()) {
            return Err(Failure::Usage(format!("--method {} needs --from and --to", ccd.method)));
        }
        let laboratory = soft::Method::ALL.into_iter().find(|method| method.name() == ccd.method);
        match (laboratory, ccd.separation) {
            (Some(_), Some(_)) => Err(Failure::Usage("--separation needs --method certified".into())),
            (Some(method), None) => Ok(Way::Laboratory(method)),
            (None, Some(distance)) if distance > 0.0 => match ccd.method.as_str() {
                "certified" => Ok(Way::Separation { distance }),
                _ => Err(Failure::Usage("--separation needs --method certified".into())),
            },
            _ if ccd.method == "exact" => Ok(Way::Exact { width }),
            _ => Ok(Way::Certified { width }),
        }
    }

    fn ask(&self, query: &Query) -> Answer {
        let outcome = match *self {
            Way::Certified { width } => first_contact(query, width),
            Way::Exact { width } => first_contact_exactly(query, width),
            Way::Separation { distance } => {
                return match first_within(query, distance, SLACK * distance) {
                    Ok(Nearness::Within { time, excess }) => Answer::Within { time, excess },
                    // The distance was checked when it was typed.
                    Ok(Nearness::Farther) | Err(_) => Answer::Free(None),
                };
            }
            Way::Laboratory(method) => {
                return soft::contact_time(query, method).map_or(Answer::Free(None), Answer::Guess);
            }
        };
        match outcome.verdict {
            Verdict::Free => Answer::Free(Some(outcome.stage)),
            Verdict::Contact(contact) => Answer::Contact(contact, outcome.stage),
        }
    }
}

impl Answer {
    pub(super) fn is_hit(&self) -> bool {
        !matches!(self, Answer::Free(_))
    }

    fn stage(&self) -> Option<Stage> {
        match self {
            Answer::Free(stage) => *stage,
            Answer::Contact(_, stage) => Some(*stage),
            Answer::Within { .. } | Answer::Guess(_) => None,
        }
    }

    pub(super) fn json(&self, truth: bool) -> Value {
        match self {
            Answer::Free(_) => json!({ "hit": false, "truth": truth }),
            Answer::Guess(t) => json!({ "hit": true, "truth": truth, "t": t }),
            Answer::Within { time, excess } => {
                json!({ "hit": true, "truth": truth, "t_lo": time.lo(), "t_hi": time.hi(), "excess": excess })
            }
            Answer::Contact(contact, _) => json!({
                "hit": true,
                "truth": truth,
                "t_lo": contact.time.lo(),
                "t_hi": contact.time.hi(),
                "shares": contact.shares,
                "normal": contact.normal.to_array(),
                "feature_a": contact.feature_a,
                "feature_b": contact.feature_b,
            }),
        }
    }
}

/// How many answers each stage gave; none for ways without stages.
pub(super) fn stages(answers: &[Answer]) -> Option<[usize; 3]> {
    let mut counts = [0; 3];
    for answer in answers {
        match answer.stage()? {
            Stage::Filter => counts[0] += 1,
            Stage::Subdivision => counts[1] += 1,
            Stage::Exact => counts[2] += 1,
        }
    }
    Some(counts)
}

/// The answers up to the deadline and what they cost.
pub(super) struct Asked {
    pub(super) answers: Vec<Answer>,
    pub(super) times: Option<SecondsPerQuery>,
}

/// Asks twice: once in one bracket of processor time for the mean, once with the cheap clock for the spread.
pub(super) fn ask_all(way: &Way, cases: &[MovingQuery], deadline: Deadline) -> Asked {
    let cost = reading_cost();
    for case in cases.iter().take(WARM_UP) {
        std::hint::black_box(way.ask(&case.query));
    }
    let mut answers = Vec::with_capacity(cases.len());
    let clock = Clock::start();
    for block in cases.chunks(BLOCK) {
        if deadline.has_passed() {
            break;
        }
        answers.extend(block.iter().map(|case| way.ask(&case.query)));
    }
    let mean = clock.seconds() / answers.len().max(1) as f64;
    let measure = |case: &MovingQuery| {
        let mut lap = Lap::start();
        std::hint::black_box(way.ask(std::hint::black_box(&case.query)));
        (lap.read().0 - cost).max(0.0)
    };
    let mut seconds: Vec<f32> = cases[..answers.len()].iter().map(|case| measure(case) as f32).collect();
    let times = SecondsPerQuery::of(mean, &mut seconds, deadline, |query| measure(&cases[query]));
    Asked { answers, times }
}
