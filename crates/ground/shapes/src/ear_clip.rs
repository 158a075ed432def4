//! Ear clipping of one polygon in the plane with exact turns. It ends for any input.

use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, Sign};

/// Point-in-triangle tests that one corner may cost, on average, before the rest of a polygon is cut without looking: a
/// polygon of n corners takes about n · (reflex corners) tests, so that this bites only beyond a thousand corners.
const TESTS_PER_CORNER: usize = 4096;

/// Cuts polygons, one after the other, reusing its memory.
#[derive(Default)]
pub(crate) struct EarClipper {
    next: Vec<usize>,
    previous: Vec<usize>,
    tests_left: usize,
}

impl EarClipper {
    /// Appends n − 2 triangles of the ids in `corners`, whose places in the plane (counter-clockwise) are `flat`.
    /// `false` when some triangle was cut off without being an ear: the polygon crosses itself, has no area, or is too long
    /// to be worth more tests. The triangles then still have the polygon as their boundary.
    pub(crate) fn cut(&mut self, flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> bool {
        let n = flat.len();
        self.next = (1..n).chain([0]).collect();
        self.previous = [n - 1].into_iter().chain(0..n - 1).collect();
        self.tests_left = n * TESTS_PER_CORNER.min(4 * n);
        let (mut at, mut clean) = (0, true);
        for _ in 3..n {
            let ear = self.find_ear(flat, at);
            clean &= ear.is_some();
            let ear = ear.unwrap_or(at);
            let (before, after) = (self.previous[ear], self.next[ear]);
            triangles.push([corners[before], corners[ear], corners[after]]);
            self.next[before] = after;
            self.previous[after] = before;
            // Skipping a corner keeps the triangles from becoming one long fan.
            at = self.next[after];
        }
        let (before, after) = (self.previous[at], self.next[at]);
        triangles.push([corners[before], corners[at], corners[after]]);
        clean && self.turn(flat, at) == Sign::Positive
    }

    fn turn(&self, flat: &[DVec2], corner: usize) -> Sign {
        orient2d(flat[self.previous[corner]], flat[corner], flat[self.next[corner]])
    }

    /// The first ear from `start` on.
    fn find_ear(&mut self, flat: &[DVec2], start: usize) -> Option<usize> {
        let mut corner = start;
        loop {
            if self.is_ear(flat, corner) {
                return Some(corner);
            }
            corner = self.next[corner];
            if corner == start || self.tests_left == 0 {
                return None;
            }
        }
    }

    /// A corner that turns left and whose triangle holds no other corner (on its border neither, unless at its corners).
    fn is_ear(&mut self, flat: &[DVec2], ear: usize) -> bool {
        self.tests_left = self.tests_left.saturating_sub(1);
        if self.turn(flat, ear) != Sign::Positive {
            return false;
        }
        let (before, after) = (self.previous[ear], self.next[ear]);
        let [a, b, c] = [before, ear, after].map(|i| flat[i]);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let mut corner = self.next[after];
        while corner != before {
            self.tests_left = self.tests_left.saturating_sub(1);
            if self.tests_left == 0 {
                return false;
            }
            let p = flat[corner];
            let near = p.cmpge(low).all() && p.cmple(high).all();
            if near && p != a && p != b && p != c && in_triangle(p, a, b, c) {
                return false;
            }
            corner = self.next[corner];
        }
        true
    }
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

    #[test]
    fn a_very_long_polygon_does_not_take_for_ever() {
        let (_, triangles) = cut(&comb(30_000));
        assert_eq!(triangles.len(), 60_000);
    }
}
