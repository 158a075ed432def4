//! Table 3.1 of the thesis: a box cut into two to six regions along its longest axes.

use kontakt_math::DVec3;

/// A box as its middle and half edges: vectors from the middle to three faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) centre: DVec3,
    pub(super) half_edges: [DVec3; 3],
}

impl Frame {
    /// Numbers of the edges, the longest first; the first of equals.
    pub(super) fn by_length(&self) -> [usize; 3] {
        let mut order = [0, 1, 2];
        let length = |i: &usize| self.half_edges[*i].length_squared();
        order.sort_by(|a, b| length(b).total_cmp(&length(a)));
        order
    }

    /// Middles of the regions for 2 to 6 parts (more count as 6) when `along` names the edges to cut: the first one two
    /// or three times, the second one twice or not at all. A region is what is nearest to its middle.
    pub(super) fn middles(&self, parts: usize, along: [usize; 3]) -> Vec<DVec3> {
        const HALF: f64 = 1.0 / 2.0;
        const THIRDS: f64 = 2.0 / 3.0;
        let factors: &[(f64, f64)] = match parts {
            0..=2 => &[(-HALF, 0.0), (HALF, 0.0)],
            3 => &[(-THIRDS, 0.0), (0.0, 0.0), (THIRDS, 0.0)],
            4 => &[(-HALF, -HALF), (-HALF, HALF), (HALF, -HALF), (HALF, HALF)],
            5 => &[(-HALF, -HALF), (-HALF, HALF), (0.0, 0.0), (HALF, -HALF), (HALF, HALF)],
            _ => &[
                (-THIRDS, -HALF),
                (0.0, -HALF),
                (THIRDS, -HALF),
                (-THIRDS, HALF),
                (0.0, HALF),
                (THIRDS, HALF),
            ],
        };
        let [first, second, _] = along.map(|i| self.half_edges[i]);
        factors.iter().map(|(a, b)| self.centre + first * *a + second * *b).collect()
    }
}

/// The region of a point: the number of the nearest middle, the first of equals.
pub(super) fn region(point: DVec3, middles: &[DVec3]) -> u8 {
    let away = |i: &usize| middles[*i].distance_squared(point);
    (0..middles.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The middles are those of the boxes that the table's words describe, and their regions are these boxes.
    #[test]
    fn regions_are_the_boxes_of_the_table() {
        let half_edges = [DVec3::new(0.0, 2.0, 0.0), DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 1.0)];
        let frame = Frame { centre: DVec3::new(10.0, 0.0, 0.0), half_edges };
        let along = frame.by_length();
        assert_eq!(along, [1, 0, 2]);
        for (parts, cuts) in [(2, (2, 1)), (3, (3, 1)), (4, (2, 2)), (6, (3, 2))] {
            let middles = frame.middles(parts, along);
            assert_eq!(middles.len(), parts);
            for i in 0..600 {
                let (x, y) = (f64::from(i % 30), f64::from(i / 30));
                let (x, y) = (x / 5.0 - 2.9, y / 5.0 - 1.9);
                let cell = |v: f64, half: f64, n: i32| ((v + half) / (2.0 * half) * f64::from(n)).floor();
                let (column, row) = (cell(x, 3.0, cuts.0), cell(y, 2.0, cuts.1));
                let expected = DVec3::new(
                    10.0 - 3.0 + 6.0 * (column + 0.5) / f64::from(cuts.0),
                    -2.0 + 4.0 * (row + 0.5) / f64::from(cuts.1),
                    0.0,
                );
                let found = middles[region(DVec3::new(10.0 + x, y, 0.3), &middles) as usize];
                assert!(found.distance(expected) < 1e-12, "{parts}: {found} is not {expected}");
            }
        }
        assert_eq!(frame.middles(5, along)[2], frame.centre);
    }
}
