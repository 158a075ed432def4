//! A face's plane with a bound of its evaluation error: the filter in front of the exact predicate.

use super::frame::Frame;
use kontakt_math::predicates::{Sign, orient3d};
use kontakt_math::{DVec3, U};

/// 24u, see the proof at [`Plane::through`].
const RELATIVE: f64 = 24.0 * U;
/// Exceeds what all underflows of one evaluation can sum up to (a few times 2⁻¹⁰⁷⁵ times factors ≤ 4).
const ABSOLUTE: f64 = 1e-300;

/// The plane through three points, seen counter-clockwise from above, in filter coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
    /// |height computed − exact determinant| is at most this.
    pub(super) error: f64,
}

impl Plane {
    /// The plane and its error bound.
    ///
    /// Let e, f be the exact scaled differences b−a, c−a, A = |e₂f₃|+|e₃f₂| and cyclic, ΣA their sum, and x the
    /// exact scaled p−a; the determinant is (e×f)·x. Rounding: e, f have relative error u each, so a component of
    /// the normal is wrong by ≤ 4.01u·A (two factors, product, difference). Local coordinates are ≤ 1 and wrong by
    /// ≤ u. So `normal·local(p) − offset` is wrong by at most, in units of u·ΣA: 2·4.01 (normal, |x| ≤ 2),
    /// 2 (both local points), 3.01 (dot product of p), 3.01 (of a), 2.01 (their difference) < 18.1; 24 leaves room
    /// for second-order terms and the rounding of ΣA itself.
    #[inline(always)]
    pub(super) fn through(points: &[DVec3], frame: &Frame, [a, b, c]: [usize; 3]) -> Plane {
        let base = frame.scaled(points[a]);
        let e = frame.scaled(points[b]) - base;
        let f = frame.scaled(points[c]) - base;
        let normal = e.cross(f);
        let (e, f) = (e.abs(), f.abs());
        let size = e.y * f.z + e.z * f.y + (e.z * f.x + e.x * f.z) + (e.x * f.y + e.y * f.x);
        Plane { normal, offset: normal.dot(frame.local(points[a])), error: size * RELATIVE + ABSOLUTE }
    }

    /// Height above the plane, times the normal's length, to rounding.
    #[inline(always)]
    pub(super) fn height(&self, local: DVec3) -> f64 {
        self.normal.dot(local) - self.offset
    }
}

/// Whether `points[p]` is strictly above the plane of the face: exact.
#[inline(always)]
pub(super) fn is_above(points: &[DVec3], face: [u32; 3], p: u32, plane: &Plane, height: f64) -> bool {
    if height > plane.error {
        true
    } else if height < -plane.error {
        false
    } else {
        is_above_exactly(points, face, p)
    }
}

/// The same without the filter.
#[cold]
#[inline(never)]
pub(super) fn is_above_exactly(points: &[DVec3], face: [u32; 3], p: u32) -> bool {
    let ([a, b, c], p) = (face.map(|corner| points[corner as usize]), points[p as usize]);
    // Equal points are common (corners of unwelded triangles) and cheap to tell.
    p != a && p != b && p != c && orient3d(a, b, c, p) == Sign::Negative
}
