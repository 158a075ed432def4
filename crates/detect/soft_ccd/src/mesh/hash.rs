//! The thesis's spatial hash: moved points entered into a table by the cells they pass, moved faces looked up by the cells of
//! their boxes or tubes; edges, which the thesis did not have, entered and looked up by their boxes.
//!
//! Two features are a pair once, when they share a slot for the first time and their boxes overlap. No contact is missed: at a
//! contact both features have a point in common, and both are entered or looked up in the cell of that point (`voxels`). Where a
//! separation is asked about, what is looked up is grown by it, and so holds the nearest point of what is entered.

mod voxels;

use super::candidates::grown;
use super::options::{FaceCells, Method, Options};
use super::step::Step;
use crate::Kind;
use kontakt_bounds::Aabb;
use std::ops::ControlFlow;
use voxels::{Cell, CellBox, Path, Voxels};

/// Features looked up in a piece.
const PIECE: usize = 256;

/// A table filled with the features of a step.
#[derive(Debug)]
pub(crate) struct Hashing {
    kind: Kind,
    faces: FaceCells,
    voxels: Voxels,
    distance: f64,
    /// Slot `s` has `entries[starts[s]..starts[s + 1]]`: places in `used_vertices`, or edges.
    starts: Vec<u32>,
    entries: Vec<u32>,
    /// How many features are entered, and how many are looked up.
    entered: usize,
    looked_up: usize,
}

impl Hashing {
    pub(crate) fn new(step: &Step<'_>, kind: Kind, options: &Options) -> Hashing {
        let (cell, table, faces) = match options.method {
            Method::Hash { cell, table, faces } => (cell, table, faces),
            _ => (None, None, FaceCells::Box),
        };
        let surface = step.surface();
        let (entered, looked_up) = match kind {
            Kind::VertexFace => (surface.used_vertices().len(), surface.triangles().len()),
            Kind::EdgeEdge => (surface.edges().len(), surface.edges().len()),
        };
        let mut voxels = Voxels::around(step.face_boxes(), cell);
        // Entries and slots take four bytes each; a way may pass a few cells more than expected.
        let most = (options.memory / 12).clamp(64, u32::MAX as usize / 4) as u64;
        let enter = |voxels: &Voxels, feature: usize, with: &mut dyn FnMut(Cell)| match kind {
            Kind::VertexFace => voxels.along(&vertex_path(step, voxels, feature), with),
            Kind::EdgeEdge => voxels.cell_box(&edge_box(step, feature)).each(with),
        };
        // Without walking through the cells: there may be 10¹⁸ of them.
        let expected = |voxels: &Voxels| {
            let of = |feature: usize| match kind {
                Kind::VertexFace => vertex_path(step, voxels, feature).expected_cells(),
                Kind::EdgeEdge => voxels.cell_box(&edge_box(step, feature)).count(),
            };
            (0..entered).fold(0, |sum: u64, feature| sum.saturating_add(of(feature)))
        };
        let mut total = expected(&voxels);
        while total > most && voxels.coarsen() {
            total = expected(&voxels);
        }
        let slots = table.unwrap_or(total as usize).clamp(1, most as usize);
        let mut hashing = Hashing {
            kind,
            faces,
            voxels,
            distance: options.distance(),
            starts: vec![0; slots + 1],
            entries: Vec::new(),
            entered,
            looked_up,
        };
        for feature in 0..entered {
            enter(&voxels, feature, &mut |cell| hashing.starts[cell.slot(slots) + 1] += 1);
        }
        for slot in 0..slots {
            hashing.starts[slot + 1] += hashing.starts[slot];
        }
        let mut fill = hashing.starts.clone();
        hashing.entries = vec![0; hashing.starts[slots] as usize];
        for feature in 0..entered {
            enter(&voxels, feature, &mut |cell| {
                let next = &mut fill[cell.slot(slots)];
                hashing.entries[*next as usize] = feature as u32;
                *next += 1;
            });
        }
        hashing
    }

    pub(crate) fn pieces(&self) -> usize {
        self.looked_up.div_ceil(PIECE)
    }

