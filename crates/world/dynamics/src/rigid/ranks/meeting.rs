//! What a substep asks of the other ranks.

use super::region::Region;
use crate::rigid::lanes::Motions;
use crate::rigid::rest::Mood;
use crate::rigid::share::{Alone, Change, Share, ShareError, Shared};
use kontakt_distributed::{Cell, Change as Told, Comm, CommError, Plan};
use std::collections::BTreeMap;

/// Ranks that make a substep together.
pub(super) struct Meeting<'m> {
    comm: &'m dyn Comm,
    region: &'m Region,
    plan: Plan,
}

impl<'m> Meeting<'m> {
    pub(super) fn new(comm: &'m dyn Comm, region: &'m Region) -> Meeting<'m> {
        Meeting { comm, region, plan: Plan::default() }
    }
}

impl Share for Meeting<'_> {
    fn owns(&self, cell: Cell) -> bool {
        self.region.territory().owner(cell) == self.comm.rank()
    }

    fn agree(&mut self, shared: Shared, changes: &[Change]) -> Result<Vec<u32>, ShareError> {
        if self.comm.size() == 1 {
            return Alone.agree(shared, changes);
        }
        let told: Vec<Told> = changes
            .iter()
            .map(|change| {
                let slot = change.slot as usize;
                Told { colour: change.colour, id: shared.ids[slot], readers: self.region.holders_of(slot) }
            })
            .collect();
        self.plan = Plan::agree(self.comm, &told, shared.ids)?;
        let mut own: Vec<u32> = changes.iter().map(|change| change.colour).collect();
        own.dedup();
        let mut colours = Vec::new();
        for (from, bytes) in self
            .comm
            .gather(&own.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>())?
            .iter()
            .enumerate()
        {
            let (words, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(CommError::Garbled { from, what: "list of colours" }.into());
            }
            colours.extend(words.iter().map(|word| u32::from_le_bytes(*word)));
        }
        colours.sort_unstable();
        colours.dedup();
        Ok(colours)
    }

    fn changed(&mut self, colour: u32, motions: &Motions) -> Result<(), ShareError> {
        let get = |slot: usize| motions.bits(slot);
        Ok(self.plan.exchange(self.comm, colour, get, |slot, bits: [u64; 6]| motions.set_bits(slot, bits))?)
    }

    fn greatest(&mut self, number: f64) -> Result<f64, ShareError> {
        Ok(self.comm.max_f64(number)?)
    }

    /// Who knows something of a body tells all that have it.
    fn moods(&mut self, ids: &[u64], moods: &mut [Mood]) -> Result<(), ShareError> {
        if self.comm.size() == 1 {
            return Ok(());
        }
        let mut out: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (slot, mood) in moods.iter().enumerate().filter(|(_, mood)| **mood != Mood::ALONE) {
            for rank in self.region.holders_of(slot).into_iter().filter(|rank| *rank != self.comm.rank()) {
                let flags = u64::from(mood.changed) | u64::from(mood.stirred) << 1;
                let words = [ids[slot], u64::from(mood.quiet) << 2 | flags];
                out.entry(rank).or_default().extend(words.into_iter().flat_map(u64::to_le_bytes));
            }
        }
        let out: Vec<(usize, Vec<u8>)> = out.into_iter().collect();
        for (from, bytes) in self.comm.deliver(&out)? {
            let garbled = || CommError::Garbled { from, what: "list of moods" };
            let (pairs, rest) = bytes.as_chunks::<16>();
            if !rest.is_empty() {
                return Err(garbled().into());
            }
            for pair in pairs {
                let word = |k: usize| u64::from_le_bytes(std::array::from_fn(|i| pair[8 * k + i]));
                let slot = ids.binary_search(&word(0)).map_err(|_| garbled())?;
                let told = word(1);
                let mood = Mood { quiet: (told >> 2) as u32, changed: told & 1 != 0, stirred: told & 2 != 0 };
                moods[slot] = moods[slot].and(mood);
            }
        }
        Ok(())
    }
}
