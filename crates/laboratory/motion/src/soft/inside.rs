//! The theses' inside tests at one time, in plain doubles.

use kontakt_math::DVec3;
use kontakt_soft_ccd::Kind;

/// By barycentric coordinates b = (r×e₂)·n/n², c = (e₁×r)·n/n², or by the parameters along both edges.
pub(super) fn is_inside(kind: Kind, [x0, x1, x2, x3]: [DVec3; 4]) -> bool {
    match kind {
        Kind::VertexFace => {
            let (e1, e2, r) = (x2 - x1, x3 - x1, x0 - x1);
            let normal = e1.cross(e2);
            let square = normal.length_squared();
            let (b, c) = (r.cross(e2).dot(normal) / square, e1.cross(r).dot(normal) / square);
            b >= 0.0 && c >= 0.0 && b + c <= 1.0
        }
        Kind::EdgeEdge => {
            let (u, v, w) = (x1 - x0, x3 - x2, x2 - x0);
            let normal = u.cross(v);
            let square = normal.length_squared();
            let (s, r) = (w.cross(v).dot(normal) / square, w.cross(u).dot(normal) / square);
            (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&r)
        }
    }
}
