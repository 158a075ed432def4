//! What is remembered of near pairs from step to step.

use kontakt_broad::BoxId;

/// What is known of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairState {
    /// **Never more** than the distance of the bodies where they are now; 0 where nothing is known.
    pub(super) gap: f64,
    /// They are **proven apart** where they are now, neither inside the other, though perhaps nobody knows how far.
    pub(super) apart: bool,
    /// The triangles that last met, by their places in the trees of both bodies, that with the lesser name first.
    pub(super) met: Option<[u32; 2]>,
    /// Steps to wait until the gap is measured again: bodies that stay close gain nothing from it.
    pub(super) wait: u8,
    /// How long to wait when it was measured in vain the next time.
    pub(super) patience: u8,
}

impl PairState {
    /// Nothing is known.
    pub(super) const UNKNOWN: PairState =
        PairState { gap: 0.0, apart: false, met: None, wait: 0, patience: 0 };

    /// Of bodies that are proven apart, by at least so much.
    pub(super) fn apart_by(self, gap: f64) -> PairState {
        PairState { gap, apart: true, ..self }
    }
}

/// The states of all near pairs, by the ids of their boxes.
#[derive(Debug, Default)]
pub(super) struct PairCache {
    keys: Vec<[BoxId; 2]>,
    states: Vec<PairState>,
    old_keys: Vec<[BoxId; 2]>,
    old_states: Vec<PairState>,
}

impl PairCache {
    /// Goes over to the pairs of a new step, sorted; what is known of those that stay is kept unless `is_stale`.
    pub(super) fn renew(&mut self, pairs: &[[BoxId; 2]], is_stale: impl Fn([BoxId; 2]) -> bool) {
        std::mem::swap(&mut self.keys, &mut self.old_keys);
        std::mem::swap(&mut self.states, &mut self.old_states);
        self.keys.clear();
        self.states.clear();
        self.keys.extend_from_slice(pairs);
        let mut at = 0;
        for &pair in pairs {
            while self.old_keys.get(at).is_some_and(|old| *old < pair) {
                at += 1;
            }
            let known = self.old_keys.get(at) == Some(&pair) && !is_stale(pair);
            self.states.push(if known { self.old_states[at] } else { PairState::default() });
        }
    }

    pub(super) fn pairs(&self) -> &[[BoxId; 2]] {
        &self.keys
    }

    pub(super) fn state(&self, place: usize) -> PairState {
        self.states[place]
    }

    pub(super) fn state_mut(&mut self, place: usize) -> &mut PairState {
        &mut self.states[place]
    }
}
