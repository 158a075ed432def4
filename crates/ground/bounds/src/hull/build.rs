//! The way from points to hull: check, find a simplex, drop the inside, grow, merge.

use super::flat::{lexicographic, orientation, point_hull, polygon_hull, segment_hull};
use super::frame::Frame;
use super::merge::merge;
use super::plane::Plane;
use super::quick::Surface;
use super::{Hull, cull};
use crate::bound::FitError;
use kontakt_math::DVec3;
use kontakt_math::predicates::{Sign, orient3d};

/// Below this many points there is nothing to gain from dropping inner points first, nor from looking for equal ones.
const FEW: usize = 400;

/// The convex hull of the points, decided exactly. Any finite input is fine: equal, collinear and coplanar points
/// give hulls of lower dimension.
pub fn convex_hull(points: &[DVec3]) -> Result<Hull, FitError> {
    let (min, max) = box_of(points)?;
    if points.len() > u32::MAX as usize / 4 {
        return Err(FitError::Parameter { what: format!("{} points are too many for a hull", points.len()) });
    }
    match moderate(points, min, max) {
        Some(copy) => {
            let (min, max) = box_of(&copy)?;
            Ok(hull_between(&copy, min, max))
        }
        None => Ok(hull_between(points, min, max)),
    }
}

/// A copy scaled by a power of two to about unit size when the coordinates are so large or so small that an exact
/// determinant would leave the range of doubles; `None` when they are not, or when scaling would round (then the
/// range of the input is wider than any scale can hold).
fn moderate(points: &[DVec3], min: DVec3, max: DVec3) -> Option<Vec<DVec3>> {
    let largest = min.abs().max(max.abs()).max_element();
    if largest == 0.0 || (1e-60..1e60).contains(&largest) {
        return None;
    }
    let scale = 2.0_f64.powi((-largest.log2().floor() as i32).clamp(-1022, 1000));
    let copy: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
    copy.iter().zip(points).all(|(&scaled, &p)| scaled / scale == p).then_some(copy)
}

/// The hull of finite points between two corners.
fn hull_between(points: &[DVec3], min: DVec3, max: DVec3) -> Hull {
    let frame = Frame::new(min, max);
    let extremes =
        if points.len() < FEW { (0..points.len() as u32).collect() } else { cull::extremes(points, &frame) };
    let simplex = match find_simplex(points, &frame, &extremes) {
        Spans::Point(a) => return point_hull(a),
        Spans::Line(a, b) => return segment_hull(a, b),
        Spans::Plane { dropped } => return polygon_hull(points, dropped),
        Spans::Space(simplex) => simplex,
    };
    let mut surface = Surface::tetrahedron(points, &frame, simplex.map(|i| i as u32));
    if points.len() < FEW {
        surface.grow_by(&extremes);
    } else {
        offer_all(&mut surface, points, &extremes);
        surface.grow();
        let planes: Vec<Plane> =
            surface.one_of_each_plane().iter().map(|&t| surface.triangles()[t as usize].plane).collect();
        offer_all(&mut surface, points, &cull::outside(points, &frame, &planes));
        surface.grow();
    }
    merge(points, &frame, surface.triangles())
}

/// Makes the points wait at the surface as it is; most copies of a point offered before are skipped.
fn offer_all(surface: &mut Surface, points: &[DVec3], indices: &[u32]) {
    let triangles = surface.one_of_each_plane();
    // Who was last offered from each place of a small hash table: unwelded meshes repeat each corner several times.
    let mut offered = vec![u32::MAX; (2 * indices.len()).next_power_of_two().min(1 << 14)];
    for &index in indices {
        let point = points[index as usize];
        let key = point
            .to_array()
            .iter()
            .fold(0_u64, |key, x| (key ^ x.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let place = (key >> 48) as usize & (offered.len() - 1);
        let before = std::mem::replace(&mut offered[place], index);
        if before == u32::MAX || points[before as usize] != point {
            surface.offer(&triangles, index);
        }
    }
}

/// Least and greatest coordinates; an error when there is no point or one is not finite.
fn box_of(points: &[DVec3]) -> Result<(DVec3, DVec3), FitError> {
    let first = *points.first().ok_or(FitError::Empty)?;
    let (mut min, mut max, mut sum) = (first, first, DVec3::ZERO);
    for &p in points {
        min = min.min(p);
        max = max.max(p);
        // Zero times finite is zero; anything else poisons the sum.
        sum += p * 0.0;
    }
    if sum == DVec3::ZERO { Ok((min, max)) } else { crate::bound::check_points(points).map(|()| (min, max)) }
}

/// What the points span.
enum Spans {
    /// All equal to this one.
    Point(usize),
    /// Collinear; the two ends.
    Line(usize, usize),
    /// Coplanar; the projection along this coordinate is one-to-one.
    Plane { dropped: usize },
    /// A tetrahedron with its last corner strictly below the plane of the first three.
    Space([usize; 4]),
}

/// The index with the greatest value, the last one of equals; 0 without any.
#[inline(always)]
fn farthest(indices: &[u32], value: impl Fn(usize) -> f64) -> usize {
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for &index in indices {
        let value = value(index as usize);
        if value >= most {
            (best, most) = (index as usize, value);
        }
    }
    best
}

/// A simplex of full dimension, large where possible, or the proof that there is none: what rounding suggests is
/// checked exactly, and when it fails every point is tried.
fn find_simplex(points: &[DVec3], frame: &Frame, extremes: &[u32]) -> Spans {
    let local = |i: usize| frame.local(points[i]);
    let mut a = farthest(extremes, |i| -local(i).x);
    let start = local(a);
    let mut b = farthest(extremes, |i| (local(i) - start).length_squared());
    if points[a] == points[b] {
        let order = |&i: &usize, &j: &usize| lexicographic(points[i], points[j]);
        a = (0..points.len()).min_by(order).unwrap_or(0);
        b = (0..points.len()).max_by(order).unwrap_or(0);
        if points[a] == points[b] {
            return Spans::Point(a);
        }
    }
    let start = local(a);
    let along = local(b) - start;
    let bent = |c: usize| orientation(points[a], points[b], points[c]);
    let guess = farthest(extremes, |i| along.cross(local(i) - start).length_squared());
    let Some(c) =
        Some(guess).filter(|&c| bent(c).is_some()).or_else(|| (0..points.len()).find(|&c| bent(c).is_some()))
    else {
        let order = |&i: &usize, &j: &usize| lexicographic(points[i], points[j]);
        let least = (0..points.len()).min_by(order).unwrap_or(0);
        let greatest = (0..points.len()).max_by(order).unwrap_or(0);
        return Spans::Line(least, greatest);
    };
    let normal = along.cross(local(c) - start);
    let side = |d: usize| orient3d(points[a], points[b], points[c], points[d]);
    let guess = farthest(extremes, |i| normal.dot(local(i) - start).abs());
    let off = |&d: &usize| side(d) != Sign::Zero;
    match Some(guess).filter(off).or_else(|| (0..points.len()).find(off)) {
        None => Spans::Plane { dropped: bent(c).map_or(2, |(dropped, _)| dropped) },
        Some(d) if side(d) == Sign::Positive => Spans::Space([a, b, c, d]),
        Some(d) => Spans::Space([b, a, c, d]),
    }
}
