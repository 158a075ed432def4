//! A partial partition: what branch-and-bound branches.

use super::SplitSet;
use crate::build::grade::Grade;
use crate::build::judge::{GrowingPart, Tightness};
use crate::build::partial::OPEN;

/// Some faces are in parts, the others are open.
pub(super) struct Problem<'a> {
    set: &'a SplitSet<'a>,
    /// The part of each face, or [`OPEN`].
    pub(super) labels: Vec<u8>,
    parts: Vec<Box<dyn GrowingPart + 'a>>,
    /// No completion grades less: volumes only grow.
    pub(super) lower: Grade,
    /// The grade of one completion.
    pub(super) upper: Grade,
}

impl<'a> Problem<'a> {
    /// All faces open.
    pub(super) fn new(set: &'a SplitSet<'a>, parts: usize) -> Problem<'a> {
        let judge = set.workpiece.judge;
        Problem {
            set,
            labels: vec![OPEN; set.faces.len()],
            parts: (0..parts).map(|_| judge.part(Tightness::Refit)).collect(),
            lower: Grade::ZERO,
            upper: Grade::WORST,
        }
    }

    /// Places of the open faces.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> + '_ {
        self.labels.iter().enumerate().filter(|(_, label)| **label == OPEN).map(|(place, _)| place)
    }

    /// Parts that have a face; they come first.
    pub(super) fn used(&self) -> usize {
        self.labels.iter().filter(|label| **label != OPEN).map(|label| *label as usize + 1).max().unwrap_or(0)
    }

    /// Whether there are open faces enough for the empty parts.
    pub(super) fn can_fill_all(&self) -> bool {
        self.open().count() >= self.parts.len() - self.used()
    }

    /// The grade of the parts if one of them had the grade given.
    fn gathered(&self, part: usize, grade: Grade) -> Grade {
        let mut grades: Vec<Grade> = self.parts.iter().map(|p| p.grade()).collect();
        grades[part] = grade;
        self.set.workpiece.plan.gather.of(&grades)
    }

    /// The same with one more face placed.
    pub(super) fn with(&self, place: usize, part: usize) -> Problem<'a> {
        let mut labels = self.labels.clone();
        labels[place] = part as u8;
        let mut parts: Vec<Box<dyn GrowingPart + 'a>> = self.parts.iter().map(|p| p.copy()).collect();
        parts[part].add(self.set.faces[place]);
        let lower = self.gathered(part, parts[part].grade());
        Problem { set: self.set, labels, parts, lower, upper: Grade::WORST }
    }

    /// Places open faces that lie in a part's volume there, if that changes no volume. As long as a part is empty such a
    /// face might be needed to fill it, so nothing happens.
    pub(super) fn absorb(&mut self) {
        if !self.set.workpiece.judge.holds_for_free() || self.used() < self.parts.len() {
            return;
        }
        let open: Vec<usize> = self.open().collect();
        for place in open {
            if let Some(part) = self.parts.iter().position(|p| p.holds(self.set.faces[place])) {
                self.parts[part].add(self.set.faces[place]);
                self.labels[place] = part as u8;
            }
        }
    }

    /// The open face that worsens the partition most, wherever it goes.
    pub(super) fn worst_face(&self, open: &[usize]) -> usize {
        let tried = 0..self.parts.len().min(self.used() + 1);
        let least = |place: &usize| {
            let face = self.set.faces[*place];
            let with = |part: usize| self.gathered(part, self.parts[part].grade_with(face));
            tried.clone().map(with).min().unwrap_or(Grade::ZERO)
        };
        // The first of equals.
        open.iter().rev().max_by_key(|place| least(place)).copied().unwrap_or(0)
    }
}
