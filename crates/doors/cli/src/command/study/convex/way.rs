//! The ways to an answer that the study compares.

use kontakt::convex::{ConvexQuery, PlacedShape, Verdict};
use kontakt::math::{Between, DVec3};
use kontakt_lab_convex::bodies::Posed;
use kontakt_lab_convex::epa::Epa;
use kontakt_lab_convex::libccd::LibccdEpa;

/// What a way says of two bodies.
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
    Certified(Box<ConvexQuery>),
    /// The thesis's expanding polytope in doubles.
    Expanding(Epa),
    /// An expanding polytope like libccd's.
    Loose(LibccdEpa),
}

/// What EPA's bodies are grown by, as the thesis grew its own against bad condition at small depths; it does not print its value. Bodies
/// of this study have sizes from 1 on.
pub(super) const MARGIN: f64 = 0.01;

impl Way {
    pub(super) fn certified() -> Way {
        Way::Certified(Box::new(ConvexQuery::new()))
    }

    /// EPA as the thesis left it, with its stop parameter and a margin.
    pub(super) fn expanding(relative: f64) -> Way {
        Way::Expanding(Epa { relative, margin: MARGIN, ..Epa::default() })
    }

    /// EPA as libccd had it, with its stop parameter.
    pub(super) fn loose(absolute: f64) -> Way {
        Way::Loose(LibccdEpa { absolute, ..LibccdEpa::default() })
    }

    pub(super) fn ask(&mut self, a: PlacedShape, b: PlacedShape) -> Said {
        let between = || Between::new(a.pose, b.pose);
        let found = match self {
            Way::Certified(asker) => {
                let answer = asker.contact(a, b);
                return Said {
                    contact: answer.verdict != Verdict::Separate,
                    separation: answer.separation.lo().midpoint(answer.separation.hi()),
                    normal: answer.normal,
                    point: (answer.point_a + answer.point_b) / 2.0,
                    failed: answer.verdict == Verdict::Undecided,
                };
            }
            Way::Expanding(epa) => epa.contact(a.shape, b.shape, &between()),
            Way::Loose(epa) => Posed::new(a.shape, b.shape, &between(), 0.0).map(|bodies| epa.run(&bodies)),
        };
        let Some(found) = found else {
            let (separation, normal, point) = (f64::NAN, DVec3::Z, DVec3::NAN);
            return Said { contact: false, separation, normal, point, failed: true };
        };
        Said {
            contact: found.verdict != Verdict::Separate,
            // What is reached along the normal it returns; where a sphere shell was accepted, the lower bound is far off.
            separation: -found.depth[1],
            normal: a.pose.rotate(found.normal),
            point: a.pose.apply((found.points.a + found.points.b) / 2.0),
            failed: found.ending.is_failure(),
        }
    }
}

/// The angle between unit vectors, in degrees, good also for small ones.
pub(super) fn degrees(a: DVec3, b: DVec3) -> f64 {
    2.0 * (0.5 * (a - b).length()).min(1.0).asin().to_degrees()
}
