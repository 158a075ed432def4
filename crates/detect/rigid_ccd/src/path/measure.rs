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
    /// round; `None` where that is not known either. And a length that it is **never less** than, wherever points are a little off.
    Release(Option<Range>, f64),
}

impl Measure {
    pub(crate) fn of(query: &mut MeshQuery, a: PlacedMesh, b: PlacedMesh) -> Measure {
        let options = RelationOptions { depth_effort: None, kind: false, ..RelationOptions::default() };
        let detail = query.relation_in_detail(a, b, &options, 0.0);
        match (detail.report.exact, detail.overlap) {
            (Relation::Separate { .. } | Relation::Touching, _) => Measure::Harmless,
            (_, Some(Ok(overlap))) if !overlap.regions.iter().any(Region::is_coincident) => {
                Measure::Interference(overlap.depth())
            }
            _ => Measure::release(query, a, b, TRIALS),
        }
    }

    /// The least translation that frees, with so many trials.
    pub(crate) fn release(query: &mut MeshQuery, a: PlacedMesh, b: PlacedMesh, trials: u32) -> Measure {
        let plain = query.depth(a, b, 0).map(|depth| depth.range);
        let range = if trials == 0 { plain } else { query.depth(a, b, trials).map(|depth| depth.range) };
        Measure::Release(range, plain.map_or(0.0, |range| range.lo()))
    }

    /// Whether it is **proven** to be no more than a depth.
    pub(crate) fn is_within(&self, depth: f64) -> bool {
        match self {
            Measure::Harmless => true,
            Measure::Interference(range) | Measure::Release(Some(range), _) => range.hi() <= depth,
            Measure::Release(None, _) => false,
        }
    }

    /// Whether more than a depth is **proven** for every place of the bodies within `error` of theirs.
    ///
    /// Interference changes by no more than points move: a point whose distance from the other surface is d, inside, keeps d − e at
    /// least. The release does not: a peg that fits its hole has none, and turned a little must be pulled out altogether. But what hulls of
    /// convex bodies and balls prove of it does: supports change by no more than points move; and the bound of balls is the sum of the
    /// radii of two about one point, one in each body, and a body whose points are off by e still holds a ball of the same radius
    /// about a point off by e. That is the depth without trials.
    pub(crate) fn exceeds(&self, depth: f64, error: f64) -> bool {
        let limit = (depth + 2.0 * error) * (1.0 + 1e-12);
        match self {
            Measure::Interference(range) => range.lo() > limit,
            Measure::Release(_, least) => *least > limit,
            Measure::Harmless => false,
        }
    }

    /// Whether interference tells how far the bodies lie in each other.
    pub(crate) fn is_layer(&self) -> bool {
        !matches!(self, Measure::Release(..))
    }
}
