//! A first tetrahedron of vertices of the difference, or the finding that it is flat.

use super::Scaled;
use crate::difference::Spot;
use kontakt_math::DVec3;

/// What there is to start with.
pub(crate) enum Start {
    /// Four vertices, the fourth below the plane of the others (seen counter-clockwise), and some more.
    Solid([Spot; 4], [Option<Spot>; 2]),
    /// To rounding, the difference lies in a plane with this unit normal.
    Flat(DVec3),
}

/// Looks along an axis from the difference's middle to the origin, and two more across it.
pub(crate) fn start(pair: &Scaled<'_>, towards: DVec3, tolerance: f64) -> Start {
    let axis = towards.try_normalize().unwrap_or(DVec3::X);
    let (u, v) = axis.any_orthonormal_pair();
    let mut spots = [Spot::default(); 6];
    let mut widest = (f64::NEG_INFINITY, 0);
    let axes = [axis, u, v];
    for k in 0..3 {
        let n = axes[k];
        let (front, back) = (pair.support(n), pair.support(-n));
        let width = n.dot(front.w - back.w);
        if width > widest.0 {
            widest = (width, 2 * k);
        }
        (spots[2 * k], spots[2 * k + 1]) = (front, back);
    }
    if widest.0 <= tolerance {
        return Start::Flat(axis);
    }
    spots.swap(0, widest.1);
    spots.swap(1, widest.1 + 1);
    let (p, q) = (spots[0].w, spots[1].w);
    let along = (q - p).normalize_or_zero();
    let (across, other) = along.any_orthonormal_pair();
    let off_line = |spot: &Spot| (spot.w - p).cross(along).length();
    if !bring(&mut spots, 2, tolerance, off_line) {
        let found = [across, -across, other, -other].map(|n| pair.support(n));
        let best = found.into_iter().fold(found[0], |a, b| if off_line(&b) > off_line(&a) { b } else { a });
        if off_line(&best) <= tolerance {
            return Start::Flat(across);
        }
        spots[2] = best;
    }
    let normal = (q - p).cross(spots[2].w - p).normalize_or_zero();
    let off_plane = |spot: &Spot| normal.dot(spot.w - p).abs();
    if !bring(&mut spots, 3, tolerance, off_plane) {
        let found = [normal, -normal].map(|n| pair.support(n));
        let best = if off_plane(&found[1]) > off_plane(&found[0]) { found[1] } else { found[0] };
        if off_plane(&best) <= tolerance {
            return Start::Flat(normal);
        }
        spots[3] = best;
    }
    if normal.dot(spots[3].w - p) > 0.0 {
        spots.swap(0, 1);
    }
    let [a, b, c, d, e, f] = spots;
    Start::Solid([a, b, c, d], [Some(e), Some(f)])
}

/// Swaps the spot that is farthest by `measure` to `place`; false if none is farther than `tolerance`.
fn bring(spots: &mut [Spot; 6], place: usize, tolerance: f64, measure: impl Fn(&Spot) -> f64) -> bool {
    let mut best = (tolerance, place);
    for (k, spot) in spots.iter().enumerate().skip(place) {
        let value = measure(spot);
        if value > best.0 {
            best = (value, k);
        }
    }
    spots.swap(place, best.1);
    best.0 > tolerance
}
