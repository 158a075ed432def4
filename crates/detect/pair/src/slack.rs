//! How far triangles of two bodies may lie off the surfaces they stand for, and numbers made true for these.

use crate::body::Placed;
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up, mul_up};
use kontakt_mesh::{Mesh, Overlap, PlacedMesh, Region};

/// **Never less** than how far triangles of both bodies together lie off the surfaces they stand for; 0 for meshes and convex bodies.
pub(crate) fn slack(a: Placed, b: Placed) -> f64 {
    together([a.body.deviation(), b.body.deviation()])
}

/// **Never less** than the sum of the deviations of two bodies; 0 where both are.
#[must_use]
pub fn together([a, b]: [f64; 2]) -> f64 {
    if a > 0.0 || b > 0.0 { add_up(a, b) } else { 0.0 }
}

/// Bounds of a number that is not negative where what was measured is off by no more than a slack.
#[must_use]
pub fn widened(range: Range, slack: f64) -> Range {
    if slack <= 0.0 {
        return range;
    }
    let lo = add_down(range.lo(), -slack).max(0.0);
    Range::new(lo, add_up(range.hi(), slack)).unwrap_or(range)
}

/// An overlap of triangles made true for the surfaces.
pub(crate) fn of_surfaces(overlap: &Overlap, meshes: [PlacedMesh; 2], bodies: [Placed; 2]) -> Overlap {
    let slack = slack(bodies[0], bodies[1]);
    let volume = [0, 1].map(|side| layer_volume(meshes[side].mesh, bodies[side].body.deviation()));
    let volume = add_up(volume[0], volume[1]);
    let region = |region: &Region| Region {
        interference: region.interference.map(|range| widened(range, slack)),
        volume: widened(region.volume, volume),
        triangles: [Vec::new(), Vec::new()],
        ..region.clone()
    };
    Overlap {
        regions: overlap.regions.iter().map(region).collect(),
        interference: overlap.interference.map(|range| widened(range, slack)),
        volume: widened(overlap.volume, volume),
    }
}

/// **Never less** than the volume of all points no farther than a depth from a mesh: what its solid and the true one differ by. By
/// Steiner's formula that of a triangle of area A and girth P is 2dA + πd²P/2 + 4πd³/3.
fn layer_volume(mesh: &Mesh, depth: f64) -> f64 {
    const UP: f64 = 1.0 + 1e-9;
    if depth <= 0.0 {
        return 0.0;
    }
    let (mut area, mut girth, mut count) = (0.0, 0.0, 0.0);
    for triangle in 0..mesh.faces().triangles().len() {
        let [a, b, c] = mesh.faces().triangle_points(triangle);
        area += 0.5 * (b - a).cross(c - a).length();
        girth += (b - a).length() + (c - b).length() + (a - c).length();
        count += 1.0;
    }
    let third = 4.0 / 3.0 * std::f64::consts::PI * count;
    mul_up(depth * (2.0 * area + depth * (std::f64::consts::FRAC_PI_2 * girth + depth * third)), UP)
}
