//! Proof that the origin lies inside the difference.

use super::errors::Errors;
use crate::difference::{Difference, Spot};
use crate::simplex::Simplex;
use kontakt_math::DVec3;

/// Whether the origin is inside the tetrahedron of the exact vertices.
///
/// It is when the four volumes that it spans with the faces all have the same sign (the origin's weights, up to a common
/// factor), and no error can take it from them.
pub(super) fn inside_tetrahedron(tetrahedron: &Simplex, errors: &Errors) -> bool {
    let [a, b, c, d] = *tetrahedron.spots() else { return false };
    let volume = |p: &Spot, q: &Spot, r: &Spot| p.w.dot(q.w.cross(r.w));
    let weights = [volume(&b, &c, &d), -volume(&a, &c, &d), volume(&a, &b, &d), -volume(&a, &b, &c)];
    let error = volume_error(errors);
    weights.iter().all(|&w| w > error) || weights.iter().all(|&w| w < -error)
}

/// Whether the origin is inside the hull of the six vertices farthest along the axes, for bodies that lie so straight to each other
/// that the simplex is flat.
///
/// It is when all eight faces of this octahedron turn the right way round the origin: seen from there its surface then covers
/// every direction (a map between spheres that nowhere turns over reaches every point), so no plane through the origin has
/// all six vertices on one side.
#[cold]
pub(super) fn inside_octahedron(pair: &impl Difference, errors: &Errors) -> bool {
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [pair.support(axis).w, pair.support(-axis).w]);
    let least = volume_error(errors);
    (0..8_usize).all(|face| {
        let (i, j, k) = (face & 1, face >> 1 & 1, face >> 2);
        let volume = x[i].dot(y[j].cross(z[k]));
        let turned = (i + j + k) % 2 == 1;
        (if turned { -volume } else { volume }) > least
    })
}

/// **Never less** than the error of a volume: a product of three vectors of at most `size`, off by `vertex` each, and rounded by less
/// than 16u·size³.
fn volume_error(errors: &Errors) -> f64 {
    (4.0 * errors.vertex + 16.0 * f64::EPSILON * errors.size) * errors.size * errors.size
}
