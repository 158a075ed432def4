//! Boxes of about one size, and how all boxes are dealt out to such levels.

use crate::ends::Ends;
use crate::grid::Grid;
use crate::method::Method;
use crate::row::{Axes, Rows, Scratch};

/// Sides of the finest cells, in median widths of the boxes. Measured on swept boxes of a cloth: 1 to 2 make up to twice the time of
/// 3 (more levels to look into), 9 makes half as much again (longer rows).
const FINEST: f32 = 3.0;
/// Most levels; wider boxes share the last.
pub(crate) const LEVELS: usize = 24;
/// Boxes for which a grid may spend a row.
const BOXES_A_ROW: usize = 4;
/// Boxes looked at to learn how wide they are and where they lie.
const SAMPLE: usize = 512;

/// The boxes of one or two sets whose widths in u and v are about those of the level's cells, or less in the finest.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) grid: Grid,
    /// One for each set.
    pub(crate) sets: Vec<Rows>,
}

impl Level {
    /// Whether no set has a box here.
    pub(crate) fn is_empty(&self) -> bool {
        self.sets.iter().all(|rows| rows.len() == 0)
    }
}

/// Where most boxes lie along an axis and how wide they usually are. Decides about speed only, so a sample does, and a few boxes
/// far away or without end do not spoil the grid: what lies outside of it belongs to the cells of its border.
#[derive(Clone, Copy, Debug)]
struct Extent {
    low: f32,
    high: f32,
    width: f32,
}

impl Extent {
    fn of(sets: &[&[Ends]], axis: usize) -> Extent {
        let (mut places, mut widths) = ([0.0_f32; SAMPLE], [0.0_f32; SAMPLE]);
        let mut count = 0;
        for set in sets {
            let step = set.len().div_ceil(SAMPLE / sets.len()).max(1);
            for ends in set.iter().step_by(step).filter(|ends| ends.exists()) {
                places[count] = ends.low[axis];
                widths[count] = ends.high[axis] - ends.low[axis];
                count += 1;
            }
        }
        if count == 0 {
            return Extent { low: 0.0, high: 0.0, width: 0.0 };
        }
        let (places, widths) = (&mut places[..count], &mut widths[..count]);
        places.sort_unstable_by(f32::total_cmp);
        widths.sort_unstable_by(f32::total_cmp);
        let mut width = widths[count / 2];
        if width == 0.0 {
            width = widths.iter().sum::<f32>() / count as f32;
        }
        // What lies between all but the outermost samples, and a little more for those.
        let (first, last) = (places[count / 64], places[count - 1 - count / 64]);
        let more = (last - first) / 16.0;
        Extent { low: first - more, high: last + width + more, width }
    }

    /// How many boxes of usual width lie side by side.
    fn places(&self) -> f32 {
        let places = (self.high - self.low) / self.width;
        if places.is_nan() { 0.0 } else { places }
    }
}

/// All levels, finest first, some of them empty. Which box goes where decides about speed only: windows are measured (`Window`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    pub(crate) axes: Axes,
    pub(crate) list: Vec<Level>,
    /// Ids by set and level.
    members: Vec<Vec<Vec<u32>>>,
    scratch: Scratch,
}

impl Levels {
    /// Of these sets, by several threads.
    pub(crate) fn new(sets: &[&[Ends]], method: Method) -> Levels {
        let mut levels = Levels::default();
        levels.fill(sets, method, |rows, boxes, axes, members, grid, _| {
            *rows = Rows::new(boxes, axes, members, grid);
        });
        levels.list.retain(|level| !level.is_empty());
        levels.members = Vec::new();
        levels
    }

    /// The same of one set, on this thread, in the memory of the last time as far as it goes.
    pub(crate) fn refill(&mut self, set: &[Ends]) {
        self.fill(&[set], Method::Cells, Rows::refill);
    }

    fn fill(
        &mut self,
        sets: &[&[Ends]],
        method: Method,
        rows: impl Fn(&mut Rows, &[Ends], Axes, &[u32], &Grid, &mut Scratch),
    ) {
        let extents = [0, 1, 2].map(|axis| Extent::of(sets, axis));
        // Rows run along the axis with the most room.
        let best = |best: usize, axis: usize| {
            if extents[axis].places() > extents[best].places() { axis } else { best }
        };
        let along = (1..3).fold(0, best);
        self.axes = [along, (along + 1) % 3, (along + 2) % 3];
        let [_, u, v] = self.axes.map(|k| extents[k]);
        let finest = [FINEST * u.width, FINEST * v.width];
        self.members.resize(sets.len(), Vec::new());
        for (set, members) in sets.iter().zip(&mut self.members) {
            deal(set, self.axes, finest, method, members);
        }
        for at in 0..LEVELS {
            let count = self.members.iter().map(|of| of[at].len()).sum::<usize>();
            let most = if method == Method::Sweep { 1 } else { count / BOXES_A_ROW };
            let sides = finest.map(|side| side * (1_u32 << at) as f32);
            let grid = Grid::new([u.low, v.low], [u.high, v.high], sides, most);
            if self.list.len() <= at {
                self.list.push(Level { grid, sets: vec![Rows::default(); sets.len()] });
            }
            let level = &mut self.list[at];
            level.grid = grid;
            for ((set, of), into) in sets.iter().zip(&self.members).zip(&mut level.sets) {
                if count > 0 || into.len() > 0 {
                    rows(into, set, self.axes, &of[at], &level.grid, &mut self.scratch);
                }
            }
        }
    }
}

/// Ids by level: the first whose cells are at least as wide as the box.
fn deal(set: &[Ends], axes: Axes, finest: [f32; 2], method: Method, levels: &mut Vec<Vec<u32>>) {
    levels.resize(LEVELS, Vec::new());
    for level in levels.iter_mut() {
        level.clear();
    }
    let [_, u, v] = axes;
    for (id, ends) in set.iter().enumerate().filter(|(_, ends)| ends.exists()) {
        let widths = [ends.high[u] - ends.low[u], ends.high[v] - ends.low[v]];
        let fits = widths[0] <= finest[0] && widths[1] <= finest[1];
        let level = if fits || method == Method::Sweep {
            0
        } else {
            // NaN, for boxes without width among such, counts as 0.
            let widest = (widths[0] / finest[0]).max(widths[1] / finest[1]).max(1.0);
            (widest.log2().ceil() as usize).min(LEVELS - 1)
        };
        levels[level].push(id as u32);
    }
}
