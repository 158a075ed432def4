//! The first faces of growing parts (thesis 3.7.4, "Berechnung der initialen Partitionierung").

use super::SplitSet;
use crate::build::box_table::Frame;
use crate::build::random::Random;
use kontakt_bounds::closest::closest_on_triangle;
use kontakt_bounds::{Aabb, Bound, Obb, Sphere};
use kontakt_math::DVec3;
use std::f64::consts::TAU;

/// How the first faces are chosen, one a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Initial {
    /// At random.
    Random,
    /// Those nearest to random points on the ball around all faces.
    Sphere,
    /// Those nearest to the corners of the icosahedron in that ball.
    Icosahedron,
    /// Those nearest to the middles of Table 3.1 in the oriented box.
    Regions,
}

/// Random points on the ball.
const SAMPLES: usize = 24;

impl Initial {
    /// Different places in the list of faces, as many as parts (or faces, if those are fewer). Where the way chosen finds
    /// too few different faces, random ones follow.
    pub(super) fn faces(self, set: &SplitSet<'_>, parts: usize, random: &mut Random) -> Vec<usize> {
        let parts = parts.min(set.faces.len());
        let mut chosen = match self {
            Initial::Random => Vec::new(),
            Initial::Sphere => {
                let ball = ball_around(set);
                let points: Vec<DVec3> =
                    (0..SAMPLES).map(|_| ball.centre + on_unit_sphere(random) * ball.radius).collect();
                spread_out(set, nearest_faces(set, &points), parts)
            }
            Initial::Icosahedron => {
                let ball = ball_around(set);
                let points = icosahedron().map(|corner| ball.centre + corner * ball.radius);
                spread_out(set, nearest_faces(set, &points), parts)
            }
            Initial::Regions => box_around(set)
                .map_or(Vec::new(), |frame| nearest_faces(set, &frame.middles(parts, frame.by_length()))),
        };
        chosen.truncate(parts);
        fill_at_random(&mut chosen, parts, set.faces.len(), random);
        chosen
    }
}

fn ball_around(set: &SplitSet<'_>) -> Sphere {
    let corners: Vec<DVec3> = (0..set.faces.len()).flat_map(|place| set.corners(place)).collect();
    Sphere::fit(&corners).unwrap_or(Sphere { centre: DVec3::ZERO, radius: 0.0 })
}

fn box_around(set: &SplitSet<'_>) -> Option<Frame> {
    let corners: Vec<DVec3> = (0..set.faces.len()).flat_map(|place| set.corners(place)).collect();
    let obb = Obb::fit(&corners).ok()?;
    let h = obb.half_extents;
    let half_edges = [obb.axes.x_axis * h.x, obb.axes.y_axis * h.y, obb.axes.z_axis * h.z];
    Some(Frame { centre: obb.centre, half_edges })
}

/// Uniform directions.
fn on_unit_sphere(random: &mut Random) -> DVec3 {
    let (z, angle) = (random.unit() * 2.0 - 1.0, random.unit() * TAU);
    let radius = (1.0 - z * z).max(0.0).sqrt();
    DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
}

/// The twelve corners, of length 1.
fn icosahedron() -> [DVec3; 12] {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i & bit == 0 { 1.0 } else { -1.0 };
        let (one, golden) = (sign(1), sign(2) * golden);
        let corner = match i / 4 {
            0 => DVec3::new(0.0, one, golden),
            1 => DVec3::new(one, golden, 0.0),
            _ => DVec3::new(golden, 0.0, one),
        };
        corner.normalize()
    })
}

/// The face nearest to each point, each face once, in the order of the points.
fn nearest_faces(set: &SplitSet<'_>, points: &[DVec3]) -> Vec<usize> {
    let mut found = Vec::new();
    for point in points {
        let mut nearest = (f64::INFINITY, 0);
        for (place, face) in set.faces.iter().enumerate() {
            if squared_gap(&set.workpiece.boxes[*face as usize], *point) >= nearest.0 {
                continue;
            }
            let squared = closest_on_triangle(*point, set.corners(place)).distance_squared(*point);
            if squared < nearest.0 {
                nearest = (squared, place);
            }
        }
        if !found.contains(&nearest.1) {
            found.push(nearest.1);
        }
    }
    found
}

/// Squared distance of a point from a box, to rounding.
fn squared_gap(around: &Aabb, point: DVec3) -> f64 {
    (around.min - point).max(point - around.max).max(DVec3::ZERO).length_squared()
}

/// Of the candidates, so many that the least distance between two of them (of their middles) is large: farthest first
/// from every start, the best of these.
fn spread_out(set: &SplitSet<'_>, candidates: Vec<usize>, parts: usize) -> Vec<usize> {
    if candidates.len() <= parts {
        return candidates;
    }
    let away = |a: usize, b: usize| set.centroid(a).distance_squared(set.centroid(b));
    let nearest =
        |chosen: &[usize], c: usize| chosen.iter().map(|d| away(*d, c)).fold(f64::INFINITY, f64::min);
    let mut best = (-1.0, candidates[..parts].to_vec());
    for start in &candidates {
        let mut chosen = vec![*start];
        let mut least = f64::INFINITY;
        while chosen.len() < parts {
            let open = candidates.iter().filter(|c| !chosen.contains(c));
            let farthest = open.map(|c| (nearest(&chosen, *c), *c)).max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((gap, next)) = farthest else { break };
            least = least.min(gap);
            chosen.push(next);
        }
        if least > best.0 {
            best = (least, chosen);
        }
    }
    best.1
}

/// More places until there are `parts`.
fn fill_at_random(chosen: &mut Vec<usize>, parts: usize, count: usize, random: &mut Random) {
    while chosen.len() < parts {
        // The first place that is free, from a random one on.
        let start = random.below(count);
        let free = (0..count).map(|i| (start + i) % count).find(|place| !chosen.contains(place));
        match free {
            Some(place) => chosen.push(place),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve different corners of length 1, each with five neighbours at the least distance.
    #[test]
    fn icosahedron_is_regular() {
        let corners = icosahedron();
        let edge = corners[1..].iter().map(|c| c.distance(corners[0])).fold(f64::INFINITY, f64::min);
        assert!(edge > 1.0);
        for a in &corners {
            assert!((a.length() - 1.0).abs() < 1e-15);
            let neighbours = corners.iter().filter(|b| (b.distance(*a) - edge).abs() < 1e-12).count();
            assert_eq!(neighbours, 5);
        }
    }
}
