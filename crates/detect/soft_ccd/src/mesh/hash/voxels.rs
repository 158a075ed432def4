//! Cubic cells over a scene, and which of them moved points and boxes pass.
//!
//! Places are taken into cells by one monotone map a coordinate, (x/2 − low/2)·scale, rounded; the cell is its integer part,
//! kept within the scene; a real number has the cell of the largest double not above it. So a box has all cells between those of
//! its corners, exactly. Where real numbers come in, on the way of a
//! point or beside a tube, `SLACK` covers them: mapped coordinates stay below 2²⁰, each step of the map and of the few sums
//! and products after it errs by at most 2⁻⁵²·2²¹ = 2⁻³¹, and there are fewer than 2⁸ of them.

use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// Errors of places in cells, more than covered.
const SLACK: f64 = 1.0 / (1_u64 << 22) as f64;
/// Most cells along an axis.
const MOST: f64 = (1_u64 << 20) as f64;

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell(pub(super) [u32; 3]);

impl Cell {
    /// The slot of a table: products with the primes of Teschner and others, exclusively or-ed.
    pub(super) fn slot(self, slots: usize) -> usize {
        let [x, y, z] = self.0.map(u64::from);
        let mixed = (x * 73_856_093) ^ (y * 19_349_663) ^ (z * 83_492_791);
        (mixed % slots as u64) as usize
    }
}

/// Cells from first to last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellBox {
    first: [u32; 3],
    last: [u32; 3],
}

impl CellBox {
    pub(super) fn count(&self) -> u64 {
        (0..3).map(|k| u64::from(self.last[k] - self.first[k]) + 1).product()
    }

    pub(super) fn each(&self, with: &mut dyn FnMut(Cell)) {
        for x in self.first[0]..=self.last[0] {
            for y in self.first[1]..=self.last[1] {
                for z in self.first[2]..=self.last[2] {
                    with(Cell([x, y, z]));
                }
            }
        }
    }
}

/// A straight way between two places in cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) start: DVec3,
    pub(super) end: DVec3,
}

impl Path {
    fn at(&self, t: f64) -> DVec3 {
        self.start + (self.end - self.start) * t
    }

    /// About how many cells it passes.
    pub(super) fn expected_cells(&self) -> u64 {
        (self.end - self.start).abs().element_sum().ceil() as u64 + 1
    }

    /// The thesis's test of a moving point and a box: whether the way may enter the box from `low` to `high`. Errs to `true`: the box
    /// is widened by `SLACK`, more than all errors of places and products.
    pub(super) fn may_enter(&self, low: DVec3, high: DVec3) -> bool {
        let (start, way) = (self.start.to_array(), (self.end - self.start).to_array());
        let (low, high) = (low.to_array(), high.to_array());
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for k in 0..3 {
            let (below, above) = (low[k] - SLACK - start[k], high[k] + SLACK - start[k]);
            if way[k].abs() <= SLACK {
                // All of the way is where its start is.
                if below > SLACK || above < -SLACK {
                    return false;
                }
            } else {
                let times = [below / way[k], above / way[k]];
                first = first.max(times[0].min(times[1]));
                last = last.min(times[0].max(times[1]));
            }
        }
        first <= last
    }

    /// Whether some point of the cell may be within `radius` of the way. Errs to `true`.
    pub(super) fn may_meet(&self, cell: Cell, radius: f64) -> bool {
        let centre = DVec3::from_array(cell.0.map(|i| f64::from(i) + 0.5));
        let along = self.end - self.start;
        let t = (centre - self.start).dot(along) / along.length_squared();
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        // A wrong t would only make the distance larger by its square; half a diagonal is √3/2 < 0.8661.
        centre.distance(self.at(t)) <= radius + 0.8661 + 1e-3
    }
}

/// The cells of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voxels {
    half_low: DVec3,
    half_range: f64,
    scale: f64,
    /// Largest cell along each axis.
    last: [u32; 3],
}

