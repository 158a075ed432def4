//! Algorithm 2 of the thesis, mended: a tetrahedron of support points that holds the origin, or the plane that
//! shows there is none.

use crate::bodies::{Bodies, Sample};
use kontakt_convex::Spot;
use kontakt_convex::simplex::Simplex;
use kontakt_math::DVec3;

/// How the search ended.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// The origin is inside or on a face. The fourth corner is below the plane of the others (seen counter-clockwise).
    Holds([Sample; 4]),
    /// The difference is beyond the origin by no more than roundings along this unit vector, or flat across it.
    Touching(DVec3),
    /// The difference lies on the far side of a plane with this unit normal.
    Outside(DVec3),
    /// Too many steps.
    Failed,
}

/// Replaces the corner opposite a face that has the origin outside by the support point along the face's normal. Unlike the
/// thesis's loop it ends when that point does not reach the origin, or after `steps`.
pub fn search(bodies: &impl Bodies, steps: usize) -> Search {
    let noise = 1e-14 * bodies.size();
    let mut corners = match first(bodies, noise) {
        Ok(corners) => corners,
        Err(across) => return towards_origin(bodies, across, noise, steps),
    };
    for _ in 0..steps {
        let Some((opposite, normal)) = outside_face(&corners, noise) else { return Search::Holds(corners) };
        let sample = bodies.support(normal);
        let height = normal.dot(sample.w());
        if height < -noise {
            return Search::Outside(normal);
        }
        if height <= noise {
            return towards_origin(bodies, normal, noise, steps);
        }
        corners[opposite] = sample;
        orient(&mut corners);
    }
    Search::Failed
}

/// Puts the fourth corner below the plane of the others.
fn orient(corners: &mut [Sample; 4]) {
    let [p, q, r, s] = corners.map(|c| c.w());
    if (q - p).cross(r - p).dot(s - p) > 0.0 {
        corners.swap(0, 1);
    }
}

/// The corner opposite a face with the origin outside, and that face's unit normal; the face farthest from the origin.
fn outside_face(corners: &[Sample; 4], noise: f64) -> Option<(usize, DVec3)> {
    let w = corners.map(|c| c.w());
    let mut worst = (noise, None);
    for (opposite, [i, j, k]) in [(3, [0, 1, 2]), (2, [1, 0, 3]), (0, [2, 1, 3]), (1, [0, 2, 3])] {
        let normal = (w[j] - w[i]).cross(w[k] - w[i]).normalize_or_zero();
        let outside = -normal.dot(w[i]);
        if outside > worst.0 {
            worst = (outside, Some((opposite, normal)));
        }
    }
    worst.1
}

/// Any tetrahedron of support points with volume, wherever the origin is; otherwise a unit vector across which the difference
/// is flat.
fn first(bodies: &impl Bodies, noise: f64) -> Result<[Sample; 4], DVec3> {
    let towards = (-bodies.middle().w()).try_normalize().unwrap_or(DVec3::X);
    let (u, v) = towards.any_orthonormal_pair();
    let ends = [towards, u, v].map(|n| [bodies.support(n), bodies.support(-n)]);
    let length = |pair: &[Sample; 2]| pair[0].w().distance(pair[1].w());
    let [p, q] =
        ends.into_iter().fold(ends[0], |best, pair| if length(&pair) > length(&best) { pair } else { best });
    let along = q.w() - p.w();
    if along.length() <= noise {
        return Err(towards);
    }
    let (across, other) = along.normalize().any_orthonormal_pair();
    let off_line = |s: &Sample| (s.w() - p.w()).cross(along.normalize()).length();
    let found = [across, -across, other, -other].map(|n| bodies.support(n));
    let r = found.into_iter().fold(found[0], |best, s| if off_line(&s) > off_line(&best) { s } else { best });
    if off_line(&r) <= noise {
        return Err(across);
    }
    let normal = along.cross(r.w() - p.w()).normalize_or_zero();
    let off_plane = |s: &Sample| normal.dot(s.w() - p.w()).abs();
    let found = [normal, -normal].map(|n| bodies.support(n));
    let s = if off_plane(&found[1]) > off_plane(&found[0]) { found[1] } else { found[0] };
    if off_plane(&s) <= noise {
        return Err(normal);
    }
    let mut corners = [p, q, r, s];
    orient(&mut corners);
    Ok(corners)
}

/// A difference that does not reach beyond the origin along a unit vector, or is flat across it, holds the origin in its
/// boundary or misses it: the way that GJK takes towards the origin tells which.
fn towards_origin(bodies: &impl Bodies, along: DVec3, noise: f64, steps: usize) -> Search {
    let spot = |number: usize, direction| Spot { w: bodies.support(direction).w(), a: number as u32, b: 0 };
    let start = spot(0, along);
    let (mut simplex, mut nearest) = (Simplex::point(start), start.w);
    for step in 1..=steps {
        let distance = nearest.length();
        if distance <= noise {
            return Search::Touching(along);
        }
        let normal = -nearest / distance;
        let spot = spot(step, normal);
        if normal.dot(spot.w) < -noise {
            return Search::Outside(normal);
        }
        nearest = simplex.widen(spot);
        if simplex.is_whole() || nearest.length() >= distance {
            return Search::Touching(along);
        }
    }
    Search::Failed
}
