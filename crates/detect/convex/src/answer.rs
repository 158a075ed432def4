//! What is known of two convex bodies.

use kontakt_answers::{Contact, Range, Relation};
use kontakt_math::DVec3;

pub use kontakt_answers::Verdict;

/// How two convex bodies lie to each other, in world coordinates.
///
/// `separation` is the distance of separate bodies, and minus the penetration depth (the length of the least translation
/// that separates them) of overlapping ones. The points realise it: `point_b - point_a ≈ separation · normal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Whether they meet.
    pub verdict: Verdict,
    /// Certified bounds of the signed distance: positive lower end if separate, negative upper end if overlapping,
    /// zero included if touching.
    pub separation: Range,
    /// Unit vector from A to B: along the shortest line between separate bodies, along the least translation of B that
    /// separates overlapping ones.
    pub normal: DVec3,
    /// **Never less** than the angle, in radians, between `normal` and the nearest exact one; π when nothing is known.
    pub normal_error: f64,
    /// The point on A.
    pub point_a: DVec3,
    /// The point on B.
    pub point_b: DVec3,
    /// **Never less** than the distance of the pair of points from the nearest exact pair; infinite when nothing is known.
    pub point_error: f64,
}

impl Answer {
    /// Nothing is known.
    pub(crate) fn undecided() -> Answer {
        Answer {
            verdict: Verdict::Undecided,
            separation: Range::new(f64::NEG_INFINITY, f64::INFINITY).unwrap_or(Range::ZERO),
            normal: DVec3::Z,
            normal_error: std::f64::consts::PI,
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            point_error: f64::INFINITY,
        }
    }

    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Answer {
        Answer { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }

    /// Certified bounds of the distance, which is zero in contact: what of the separation is positive. Curved bodies that are called
    /// touching may be apart by as much as their bounds leave open.
    pub fn distance(&self) -> Range {
        at_least_zero(self.separation.lo(), self.separation.hi())
    }

    /// Certified bounds of the penetration depth, which is zero unless bodies overlap: what of the separation is negative.
    pub fn depth(&self) -> Range {
        at_least_zero(-self.separation.hi(), -self.separation.lo())
    }

    /// The relation of the command line's contract. Bodies with a common inner point are `overlapping`, also where one holds the
    /// other: nobody asks here whether it does, so `contained` and `duplicate` are never said and `kind` is left open.
    pub fn relation(&self) -> Relation {
        match self.verdict {
            Verdict::Separate => Relation::Separate { distance: self.separation },
            Verdict::Touching => Relation::Touching,
            Verdict::Overlapping => Relation::Overlapping { kind: None, depth: Some(self.depth()) },
            Verdict::Undecided => Relation::Undecided { bounds: self.separation },
        }
    }
}

/// The one contact that an answer describes.
impl From<Answer> for Contact {
    fn from(answer: Answer) -> Contact {
        Contact {
            point_a: answer.point_a,
            point_b: answer.point_b,
            normal: answer.normal,
            depth: Range::new(-answer.separation.hi(), -answer.separation.lo()).unwrap_or(Range::ZERO),
            feature_a: None,
            feature_b: None,
        }
    }
}

fn at_least_zero(lo: f64, hi: f64) -> Range {
    Range::new(lo.max(0.0), hi.max(0.0)).unwrap_or(Range::ZERO)
}
