//! Triangles with a common corner: whether that corner is all they have in common.
//!
//! Round the hub of a fan every triangle meets every other one in the hub, and almost always nowhere else. These pairs are
//! told apart here by a few products; whatever these cannot tell is left to exact signs.

use super::meeting::Meeting;
use kontakt_math::DVec3;

/// Corners of one and of another triangle at the same point.
pub(crate) type Shared = (usize, usize);

/// What two touching faces have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// One corner and nothing else: which corner of the one face and of the other.
    Corner(u8, u8),
    /// Maybe more than that; how they meet, where that was found out.
    More(Option<Meeting>),
}

impl Touch {
    /// What triangles with a common corner have in common; `None` without one. All corners are exact, in one frame.
    #[inline]
    pub(crate) fn at_corner(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Touch> {
        let (i, j) = shared_corner(a, b)?;
        Some(if only_there(a, b, (i, j)) { Touch::Corner(i as u8, j as u8) } else { Touch::More(None) })
    }
}

/// The first corner of `a` at which `b` has one too.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "in a flat face some coordinates always agree: branches would be missed"
)]
pub(crate) fn shared_corner(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Shared> {
    for (i, p) in a.iter().enumerate() {
        for (j, q) in b.iter().enumerate() {
            if (p.x == q.x) & (p.y == q.y) & (p.z == q.z) {
                return Some((i, j));
            }
        }
    }
    None
}

/// Whether two triangles certainly have no common point but this corner. All corners are exact, in one frame.
///
/// Proof. Let c be the corner, u, v and s, t the edges from it. If d·u and d·v are positive and d·s and d·t negative for some
/// vector d, then d·(x − c) is positive at every point x ≠ c of the first triangle and negative at every point x ≠ c of the second.
/// Any d serves; between two sectors of a fan the difference of their middle directions does. An edge is rounded by u = 2⁻⁵³ of
/// itself, the product of three terms by 3u of the sum of their sizes, d itself not at all; 4u in all, here 16u, and what
/// underflows fits into the smallest normal double. NaN fails every comparison.
#[inline]
pub(crate) fn only_there(a: &[DVec3; 3], b: &[DVec3; 3], (i, j): Shared) -> bool {
    let edges = |t: &[DVec3; 3], k: usize| [t[(k + 1) % 3] - t[k], t[(k + 2) % 3] - t[k]];
    let (first, second) = (edges(a, i), edges(b, j));
    // Faces of about one size need no square roots.
    let rough = (first[0] + first[1]) - (second[0] + second[1]);
    divides(rough, first, second) || {
        let middle = |[u, v]: [DVec3; 2]| u * v.length() + v * u.length();
        let (m, n) = (middle(first), middle(second));
        divides(m * n.length() - n * m.length(), first, second)
    }
}

#[inline]
fn divides(d: DVec3, first: [DVec3; 2], second: [DVec3; 2]) -> bool {
    let certain = |e: DVec3| {
        let product = d.dot(e);
        let error = d.abs().dot(e.abs()) * (8.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        if product.abs() > error { product } else { 0.0 }
    };
    first.iter().all(|&e| certain(e) > 0.0) && second.iter().all(|&e| certain(e) < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sector(hub: DVec3, n: u32, k: u32) -> [DVec3; 3] {
        let at = |k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k % n) / f64::from(n)).sin_cos();
            hub + DVec3::new(cos, sin, 0.25 * cos)
        };
        [at(k), at(k + 1), hub]
    }

    #[test]
    fn sectors_of_a_fan_meet_in_the_hub_only_unless_they_are_neighbours() {
        let hub = DVec3::new(3.0, -2.0, 7.0);
        for n in [7, 64, 512] {
            for k in 0..n {
                let (a, b) = (sector(hub, n, 0), sector(hub, n, k));
                let shared = shared_corner(&a, &b);
                assert!(shared.is_some());
                let apart = shared.is_some_and(|shared| only_there(&a, &b, shared));
                assert_eq!(apart, k > 1 && k < n - 1, "{k} of {n}");
            }
        }
    }

    #[test]
    fn nothing_is_claimed_of_triangles_that_overlap_or_are_no_triangles() {
        let (o, x, y) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        let claims = |a: [DVec3; 3], b: [DVec3; 3]| only_there(&a, &b, (0, 0));
        assert!(!claims([o, x, y], [o, x + y, y]), "common area");
        assert!(!claims([o, x, y], [o, DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, 1.0, -1.0)]), "crossing");
        assert!(!claims([o, x, y], [o, o, o]));
        assert!(!claims([o, x, -x], [o, y, y]), "a segment through the corner");
        assert!(claims([o, x, x], [o, -x, y - x]), "a segment away from it");
        assert!(!claims([o, x * 1e200, y * 1e200], [o, -x * 1e200, -y * 1e200]), "overflow");
    }
}
