//! Moving centres: the heuristic without intermediate optimisation (thesis 3.7.3, Figure 3.7).

use super::{Method, Rule, Split, SplitSet};
use crate::build::partial::{Complete, OPEN, counts, refill, squared_reach};
use kontakt_math::DVec3;

pub(super) const METHODS: &[Method] =
    &[Method::new("centres", "moving centres: heuristic without optimisation (thesis 3.7.3)", |_| {
        Box::new(Centres)
    })];

/// Rounds of exchange after which the centres are taken as they are: the exchange of Figure 3.7 can go on for ever,
/// because the mean of the middles does not minimise the distance to the farthest corner.
const MOST_ROUNDS: usize = 32;

/// Starts with one part around the mean of all faces and adds part after part at the face farthest from its centre; after
/// each, faces go to the nearest centre (by their farthest corner) and centres to the mean of their faces, until nothing
/// changes. A part that loses its last face gets one of another.
pub(super) struct Centres;

impl Rule for Centres {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        if set.centroids().all(|c| c == set.centroid(0)) {
            return None;
        }
        Some(Split::from(self.complete(set, &vec![OPEN; set.faces.len()], parts)))
    }
}

impl Complete for Centres {
    /// Only undecided faces are exchanged; all faces of a part pull at its centre.
    fn complete(&self, set: &SplitSet<'_>, labels: &[u8], parts: usize) -> Vec<u8> {
        let mut state = State::new(set, labels, parts);
        state.exchange(set);
        for part in 0..parts as u8 {
            if state.centres[part as usize].is_none() {
                state.add(set, part);
                state.exchange(set);
            }
        }
        refill(&mut state.labels, labels, parts);
        state.labels
    }
}

struct State {
    free: Vec<bool>,
    labels: Vec<u8>,
    reach: Vec<f64>,
    centres: Vec<Option<DVec3>>,
}

impl State {
    /// Undecided faces all start in the first part that has members, or in part 0.
    fn new(set: &SplitSet<'_>, labels: &[u8], parts: usize) -> State {
        let free: Vec<bool> = labels.iter().map(|label| *label == OPEN).collect();
        let start = counts(labels, parts).iter().position(|count| *count > 0).unwrap_or(0) as u8;
        let labels = labels.iter().map(|label| if *label == OPEN { start } else { *label }).collect();
        let mut state = State { reach: vec![0.0; free.len()], free, labels, centres: vec![None; parts] };
        state.move_centres(set);
        state
    }

    /// A centre at the free face that is farthest from its own.
    fn add(&mut self, set: &SplitSet<'_>, part: u8) {
        let free = (0..self.free.len()).rev().filter(|i| self.free[*i]);
        let Some(worst) = free.max_by(|a, b| self.reach[*a].total_cmp(&self.reach[*b])) else { return };
        self.centres[part as usize] = Some(set.centroid(worst));
        self.labels[worst] = part;
    }

    /// Every part's centre to the mean of its faces' middles; a part without faces keeps its centre.
    fn move_centres(&mut self, set: &SplitSet<'_>) {
        let mut sums = vec![(DVec3::ZERO, 0); self.centres.len()];
        for (place, label) in self.labels.iter().enumerate() {
            let sum = &mut sums[*label as usize];
            *sum = (sum.0 + set.centroid(place), sum.1 + 1);
        }
        for (centre, (sum, count)) in self.centres.iter_mut().zip(sums) {
            if count > 0 {
                *centre = Some(sum / f64::from(count));
            }
        }
    }

    /// Faces to centres and centres to faces, until nothing changes.
    fn exchange(&mut self, set: &SplitSet<'_>) {
        for _ in 0..MOST_ROUNDS {
            if !self.reassign(set) {
                break;
            }
            self.move_centres(set);
        }
    }

    /// Every free face to its nearest centre; whether any face changed its part.
    fn reassign(&mut self, set: &SplitSet<'_>) -> bool {
        let mut changed = false;
        for place in (0..self.free.len()).filter(|i| self.free[*i]) {
            let own = self.labels[place];
            let from = |centre: Option<DVec3>| centre.map_or(f64::INFINITY, |c| squared_reach(set, c, place));
            let mut least = (from(self.centres[own as usize]), own);
            for (part, centre) in self.centres.iter().enumerate() {
                let reach = if part == own as usize { f64::INFINITY } else { from(*centre) };
                if reach < least.0 {
                    least = (reach, part as u8);
                }
            }
            changed |= least.1 != own;
            (self.reach[place], self.labels[place]) = least;
        }
        changed
    }
}
