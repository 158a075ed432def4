//! Boxes of small volume.

use kontakt::bounds::hull::convex_hull;
use kontakt::math::DVec3;

/// A box and what is proven about it.
pub(crate) struct FoundBox {
    /// Centre.
    pub(crate) centre: [f64; 3],
    /// Axes, orthonormal to rounding.
    pub(crate) axes: [[f64; 3]; 3],
    /// Half of the edges.
    pub(crate) half_extents: [f64; 3],
    /// Certified relative gap to the smallest volume.
    pub(crate) gap: Option<f64>,
}

impl FoundBox {
    /// Volume of the box as stored.
    pub(crate) fn volume(&self) -> f64 {
        8.0 * self.half_extents.iter().product::<f64>()
    }
}

/// The method of `kontakt bound --volume obb`.
pub(crate) fn default_method(_points: &[DVec3]) -> Result<FoundBox, String> {
    Err("not yet".to_owned())
}

/// The method of `kontakt bound --volume obb --method exact`.
pub(crate) fn exact_method(_points: &[DVec3]) -> Result<FoundBox, String> {
    Err("not yet".to_owned())
}

/// Vertices of the convex hull.
pub(crate) fn hull_vertex_count(points: &[DVec3]) -> Result<usize, String> {
    convex_hull(points).map(|hull| hull.vertices().len()).map_err(|error| error.to_string())
}
