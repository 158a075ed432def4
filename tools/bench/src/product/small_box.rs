//! Boxes of small volume.

use kontakt::bounds::{BoxMethod, BoxRequest, convex_hull, smallest_box};
use kontakt::math::DVec3;
use std::time::Duration;

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
pub(crate) fn default_method(points: &[DVec3]) -> Result<FoundBox, String> {
    find(points, &BoxRequest::default())
}

/// The method of `kontakt bound --volume obb --method exact`, stopping at a proven gap or after the seconds given.
pub(crate) fn exact_method(points: &[DVec3], target_gap: f64, seconds: f64) -> Result<FoundBox, String> {
    let time_limit = Some(Duration::from_secs_f64(seconds));
    find(points, &BoxRequest { method: BoxMethod::Exact, target_gap, time_limit, ..BoxRequest::default() })
}

fn find(points: &[DVec3], request: &BoxRequest) -> Result<FoundBox, String> {
    let found = smallest_box(points, request).map_err(|error| error.to_string())?;
    let axes = found.obb.axes;
    Ok(FoundBox {
        centre: found.obb.centre.to_array(),
        axes: [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.to_array()),
        half_extents: found.obb.half_extents.to_array(),
        gap: found.gap.ok(),
    })
}

/// Vertices of the convex hull.
pub(crate) fn hull_vertex_count(points: &[DVec3]) -> Result<usize, String> {
    convex_hull(points).map(|hull| hull.vertices().len()).map_err(|error| error.to_string())
}
