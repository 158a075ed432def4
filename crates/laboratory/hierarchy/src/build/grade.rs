//! How good a part is: the less, the better.

use kontakt_bounds::{Measure, Objective};
use kontakt_math::order::Total;
use std::cmp::Ordering;

/// Size of a volume times the cost of its test, in the objective first. Two more measures decide ties, so that flat and
/// thin sets, whose volumes or surfaces are all zero, are still told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade([f64; 3]);

impl Grade {
    /// Of nothing, or of a single point.
    pub const ZERO: Grade = Grade([0.0; 3]);
    /// Of what has no volume of the kind asked for, or one larger than doubles reach.
    pub const WORST: Grade = Grade([f64::INFINITY; 3]);

    /// Of a volume whose test has the given relative cost.
    pub fn new(measure: &Measure, objective: Objective, cost: f64) -> Grade {
        let Measure { volume, surface, diameter } = *measure;
        let order = match objective {
            Objective::Volume => [volume, surface, diameter],
            Objective::Surface => [surface, diameter, 0.0],
            Objective::Diameter => [diameter, surface, 0.0],
        };
        Grade(order.map(|x| if x.is_nan() { f64::INFINITY } else { x * cost }))
    }

    /// The objective's own number.
    pub fn main(&self) -> f64 {
        self.0[0]
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Grade) -> Grade {
        Grade(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// The worse in each measure.
    #[must_use]
    pub fn worse(self, other: Grade) -> Grade {
        Grade(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }

    /// By how much this is worse than `before`; nothing where both are infinite.
    #[must_use]
    pub fn minus(self, before: Grade) -> Grade {
        Grade(std::array::from_fn(|i| if self.0[i] > before.0[i] { self.0[i] - before.0[i] } else { 0.0 }))
    }

    /// A multiple.
    #[must_use]
    pub fn times(self, factor: f64) -> Grade {
        Grade(self.0.map(|x| x * factor))
    }

    /// Whether this is at most `alpha` times `before`, in the first measure that `before` has at all: a flat set, whose
    /// volume is zero, has to improve its surface. Nothing improves a point.
    pub fn improves(&self, before: &Grade, alpha: f64) -> bool {
        (0..3).find(|i| before.0[*i] > 0.0).is_some_and(|i| self.0[i] <= alpha * before.0[i])
    }
}

impl Eq for Grade {}

impl Ord for Grade {
    fn cmp(&self, other: &Grade) -> Ordering {
        self.0.map(Total).cmp(&other.0.map(Total))
    }
}

impl PartialOrd for Grade {
    fn partial_cmp(&self, other: &Grade) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How the grades of siblings become one (thesis 3.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Gather {
    /// Their mean.
    #[default]
    Mean,
    /// The worst.
    Max,
}

impl Gather {
    /// The grade of a set of siblings.
    pub fn of(self, grades: &[Grade]) -> Grade {
        match self {
            Gather::Mean => {
                grades.iter().fold(Grade::ZERO, |sum, g| sum.plus(*g)).times(1.0 / grades.len().max(1) as f64)
            }
            Gather::Max => grades.iter().fold(Grade::ZERO, |worst, g| worst.worse(*g)),
        }
    }
}
