//! Who has, reads and solves what, in a world that may repeat.

use crate::rigid::near::{Cells, shifted};
use crate::rigid::settings::Periodic;
use crate::rigid::state::State;
use kontakt_bounds::Aabb;
use kontakt_distributed::{Comm, CommError, Cut, Extent, Territory};

/// A territory, and the images of bodies near an upper border, which are solved and read one period lower.
pub(super) struct Region {
    territory: Territory,
    cells: Cells,
    periodic: Periodic,
    /// By slot, as at the beginning of the substep.
    boxes: Vec<Aabb>,
}

/// A body of a pair: whether contacts move it, and its box.
type Side<'b> = (bool, &'b Aabb);

impl Region {
    /// Every rank calls it with the boxes of the free bodies that live there.
    pub(super) fn new<'b>(
        comm: &dyn Comm,
        cut: Cut,
        cells: Cells,
        periodic: Periodic,
        own: impl Iterator<Item = &'b Aabb>,
    ) -> Result<Region, CommError> {
        let own: Vec<Extent> = own.filter_map(|b| cells.extent(b)).collect();
        let territory = Territory::new(comm, cells.grid, cut, &own)?;
        Ok(Region { territory, cells, periodic, boxes: Vec::new() })
    }

    /// The boxes of this rank's bodies, own ones and copies.
    pub(super) fn note(&mut self, boxes: Vec<Aabb>) {
        self.boxes = boxes;
    }

    pub(super) fn territory(&self) -> &Territory {
        &self.territory
    }

    /// Where a body lives. What is too far away for a box lives on rank 0.
    pub(super) fn home(&self, b: &Aabb) -> usize {
        self.cells.extent(b).map_or(0, |extent| self.territory.home(&extent))
    }

    /// Who has a body, its home among them: in order, each once.
    pub(super) fn holders(&self, b: &Aabb) -> Vec<usize> {
        let mut ranks = vec![self.home(b)];
        for image in self.images(b) {
            ranks.extend(self.extent(b, image).iter().flat_map(|extent| self.territory.readers(extent)));
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// The same of the body in a slot.
    pub(super) fn holders_of(&self, slot: usize) -> Vec<usize> {
        self.holders(&self.boxes[slot])
    }

    /// Who solves a pair, if its boxes meet; else where its first free body lives.
    pub(super) fn solver(&self, pair: [Side; 2]) -> (usize, bool) {
        let free = pair.map(|side| side.0);
        let [a, b] = pair.map(|side| side.1);
        for first in self.images(a) {
            for second in self.images(b).filter(|second| first & second == 0) {
                if let Some(rank) = self.solver_of(free, [self.extent(a, first), self.extent(b, second)]) {
                    return (rank, true);
                }
            }
        }
        (self.home(if free[0] { a } else { b }), false)
    }

    /// As `Near::cell` has it. What has no end meets everything.
    fn solver_of(&self, free: [bool; 2], extents: [Option<Extent>; 2]) -> Option<usize> {
        match (free, extents) {
            ([true, true], [Some(a), Some(b)]) => {
                Some(self.territory.owner(self.territory.cell_of_pair(&a, &b)?))
            }
            ([true, false], [Some(own), other]) | ([false, true], [other, Some(own)]) => {
                let meets = other.is_none_or(|other| other.common(&own).is_some());
                meets.then(|| self.territory.home(&own))
            }
            _ => None,
        }
    }

    fn extent(&self, b: &Aabb, image: u8) -> Option<Extent> {
        self.cells.extent(&shifted(b, image, self.periodic))
    }

    /// Images that may be solved: along axes at whose upper border the box is. No body is wider than a quarter of the period, so
    /// neither is what it may touch across the border, with what both may move in a step.
    fn images(&self, b: &Aabb) -> impl Iterator<Item = u8> + use<> {
        let near = |k: usize| self.periodic.period[k].is_some_and(|period| b.max[k] >= 0.5 * period);
        let upper = u8::from(near(0)) | u8::from(near(1)) << 1 | u8::from(near(2)) << 2;
        (0..8).filter(move |image| image & !upper == 0)
    }

    /// What the cells of own bodies weigh: something for each body and for each contact of it.
    pub(super) fn weights(&self, state: &State, own: &[bool]) -> Vec<(u64, u64)> {
        let mut contacts = vec![0_u64; state.bodies.len()];
        for id in state.held.iter().flat_map(|held| held.ids) {
            if let Ok(slot) = state.bodies.binary_search_by_key(&id, |body| body.id) {
                contacts[slot] += 1;
            }
        }
        let lives = |slot: &usize| own[*slot] && state.bodies[*slot].is_free();
        let key = |slot: usize| {
            let extent = self.cells.extent(&self.boxes[slot])?;
            let level = self.territory.grid.level(&extent);
            Some(self.territory.grid.cell(level, extent.min * 0.5 + extent.max * 0.5).key())
        };
        let slots = (0..state.bodies.len()).filter(lives);
        slots.filter_map(|slot| Some((key(slot)?, 4 + contacts[slot]))).collect()
    }
}
