//! How far two bodies lie in each other at one pose.

use kontakt_answers::{Range, Relation};
use kontakt_mesh::{MeshQuery, PlacedMesh, Region, RelationOptions};

/// Most exact trials of translations where interference tells nothing.
const TRIALS: u32 = 16;

/// How far two bodies lie in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// They are apart or touch.
    Harmless,
    /// The largest local interference.
    Interference(Range),
    /// The least translation that frees, where interference was not measured or tells nothing because surfaces lie on each other all
    /// round; `None` where that is not known either.
    Release(Option<Range>),
}

impl Measure {
    pub(crate) fn of(query: &mut MeshQuery, a: PlacedMesh, b: PlacedMesh) -> Measure {
        let options = RelationOptions { depth_effort: None, kind: false, ..RelationOptions::default() };
        let detail = query.relation_in_detail(a, b, &options);
        match (detail.report.exact, detail.overlap) {
            (Relation::Separate { .. } | Relation::Touching, _) => Measure::Harmless,
            (_, Some(Ok(overlap))) if !overlap.regions.iter().any(Region::is_coincident) => {
                Measure::Interference(overlap.depth())
            }
            _ => Measure::Release(query.depth(a, b, TRIALS).map(|depth| depth.range)),
        }
    }

    /// Whether it is **proven** to be no more than a depth.
    pub(crate) fn is_within(&self, depth: f64) -> bool {
        match self {
            Measure::Harmless => true,
            Measure::Interference(range) | Measure::Release(Some(range)) => range.hi() <= depth,
            Measure::Release(None) => false,
        }
    }

    /// Whether more than a depth is **proven** for every place of the bodies within `error` of theirs.
    ///
    /// Interference changes by no more than points move: a point whose distance from the other surface is d, inside, keeps d − e at
    /// least. The release does not, but its lower bound does: it is the sum of the radii of two balls about one point, one in each body;
    /// a body whose points are off by e still holds a ball of the same radius about a point off by e.
    pub(crate) fn exceeds(&self, depth: f64, error: f64) -> bool {
        let limit = (depth + 2.0 * error) * (1.0 + 1e-12);
        match self {
            Measure::Interference(range) | Measure::Release(Some(range)) => range.lo() > limit,
            Measure::Harmless | Measure::Release(None) => false,
        }
    }

    /// Whether interference tells how far the bodies lie in each other.
    pub(crate) fn is_layer(&self) -> bool {
        !matches!(self, Measure::Release(_))
    }
}