impl Voxels {
    /// Cells of a side over the boxes of all faces; without a side their mean width.
    pub(super) fn around(boxes: impl Iterator<Item = Aabb>, side: Option<f64>) -> Voxels {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (mut half_widths, mut count) = (0.0, 0_u32);
        for b in boxes {
            low = low.min(b.min);
            high = high.max(b.max);
            count += 1;
            // A running mean, which cannot overflow.
            half_widths += ((b.max * 0.5 - b.min * 0.5).element_sum() / 3.0 - half_widths) / f64::from(count);
        }
        if count == 0 {
            (low, high) = (DVec3::ZERO, DVec3::ZERO);
        }
        let half_range = high * 0.5 - low * 0.5;
        let side = side.map_or(half_widths, |side| side * 0.5);
        let mut voxels =
            Voxels { half_low: low * 0.5, half_range: half_range.max_element(), scale: 0.0, last: [0; 3] };
        let cells = voxels.half_range / side;
        // Not a number: nothing has a width. Negative: no such side.
        voxels.set(if cells.is_nan() || cells < 1.0 { 1.0 } else { cells.min(MOST) }, half_range);
        voxels
    }

    /// Twice the side; `false` if there is but one cell.
    pub(super) fn coarsen(&mut self) -> bool {
        if self.last == [0; 3] {
            return false;
        }
        self.scale *= 0.5;
        self.last = self.last.map(|last| last / 2);
        true
    }

    fn set(&mut self, cells: f64, half_range: DVec3) {
        let scale = cells / self.half_range;
        if scale.is_finite() {
            self.scale = scale;
            self.last = (half_range * scale).to_array().map(|cells| cells as u32);
        }
    }

    /// A place in cells.
    pub(super) fn place(&self, p: DVec3) -> DVec3 {
        (p * 0.5 - self.half_low) * self.scale
    }

    /// A length in cells; `SLACK` covers its rounding, or it is far beyond all cells.
    pub(super) fn cells(&self, length: f64) -> f64 {
        if length == 0.0 { 0.0 } else { (length * 0.5 * self.scale) * (1.0 + 4.0 * f64::EPSILON) }
    }

    fn cell(&self, axis: usize, x: f64) -> u32 {
        (x as u32).min(self.last[axis])
    }

    /// Cells that a box meets: from that of its lower to that of its upper corner, for the map is monotone.
    pub(super) fn cell_box(&self, b: &Aabb) -> CellBox {
        let cells = |p: DVec3| {
            let place = self.place(p).to_array();
            [0, 1, 2].map(|k| self.cell(k, place[k]))
        };
        CellBox { first: cells(b.min), last: cells(b.max) }
    }

    /// Voxel traversal: all cells that a straight way passes, and those within `SLACK` of it.
    ///
    /// Layer by layer along the axis of the longest way: while the way is in a layer, t lies between the times at which it
    /// crosses the layer's borders, and the other coordinates between their values then. All of it is widened by `SLACK`.
    pub(super) fn along(&self, path: &Path, with: &mut dyn FnMut(Cell)) {
        let (start, end) = (path.start.to_array(), path.end.to_array());
        let way = [0, 1, 2].map(|k| (end[k] - start[k]).abs());
        let long = if way[0] >= way[1] && way[0] >= way[2] {
            0
        } else if way[1] >= way[2] {
            1
        } else {
            2
        };
        let (from, to) = (start[long].min(end[long]), start[long].max(end[long]));
        for layer in self.cell(long, from - SLACK)..=self.cell(long, to + SLACK) {
            // The outermost layers also hold what lies beyond.
            let low = if layer == 0 { from } else { f64::from(layer) - SLACK };
            let high = if layer == self.last[long] { to } else { f64::from(layer + 1) + SLACK };
            let time = |x: f64| {
                let t = (x - start[long]) / (end[long] - start[long]);
                if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) }
            };
            // A way shorter than the errors: all of it.
            let times = if to - from <= 4.0 * SLACK { [0.0, 1.0] } else { [time(low), time(high)] };
            let ends = times.map(|t| path.at(t).to_array());
            let range = |k: usize| {
                let slack = 8.0 * SLACK;
                let (low, high) = (ends[0][k].min(ends[1][k]), ends[0][k].max(ends[1][k]));
                (self.cell(k, low - slack), self.cell(k, high + slack))
            };
            let mut cells = CellBox { first: [0; 3], last: [0; 3] };
            for k in 0..3 {
                (cells.first[k], cells.last[k]) = if k == long { (layer, layer) } else { range(k) };
            }
            cells.each(with);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;

