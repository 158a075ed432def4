//! What changes hands after each colour.
//!
//! Cells of a colour share no body, so at most one rank changes a body within a colour. It tells all other readers; then every copy
//! is the same again, bit for bit, before the next colour.

use crate::comm::{Comm, CommError, words};
use std::collections::BTreeMap;

/// Who tells whom about which bodies, by colour: agreed once for many sweeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    out: BTreeMap<u32, Vec<(usize, Vec<usize>)>>,
    from: BTreeMap<u32, Vec<(usize, Vec<usize>)>>,
}

/// A body that this rank changes in a colour, and who else has a copy of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Any number: level and colour.
    pub colour: u32,
    /// The body.
    pub id: u64,
    /// All that have it; this rank may be among them.
    pub readers: Vec<usize>,
}

impl Plan {
    /// Every rank tells what it will change. `ids` are the bodies that this rank has, in rising order: places in it stand for them.
    pub fn agree(comm: &dyn Comm, changes: &[Change], ids: &[u64]) -> Result<Plan, CommError> {
        let mut told: BTreeMap<usize, Vec<(u32, u64)>> = BTreeMap::new();
        for change in changes {
            for &rank in change.readers.iter().filter(|&&rank| rank != comm.rank()) {
                told.entry(rank).or_default().push((change.colour, change.id));
            }
        }
        for list in told.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        let message = |list: &Vec<(u32, u64)>| {
            list.iter().flat_map(|&(colour, id)| [u64::from(colour), id]).flat_map(u64::to_le_bytes).collect()
        };
        let out: Vec<(usize, Vec<u8>)> = told.iter().map(|(&rank, list)| (rank, message(list))).collect();
        let mut plan = Plan::default();
        for (rank, list) in told {
            plan_for(&mut plan.out, rank, list, ids, comm.rank())?;
        }
        for (rank, bytes) in comm.deliver(&out)? {
            let words = words(rank, &bytes)?;
            let list = words.chunks_exact(2).map(|pair| (pair[0] as u32, pair[1])).collect();
            plan_for(&mut plan.from, rank, list, ids, rank)?;
        }
        Ok(plan)
    }

    /// The other ranks that this one talks to.
    pub fn neighbours(&self) -> Vec<usize> {
        let both = self.out.values().chain(self.from.values()).flatten();
        let mut ranks: Vec<usize> = both.map(|(rank, _)| *rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Sends what this rank changed in the colour and takes what others changed: one message a neighbour, none where nothing is shared.
    /// `get` and `set` turn a body's place into a state of `N` words and back.
    pub fn exchange<const N: usize>(
        &self,
        comm: &dyn Comm,
        colour: u32,
        get: impl Fn(usize) -> [u64; N],
        mut set: impl FnMut(usize, [u64; N]),
    ) -> Result<(), CommError> {
        let none = Vec::new();
        let out = self.out.get(&colour).unwrap_or(&none);
        let from = self.from.get(&colour).unwrap_or(&none);
        if out.is_empty() && from.is_empty() {
            return Ok(());
        }
        let message =
            |places: &Vec<usize>| places.iter().flat_map(|&at| get(at)).flat_map(u64::to_le_bytes).collect();
        let out: Vec<(usize, Vec<u8>)> = out.iter().map(|(rank, places)| (*rank, message(places))).collect();
        let senders: Vec<usize> = from.iter().map(|(rank, _)| *rank).collect();
        for ((rank, places), bytes) in from.iter().zip(comm.exchange(&out, &senders)?) {
            let words = words(*rank, &bytes)?;
            if words.len() != places.len() * N {
                return Err(CommError::Garbled { from: *rank, what: "list of states" });
            }
            for (&at, state) in places.iter().zip(words.as_chunks::<N>().0) {
                set(at, *state);
            }
        }
        Ok(())
    }
}

fn plan_for(
    side: &mut BTreeMap<u32, Vec<(usize, Vec<usize>)>>,
    rank: usize,
    list: Vec<(u32, u64)>,
    ids: &[u64],
    from: usize,
) -> Result<(), CommError> {
    for (colour, id) in list {
        let at = ids
            .binary_search(&id)
            .map_err(|_| CommError::Garbled { from, what: "list of bodies that both have" })?;
        let ranks = side.entry(colour).or_default();
        match ranks.last_mut().filter(|last| last.0 == rank) {
            Some(last) => last.1.push(at),
            None => ranks.push((rank, vec![at])),
        }
    }
    Ok(())
}
