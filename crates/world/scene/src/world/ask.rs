//! One pair asked about a step.

use super::cache::PairState;
use super::report::{Mode, PairVerdict, StepOptions};
use kontakt_answers::{Impact, Initial, Range};
use kontakt_convex::Verdict;
use kontakt_math::round::add_up;
use kontakt_pair::{Moving, Placed, Query};

/// Longest wait until a distance is measured again.
const MOST_PATIENCE: u8 = 16;

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By the distance known before.
    KeptGap,
    /// By the distance measured now.
    Measured,
    /// By following the motions.
    Followed,
}

/// What was found, and what is known of the pair where the step *begins*.
pub(super) struct Answer {
    pub(super) verdict: PairVerdict,
    pub(super) state: PairState,
    pub(super) by: By,
}

/// Asks about a pair; `travels` is how far points of both travel, never too small.
pub(super) fn ask(
    query: &mut Query,
    [a, b]: [Moving; 2],
    travels: [f64; 2],
    state: PairState,
    options: &StepOptions,
) -> Answer {
    if options.mode == Mode::Continuous {
        return continuous(query, [a, b], travels, state, options);
    }
    let at_end = |moving: Moving<'_>| moving.motion.pose_at(1.0);
    let (pose_a, pose_b) = (at_end(a), at_end(b));
    let verdict = match query.intersect(Placed::new(a.body, pose_a), Placed::new(b.body, pose_b)) {
        Verdict::Separate => PairVerdict::ClearAtEnd,
        _ if options.mode == Mode::Mixed => query.first_contact(a, b, &options.motion).into(),
        Verdict::Undecided => PairVerdict::Undecided { free_until: 0.0 },
        _ => {
            let time = Range::new(0.0, 1.0).unwrap_or(Range::ZERO);
            PairVerdict::Contact { initial: None, time, contact: None }
        }
    };
    Answer { verdict, state: PairState::default(), by: By::Followed }
}

/// Bodies apart by more than both can travel do not meet: proven without a look at their motions.
fn continuous(
    query: &mut Query,
    [a, b]: [Moving; 2],
    travels: [f64; 2],
    mut state: PairState,
    options: &StepOptions,
) -> Answer {
    let travel = add_up(travels[0], travels[1]);
    let free = PairVerdict::Free { initial: Initial::Separate };
    if state.gap > travel {
        return Answer { verdict: free, state, by: By::KeptGap };
    }
    if state.wait == 0 && travel.is_finite() {
        let at_start = |moving: Moving<'_>| moving.motion.pose_at(0.0);
        let (pose_a, pose_b) = (at_start(a), at_start(b));
        state.gap = query.distance(Placed::new(a.body, pose_a), Placed::new(b.body, pose_b)).range.lo();
        if state.gap > travel {
            state.patience = 0;
            return Answer { verdict: free, state, by: By::Measured };
        }
        state.patience = (2 * state.patience).clamp(1, MOST_PATIENCE);
        state.wait = state.patience;
    } else {
        state.wait = state.wait.saturating_sub(1);
    }
    let impact: Impact = query.first_contact(a, b, &options.motion);
    Answer { verdict: impact.into(), state, by: By::Followed }
}
