//! How a step is taken, and what it brings.

use super::node::NodeId;
use kontakt_answers::{Contact, Impact, Initial, Range};
use kontakt_broad::TooManyPairs;
use kontakt_math::DVec3;
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Budget, Policy};
use thiserror::Error;

/// Which moments of a step are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Its end alone: what passes through another body within the step is not seen.
    Static,
    /// Its end; pairs in contact there are followed for their first contact \[VR 5.4\]. What has passed through by then is not seen.
    Mixed,
    /// All of it: what is called free is proven free from the beginning to the end.
    #[default]
    Continuous,
}

/// What becomes of groups that meet something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// They go up to the contact and stop there, in the order of contact times; what would have met a group that is stopped is asked
    /// again. After a continuous step everything stands where it is proven free.
    #[default]
    Stop,
    /// All groups go to the end of their motions; contacts are told.
    PassThrough,
    /// Nothing moves; contacts are told, and the caller decides.
    Stay,
}

/// How a step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepOptions {
    /// Which moments are looked at.
    pub mode: Mode,
    /// What becomes of groups that meet something.
    pub response: Response,
    /// How far before contact groups stop, about [default: a millionth of the larger body's size].
    pub skin: Option<f64>,
    /// How exactly contact times are found, and with how much work per pair.
    pub motion: MotionOptions,
    /// How much all pairs together may take; without it, as much as they need.
    pub budget: Option<StepBudget>,
}

/// How much a step may take. What is not decided by then is undecided, and groups that it concerns stop where they are known to be free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBudget {
    /// Time, or units of work: with these the same result on every machine. It is that of the whole step, three quarters of it for asking, the
    /// rest for stopping groups.
    pub budget: Budget,
    /// In which order pairs get their portions.
    pub policy: Policy,
    /// Where somebody looks on: under [`Policy::Weighted`] pairs near to them get more.
    pub viewer: Option<DVec3>,
}

/// Why no step was taken. Nothing has moved.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    /// Too many boxes overlap.
    #[error(transparent)]
    TooManyPairs(#[from] TooManyPairs),
}

/// What a step says of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairVerdict {
    /// Proven free from the beginning to the end of the step.
    Free {
        /// How they began: apart, or touching and leaving.
        initial: Initial,
    },
    /// No contact at the end of the step; the way there was not looked at.
    ClearAtEnd,
    /// They meet.
    Contact {
        /// How they began; a static step does not look.
        initial: Option<Initial>,
        /// When, as a part of the step; before its lower end a continuous step is proven free.
        time: Range,
        /// Where.
        contact: Option<Contact>,
    },
    /// Proven free before a time; what comes then was not decided.
    Undecided {
        /// That time.
        free_until: f64,
        /// Where only the end of the step is looked at: certified bounds of the distance there, as far as they are known.
        at_end: Option<Range>,
    },
}

impl PairVerdict {
    /// The time before which the pair is proven free; 1 where nothing is known against the whole step.
    pub fn free_until(&self) -> f64 {
        match self {
            PairVerdict::Free { .. } | PairVerdict::ClearAtEnd => 1.0,
            PairVerdict::Contact { time, .. } => time.lo(),
            PairVerdict::Undecided { free_until, .. } => *free_until,
        }
    }

    /// Whether the pair may be in contact before the step ends, or is.
    pub fn is_contact_or_open(&self) -> bool {
        !matches!(self, PairVerdict::Free { .. } | PairVerdict::ClearAtEnd)
    }
}

impl From<Impact> for PairVerdict {
    fn from(impact: Impact) -> PairVerdict {
        match impact {
            Impact::Free { initial } => PairVerdict::Free { initial },
            Impact::Contact { initial, time, contact } => {
                PairVerdict::Contact { initial: Some(initial), time, contact }
            }
            Impact::Undecided { free_until, .. } => PairVerdict::Undecided { free_until, at_end: None },
        }
    }
}

/// A pair that was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairReport {
    /// The body whose name comes first.
    pub a: NodeId,
    /// The other one.
    pub b: NodeId,
    /// What was found for the motions that were asked for.
    pub verdict: PairVerdict,
}

/// What has become of a moved group or body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupReport {
    /// Which one.
    pub node: NodeId,
    /// How far along its motion it has come: 1 at its end.
    pub reached: f64,
    /// The time before which it is proven free as everything was asked to move; others that are stopped may change that.
    pub free_until: f64,
    /// The pair of bodies that may meet first, its own and another; of a group that was stopped, the pair that stopped it.
    pub first_met: Option<[NodeId; 2]>,
}

/// What a step has brought. The same for any number of threads and whatever the order in which bodies were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Pairs that were looked at, by the names of their bodies.
    pub pairs: Vec<PairReport>,
    /// Groups and bodies that were given a motion, by name.
    pub groups: Vec<GroupReport>,
    /// Those whose motion leads beyond the doubles: they stay where they are.
    pub quarantined: Vec<NodeId>,
    /// What it took.
    pub counts: StepCounts,
}

impl StepReport {
    /// Empty again.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.groups.clear();
        self.quarantined.clear();
        self.counts = StepCounts::default();
    }

    /// The pairs that meet or may meet, the earliest first.
    pub fn contacts(&self) -> Vec<PairReport> {
        let mut found: Vec<PairReport> =
            self.pairs.iter().filter(|pair| pair.verdict.is_contact_or_open()).copied().collect();
        found.sort_by(|x, y| x.verdict.free_until().total_cmp(&y.verdict.free_until()));
        found
    }
}

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// Bodies that moved or were put elsewhere.
    pub moved: usize,
    /// Pairs of boxes that come together and are to be looked at.
    pub candidates: usize,
    /// Of these, settled by a distance known before.
    pub kept_apart: usize,
    /// Of these, settled by measuring the distance.
    pub measured: usize,
    /// Of these, not finished within the budget.
    pub unfinished: usize,
    /// Pairs asked again, after a group had been stopped.
    pub asked_again: usize,
}
