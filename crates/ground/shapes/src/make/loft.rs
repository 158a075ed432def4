//! Rings of points joined by a skin: cups, shafts, threads and gears are all made this way.

use crate::{FaceSet, FaceSetError};
use kontakt_math::DVec3;

/// What closes a loft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// A fan of triangles around the middle of the first ring and of the last.
    Capped,
    /// The last ring is joined to the first: a ring-shaped body.
    Joined,
}

/// A closed skin over rings of equally many points. Normals point outward when each ring, seen against the way the rings
/// advance, runs counter-clockwise. Rings of fewer than three points or of different sizes give the face set's error.
pub fn loft(rings: &[Vec<DVec3>], ends: Ends) -> Result<FaceSet, FaceSetError> {
    let around = rings.first().map_or(0, Vec::len) as u32;
    let count = rings.len() as u32;
    let mut points: Vec<DVec3> = rings.iter().flatten().copied().collect();
    let mut triangles = Vec::new();
    let at = |ring: u32, k: u32| (ring % count) * around + k % around;
    let bands = if ends == Ends::Joined { count } else { count.saturating_sub(1) };
    for ring in 0..bands {
        for k in 0..around {
            let (a, b) = (at(ring, k), at(ring, k + 1));
            let (c, d) = (at(ring + 1, k + 1), at(ring + 1, k));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    if ends == Ends::Capped
        && let (Some(first), Some(last)) = (rings.first(), rings.last())
    {
        let middle = |ring: &[DVec3]| ring.iter().copied().sum::<DVec3>() / ring.len().max(1) as f64;
        let centre = points.len() as u32;
        points.extend([middle(first), middle(last)]);
        triangles.extend((0..around).map(|k| [centre, at(0, k + 1), at(0, k)]));
        triangles.extend((0..around).map(|k| [centre + 1, at(count - 1, k), at(count - 1, k + 1)]));
    }
    FaceSet::from_triangles(points, triangles)
}

/// Points at `count` even angles; `radius` gives the distance from the z axis by angle.
pub fn ring(count: u32, z: f64, radius: impl Fn(f64) -> f64) -> Vec<DVec3> {
    (0..count)
        .map(|k| {
            let angle = f64::from(k) / f64::from(count) * std::f64::consts::TAU;
            let r = radius(angle);
            DVec3::new(r * angle.cos(), r * angle.sin(), z)
        })
        .collect()
}
