//! Memory that steps need, kept from one to the next.

use super::ask::Answer;
use super::pursuit::Spare;
use super::step::{Candidate, Mover};
use kontakt_bounds::Aabb;
use kontakt_math::{Motion, Pose};
use kontakt_pair::Query;

/// Lists that a step fills and leaves behind. Once they are as long as steps need, a step in which nothing meets takes no memory on one
/// thread.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) movers: Vec<Mover>,
    pub(super) ways: Ways,
    /// Boxes of the movers for the whole step.
    pub(super) swept: Vec<Option<Aabb>>,
    /// Bodies that were put elsewhere, or whose boxes were those of their last motion.
    pub(super) bodies: Vec<u32>,
    pub(super) candidates: Vec<Candidate>,
    /// Where the bodies of candidates are while they rest.
    pub(super) rests: Vec<[Motion; 2]>,
    pub(super) answers: Vec<Answer>,
    pub(super) outcome: Outcome,
    pub(super) query: Query,
    pub(super) spare: Spare,
}

/// Room for the poses of a group's members.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Where all below the group are at a knot.
    pub(super) places: Vec<(u32, Pose)>,
    /// The same at all knots, one after the other.
    pub(super) all: Vec<(u32, Pose)>,
    /// Where one of them is at all knots.
    pub(super) own: Vec<Pose>,
}

/// What becomes of the groups of a step, and of the pairs asked about.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Of each group the time before which it is free as it was asked to move, and the bodies of the pair that it may meet then.
    pub(super) earliest: Vec<(f64, Option<[u32; 2]>)>,
    /// How far each group goes along its course.
    pub(super) reached: Vec<f64>,
    /// The bodies that stopped it.
    pub(super) stopped_by: Vec<Option<[u32; 2]>>,
    /// Of each pair that is proven apart where its bodies end: **never more** than by how much.
    pub(super) gaps_at_end: Vec<Option<f64>>,
}

impl Outcome {
    /// All groups go to their ends.
    pub(super) fn begin(&mut self, groups: usize, answers: &[Answer]) {
        self.earliest.clear();
        self.earliest.resize(groups, (1.0, None));
        self.reached.clear();
        self.reached.resize(groups, 1.0);
        self.stopped_by.clear();
        self.stopped_by.resize(groups, None);
        self.gaps_at_end.clear();
        self.gaps_at_end.extend(answers.iter().map(|answer| answer.gap_at_end));
    }
}
