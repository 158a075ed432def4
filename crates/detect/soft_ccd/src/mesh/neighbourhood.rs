//! What lies near the changed faces of a step: coarse cells, so that a second search need not look at the whole mesh.

use super::step::Step;
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// Cells along an axis at most.
const MOST_CELLS: f64 = 128.0;
/// Cells that one box may mark; a mesh whose boxes are larger is not worth sorting out.
const MOST_MARKED: usize = 4096;

/// Cells that changed faces pass. What has no cell in common with them cannot meet them.
///
/// Proof: the cell of a coordinate is a monotone function of it (a difference, a product, a floor and a clamp, each monotone after
/// rounding too). Boxes that overlap share a point; its cell is between the cells of either box's ends, so both boxes have it.
pub(crate) struct Neighbourhood {
    bounds: Aabb,
    per_length: DVec3,
    cells: [usize; 3],
    /// `None`: everything is near.
    marked: Option<Vec<bool>>,
}

impl Neighbourhood {
    /// Around the swept boxes of faces with a changed vertex, grown as `grow` says.
    pub(crate) fn new(step: &Step<'_>, changed: &[bool], grow: impl Fn(Aabb) -> Aabb) -> Neighbourhood {
        let faces = step.surface().triangles().iter();
        let is_changed = |corners: &&[u32; 3]| corners.iter().any(|&v| changed[v as usize]);
        let boxes: Vec<Aabb> = faces.filter(is_changed).map(|&face| grow(step.swept_box(face))).collect();
        let bounds = boxes.iter().fold(Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY }, |all, b| {
            Aabb { min: all.min.min(b.min), max: all.max.max(b.max) }
        });
        let width = boxes.iter().map(|b| (b.max - b.min).max_element()).sum::<f64>() / boxes.len() as f64;
        let along = |extent: f64| (extent / (2.0 * width)).clamp(1.0, MOST_CELLS).floor();
        let extent = bounds.max - bounds.min;
        let counts = extent.to_array().map(|e| if e.is_finite() { along(e) } else { 1.0 });
        let per_length = DVec3::from_array([0, 1, 2].map(|i| {
            let rate = counts[i] / extent[i];
            if rate.is_finite() { rate } else { 0.0 }
        }));
        let cells = counts.map(|c| (c as usize).max(1));
        let mut found = Neighbourhood { bounds, per_length, cells, marked: None };
        found.marked = found.mark(&boxes);
        found
    }

    fn mark(&self, boxes: &[Aabb]) -> Option<Vec<bool>> {
        let mut marked = vec![false; self.cells.iter().product()];
        for b in boxes {
            let (low, high) = (self.cell(b.min), self.cell(b.max));
            if (0..3).map(|i| high[i] - low[i] + 1).product::<usize>() > MOST_MARKED {
                return None;
            }
            self.each(low, high, |cell| marked[cell] = true);
        }
        Some(marked)
    }

    /// False only if the box meets no changed face's box.
    pub(crate) fn may_meet(&self, b: &Aabb) -> bool {
        if !(b.min.cmple(self.bounds.max).all() && self.bounds.min.cmple(b.max).all()) {
            return false;
        }
        let Some(marked) = &self.marked else { return true };
        let mut met = false;
        self.each(self.cell(b.min), self.cell(b.max), |cell| met |= marked[cell]);
        met
    }

    fn cell(&self, p: DVec3) -> [usize; 3] {
        let scaled = (p - self.bounds.min) * self.per_length;
        // A cast of a float saturates, and makes 0 of NaN (0 · ∞, which only a rate of 0 gives: one cell).
        [0, 1, 2].map(|i| (scaled[i] as usize).min(self.cells[i] - 1))
    }

    fn each(&self, low: [usize; 3], high: [usize; 3], mut with: impl FnMut(usize)) {
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                let row = (z * self.cells[1] + y) * self.cells[0];
                (row + low[0]..=row + high[0]).for_each(&mut with);
            }
        }
    }
}
