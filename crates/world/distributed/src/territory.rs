//! Who owns which cells, and who needs which bodies.
//!
//! A pair of bodies belongs to the cell, on the level of the larger one, that holds the least corner of what their boxes have in
//! common. That is a point of both boxes, so whoever owns the cell is a reader of both: it has them, as its own or as ghosts.

use crate::cell::{Cell, Extent, Grid};
use crate::comm::{Comm, CommError};
use crate::cut::Cut;
use crate::record::Record;

/// Cells, the levels that bodies have, and the cut: the same on all ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Territory {
    /// The cells.
    pub grid: Grid,
    /// Who owns which.
    pub cut: Cut,
    /// Levels with bodies, as bits.
    levels: u64,
}

/// Levels from here on share a bit.
const MOST: u32 = 63;

/// A body as space sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Its box, grown by all that a contact in this step may need.
    pub extent: Extent,
    /// What it is.
    pub record: Record,
}

impl Territory {
    /// Bodies of all ranks make the levels; every rank calls it with its own.
    pub fn new<'a>(
        comm: &dyn Comm,
        grid: Grid,
        cut: Cut,
        own: impl IntoIterator<Item = &'a Extent>,
    ) -> Result<Territory, CommError> {
        let own = own.into_iter().fold(0, |bits, extent| bits | 1 << grid.level(extent).min(MOST));
        let levels = comm.gather_u64(own)?.into_iter().fold(0, |a, b| a | b);
        Ok(Territory { grid, cut, levels })
    }

    /// Who solves what belongs to a cell.
    pub fn owner(&self, cell: Cell) -> usize {
        self.cut.owner(cell.key())
    }

    /// Who keeps a body: the owner of the cell, on the body's level, that holds the middle of its box.
    pub fn home(&self, extent: &Extent) -> usize {
        let level = self.grid.level(extent);
        self.owner(self.grid.cell(level, extent.min * 0.5 + extent.max * 0.5))
    }

    /// The cell of a pair, if the boxes meet.
    pub fn cell_of_pair(&self, a: &Extent, b: &Extent) -> Option<Cell> {
        let common = a.common(b)?;
        let level = self.grid.level(a).max(self.grid.level(b));
        Some(self.grid.cell(level, common.min))
    }

    /// Who needs a body: the owners of all cells that a pair with it may belong to. In order, each once.
    pub fn readers(&self, extent: &Extent) -> Vec<usize> {
        let own = self.grid.level(extent).min(MOST);
        let mut ranks = Vec::new();
        for level in (own..=MOST).filter(|level| self.levels >> level & 1 != 0) {
            if level < Cell::ONE_OWNER {
                ranks.extend(self.grid.met(level, extent).map(|cell| self.owner(cell)));
            } else {
                ranks.push(self.cut.owner(0));
            }
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Copies of foreign bodies that this rank reads, by id. Every rank calls it with the bodies it keeps.
    pub fn ghosts(&self, comm: &dyn Comm, own: &[Placed]) -> Result<Vec<Placed>, CommError> {
        send(comm, own, |placed| self.readers(&placed.extent))
    }

    /// Brings every body home; returns those that live here, by id. Bodies may come from anywhere and go any way.
    pub fn migrate(&self, comm: &dyn Comm, bodies: Vec<Placed>) -> Result<Vec<Placed>, CommError> {
        let arrived = send(comm, &bodies, |placed| vec![self.home(&placed.extent)])?;
        let mut here = bodies;
        here.retain(|placed| self.home(&placed.extent) == comm.rank());
        here.extend(arrived);
        here.sort_by_key(|placed| placed.record.id);
        Ok(here)
    }
}

/// One message to each rank that is meant, this one left out; what came, by id.
fn send(
    comm: &dyn Comm,
    bodies: &[Placed],
    whom: impl Fn(&Placed) -> Vec<usize>,
) -> Result<Vec<Placed>, CommError> {
    let mut out: std::collections::BTreeMap<usize, Vec<u8>> = std::collections::BTreeMap::new();
    for placed in bodies {
        for rank in whom(placed).into_iter().filter(|&rank| rank != comm.rank()) {
            placed.write(out.entry(rank).or_default());
        }
    }
    let out: Vec<(usize, Vec<u8>)> = out.into_iter().collect();
    let mut came = Vec::new();
    for (from, bytes) in comm.deliver(&out)? {
        came.extend(Placed::read_all(&bytes).ok_or(CommError::Garbled { from, what: "list of bodies" })?);
    }
    came.sort_by_key(|placed| placed.record.id);
    Ok(came)
}

impl Placed {
    /// A record whose bytes begin with the box.
    fn write(&self, to: &mut Vec<u8>) {
        let corners = [self.extent.min.to_array(), self.extent.max.to_array()];
        let mut bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        bytes.extend(&self.record.bytes);
        Record { id: self.record.id, bytes }.write(to);
    }

    fn read_all(bytes: &[u8]) -> Option<Vec<Placed>> {
        let records = Record::read_all(bytes).ok()?;
        records.iter().map(Placed::read).collect()
    }

    fn read(record: &Record) -> Option<Placed> {
        let (corners, rest) = record.bytes.split_first_chunk::<48>()?;
        let x = |k: usize| f64::from_le_bytes(std::array::from_fn(|i| corners[8 * k + i]));
        let extent = Extent::new([x(0), x(1), x(2)].into(), [x(3), x(4), x(5)].into()).ok()?;
        Some(Placed { extent, record: Record { id: record.id, bytes: rest.to_vec() } })
    }
}
