//! Ear clipping of one short polygon in the plane with exact turns. It ends for any input.

use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, Sign};

/// Cuts polygons, one after the other, reusing its memory.
#[derive(Default)]
pub(crate) struct EarClipper {
    ring: Ring,
}

/// The corners not yet cut off, in their cyclic order.
#[derive(Default)]
struct Ring {
    next: Vec<usize>,
    previous: Vec<usize>,
}

impl Ring {
    fn enter(&mut self, n: usize) {
        self.next.clear();
        self.next.extend((1..n).chain([0]));
        self.previous.clear();
        self.previous.extend([n - 1].into_iter().chain(0..n - 1));
    }

    /// Whether a corner turns left.
    fn turns_left(&self, flat: &[DVec2], corner: usize) -> bool {
        orient2d(flat[self.previous[corner]], flat[corner], flat[self.next[corner]]) == Sign::Positive
    }

    fn remove(&mut self, corner: usize) {
        let (before, after) = (self.previous[corner], self.next[corner]);
        self.next[before] = after;
        self.previous[after] = before;
    }

    /// The first ear from `start` on.
    fn find_ear(&self, flat: &[DVec2], start: usize) -> Option<usize> {
        let mut corner = start;
        loop {
            if self.turns_left(flat, corner) && self.is_ear(flat, corner) {
                return Some(corner);
            }
            corner = self.next[corner];
            if corner == start {
                return None;
            }
        }
    }

    /// Whether the triangle of a corner that turns left holds no other corner.
    fn is_ear(&self, flat: &[DVec2], ear: usize) -> bool {
        let (before, after) = (self.previous[ear], self.next[ear]);
        let triangle = [before, ear, after].map(|i| flat[i]);
        let mut corner = self.next[after];
        while corner != before {
            if blocks(flat[corner], triangle) {
                return false;
            }
            corner = self.next[corner];
        }
        true
    }
}

impl EarClipper {
    /// Appends n − 2 triangles of the ids in `corners`, whose places in the plane (counter-clockwise) are `flat`.
    /// `false` when some triangle was cut off without being an ear: the polygon crosses or touches itself, or has no area. The
    /// triangles then still have the polygon as their boundary.
    pub(crate) fn cut(&mut self, flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> bool {
        self.cut_by(flat, corners, triangles, |ring, at| ring.find_ear(flat, at))
    }

    /// The same without looking for ears, in linear time: triangles that may overlap.
    pub(crate) fn cut_roughly(&mut self, flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
        self.cut_by(flat, corners, triangles, |_, _| None);
    }

    fn cut_by(
        &mut self,
        flat: &[DVec2],
        corners: &[u32],
        triangles: &mut Vec<[u32; 3]>,
        find: impl Fn(&Ring, usize) -> Option<usize>,
    ) -> bool {
        let n = flat.len();
        let ring = &mut self.ring;
        ring.enter(n);
        let (mut at, mut clean) = (0, true);
        for _ in 3..n {
            let ear = find(ring, at);
            clean &= ear.is_some();
            let ear = ear.unwrap_or(at);
            let (before, after) = (ring.previous[ear], ring.next[ear]);
            triangles.push([corners[before], corners[ear], corners[after]]);
            ring.remove(ear);
            // Skipping a corner keeps the triangles from becoming one long fan.
            at = ring.next[after];
        }
        let (before, after) = (ring.previous[at], ring.next[at]);
        triangles.push([corners[before], corners[at], corners[after]]);
        clean && ring.turns_left(flat, at)
    }
}

/// Whether a corner is in the closed triangle of an ear (counter-clockwise), and not at one of its corners.
fn blocks(p: DVec2, [a, b, c]: [DVec2; 3]) -> bool {
    let near = p.cmpge(a.min(b).min(c)).all() && p.cmple(a.max(b).max(c)).all();
    near && p != a && p != b && p != c && in_triangle(p, a, b, c)
}

/// Closed triangle, counter-clockwise.
fn in_triangle(p: DVec2, a: DVec2, b: DVec2, c: DVec2) -> bool {
    [(a, b), (b, c), (c, a)].into_iter().all(|(u, v)| orient2d(u, v, p) != Sign::Negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(points: &[[f64; 2]]) -> (bool, Vec<[u32; 3]>) {
        let flat: Vec<DVec2> = points.iter().map(|&p| p.into()).collect();
        let corners: Vec<u32> = (0..flat.len() as u32).collect();
        let mut triangles = Vec::new();
        let clean = EarClipper::default().cut(&flat, &corners, &mut triangles);
        (clean, triangles)
    }

    fn area(points: &[[f64; 2]], [a, b, c]: [u32; 3]) -> f64 {
        let [a, b, c] = [a, b, c].map(|i| DVec2::from(points[i as usize]));
        0.5 * (b - a).perp_dot(c - a)
    }

    /// A comb with `teeth` teeth: every second corner is reflex.
    fn comb(teeth: u32) -> Vec<[f64; 2]> {
        let width = f64::from(2 * teeth);
        let mut points = vec![[0., 0.], [width, 0.]];
        points.extend((0..2 * teeth).map(|i| [width - f64::from(i), if i % 2 == 0 { 5. } else { 1. }]));
        points
    }

    #[test]
    fn a_comb_is_covered_exactly() {
        let points = comb(20);
        let (clean, triangles) = cut(&points);
        assert!(clean);
        assert_eq!(triangles.len(), points.len() - 2);
        assert!(triangles.iter().all(|&t| area(&points, t) > 0.0));
        let outline: f64 = (0..points.len())
            .map(|i| DVec2::from(points[i]).perp_dot(points[(i + 1) % points.len()].into()) / 2.0)
            .sum();
        let covered: f64 = triangles.iter().map(|&t| area(&points, t)).sum();
        assert!((covered - outline).abs() < 1e-9 * outline);
    }

    #[test]
    fn bow_ties_points_and_lines_end_and_say_so() {
        for points in [
            &[[0., 0.], [1., 1.], [1., 0.], [0., 1.]][..],
            &[[0., 0.]; 6],
            &[[0., 0.], [1., 0.], [2., 0.], [1., 0.]],
            &[[0., 0.], [0., 1.], [1., 1.], [1., 0.]],
        ] {
            let (clean, triangles) = cut(points);
            assert!(!clean, "{points:?}");
            assert_eq!(triangles.len(), points.len() - 2);
        }
    }

    #[test]
    fn a_hole_joined_by_a_bridge_is_covered() {
        let points = [
            [0., 0.],
            [4., 0.],
            [4., 4.],
            [0., 4.],
            [0., 0.],
            [1., 1.],
            [1., 2.],
            [2., 2.],
            [2., 1.],
            [1., 1.],
        ];
        let (clean, triangles) = cut(&points);
        assert!(clean);
        let covered: f64 = triangles.iter().map(|&t| area(&points, t)).sum();
        assert_eq!(covered, 15.0);
    }
}