    fn unit() -> Voxels {
        let scene = Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE };
        Voxels::around([scene].into_iter(), Some(0.037))
    }

    /// Every sample of a way lies in a cell visited, once each, and few cells are visited beside the way.
    #[test]
    fn traversal_passes_all_cells_of_a_way() {
        for mut g in [Generator::free(5), Generator::grid(6)] {
            let voxels = unit();
            let (mut visited, mut seen) = (0, 0);
            for _ in 0..300 {
                let [p, q] =
                    [0, 1].map(|_| DVec3::from_array(g.point()).clamp(DVec3::splat(-1.0), DVec3::ONE));
                let path = Path { start: voxels.place(p), end: voxels.place(q) };
                let mut cells = Vec::new();
                voxels.along(&path, &mut |cell| cells.push(cell));
                visited += cells.len();
                cells.dedup();
                let mut hit = Vec::new();
                for i in 0..=2000 {
                    let place = voxels.place(p.lerp(q, f64::from(i) / 2000.0)).to_array();
                    let cell = Cell([0, 1, 2].map(|k| voxels.cell(k, place[k])));
                    assert!(cells.contains(&cell), "{p} {q} {cell:?}");
                    hit.push(cell);
                }
                hit.dedup();
                seen += hit.len();
            }
            assert!(visited < 2 * seen, "{visited} cells for {seen}");
        }
    }

    #[test]
    fn a_tube_leaves_out_cells_beside_it_only() {
        let path = Path { start: DVec3::splat(2.5), end: DVec3::new(12.5, 2.5, 2.5) };
        assert!(path.may_meet(Cell([5, 3, 2]), 1.0) && path.may_meet(Cell([13, 2, 2]), 1.0));
        assert!(!path.may_meet(Cell([5, 5, 2]), 1.0) && !path.may_meet(Cell([16, 2, 2]), 1.0));
        let still = Path { start: DVec3::splat(2.5), end: DVec3::splat(2.5) };
        assert!(still.may_meet(Cell([2, 2, 2]), 0.0) && !still.may_meet(Cell([2, 4, 2]), 0.0));
    }

    /// Samples of ways inside a box are believed; ways clearly beside it are not.
    #[test]
    fn ways_that_enter_a_box() {
        let mut g = Generator::free(7);
        let (mut entering, mut left_out) = (0, 0);
        for _ in 0..2000 {
            let [p, q, low] = [0, 1, 2].map(|_| DVec3::from_array(g.point()) * 8.0);
            let (path, high) = (Path { start: p, end: q }, low + DVec3::new(3.0, 0.0, 5.0));
            let inside = |i: i32| {
                let x = p.lerp(q, f64::from(i) / 500.0);
                x.cmpge(low - SLACK / 4.0).all() && x.cmple(high + SLACK / 4.0).all()
            };
            let enters = (0..=500).any(inside) || {
                // The box is flat in y: its plane is met at one time.
                let t = (low.y - p.y) / (q.y - p.y);
                let x = p.lerp(q, t);
                (0.0..=1.0).contains(&t) && x.x >= low.x && x.x <= high.x && x.z >= low.z && x.z <= high.z
            };
            assert!(!enters || path.may_enter(low, high), "{p} {q} {low}");
            entering += usize::from(enters);
            left_out += usize::from(!path.may_enter(low, high));
        }
        assert!(entering > 15 && left_out > 1500 && entering + left_out <= 2000, "{entering} {left_out}");
        let still = Path { start: DVec3::ONE, end: DVec3::ONE };
        assert!(
            still.may_enter(DVec3::ONE, DVec3::ONE) && !still.may_enter(DVec3::splat(1.1), DVec3::splat(2.0))
        );
    }

    #[test]
    fn every_scale_has_cells() {
        for (low, high, side) in [
            (0.0, 0.0, None),
            (-f64::MAX, f64::MAX, None),
            (-f64::MAX, f64::MAX, Some(1.0)),
            (0.0, 5e-324, Some(1e-324)),
            (1.0, 2.0, Some(0.0)),
            (1.0, 2.0, Some(-1.0)),
            (1.0, 2.0, Some(f64::NAN)),
        ] {
            let scene = Aabb { min: DVec3::splat(low), max: DVec3::splat(high) };
            let mut voxels = Voxels::around([scene].into_iter(), side);
            let cells = voxels.cell_box(&scene);
            assert_eq!(cells, CellBox { first: [0; 3], last: voxels.last });
            while voxels.coarsen() {}
            assert_eq!(voxels.cell_box(&scene).count(), 1);
        }
    }
}
