//! The ways to an answer that the study compares.

use kontakt::convex::epa::Epa;
use kontakt::convex::{Asker, Placed, Verdict};
use kontakt::math::{Between, DVec3};

/// What a way says of two bodies in contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub(super) contact: bool,
    /// Distance, or minus the depth.
    pub(super) separation: f64,
    /// From A to B, in the world.
    pub(super) normal: DVec3,
    /// Middle between the two points.
    pub(super) point: DVec3,
    /// Whether the method gave up and returns its last iterate.
    pub(super) failed: bool,
}

/// A way to an answer.
pub(super) enum Way {
    /// Certified, as every user gets it.
    Default(Box<Asker>),
    /// The thesis's expanding polytope in doubles.
    Epa(Epa),
}

impl Way {
    pub(super) fn certified() -> Way {
        Way::Default(Box::new(Asker::new()))
    }

    /// EPA as the thesis left it, with its stop parameter.
    pub(super) fn expanding(relative: f64) -> Way {
        Way::Epa(Epa { relative, ..Epa::default() })
    }

    pub(super) fn ask(&mut self, a: Placed, b: Placed) -> Said {
        match self {
            Way::Default(asker) => {
                let answer = asker.contact(a, b);
                Said {
                    contact: answer.verdict != Verdict::Separate,
                    separation: answer.separation.lo().midpoint(answer.separation.hi()),
                    normal: answer.normal,
                    point: (answer.point_a + answer.point_b) / 2.0,
                    failed: answer.verdict == Verdict::Undecided,
                }
            }
            Way::Epa(epa) => {
                let between = Between::new(a.pose, b.pose);
                let Some(found) = epa.contact(a.shape, b.shape, &between) else {
                    return Said {
                        contact: false,
                        separation: f64::NAN,
                        normal: DVec3::Z,
                        point: DVec3::NAN,
                        failed: true,
                    };
                };
                Said {
                    contact: found.verdict != Verdict::Separate,
                    separation: -found.depth[0].midpoint(found.depth[1]),
                    normal: a.pose.rotate(found.normal),
                    point: a.pose.apply((found.points.a + found.points.b) / 2.0),
                    failed: found.ending.is_failure(),
                }
            }
        }
    }
}

/// The angle between unit vectors, in degrees, good also for small ones.
pub(super) fn degrees(a: DVec3, b: DVec3) -> f64 {
    2.0 * (0.5 * (a - b).length()).min(1.0).asin().to_degrees()
}