    /// Looks up the features of a piece and hands over the pairs found, at most `room` at a time.
    pub(crate) fn visit(
        &self,
        step: &Step<'_>,
        piece: usize,
        room: usize,
        mut take: impl FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Which feature met an entry last: each pair once, as the thesis remembers pairs tested.
        let mut met_by = vec![u32::MAX; self.entered];
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for feature in piece * PIECE..((piece + 1) * PIECE).min(self.looked_up) {
            let mut lookup = Lookup { hashing: self, step, feature, swept: self.swept_box(step, feature) };
            let mut flow = ControlFlow::Continue(());
            lookup.each_slot(&mut |lookup, slot| {
                if flow.is_break() {
                    return;
                }
                for &other in &self.entries[self.starts[slot] as usize..self.starts[slot + 1] as usize] {
                    if std::mem::replace(&mut met_by[other as usize], feature as u32) == feature as u32 {
                        continue;
                    }
                    if let Some(pair) = lookup.pair(other) {
                        pairs.push(pair);
                        if pairs.len() >= room {
                            flow = take(&pairs);
                            pairs.clear();
                            if flow.is_break() {
                                return;
                            }
                        }
                    }
                }
            });
            flow?;
        }
        if pairs.is_empty() { ControlFlow::Continue(()) } else { take(&pairs) }
    }

    fn swept_box(&self, step: &Step<'_>, feature: usize) -> Aabb {
        match self.kind {
            Kind::VertexFace => grown(step.swept_box(step.surface().triangles()[feature]), self.distance),
            Kind::EdgeEdge => grown(edge_box(step, feature), self.distance),
        }
    }
}

fn edge_box(step: &Step<'_>, edge: usize) -> Aabb {
    step.swept_box(step.surface().edges()[edge])
}

fn vertex_path(step: &Step<'_>, voxels: &Voxels, place: usize) -> Path {
    let moved = step.moved(step.surface().used_vertices()[place]);
    Path { start: voxels.place(moved.start()), end: voxels.place(moved.end()) }
}

/// One feature that looks for partners.
struct Lookup<'a> {
    hashing: &'a Hashing,
    step: &'a Step<'a>,
    feature: usize,
    swept: Aabb,
}

impl Lookup<'_> {
    /// Calls `with` for the slots of all cells of the feature, or for all slots where that is less work.
    fn each_slot(&mut self, with: &mut dyn FnMut(&Self, usize)) {
        let (hashing, slots) = (self.hashing, self.hashing.starts.len() - 1);
        let cells: CellBox = hashing.voxels.cell_box(&self.swept);
        if cells.count() > slots as u64 {
            (0..slots).for_each(|slot| with(self, slot));
            return;
        }
        let tubes = self.tubes();
        cells.each(&mut |cell| {
            if tubes.iter().all(|(path, radius)| path.may_meet(cell, *radius)) {
                with(self, cell.slot(slots));
            }
        });
    }

    /// Tubes that hold the moved face: ways and radii, in cells.
    ///
    /// Proof: the distance of two points that move straight is a convex function of time, so it is never more than the greater
    /// of its values at the ends; and a face lies within the greatest distance of its corners around any point. What comes within a
    /// distance of the face is within that much more.
    fn tubes(&self) -> Vec<(Path, f64)> {
        if self.hashing.kind == Kind::EdgeEdge || self.hashing.faces == FaceCells::Box {
            return Vec::new();
        }
        let corners = self.step.surface().triangles()[self.feature].map(|v| {
            let moved = self.step.moved(v);
            [moved.start(), moved.end()].map(|p| self.hashing.voxels.place(p))
        });
        let [a, b, c] = corners;
        let around = |axis: [_; 2]| {
            let path = Path { start: axis[0], end: axis[1] };
            let farthest = |t: usize| corners.iter().map(|p| p[t].distance(axis[t])).fold(0.0, f64::max);
            (path, farthest(0).max(farthest(1)) + self.hashing.voxels.cells(self.hashing.distance))
        };
        match self.hashing.faces {
            FaceCells::ThreeTubes => vec![around(a), around(b), around(c)],
            _ => vec![around([0, 1].map(|t| (a[t] + b[t] + c[t]) / 3.0))],
        }
    }

    /// The pair with an entry, if it is one and the boxes overlap; a vertex must also pass the face's box.
    fn pair(&self, other: u32) -> Option<[u32; 2]> {
        let (pair, partner) = match self.hashing.kind {
            Kind::VertexFace => {
                let vertex = self.step.surface().used_vertices()[other as usize];
                ([other, self.feature as u32], self.step.swept_box([vertex]))
            }
            Kind::EdgeEdge if other as usize <= self.feature => return None,
            Kind::EdgeEdge => ([self.feature as u32, other], edge_box(self.step, other as usize)),
        };
        let overlap = self.swept.min.cmple(partner.max).all() && partner.min.cmple(self.swept.max).all();
        let passes = || {
            let voxels = &self.hashing.voxels;
            let path = vertex_path(self.step, voxels, other as usize);
            path.may_enter(voxels.place(self.swept.min), voxels.place(self.swept.max))
        };
        (overlap && (self.hashing.kind == Kind::EdgeEdge || passes())).then_some(pair)
    }
}
