//! The point of a body nearest to a given one.

use crate::mesh::{Mesh, PlacedMesh};
use crate::solo::Solo;
use kontakt_answers::Range;
use kontakt_bounds::hausdorff::{NearestFace, distance_to_triangle};
use kontakt_math::DVec3;

/// The nearest point of a body's faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// **Certified**: contains the exact distance to the faces (not 0 inside a solid).
    pub distance: Range,
    /// The nearest point, to rounding.
    pub point: DVec3,
    /// The triangle it is on; the one with the smallest id where several are equally near to rounding.
    pub face: u32,
}

impl Mesh {
    /// The point of the faces nearest to `point`, both in the body's frame; `None` when `point` is not finite.
    pub fn nearest(&self, point: DVec3) -> Option<Nearest> {
        if !point.is_finite() {
            return None;
        }
        let vertices = self.faces.vertices();
        let mut lower = f64::INFINITY;
        let mut best: Option<NearestFace> = None;
        Solo::new(&self.tree).towards(point, |slot| {
            let corners = self.tree.corners()[slot as usize].map(|v| vertices[v as usize]);
            let id = self.tree.order()[slot as usize];
            let found = at_any_scale(point, corners);
            lower = lower.min(found.lower);
            let better = |b: NearestFace| (found.upper, id) < (b.upper, b.face);
            if best.is_none_or(better) {
                best = Some(NearestFace { face: id, ..found });
            }
            best.map_or(f64::INFINITY, |b| b.upper)
        });
        let best = best?;
        Some(Nearest { distance: range(lower, best.upper), point: best.place, face: best.face })
    }
}

impl PlacedMesh<'_> {
    /// The point of the faces nearest to `point`, both in world coordinates; `None` when `point` is not finite.
    ///
    /// The distance is that of the mapped-back point to the faces, widened by how far mapping back may be off.
    pub fn nearest(&self, point: DVec3) -> Option<Nearest> {
        let (back, error) = self.to_body(point)?;
        let found = self.mesh.nearest(back)?;
        let (lo, hi) = (found.distance.lo() - error, found.distance.hi() + error);
        let distance = range(lo.next_down().max(0.0), hi.next_up());
        Some(Nearest { distance, point: self.pose.apply(found.point), face: found.face })
    }

    /// A world point in the body's frame, rounded, and a bound of the error that is **never too small**; `None` when a
    /// number is beyond doubles.
    ///
    /// Proof. Let z be the exact point in the body's frame and z̃ the computed one. The pose is an isometry, so
    /// |z̃ − z| = |pose(z̃) − x| ≤ |apply(z̃) − x| + `apply_error(z̃)`; both are evaluated upward.
    pub(crate) fn to_body(self, x: DVec3) -> Option<(DVec3, f64)> {
        use kontakt_math::round::length_up;
        if self.pose.given_rotation().xyz() == DVec3::ZERO && self.pose.translation() == DVec3::ZERO {
            return x.is_finite().then_some((x, 0.0));
        }
        let back = self.pose.rotation().conjugate() * (x - self.pose.translation());
        let image = self.pose.apply(back);
        let apart = length_up(image - x) * (1.0 + 4.0 * f64::EPSILON);
        let error = (apart + self.pose.apply_error(back)) * (1.0 + 4.0 * f64::EPSILON);
        (back.is_finite() && error.is_finite()).then_some((back, error))
    }
}

fn range(lo: f64, hi: f64) -> Range {
    Range::new(lo.min(hi), hi).unwrap_or(Range::ZERO)
}

/// [`distance_to_triangle`], whose products stay in the range of doubles for coordinates of common sizes only: all others are
/// scaled to size 1 by a power of two, and the answer back.
///
/// Proof of the bounds. Scaling up is exact. Scaling down rounds each of the six coordinates of a difference by at most 2⁻¹⁰⁷⁵, so
/// the distance by less than 2⁻¹⁰⁷⁰. Scaling back rounds to nearest once, which the neighbouring double covers; a distance
/// beyond the doubles is at least the greatest of them.
fn at_any_scale(point: DVec3, corners: [DVec3; 3]) -> NearestFace {
    const COMMON: std::ops::Range<f64> = 1e-60..1e100;
    let largest = corners.iter().fold(point.abs(), |most, corner| most.max(corner.abs())).max_element();
    if largest == 0.0 || COMMON.contains(&largest) {
        return distance_to_triangle(point, corners);
    }
    // 2^exponent in two factors, since one may leave the range of doubles.
    let exponent = largest.log2().floor() as i32;
    let power = |e: i32| [e / 2, e - e / 2].map(|half| f64::powi(2.0, half));
    let ([down, more_down], [up, more_up]) = (power(-exponent), power(exponent));
    let scaled = |v: DVec3| v * down * more_down;
    let found = distance_to_triangle(scaled(point), corners.map(scaled));
    let lost = if exponent > 0 { f64::powi(2.0, -1070) } else { 0.0 };
    let back = |x: f64| x * up * more_up;
    NearestFace {
        lower: back((found.lower - lost).max(0.0)).min(f64::MAX).next_down().max(0.0),
        upper: back((found.upper + lost).next_up()).next_up(),
        place: found.place * up * more_up,
        face: found.face,
    }
}
