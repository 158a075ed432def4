//! Growing volumes: the heuristic with intermediate optimisation (thesis 3.7.4, Figure 3.8).

mod initial;

use initial::Initial;

use super::{Method, Rule, Split, SplitSet};
use crate::build::grade::Grade;
use crate::build::judge::{GrowingPart, Tightness};
use crate::build::partial::OPEN;
use crate::build::random::Random;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const METHODS: &[Method] = &[
    Method::new(
        "grow-random-random",
        "growing volumes from random faces, random order (thesis 3.7.4)",
        |_| growing(Initial::Random, Insertion::Random),
    ),
    Method::new("grow-random-best", "growing volumes from random faces, best face first", |_| {
        growing(Initial::Random, Insertion::Best)
    }),
    Method::new(
        "grow-sphere-random",
        "growing volumes from faces near the ball around all, random order",
        |_| growing(Initial::Sphere, Insertion::Random),
    ),
    Method::new(
        "grow-sphere-best",
        "growing volumes from faces near the ball around all, best face first",
        |_| growing(Initial::Sphere, Insertion::Best),
    ),
    Method::new(
        "grow-icosahedron-random",
        "growing volumes from faces near an icosahedron, random order",
        |_| growing(Initial::Icosahedron, Insertion::Random),
    ),
    Method::new(
        "grow-icosahedron-best",
        "growing volumes from faces near an icosahedron, best face first",
        |_| growing(Initial::Icosahedron, Insertion::Best),
    ),
    Method::new("grow-regions-random", "growing volumes from regions of the box, random order", |_| {
        growing(Initial::Regions, Insertion::Random)
    }),
    Method::new("grow-regions-best", "growing volumes from regions of the box, best face first", |_| {
        growing(Initial::Regions, Insertion::Best)
    }),
];

fn growing<'a>(initial: Initial, insertion: Insertion) -> Box<dyn Rule + 'a> {
    Box::new(Growing { initial, insertion })
}

/// Up to this many faces the best next face is looked for among all of them, with the volumes as they are; above, grades
/// are remembered and looked at again when their turn comes.
const EXACT_ORDER: usize = 256;

/// In which order the faces are given to parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Insertion {
    /// At random.
    Random,
    /// The face that leaves the best partition, at every step.
    Best,
}

/// Starts with one face a part and gives every other face to the part where it leaves the best grade. Volumes grow by
/// merging.
struct Growing {
    /// How the first faces are chosen.
    initial: Initial,
    /// In which order the others follow.
    insertion: Insertion,
}

impl Rule for Growing {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        if set.centroids().all(|c| c == set.centroid(0)) {
            return None;
        }
        let mut random = Random::new(set.seed);
        let first = self.initial.faces(set, parts, &mut random);
        let mut growth = Growth::new(set, &first);
        let mut rest: Vec<usize> = (0..set.faces.len()).filter(|i| growth.labels[*i] == OPEN).collect();
        match self.insertion {
            Insertion::Random => {
                random.shuffle(&mut rest);
                for place in rest {
                    let (_, part) = growth.best_part(place);
                    growth.insert(place, part);
                }
            }
            Insertion::Best if rest.len() <= EXACT_ORDER => insert_best_first(&mut growth, rest),
            Insertion::Best => insert_roughly_best_first(&mut growth, &rest),
        }
        Some(Split::from(growth.labels))
    }
}

/// Parts on their way.
struct Growth<'a> {
    set: &'a SplitSet<'a>,
    parts: Vec<Box<dyn GrowingPart + 'a>>,
    grades: Vec<Grade>,
    labels: Vec<u8>,
}

impl<'a> Growth<'a> {
    /// One part for each of the places.
    fn new(set: &'a SplitSet<'a>, first: &[usize]) -> Growth<'a> {
        let judge = set.workpiece.judge;
        let mut growth = Growth {
            set,
            parts: first.iter().map(|_| judge.part(Tightness::Merge)).collect(),
            grades: vec![Grade::ZERO; first.len()],
            labels: vec![OPEN; set.faces.len()],
        };
        for (part, place) in first.iter().enumerate() {
            growth.insert(*place, part);
        }
        growth
    }

    fn insert(&mut self, place: usize, part: usize) {
        self.parts[part].add(self.set.faces[place]);
        self.grades[part] = self.parts[part].grade();
        self.labels[place] = part as u8;
    }

    /// The grade of the whole partition if `part` had this grade.
    fn gathered(&self, part: usize, grade: Grade) -> Grade {
        let mut grades = [Grade::ZERO; 8];
        let count = self.grades.len().min(8);
        grades[..count].copy_from_slice(&self.grades[..count]);
        grades[part] = grade;
        self.set.workpiece.plan.gather.of(&grades[..count])
    }

    /// The grade of the partition with the face in `part`.
    fn with(&self, place: usize, part: usize) -> Grade {
        self.gathered(part, self.parts[part].grade_with(self.set.faces[place]))
    }

    /// The part where the face leaves the best partition, and that partition's grade.
    fn best_part(&self, place: usize) -> (Grade, usize) {
        (0..self.parts.len()).map(|part| (self.with(place, part), part)).min().unwrap_or((Grade::WORST, 0))
    }
}

/// Always the face and part with the least grade of the partition. What a face would make of a part changes only with
/// that part.
fn insert_best_first(growth: &mut Growth<'_>, mut rest: Vec<usize>) {
    let parts = growth.parts.len();
    let alone = |growth: &Growth<'_>, place: usize, part: usize| {
        growth.parts[part].grade_with(growth.set.faces[place])
    };
    let mut table: Vec<Vec<Grade>> =
        rest.iter().map(|place| (0..parts).map(|part| alone(growth, *place, part)).collect()).collect();
    while !rest.is_empty() {
        let (table_now, growth_now) = (&table, &*growth);
        let options = (0..rest.len()).flat_map(|row| (0..parts).map(move |part| (row, part)));
        let best =
            options.map(|(row, part)| (growth_now.gathered(part, table_now[row][part]), row, part)).min();
        let Some((_, row, part)) = best else { return };
        let place = rest.swap_remove(row);
        table.swap_remove(row);
        growth.insert(place, part);
        for (place, known) in rest.iter().zip(&mut table) {
            known[part] = alone(growth, *place, part);
        }
    }
}

/// The same with grades that may be out of date: the least remembered one is looked at again, and taken if it is still
/// the least.
fn insert_roughly_best_first(growth: &mut Growth<'_>, rest: &[usize]) {
    let mut waiting: BinaryHeap<Reverse<(Grade, usize)>> =
        rest.iter().map(|place| Reverse((growth.best_part(*place).0, *place))).collect();
    while let Some(Reverse((known, place))) = waiting.pop() {
        let (now, part) = growth.best_part(place);
        let next = waiting.peek().map(|Reverse((grade, _))| *grade);
        if now <= known || next.is_none_or(|next| now <= next) {
            growth.insert(place, part);
        } else {
            waiting.push(Reverse((now, place)));
        }
    }
}
