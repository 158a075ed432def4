//! Contacts sorted into colours and cells, and swept.

use super::error::StepError;
use super::kernel::{Sweep, start_pack, sweep_pack};
use super::lanes::{Motions, Wide};
use super::near::Place;
use super::pack::{Pack, Prepared};
use super::share::{Change, Share};
use rayon::prelude::*;
use std::ops::Range;

/// Packs of a colour from which on threads pay.
const MANY: usize = 48;

/// The contacts of a step, in the order in which they are solved.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    /// Colours with the packs they have, in rising order.
    colours: Vec<(u32, Vec<Pack>)>,
    /// Where a contact went: colour, pack, block and lane.
    places: Vec<[u32; 4]>,
}

/// A pair with its place and its contacts.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) place: Place,
    pub(crate) contacts: Range<usize>,
}

impl Solver {
    /// Pairs come in the order of their bodies' ids and stay in it within each cell.
    pub(crate) fn new(groups: &[Group], contacts: &[Prepared]) -> Solver {
        let mut order: Vec<(u32, u64, u32)> =
            groups.iter().zip(0..).map(|(group, k)| (group.place.colour(), group.place.key(), k)).collect();
        order.sort_unstable();
        let mut solver = Solver { colours: Vec::new(), places: vec![[0; 4]; contacts.len()] };
        // Contacts in the order of cells, and where they come from.
        let mut sorted: Vec<Prepared> = Vec::with_capacity(contacts.len());
        let mut origin: Vec<u32> = Vec::with_capacity(contacts.len());
        for colour in order.chunk_by(|p, q| p.0 == q.0) {
            let mut cells: Vec<Range<usize>> = Vec::new();
            for cell in colour.chunk_by(|p, q| p.1 == q.1) {
                let first = sorted.len();
                for &(_, _, group) in cell {
                    let range = groups[group as usize].contacts.clone();
                    origin.extend(range.clone().map(|k| k as u32));
                    sorted.extend_from_slice(&contacts[range]);
                }
                cells.push(first..sorted.len());
            }
            debug_assert!(apart(&cells, &sorted), "two cells of colour {} share a body", colour[0].0);
            solver.colour(colour[0].0, cells, &sorted, &origin);
        }
        solver
    }

    fn colour(&mut self, colour: u32, cells: Vec<Range<usize>>, sorted: &[Prepared], origin: &[u32]) {
        let mut packs = Vec::new();
        let (even, uneven): (Vec<_>, Vec<_>) =
            cells.into_iter().partition(|cell| sorted[cell.clone()].iter().all(|contact| contact.even));
        for (mut cells, even) in [(even, true), (uneven, false)] {
            // Cells of about the same number of contacts side by side.
            cells.sort_by_key(|cell| std::cmp::Reverse(cell.len()));
            for eight in cells.chunks(8) {
                let lists: Vec<&[Prepared]> = eight.iter().map(|cell| &sorted[cell.clone()]).collect();
                for (lane, cell) in eight.iter().enumerate() {
                    for (block, at) in cell.clone().enumerate() {
                        let place = [self.colours.len(), packs.len(), block, lane].map(|x| x as u32);
                        self.places[origin[at] as usize] = place;
                    }
                }
                packs.push(Pack::new(&lists, even));
            }
        }
        self.colours.push((colour, packs));
    }

    /// Which bodies change in which colour, sorted.
    pub(crate) fn changes(groups: &[Group], contacts: &[Prepared]) -> Vec<Change> {
        let mut changes = Vec::new();
        for group in groups {
            let Some(contact) = contacts[group.contacts.clone()].first() else { continue };
            for (slot, free) in contact.slots.into_iter().zip(contact.free) {
                if free {
                    changes.push(Change { colour: group.place.colour(), slot });
                }
            }
        }
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    /// Applies the impulses to begin with.
    pub(crate) fn start(&self, run: &mut Run) -> Result<(), StepError> {
        for &colour in run.colours {
            if let Ok(at) = self.colours.binary_search_by_key(&colour, |entry| entry.0) {
                let (motions, inertias) = (run.motions, run.inertias);
                let packs = &self.colours[at].1;
                if packs.len() >= MANY {
                    packs.par_iter().for_each(|pack| start_pack(pack, motions, inertias));
                } else {
                    for pack in packs {
                        start_pack(pack, motions, inertias);
                    }
                }
            }
            run.share.changed(colour, run.motions).map_err(StepError::Share)?;
        }
        Ok(())
    }

    /// One sweep over all colours; gives the greatest change of a speed on this rank.
    pub(crate) fn sweep(&mut self, how: Sweep, run: &mut Run) -> Result<f64, StepError> {
        let mut greatest = 0.0_f64;
        for &colour in run.colours {
            if let Ok(at) = self.colours.binary_search_by_key(&colour, |entry| entry.0) {
                let (motions, inertias) = (run.motions, run.inertias);
                let packs = &mut self.colours[at].1;
                let of_pack = |pack: &mut Pack| sweep_pack(pack, motions, inertias, how);
                let change = if packs.len() >= MANY {
                    packs.par_iter_mut().map(of_pack).reduce(|| 0.0, f64::max)
                } else {
                    packs.iter_mut().map(of_pack).fold(0.0, f64::max)
                };
                greatest = greatest.max(change);
            }
            run.share.changed(colour, run.motions).map_err(StepError::Share)?;
        }
        Ok(greatest)
    }

    /// Push and drag of a contact.
    pub(crate) fn impulse(&self, contact: usize) -> (f64, kontakt_math::DVec3) {
        let [colour, pack, block, lane] = self.places[contact].map(|x| x as usize);
        self.colours[colour].1[pack].blocks[block].impulse(lane)
    }

    /// Sets the least speed that the next sweeps of another kind allow a contact.
    pub(crate) fn set_second(&mut self, contact: usize, speed: f64) {
        let [colour, pack, block, lane] = self.places[contact].map(|x| x as usize);
        self.colours[colour].1[pack].blocks[block].second.0[lane] = speed;
    }
}

/// What sweeps work on.
pub(crate) struct Run<'r> {
    /// All colours that any rank has.
    pub(crate) colours: &'r [u32],
    /// Speeds, or shifts.
    pub(crate) motions: &'r Motions,
    pub(crate) inertias: &'r [Wide],
    pub(crate) share: &'r mut dyn Share,
}

/// Whether no two cells change the same body.
fn apart(cells: &[Range<usize>], contacts: &[Prepared]) -> bool {
    let mut owners = std::collections::HashMap::new();
    cells.iter().enumerate().all(|(cell, range)| {
        contacts[range.clone()].iter().all(|contact| {
            let slots = contact.slots.into_iter().zip(contact.free).filter(|(_, free)| *free);
            slots.into_iter().all(|(slot, _)| *owners.entry(slot).or_insert(cell) == cell)
        })
    })
}
