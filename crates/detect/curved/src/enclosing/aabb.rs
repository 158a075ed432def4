//! The axis-parallel box.

use crate::enclosing::outline::Outline;
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// How far a body goes along the coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extents {
    /// Holds every boundary within the model's gaps.
    pub outer: Aabb,
    /// **Never more** than the distance of a side of `outer` from that of the smallest box.
    pub gap: f64,
    /// Boxes and pieces looked at.
    pub cells: usize,
}

impl Outline<'_> {
    /// The axis-parallel box, each side as near to the body as the tolerance. `None` where numbers overflow.
    pub fn extents(&mut self, tolerance: f64) -> Option<Extents> {
        let mut ends = [DVec3::ZERO; 2];
        let (mut gap, mut cells): (f64, usize) = (0.0, 0);
        for axis in 0..3 {
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let mut way = DVec3::ZERO;
                way[axis] = sign;
                let found = self.reach(way, tolerance)?;
                ends[side][axis] = sign * found.upper;
                gap = gap.max(found.upper - found.lower);
                cells += found.cells;
            }
        }
        Some(Extents { outer: Aabb::new(ends[0], ends[1]).ok()?, gap, cells })
    }
}
